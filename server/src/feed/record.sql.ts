// Writes events of the change feed, in the transaction of the change. The sequencer numbers them after
// the commit. Call it after the changed records are locked: the order of the events of a record is then
// the order of its changes.
import type { EventRecord, EventType } from '@rapport/contract'
import { maxValueBytes } from '@rapport/contract/events'
import type { Db } from '../db/driver.ts'
import { columnNames, join, raw, rowWriter, run, type Sql, sql, typedAs } from '../db/sql.ts'
import { newId } from '../ids.ts'
import type { Author } from './author.ts'

/** An event has at most this many ids. */
export const maxIds = 500
/** Of a longer value. */
const keptCharacters = 2000
/** The last word may be cut in two. Half an address could not be found when its lead is erased. */
const partOfWord = String.raw`(?<=[\s",:])[^\s",:]{1,255}$`

/** Field → [before, after] */
export type Changed = Record<string, [before: unknown, after: unknown]>

export interface NewEvent {
  type: EventType
  ids: string[]
  /** The leads that a note or a reminder belongs to. */
  leads?: string[]
  changed?: Changed
}

export async function record(db: Db, by: Author, { type, ...event }: NewEvent): Promise<void> {
  await recordMany(db, by, type, [event])
}

/** Several events of one type, in one statement. */
export async function recordMany(
  db: Db,
  by: Author,
  type: EventType,
  events: Omit<NewEvent, 'type'>[],
): Promise<void> {
  if (events.length > 0) await run(db, insertEventsOf(by.space, type, [{ by, events }]))
}

/** Any number of records that changed alike. */
export function recordAlike(
  db: Db,
  by: Author,
  type: EventType,
  ids: string[],
  changed?: Changed,
): Promise<void> {
  const events = inChunks(ids).map((chunk) => ({ ids: chunk, ...(changed && { changed }) }))
  return recordMany(db, by, type, events)
}

/** By default as many as one event may have. */
export function inChunks<T>(records: T[], size = maxIds): T[][] {
  return Array.from({ length: Math.ceil(records.length / size) }, (_, index) =>
    records.slice(index * size, (index + 1) * size),
  )
}

/** Events of one type and several authors, in one statement. Those of one author come one after the other. */
export function insertEventsOf(
  space: string,
  type: EventType,
  authors: { by: Author; events: Omit<NewEvent, 'type'>[] }[],
): Sql {
  const rows = authors.flatMap(({ by, events }) => {
    const values = eventValues(by)
    return events.map(({ changed, ...event }, index) => ({
      ...{ ...values, ...event, part: index + 1, type },
      changed: changed && cutValues(changed),
    }))
  })
  return sql`${writeEvents(space, rows)}`
}

const authorTypes = {
  ...{ at: 'timestamptz', id_member: 'uuid', id_key: 'uuid', way: 'text', request_id: 'text' },
  ...{ id_operation: 'uuid', step: 'int', undo_of: 'uuid' },
}
const eventTypes = {
  ...{ id: 'uuid', part: 'int', type: 'text', ...authorTypes },
  ...{ ids: 'uuid[]', leads: 'uuid[]', changed: 'jsonb' },
}
const writeEvents = rowWriter('event_new', eventTypes)

/** The columns that do not depend on the event. */
function eventValues({ now, actor, operation, undoOf }: Author) {
  return {
    id: newId(),
    at: now.toISOString(),
    ...{ id_member: actor.member, id_key: actor.key, way: actor.way, request_id: actor.request_id },
    id_operation: operation?.id ?? null,
    step: operation?.steps ?? null,
    undo_of: undoOf ?? null,
  }
}

/**
 * A statement that writes one event for each row of a query with the columns `ids`, `leads` and
 * `changed`. It can be part of a larger statement.
 */
export function insertEvents(by: Author, type: EventType, rows: Sql): Sql {
  const { id, ...values } = eventValues(by)
  const author = Object.entries(authorTypes).map(([name, as]) =>
    typedAs(as, values[name as keyof typeof values]),
  )
  return sql`insert into event_new (id_space, ${columnNames(Object.keys(eventTypes))})
    select ${by.space}::uuid, ${id}::uuid, row_number() over ()::int, ${raw(`'${type}'`)},
      ${join(author, ', ')}, found.ids, found.leads, found.changed
    from (${rows}) found`
}

/** What is the same for every record, or moves with every change. */
const unsaid = new Set(['id', 'id_space', 'updated_at'])

/** A new record: its fields that have a value. `leads` are those that a note or reminder belongs to. */
export function recordCreated<T extends { id: string }>(
  db: Db,
  by: Author,
  what: EventRecord,
  after: T,
  leads?: string[],
): Promise<void> {
  const changed = difference(by, {}, after)
  return record(db, by, {
    type: `${what}.created`,
    ids: [after.id],
    ...(leads && { leads }),
    changed,
  })
}

/** A deleted record. Its name, which is stored nowhere else anymore, tells people what it was. */
export function recordDeleted(
  db: Db,
  by: Author,
  what: EventRecord,
  { id, name }: { id: string; name: string },
): Promise<void> {
  return record(db, by, { type: `${what}.deleted`, ids: [id], changed: { name: [name, null] } })
}

/** A changed record: the fields that differ. Nothing is written when none does. */
export async function recordUpdated<T extends { id: string }>(
  db: Db,
  by: Author,
  what: EventRecord | 'workspace',
  before: object,
  after: T,
  leads?: string[],
): Promise<void> {
  const changed = difference(by, before, after)
  if (Object.keys(changed).length === 0) return
  await record(db, by, {
    type: `${what}.updated`,
    ids: [after.id],
    ...(leads && { leads }),
    changed,
  })
}

/** Several changed records: one event for each that differs, in one statement. */
export function recordAllUpdated<Row extends { id: string }>(
  db: Db,
  by: Author,
  what: EventRecord,
  before: readonly { id: string }[],
  after: readonly Row[],
  leadsOf?: (row: Row) => string[],
): Promise<void> {
  const old = new Map(before.map((row) => [row.id, row]))
  const events = after
    .map((row) => ({
      ids: [row.id],
      ...(leadsOf && { leads: leadsOf(row) }),
      changed: difference(by, old.get(row.id) ?? {}, row),
    }))
    .filter(({ changed }) => Object.keys(changed).length > 0)
  return recordMany(db, by, `${what}.updated`, events)
}

export function difference({ now }: Author, before: object, after: object): Changed {
  const old = before as Record<string, unknown>
  return Object.fromEntries(
    Object.entries(after).flatMap(([name, value]): [string, Changed[string]][] => {
      // The time of the event is that of the creation, except where data comes from elsewhere.
      if (unsaid.has(name) || (name === 'created_at' && value === now.toISOString())) return []
      const pair: Changed[string] = [old[name] ?? null, value ?? null]
      return JSON.stringify(pair[0]) === JSON.stringify(pair[1]) ? [] : [[name, pair]]
    }),
  )
}

export function cutValues(changed: Changed): Changed {
  return Object.fromEntries(
    Object.entries(changed).map(([name, [before, after]]) => [name, [cut(before), cut(after)]]),
  )
}

function cut(value: unknown): unknown {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (text === undefined || Buffer.byteLength(text) <= maxValueBytes) return value
  // PostgreSQL counts characters, not UTF-16 units.
  const start = Array.from(text.slice(0, 2 * keptCharacters)).slice(0, keptCharacters)
  return {
    cut: start.join('').replace(new RegExp(partOfWord, 'u'), ''),
    length: text.replaceAll(/[\uDC00-\uDFFF]/g, '').length,
  }
}

/** The same for a value of type jsonb in a statement. */
export function cutSql(value: Sql): Sql {
  const text = sql`(${value} #>> '{}')`
  return sql`case when octet_length(${text}) > ${maxValueBytes}::int
    then jsonb_build_object('cut', regexp_replace(left(${text}, ${keptCharacters}::int), ${raw(`'${partOfWord}'`)}, ''), 'length', length(${text})) else ${value} end`
}
