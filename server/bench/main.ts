// npm run bench: compares the service, or an import, with what the machine can do at most.
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readOptions, wholeNumber } from '../test/options.ts'
import { type Figures, measureVersion } from './against.ts'
import { compareCreate } from './create.ts'
import { measureDuplicates } from './duplicates.ts'
import { printImport } from './import.report.ts'
import { measureImport } from './import.ts'
import { measureTools } from './mcp.ts'
import { measure, type Plan } from './measure.ts'
import { printTable, writePage } from './report.ts'
import { run } from './run.ts'
import { printVersions } from './versions.ts'
import { compareWebhooks } from './webhooks.ts'

const usage = `Usage: npm run bench -- [--quick] [--data <folder>] [--database <url>]
                        [--against <checkout> --against-data <folder>]
       npm run bench -- create [--rounds <n>] [--seconds <n>] [--data <folder>]
                        [--against <checkout> --against-data <folder>]
       npm run bench -- import [--rows <n>] [--rounds <n>] [--against <checkout>]
       npm run bench -- duplicates [--leads <n>]
       npm run bench -- agents [--leads <n>] [--data <folder>]
       npm run bench -- webhooks [--rounds <n>] [--seconds <n>] [--data <folder>]

Without one of these words, it measures the service against a ceiling: bare handlers with the same driver and
one statement for each job, on the same database, alternately. This takes about half an hour and 10 GB of
disk, and writes docs/BENCHMARKS.md. Use a quiet machine.

  --quick           five minutes, up to 30,000 leads: a first impression; writes nothing
  --data <folder>   keep the databases there and reuse existing ones
  --database <url>  measure on this database instead of the bundled one: it must be empty, and the
                    leads stay in it. Only the largest number of leads is measured; writes nothing
  --against <checkout>   measure an older Rapport too, in this folder and built ...
  --against-data <folder>   ... on data that its own bench has left there (--data)

With "create" it measures only POST /lead, with 30,000 leads, and writes nothing. An older Rapport alternates
with this one: create its data with "npm run bench -- --quick --data <folder>" there, or use the same folder if
both have the same migrations. The most useful figure on a busy machine is PostgreSQL's time for a lead.

  --rounds <n>      how often, 1 to 99 (default: 5)
  --seconds <n>     how long each turn takes, 1 to 60 (default: 3)

With "import" it creates demo leads and exports them. Then it loads them with COPY and with "import leads",
each time into a new workspace in the same tables. The target is at least three quarters of the speed of COPY. It also
measures the memory of the import, and the speed of export, backup and restore.

  --rows <n>             how many leads, 1,000 to 1,000,000 (default: 100,000)
  --rounds <n>           how often, 1 to 9; the order changes from round to round (default: 2)
  --against <checkout>   also import with the Rapport in this folder, which must have the same migrations

With "duplicates" it creates demo leads with 3 % differently spelled duplicates, and measures how many of them are found,
and how fast.

  --leads <n>            how many, 1,000 to 1,000,000 (default: 100,000)

With "agents" it measures each tool for agents, alternating with the requests behind it: the 95th percentile may be at
most 1.5 times as long. Writes nothing.

  --leads <n>            how many, 1,000 to 1,000,000 (default: 100,000)

With "webhooks" it measures how long an event takes to reach 200 receivers, alternating with one more that never
answers. The 99th percentile may be at most 5 % longer. Writes nothing.

  --rounds <n>      how often, 1 to 99 (default: 5)
  --seconds <n>     how long each turn takes, 1 to 60 (default: 20; an attempt fails after 15)

For all:

  --minutes <n>     stop after this time (default: 60)

The exit status is 1 when a target is missed. TMPDIR says where temporary files go.`

const whole: Plan = {
  sizes: [10_000, 100_000, 1_000_000],
  tools: 100_000,
  others: 10_000,
  compare: { rounds: 5, seconds: 3, warmUp: 15 },
  latency: { rounds: 3, seconds: 2, warmUp: 2 },
  bulkRounds: 3,
  filterRounds: 3,
  streamRounds: 1,
  startRounds: 3,
}

const quick: Plan = {
  sizes: [3_000, 30_000],
  tools: 30_000,
  others: 1_000,
  compare: { rounds: 3, seconds: 1, warmUp: 12 },
  latency: { rounds: 1, seconds: 1, warmUp: 1 },
  bulkRounds: 3,
  filterRounds: 1,
  streamRounds: 1,
  startRounds: 1,
}

export async function main(args: string[]): Promise<void> {
  if (args[0] === 'import') return benchImport(args.slice(1))
  if (args[0] === 'webhooks') return benchWebhooks(args.slice(1))
  if (args[0] === 'duplicates') return benchDuplicates(args.slice(1))
  if (args[0] === 'agents') return benchAgents(args.slice(1))
  await (args[0] === 'create' ? benchCreate(args.slice(1)) : benchService(args))
}

const common = {
  minutes: { type: 'string', default: '60' },
  help: { type: 'boolean', short: 'h', default: false },
} as const
const minutesOf = (text: string) => wholeNumber('--minutes', text, 1, 1_440)

const withOlder = {
  data: { type: 'string' },
  against: { type: 'string' },
  'against-data': { type: 'string' },
} as const

function requireBoth(values: { against?: string; 'against-data'?: string }): void {
  if ((values.against === undefined) !== (values['against-data'] === undefined)) {
    throw new Error('--against and --against-data must be used together.')
  }
}

const readTurns = ({ rounds, seconds }: { rounds: string; seconds: string }) => ({
  rounds: wholeNumber('--rounds', rounds, 1, 99),
  seconds: wholeNumber('--seconds', seconds, 1, 60),
})

async function benchWebhooks(args: string[]): Promise<void> {
  const { minutes, data, ...turns } = readOptions(usage, () => {
    const { values } = parseArgs({
      args,
      options: {
        ...common,
        data: { type: 'string' },
        rounds: { type: 'string', default: '5' },
        seconds: { type: 'string', default: '20' },
      },
    })
    return { ...values, minutes: minutesOf(values.minutes), ...readTurns(values) }
  })
  await run({ folder: data && resolve(data), minutes }, async ({ folder, say }) => {
    const lines = await compareWebhooks({ folder, ...turns }, say)
    printTable(lines)
    return lines.every(({ isReached }) => isReached)
  })
}

async function benchDuplicates(args: string[]): Promise<void> {
  const { minutes, leads } = readOptions(usage, () => {
    const options = { ...common, leads: { type: 'string', default: '100000' } } as const
    const { values } = parseArgs({ args, options })
    return {
      ...values,
      leads: wholeNumber('--leads', values.leads, 1_000, 1_000_000),
      minutes: minutesOf(values.minutes),
    }
  })
  await run({ minutes }, async ({ folder, say, signal }) => {
    const lines = await measureDuplicates({ folder, leads }, say, signal)
    printTable(lines)
    return lines.every(({ isReached }) => isReached)
  })
}

async function benchAgents(args: string[]): Promise<void> {
  const { minutes, leads, data } = readOptions(usage, () => {
    const options = {
      ...common,
      data: { type: 'string' },
      leads: { type: 'string', default: '100000' },
    } as const
    const { values } = parseArgs({ args, options })
    return {
      ...values,
      leads: wholeNumber('--leads', values.leads, 1_000, 1_000_000),
      minutes: minutesOf(values.minutes),
    }
  })
  await run({ folder: data && resolve(data), minutes }, async ({ folder, say }) => {
    const lines = await measureTools({ folder, databaseUrl: undefined }, leads, say)
    printTable(lines)
    return lines.every(({ isReached }) => isReached)
  })
}

async function benchCreate(args: string[]): Promise<void> {
  const { minutes, data, against, rounds, seconds, ...options } = readOptions(usage, () => {
    const { values } = parseArgs({
      args,
      options: {
        ...common,
        ...withOlder,
        rounds: { type: 'string', default: '5' },
        seconds: { type: 'string', default: '3' },
      },
    })
    requireBoth(values)
    return {
      ...values,
      minutes: minutesOf(values.minutes),
      ...readTurns(values),
    }
  })
  const older = against !== undefined && {
    script: join(resolve(against), 'scripts/rapport.mjs'),
    folder: resolve(options['against-data'] as string),
  }
  await run({ folder: data && resolve(data), minutes }, async ({ folder, say }) => {
    const plan = { folder, rounds, seconds, against: older || undefined }
    const lines = await compareCreate(plan, say)
    printTable(lines)
    return lines.every(({ isReached }) => isReached)
  })
}

async function benchService(args: string[]): Promise<void> {
  const options = readOptions(usage, () => {
    const { values } = parseArgs({
      args,
      options: {
        ...common,
        ...withOlder,
        quick: { type: 'boolean', default: false },
        database: { type: 'string' },
      },
    })
    requireBoth(values)
    return { ...values, minutes: minutesOf(values.minutes) }
  })
  const folder = options.data === undefined ? undefined : resolve(options.data)
  await run({ folder, minutes: options.minutes }, async ({ folder, say }) => {
    const { quick: isQuick, database: databaseUrl } = options
    const plan = isQuick ? quick : whole
    const sizes = databaseUrl === undefined ? plan.sizes : plan.sizes.slice(-1)
    const results = await measure({ folder, databaseUrl }, { ...plan, sizes }, say)
    const { against: checkout, 'against-data': oldFolder } = options
    const old =
      checkout !== undefined && oldFolder !== undefined
        ? await measureOld(resolve(oldFolder), resolve(checkout), plan, say)
        : undefined
    printTable(results.lines)
    if (old) printVersions(results, old)
    if (!isQuick && databaseUrl === undefined) {
      console.log(`\nWritten: ${await writePage(results, old)}`)
    }
    return results.lines.every(({ isReached }) => isReached)
  })
}

/** The older version, in the largest workspace. */
async function measureOld(
  folder: string,
  checkout: string,
  plan: Plan,
  say: (line: string) => void,
): Promise<Figures> {
  const data = JSON.parse(await readFile(join(folder, `${plan.sizes.at(-1)}.json`), 'utf8'))
  const effort = { ...plan.compare, rounds: 3 }
  const rounds = { effort, bulkRounds: 1, filterRounds: 1 }
  const tell = (line: string) => say(`the older version: ${line}`)
  return measureVersion(data, rounds, tell, join(checkout, 'scripts/rapport.mjs'))
}

async function benchImport(args: string[]): Promise<void> {
  const { minutes, ...plan } = readOptions(usage, () => {
    const { values } = parseArgs({
      args,
      options: {
        ...common,
        rows: { type: 'string', default: '100000' },
        rounds: { type: 'string', default: '2' },
        against: { type: 'string' },
      },
    })
    return {
      ...values,
      minutes: minutesOf(values.minutes),
      rows: wholeNumber('--rows', values.rows, 1_000, 1_000_000),
      rounds: wholeNumber('--rounds', values.rounds, 1, 9),
    }
  })
  await run({ minutes }, async (run) => printImport(plan, await measureImport(plan, run)))
}
