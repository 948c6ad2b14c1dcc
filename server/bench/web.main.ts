// npm run bench:web: measures the page in headless Chromium.
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readOptions, wholeNumber } from '../test/options.ts'
import { makeData } from './data.ts'
import { startService } from './processes.ts'
import { printTable } from './report.ts'
import { run } from './run.ts'
import { writeSection } from './web.report.ts'
import { measurePage } from './web.ts'

const usage = `Usage: npm run bench:web -- [--leads <n>] [--seconds <n>] [--data <folder>]

Measures the grid in headless Chromium, with its processor slowed down four times while it scrolls, and
compares it with a bare page of static rows in the same browser. It writes the section "The page" of
docs/BENCHMARKS.md. Use a quiet machine.

  --leads <n>       leads in the workspace, 1,000 to 1,000,000 (default: 100,000)
  --seconds <n>     how long to scroll, 1 to 300 (default: 10)
  --data <folder>   keep the database there, and use the one that exists already
  --quick           for a first look: writes nothing
  --minutes <n>     stop after this time (default: 60)

The exit status is 1 when a target is missed.`

export async function main(args: string[]): Promise<void> {
  const options = readOptions(usage, () => {
    const { values } = parseArgs({
      args,
      options: {
        leads: { type: 'string', default: '100000' },
        seconds: { type: 'string', default: '10' },
        data: { type: 'string' },
        quick: { type: 'boolean', default: false },
        minutes: { type: 'string', default: '60' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    return {
      ...values,
      leads: wholeNumber('--leads', values.leads, 1_000, 1_000_000),
      seconds: wholeNumber('--seconds', values.seconds, 1, 300),
      minutes: wholeNumber('--minutes', values.minutes, 1, 1_440),
    }
  })
  const { leads, seconds, minutes, quick } = options
  const kept = options.data === undefined ? undefined : resolve(options.data)
  await run({ folder: kept, minutes }, async ({ folder, say }) => {
    say(`Making ${leads.toLocaleString('en')} leads`)
    const data = await makeData(folder, leads, 1_000, say)
    const service = await startService(data)
    const lines = await measurePage({ url: service.url, key: data.key, seconds, say })
    await service.stop()
    printTable(lines)
    if (!quick) console.log(`\nWritten: ${await writeSection(leads, lines)}`)
    return lines.every(({ isReached }) => isReached)
  })
}
