// npm run bench: the service beside what the machine can do at most, in one run.
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { onStopSignal } from '../src/commands/interrupt.ts'
import { measure, type Plan } from './measure.ts'
import { endAll } from './processes.ts'
import { printTable, writePage } from './report.ts'

const usage = `Usage: npm run bench -- [--quick] [--data <folder>]

Measures the service against a ceiling: bare handlers with the same driver and one statement for each
job, on the same database, turn by turn. Takes about half an hour and some 10 GB of disk, and writes
docs/BENCHMARKS.md. Ends with status 1 when a target is missed. A quiet machine gives honest figures.

  --quick           two minutes, up to 30,000 leads: for a first look; writes nothing
  --data <folder>   keep the databases there, and use those that are there already`

const whole: Plan = {
  sizes: [10_000, 100_000, 1_000_000],
  others: 10_000,
  compare: { rounds: 7, seconds: 3, warmUp: 6 },
  latency: { rounds: 3, seconds: 2, warmUp: 2 },
  bulkRounds: 3,
  streamRounds: 2,
  startRounds: 3,
}

const quick: Plan = {
  sizes: [3_000, 30_000],
  others: 1_000,
  compare: { rounds: 1, seconds: 1, warmUp: 2 },
  latency: { rounds: 1, seconds: 1, warmUp: 1 },
  bulkRounds: 1,
  streamRounds: 1,
  startRounds: 1,
}

export async function main(args: string[]): Promise<void> {
  const options = readOptions(args)
  const folder = options.data ?? (await mkdtemp(join(tmpdir(), 'rapport-bench-')))
  // Started by root, PostgreSQL runs under another account, which has to get in.
  if (options.data === undefined) await chmod(folder, 0o711)
  const stop = new AbortController()
  const stopListening = onStopSignal(() => stop.abort(new Error('Stopped.')))
  try {
    const started = performance.now()
    const say = (line: string) => {
      stop.signal.throwIfAborted()
      const seconds = Math.round((performance.now() - started) / 1000)
      console.error(`${String(seconds).padStart(5)} s  ${line}`)
    }
    const results = await measure(folder, options.quick ? quick : whole, say)
    printTable(results.lines)
    if (!options.quick) console.log(`\nWritten: ${await writePage(results)}`)
    process.exitCode = results.lines.every(({ isReached }) => isReached) ? 0 : 1
  } catch (error) {
    console.error(stop.signal.aborted ? 'Stopped.' : error)
    process.exitCode = stop.signal.aborted ? 130 : 1
  } finally {
    await endAll()
    if (options.data === undefined) {
      await rm(folder, { recursive: true, force: true, maxRetries: 10 })
    }
    stopListening()
  }
}

function readOptions(args: string[]) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        quick: { type: 'boolean', default: false },
        data: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    })
    if (values.help) {
      console.log(usage)
      process.exit()
    }
    return { quick: values.quick, data: values.data && resolve(values.data) }
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`)
    process.exit(2)
  }
}
