// Leads from a file or a request's body. A batch of rows is one transaction: whatever happens, only whole
// batches are saved. The input is read twice: first to see what its columns contain.
import type { Actor } from '@rapport/contract/actor'
import type { Decimal } from '@rapport/contract/numbers.values'
import { type DuplicateWay, maxAlikeRows, type UnknownWay } from '@rapport/contract/transfer'
import { type Db, type Pool, sqlState, transaction } from '../../../../db/driver.ts'
import type { Author } from '../../../../feed/author.ts'
import { newId } from '../../../../ids.ts'
import { type AttributeRow, selectAttributes } from '../../../../references/attributes.ts'
import { beginBatch, resolveRelations } from '../../../leads/change/batch.sql.ts'
import { tellDue } from '../../../leads/duplicates/build.sql.ts'
import { finishKeys, finishMs } from '../../../leads/duplicates/build.ts'
import { type MadeRelation, madeRelations } from '../../../operations/store/made.sql.ts'
import { resumeOperation } from '../../../operations/store/operation.sql.ts'
import { timeZoneOf } from '../../../reminders/reminders.recurrence.ts'
import { selectStatuses } from '../../../status/status.sql.ts'
import { Source, type SourceOptions, type SourceRow } from '../../file/row-source.ts'
import type { Input } from '../../file/spool.ts'
import type { Column, Mapping } from '../columns/column.ts'
import { saveAttributes } from '../columns/make-attributes.ts'
import { matchColumns } from '../columns/match-columns.ts'
import { type Catalog, loadCatalog } from '../rows/known-records.ts'
import { RowReader } from '../rows/row-reader.ts'
import { type Survey, survey } from '../rows/survey.ts'
import { UnknownValues, withNearest } from '../rows/unknown-values.ts'
import type { DateOrder } from '../values/dates.ts'
import type { SaidValue } from '../values/value-rules.ts'
import { chooseKey } from '../write/choose-key.ts'
import { type DecidedRows, requireRows } from '../write/decided-rows.ts'
import {
  type AlikeRow,
  type Key,
  looksForAlike,
  type Plan,
  planBatch,
  type RejectedRow,
} from '../write/plan-batch.ts'
import { renewStatistics } from '../write/statistics.sql.ts'
import { countCompanies, type WriteOptions, writePlan } from '../write/write-batch.ts'
import type { Counts } from './progress.sql.ts'
import { Ahead, attributesById, type Batch, batches, readBatches, takeRows } from './read-ahead.ts'
import { beginImport, endImport, keepImport, stopImport } from './record-import.ts'

export interface ImportOptions extends SourceOptions {
  space: string
  /** Who imports. */
  actor: Actor
  now: () => Date
  /** Header and field, as "First Name" and "first_name". */
  map: [header: string, field: string][]
  /** A field, foreign_id or attribute:SLUG. */
  upsertBy: string | undefined
  /** With upsertBy: do not change existing leads. */
  skipExisting?: boolean
  /** What to do with rows that look like an existing lead. */
  duplicates?: DuplicateWay | undefined
  /** The same for single rows. */
  duplicateRows?: DecidedRows[]
  /** Names or ids, for every row. */
  lists: string[]
  tags: string[]
  createCompanies: boolean
  /** What to do with values that name a status or an option, and with other unknown ones. */
  values: SaidValue[]
  unknown: UnknownWay | undefined
  /** Create attributes for columns that match no field. */
  createAttributes: boolean
  /** The order of days and months, and the sign before decimals, where the columns do not show it. */
  dates: DateOrder | undefined
  decimal: Decimal | undefined
  dryRun: boolean
  /** Only read the columns. */
  columnsOnly?: boolean
  signal?: AbortSignal | undefined
  /** Alongside other work: when a batch may be written. */
  inTurn?: <T>(work: () => Promise<T>) => Promise<T>
}

export interface ImportState extends Counts {
  id: string
  /** The last row that is done. */
  row: number
  companies: number
  hasOwners: boolean
  /** Rows without a value to find a lead by. */
  unmatched: number
  /** Rows that look like an existing lead, and the first of them. */
  duplicates: { rows: number; sample: AlikeRow[] }
  /** Names of what was made. */
  made: Record<MadeRelation, string[]>
  strangers: Map<string, number>
  unknown: UnknownValues
  /** Relations to leads that are not in the file. */
  lostRelations: number
}

/** What is known of the input before anything is written. */
export interface Opened {
  mapping: Mapping
  survey: Survey
  encoding: string
  separator: string | null
}

export interface ImportResult extends ImportState, Opened {
  columns: Column[]
  unknownValues: Awaited<ReturnType<typeof withNearest>>
  /** False when it was asked to stop. */
  isComplete: boolean
}

/** For a caller that stores something in the transaction of each batch. */
export interface ImportHooks {
  /** Continues from here. */
  start?: Counts & { id: string; row: number }
  /** The columns are known and nothing is written yet. */
  opened?(opened: Opened, source: Source): Promise<void> | void
  /** Before the batch is committed. May run again for the same batch. */
  keep?(tx: Db, after: ImportState, rejected: RejectedRow[], before: ImportState): Promise<void>
  /** The batch is committed. */
  done?(state: ImportState, rejected: RejectedRow[]): void
  finish?(tx: Db, state: ImportState): Promise<void>
}

/** After this many rows, and whenever there are four times as many, the statistics are renewed. */
const manyRows = 10_000
const manyTimes = 4

export async function importLeads(
  pool: Pool,
  input: Input,
  options: ImportOptions,
  hooks: ImportHooks = {},
): Promise<ImportResult> {
  const { space } = options
  const found = await survey(input, options)
  requireRows(options.duplicateRows ?? [], found.headerRow, found.lastRow)
  const attributes = await selectAttributes(pool, space)
  const statuses = await selectStatuses(pool, space)
  const mayAsk = options.columnsOnly
  const mapping = await matchColumns(found.columns, {
    ...options,
    attributes,
    definitions: found.definitions,
    now: options.now(),
    zone: await timeZoneOf(pool, space),
    mayAsk,
  })
  let state = startState(hooks.start)
  if (options.columnsOnly) {
    const { columns } = mapping
    return { ...state, ...openedOf(found, mapping), columns, unknownValues: [], isComplete: true }
  }
  if (looksForAlike(options)) {
    const { signal, inTurn, dryRun } = options
    // The import finds what a dry run misses.
    await finishKeys(pool, space, { signal, inTurn, ...(dryRun && { forMs: finishMs }) })
  }
  const key = chooseKey(options.upsertBy, mapping, [...attributes, ...mapping.toMake])
  const { encoding, separator, headerRow } = found
  // Once rows are written, a signal ends the import between two batches.
  const signal = undefined
  const source = new Source(input.open(), { ...options, encoding, separator, signal })
  let renewed = Promise.resolve()
  try {
    await source.open({ headerRow })
    const opened = openedOf(found, mapping)
    await hooks.opened?.(opened, source)
    if (!options.dryRun) {
      state.companies = await beginImport(pool, authorOf(options), state.id, options)
    }
    if (!options.dryRun && mapping.toMake.length + mapping.toExtend.length > 0) {
      await transaction(pool, async (tx) => {
        const by = await resumeOperation(tx, authorOf(options), state.id)
        await saveAttributes(tx, by, mapping)
      })
    }
    const reader = new RowReader(source, mapping, attributes)
    const unmade = options.dryRun ? reader.unmade : []
    let known = attributesById([...(await selectAttributes(pool, space)), ...unmade])
    const seen = options.dryRun ? new Set<string>() : undefined
    let renewAt = manyRows
    const isStopped = () => options.signal?.aborted === true
    const rowBatches = batches(source, state.row, found.lastRow)
    const ahead = new Ahead(readBatches(rowBatches, reader, () => known))
    const whileWriting = () => void ahead.begin()
    for await (const batch of ahead.items()) {
      if (isStopped()) break
      if (options.dryRun) whileWriting()
      const before = state
      const write = () =>
        batchTransaction(pool, async (tx) => {
          const how = { ...options, key, unmade, whileWriting, definitions: found.definitions }
          const result = await runBatch(tx, batch, reader, how, before, seen)
          if (!options.dryRun) await keepImport(tx, authorOf(options), result.after)
          await hooks.keep?.(tx, result.after, result.plan.rejected, before)
          return result
        })
      const { after, plan, catalog } = await (options.inTurn?.(write) ?? write())
      state = after
      known = catalog.attributes
      hooks.done?.(state, plan.rejected)
      const written = state.created + state.updated
      if (!options.dryRun && written >= renewAt) {
        // Alongside the next batches, which need them only when there are many more rows.
        renewed = renewed.then(() => renewStatistics(pool)).catch(() => {})
        renewAt = manyTimes * written
      }
    }
    const isComplete = !isStopped()
    if (!options.dryRun) {
      await transaction(pool, async (tx) => {
        const by = await resumeOperation(tx, authorOf(options), state.id)
        if (state.created > 0) await tellDue(tx, space)
        if (!isComplete) return stopImport(tx, by, state)
        await endImport(tx, by, state)
        state.lostRelations = await resolveRelations(tx, by, state.id)
        await hooks.finish?.(tx, state)
      })
    }
    const unknownValues = await withNearest(state.unknown.all, statuses, attributes)
    return { ...state, ...opened, columns: reader.columns, unknownValues, isComplete }
  } catch (error) {
    // Earlier batches are kept and can be undone. If this fails too, the lease expires.
    if (!options.dryRun) {
      const stop = (tx: Db) => stopImport(tx, authorOf(options), state)
      await transaction(pool, stop).catch(() => {})
    }
    throw error
  } finally {
    await renewed
    await source.close()
  }
}

function openedOf(found: Survey, mapping: Mapping): Opened {
  const { encoding = 'utf-8', separator = null } = found
  return { mapping, survey: found, encoding, separator }
}

const authorOf = ({ space, actor, now }: ImportOptions): Author => ({ space, actor, now: now() })

const uniqueViolation = '23505'

/** Retries if another request created a lead with the same id. The retry sees that lead. */
async function batchTransaction<T>(pool: Pool, work: (tx: Db) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction(pool, work)
    } catch (error) {
      if (sqlState(error) !== uniqueViolation || attempt === 5) throw error
    }
  }
}

function startState(start: ImportHooks['start']): ImportState {
  return {
    ...{ id: newId(), row: 0, created: 0, updated: 0, skipped: 0, rejected: 0 },
    ...start,
    ...{ companies: 0, unmatched: 0 },
    duplicates: { rows: 0, sample: [] },
    hasOwners: false,
    made: { lists: [], status: [], tags: [] },
    strangers: new Map(),
    unknown: new UnknownValues(),
    lostRelations: 0,
  }
}

async function runBatch(
  tx: Db,
  batch: Batch,
  reader: RowReader,
  options: ImportOptions &
    Pick<Survey, 'definitions'> &
    WriteOptions & { key: Key | undefined; unmade: AttributeRow[] },
  before: ImportState,
  seen: Set<string> | undefined,
): Promise<{ after: ImportState; plan: Plan; catalog: Catalog }> {
  const { space } = options
  if (!options.dryRun) await beginBatch(tx, space)
  const catalog = await loadCatalog(tx, space, {
    attributes: reader.attributes,
    unmade: options.unmade,
    madeBefore: madeRelations.reduce((sum, kind) => sum + before.made[kind].length, 0),
    definitions: options.definitions,
  })
  const { drafts, rejected, bare, unknown } = await takeRows(batch, reader, catalog.attributes)
  const plan = await planBatch(tx, drafts, catalog, {
    ...options,
    upsertBy: options.key,
    id_import: before.id,
    ...(seen && { seen }),
  })
  plan.skipped += bare
  plan.rejected.push(...rejected)
  plan.rejected.sort((a, b) => a.row.number - b.row.number)
  const companies = options.dryRun
    ? await countCompanies(tx, space, plan, options, seen)
    : await writePlan(
        tx,
        await resumeOperation(tx, authorOf(options), before.id),
        plan,
        catalog,
        options,
        before.id,
      )
  const known = { ...before, unknown: before.unknown.with(unknown) }
  return { plan, catalog, after: advance(known, plan, catalog, batch.rows, companies) }
}

function advance(
  before: ImportState,
  plan: Plan,
  catalog: Catalog,
  rows: SourceRow[],
  companies: number,
): ImportState {
  const strangers = new Map(before.strangers)
  for (const [name, count] of plan.strangers) {
    if (strangers.size < 1000 || strangers.has(name)) {
      strangers.set(name, (strangers.get(name) ?? 0) + count)
    }
  }
  const made = Object.fromEntries(
    madeRelations.map((kind) => {
      const names = catalog.made[kind].map(({ name }) => name)
      // If nothing is written, every batch creates them again.
      return [kind, [...new Set([...before.made[kind], ...names])]]
    }),
  ) as ImportState['made']
  return {
    ...before,
    row: rows.at(-1)?.number ?? before.row,
    created: before.created + plan.created,
    updated: before.updated + plan.updated,
    skipped: before.skipped + plan.skipped,
    rejected: before.rejected + plan.rejected.length,
    companies: before.companies + companies,
    hasOwners: before.hasOwners || plan.leads.some(({ owners }) => owners.size > 0),
    unmatched: before.unmatched + plan.unmatched,
    duplicates: {
      rows: before.duplicates.rows + plan.alike.length,
      sample: [...before.duplicates.sample, ...plan.alike].slice(0, maxAlikeRows),
    },
    made,
    strangers,
    unknown: before.unknown.with(catalog.unknown),
  }
}
