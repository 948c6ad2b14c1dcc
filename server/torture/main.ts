// npm run torture: long runs that try to break the promises of docs/RELIABILITY.md.
import { parseArgs } from 'node:util'
import { onStopSignal } from '../src/commands/interrupt.ts'
import { createRandom } from '../src/random.ts'
import { NoCitus } from '../test/cluster.ts'
import { readOptions, wholeNumber } from '../test/options.ts'
import { tortures } from './index.ts'
import { writeReport } from './report.ts'
import { Breach, type Outcome, type Size } from './torture.ts'

/** The others need the bundled PostgreSQL, or no database at all. */
const onClusters = ['crash', 'feed', 'webhooks', 'mail', 'isolation', 'concurrency']

const usage = `Usage: npm run torture -- [name …] [--seed <n>] [--short] [--minutes <n>]
                          [--requests <n>] [--kills <n>] [--cluster]

Runs the tortures one after another, each with its own service and database, which are removed
afterward. The exit status is 1 when a promise was broken. A full run without a breach writes its
figures into docs/RELIABILITY.md.

${tortures.map(({ name, summary }) => `  ${name.padEnd(14)}${summary}`).join('\n')}

  --seed <n>      the same seed makes the same random decisions (default: from the clock)
  --short         the short form that the tests run: seconds instead of minutes
  --minutes <n>   stop after this time (default: 60)
  --requests <n>  how many requests fuzz sends (default: 100000)
  --kills <n>     how often crash, client, webhooks and mail kill (default: 50; client: 100)
  --cluster       use a Citus cluster instead of the bundled PostgreSQL, for
                  ${onClusters.join(', ')};
                  it needs a PostgreSQL with Citus (see npm run cluster -- --help)`

export async function main(args: string[]): Promise<void> {
  const options = optionsOf(args)
  const { seed, size, chosen, isOnCluster } = options
  const stop = new AbortController()
  const stopListening = onStopSignal(() => stop.abort())
  const deadline = setTimeout(() => stop.abort(), options.minutes * 60_000)
  console.log(`Seed ${seed}`)
  const outcomes: Outcome[] = []
  let broken = 0
  for (const { name, summary, run } of chosen) {
    if (stop.signal.aborted) break
    console.log(`\n${name}: ${summary}`)
    const started = performance.now()
    const say = (line: string) => console.log(`  ${line}`)
    try {
      const figures = await run(size, {
        ...{ random: createRandom(seed), say, signal: stop.signal, isOnCluster },
        ...{ requests: options.requests, kills: options.kills },
      })
      const seconds = Math.round((performance.now() - started) / 1000)
      if (!stop.signal.aborted) outcomes.push({ name, figures, seconds })
      for (const [what, value] of Object.entries(figures)) {
        say(`${String(value).padStart(12)}  ${what}`)
      }
      say(`${String(seconds).padStart(12)}  seconds`)
    } catch (error) {
      broken++
      say(tell(error))
      say(
        `To repeat: npm run torture -- ${name} --seed ${seed}${size === 'short' ? ' --short' : ''}`,
      )
    }
  }
  clearTimeout(deadline)
  stopListening()
  const complete = outcomes.length === tortures.filter(({ isOnRequest }) => !isOnRequest).length
  if (complete && size === 'long') await writeReport(outcomes, seed)
  console.log(summaryLine(outcomes.length, broken, chosen.length))
  process.exitCode = broken > 0 ? 1 : outcomes.length < chosen.length ? 130 : 0
}

function tell(error: unknown): string {
  if (error instanceof Breach) return `BROKEN: ${error.message}`
  return error instanceof NoCitus ? error.message : String((error as Error).stack)
}

function summaryLine(held: number, broken: number, chosen: number): string {
  const left = chosen - held - broken
  return `\n${held} held, ${broken} broken${left > 0 ? `, ${left} not run to the end` : ''}.`
}

function optionsOf(args: string[]) {
  return readOptions(usage, () => {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        seed: { type: 'string', default: String(Date.now() % 2 ** 32) },
        minutes: { type: 'string', default: '60' },
        short: { type: 'boolean', default: false },
        requests: { type: 'string' },
        kills: { type: 'string' },
        cluster: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    const unknown = positionals.find((wanted) => !tortures.some(({ name }) => name === wanted))
    if (unknown) throw new Error(`There is no torture called "${unknown}".`)
    const isForAll =
      positionals.length > 0 && positionals.every((name) => onClusters.includes(name))
    if (values.cluster && !isForAll) throw new Error(`--cluster is for ${onClusters.join(', ')}.`)
    return {
      help: values.help,
      isOnCluster: values.cluster,
      seed: wholeNumber('--seed', values.seed, 0, 2 ** 32 - 1),
      minutes: wholeNumber('--minutes', values.minutes, 1, 1_440),
      requests: atLeastOne('--requests', values.requests),
      kills: atLeastOne('--kills', values.kills),
      size: (values.short ? 'short' : 'long') as Size,
      chosen: tortures.filter(({ name, isOnRequest }) =>
        positionals.length === 0 ? !isOnRequest : positionals.includes(name),
      ),
    }
  })
}

function atLeastOne(name: string, text: string | undefined): number | undefined {
  return text === undefined ? undefined : wholeNumber(name, text, 1, 100_000_000)
}
