// Runs the measurements one after another and compares them with their targets.
import { openAsSuperuser } from '../test/open-as-superuser.ts'
import { alone, bringBack, bulkOperations, compareBulk } from './bulk.ts'
import type { Series } from './chart.ts'
import { clientLine } from './client.ts'
import { type BenchData, forgetNewLeads, makeData, type Place } from './data.ts'
import { feedLines, keyLine } from './feed.ts'
import { duration, type Line, median, short } from './figures.ts'
import { type FilterTime, groupOf, timeFilters } from './filters.ts'
import { compare, type Effort, latency } from './http.ts'
import { toolLines } from './mcp.ts'
import { type Running, startCeiling, startService } from './processes.ts'
import { operations } from './requests.ts'
import { measureStart } from './start.ts'
import { copyAll, growthDuring, readAll } from './stream.ts'
import { compareUndo } from './undo.ts'

export interface Plan {
  /** Numbers of leads in the workspace. Ratios are measured with the last one. */
  sizes: number[]
  /** The number of leads with which the tools for agents are measured. */
  tools: number
  /** Leads in each of the ten other workspaces. */
  others: number
  compare: Effort
  latency: Effort
  bulkRounds: number
  filterRounds: number
  streamRounds: number
  startRounds: number
}

export interface Results {
  leads: number
  lines: Line[]
  growth: Series[]
  filters: FilterTime[]
  /** Requests a second in the largest workspace. */
  rates: Map<string, number>
}

type Say = (line: string) => void

export async function measure(place: Place, plan: Plan, say: Say): Promise<Results> {
  const largest = plan.sizes.at(-1) as number
  const growth = new Map<string, Series>()
  const note = (name: string, leads: number, ms: number) => {
    const series = growth.get(name) ?? { name, points: [] }
    series.points.push({ leads, ms })
    growth.set(name, series)
    say(`${leads.toLocaleString('en')} leads, ${name}: ${duration(ms)}`)
  }
  const lines: Line[] = []
  const rates = new Map<string, number>()
  let filters: FilterTime[] = []
  for (const leads of plan.sizes) {
    say(`${leads.toLocaleString('en')} leads and ten other workspaces: making the data`)
    const data = await makeData(place, leads, plan.others, say)
    await withProcesses(data, async (bench) => {
      for (const operation of operations) {
        note(
          operation.name,
          leads,
          await latency(bench.db, data, operation, bench.service, plan.latency),
        )
      }
      if (leads === largest) {
        // As for an older version: the same leads, and not those that were created just now.
        await forgetNewLeads(bench.db, data)
        filters = await timeFilters(bench.service, data, plan.filterRounds, ({ name, ms }) =>
          say(`${name}: ${duration(ms)}`),
        )
        lines.push(...filterLines(filters))
        lines.push(...(await requestLines(bench, plan, say, rates)))
        lines.push(await keyLine(bench.service, data, plan.compare))
        say('the change feed, while leads are created')
        lines.push(...(await feedLines(bench.service, data, plan.compare)))
        say('the client')
        lines.push(await clientLine(bench.service, data))
      }
      if (leads === plan.tools) {
        say('the tools for agents')
        lines.push(...(await toolLines(bench.service, data, say)))
      }
      lines.push(...(await bulkLines(bench, plan, leads === largest, note)))
      if (leads === largest) lines.push(...(await undoLines(bench, plan)))
      lines.push(...(await streamLines(bench, plan, leads === largest, note)))
    })
    if (leads === largest) {
      say('starting on existing data')
      lines.push(...startLines(await measureStart(data, plan.startRounds)))
    }
  }
  // With one size there is nothing to compare.
  if (plan.sizes.length > 1) lines.splice(-2, 0, ...growthLines(growth, plan.sizes))
  return { leads: largest, lines, growth: [...growth.values()], filters, rates }
}

interface Bench {
  data: BenchData
  db: Awaited<ReturnType<typeof openAsSuperuser>>['pool']
  service: Running
  ceiling: Running
}

async function withProcesses(data: BenchData, work: (bench: Bench) => Promise<void>) {
  const database = await openAsSuperuser(
    { dataDir: data.dataDir, databaseUrl: data.databaseUrl, poolSize: 2 },
    () => {},
  )
  await forgetNewLeads(database.pool, data)
  const service = await startService(data)
  const ceiling = await startCeiling(data)
  try {
    await work({ data, db: database.pool, service, ceiling })
  } finally {
    await ceiling.stop()
    await service.stop()
    await database.close()
  }
}

async function requestLines(
  { data, db, service, ceiling }: Bench,
  plan: Plan,
  say: Say,
  rates: Map<string, number>,
) {
  const lines: Line[] = []
  for (const operation of operations) {
    if (operation.target === undefined) continue
    const seen = await compare(db, data, operation, service, ceiling, plan.compare)
    lines.push({
      operation: operation.name,
      target: `at least ${operation.target.toFixed(2)} of the ceiling`,
      measured: seen.ratio.toFixed(2),
      detail: `${short(seen.service)} of ${short(seen.ceiling)} requests a second; each takes PostgreSQL ${duration(seen.postgresMs)}`,
      isReached: seen.ratio >= operation.target,
    })
    rates.set(operation.name, seen.service)
    say(`${operation.name}: ${seen.ratio.toFixed(2)} of the ceiling`)
  }
  return lines
}

/** One line for all that have the same limit, and one for the age of the leads. */
function filterLines(filters: FilterTime[]): Line[] {
  const limits = [...new Set(filters.map(({ most }) => most))]
  const lines = limits.map((most): Line => {
    const cases = filters.filter((each) => each.most === most)
    const slowest = cases.reduce((slow, each) => (each.ms > slow.ms ? each : slow))
    const within = cases.filter(({ ms }) => ms <= most).length
    return {
      operation: `${groupOf(most)}, each alone`,
      target: `within ${most} ms`,
      measured: `${within} of ${cases.length}`,
      detail: `the slowest: ${slowest.name}, ${duration(slowest.ms)}`,
      isReached: within === cases.length,
    }
  })
  const [young = Number.NaN, old = Number.NaN] = ['newest', 'oldest'].map(
    (age) => filters.find(({ name }) => name.includes(age))?.ms,
  )
  const ratio = old / young
  return [
    ...lines,
    {
      operation: 'a tag whose leads are all old',
      target: 'at most 3 times one whose leads are new',
      measured: ratio.toFixed(2),
      detail: `${duration(old)} against ${duration(young)}`,
      isReached: ratio <= 3,
    },
  ]
}

async function bulkLines(
  { data, db, service }: Bench,
  plan: Plan,
  isLargest: boolean,
  note: (name: string, leads: number, ms: number) => void,
) {
  const lines: Line[] = []
  for (const bulk of bulkOperations(db, data, service)) {
    if (!isLargest) {
      note(bulk.name, data.leads, await alone(db, bulk, plan.bulkRounds))
      continue
    }
    const seen = await compareBulk(db, bulk, plan.bulkRounds)
    note(bulk.name, data.leads, seen.service)
    const line = (ratio: number | undefined, most: number | undefined, of: string) => {
      if (ratio === undefined || most === undefined) return
      lines.push({
        operation: bulk.name,
        target: `at most ${most} times ${of}`,
        measured: ratio.toFixed(2),
        detail: duration(seen.service),
        isReached: ratio <= most,
      })
    }
    line(seen.toCeiling, bulk.ceiling?.most, 'a plain statement on a copy with a primary key')
    line(seen.toSameSql, bulk.sameSql?.most, 'the direct SQL')
  }
  await bringBack(db, data.workspace.id_space)
  return lines
}

const undoTarget = 1.2
const beforesMb = 4

async function undoLines({ data, db, service }: Bench, plan: Plan): Promise<Line[]> {
  const { undo, toOperation, megabytes } = await compareUndo(db, data, service, plan.bulkRounds)
  return [
    {
      operation: 'undo of update-many of a tenth',
      target: `at most ${undoTarget} times the operation`,
      measured: toOperation.toFixed(2),
      detail: duration(undo),
      isReached: toOperation <= undoTarget,
    },
    {
      operation: 'values before of 100,000 leads',
      target: `at most ${beforesMb} MB`,
      measured: `${megabytes.toFixed(1)} MB`,
      detail: 'of a field with few different values',
      isReached: megabytes <= beforesMb,
    },
  ]
}

const streamTarget = 0.5
const streamMemoryMb = 64

async function streamLines(
  { data, db, service }: Bench,
  plan: Plan,
  isLargest: boolean,
  note: (name: string, leads: number, ms: number) => void,
): Promise<Line[]> {
  const times: number[] = []
  const copies: number[] = []
  const grown: number[] = []
  let bytes = 0
  for (let round = 0; round < plan.streamRounds; round++) {
    const streamed = await growthDuring(service, () => readAll(service, data))
    times.push(streamed.result.ms)
    grown.push(streamed.grown)
    bytes = streamed.result.bytes
    if (isLargest) copies.push((await copyAll(db, data)).ms)
  }
  note('all: true', data.leads, median(times))
  if (!isLargest) return []
  const ratio = median(copies) / median(times)
  const most = Math.max(...grown)
  return [
    {
      operation: 'all: true',
      target: `at least ${streamTarget} of COPY … TO`,
      measured: ratio.toFixed(2),
      detail: `${short(bytes / 1e6)} MB in ${duration(median(times))}, COPY ${duration(median(copies))}`,
      isReached: ratio >= streamTarget,
    },
    {
      operation: 'all: true, memory',
      target: `grows by at most ${streamMemoryMb} MB`,
      measured: `${most.toFixed(0)} MB`,
      detail: 'the most of all rounds',
      isReached: most <= streamMemoryMb,
    },
  ]
}

function growthLines(growth: Map<string, Series>, sizes: number[]): Line[] {
  const at = (name: string | undefined, leads: number | undefined) =>
    growth.get(name ?? '')?.points.find((point) => point.leads === leads)?.ms ?? Number.NaN
  const [smallest, largest] = [sizes[0], sizes.at(-1)]
  const [search, page] = operations.map(({ name }) => name)
  const deep = operations.find(({ name }) => name.startsWith('deep'))?.name
  const line = (operation: string, most: number, against: string, long: number, base: number) => ({
    operation,
    target: `at most ${most} times ${against}`,
    measured: (long / base).toFixed(2),
    detail: `${duration(long)} against ${duration(base)}`,
    isReached: long / base <= most,
  })
  const small = `the latency at ${smallest?.toLocaleString('en')}`
  return [
    ...[search, page].map((name) =>
      line(`${name}, growth`, 1.5, small, at(name, largest), at(name, smallest)),
    ),
    line(`${deep}`, 20, 'the first page', at(deep, largest), at(page, largest)),
  ]
}

function startLines({ ms, idleMb }: { ms: number; idleMb: number }): Line[] {
  return [
    {
      operation: 'first answer after start',
      target: 'under 2 s',
      measured: duration(ms),
      detail: 'on existing data, PostgreSQL started too',
      isReached: ms < 2000,
    },
    {
      operation: 'idle memory of the Node process',
      target: 'under 120 MB',
      measured: `${idleMb.toFixed(0)} MB`,
      detail: 'ten seconds after the first answer',
      isReached: idleMb < 120,
    },
  ]
}
