// npm run bench:web: measures the page in headless Chromium.
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readOptions, wholeNumber } from '../test/options.ts'
import { makeData } from './data.ts'
import type { Line } from './figures.ts'
import { startService } from './processes.ts'
import { printTable } from './report.ts'
import { run } from './run.ts'
import { writeSection } from './web.report.ts'
import { measurePage } from './web.ts'

const usage = `Usage: npm run bench:web -- [--leads <n>]... [--seconds <n>] [--data <folder>]

Measures the grid in headless Chromium, with its processor slowed down four times while it scrolls, and
compares it with the same rows without any script in the same browser. It writes the section "The page" of
docs/BENCHMARKS.md. Use a quiet machine.

  --leads <n>       leads in the workspace, 1,000 to 1,000,000; several times for several workspaces
                    (default: 100,000 and 1,000,000)
  --seconds <n>     how long to scroll, 1 to 300 (default: 10)
  --data <folder>   keep the database there and reuse an existing one
  --quick           a first impression; writes nothing
  --minutes <n>     stop after this time (default: 60)

The exit status is 1 when a target is missed.`

export async function main(args: string[]): Promise<void> {
  const options = readOptions(usage, () => {
    const { values } = parseArgs({
      args,
      options: {
        leads: { type: 'string', multiple: true, default: ['100000', '1000000'] },
        seconds: { type: 'string', default: '10' },
        data: { type: 'string' },
        quick: { type: 'boolean', default: false },
        minutes: { type: 'string', default: '60' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    return {
      ...values,
      leads: values.leads.map((leads) => wholeNumber('--leads', leads, 1_000, 1_000_000)),
      seconds: wholeNumber('--seconds', values.seconds, 1, 300),
      minutes: wholeNumber('--minutes', values.minutes, 1, 1_440),
    }
  })
  const { leads, seconds, minutes, quick } = options
  const kept = options.data === undefined ? undefined : resolve(options.data)
  await run({ folder: kept, minutes }, async ({ folder, say }) => {
    const lines: Line[] = []
    const firstRows: number[] = []
    for (const count of leads) {
      const size = `${count.toLocaleString('en')} leads`
      say(`Making ${size}`)
      const data = await makeData({ folder, databaseUrl: undefined }, count, 1_000, say)
      const service = await startService(data)
      const measured = await measurePage({ url: service.url, key: data.key, seconds, say })
      await service.stop()
      lines.push(
        ...measured.lines.map((line) => ({ ...line, operation: `${size}: ${line.operation}` })),
      )
      firstRows.push(measured.firstRow)
    }
    if (firstRows.length > 1) lines.push(compareSizes(firstRows))
    printTable(lines)
    if (!quick) console.log(`\nWritten: ${await writeSection(lines)}`)
    return lines.every(({ isReached }) => isReached)
  })
}

function compareSizes(firstRows: number[]): Line {
  const ratio = Math.max(...firstRows) / Math.min(...firstRows)
  return {
    operation: 'first row, the slowest size against the fastest',
    measured: ratio.toFixed(2),
    target: 'at most 1.2',
    detail: '',
    isReached: ratio <= 1.2,
  }
}
