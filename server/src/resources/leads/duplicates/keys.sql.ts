// Statements about the keys of leads. Every statement that writes a field that keys are made of writes the keys too.
import type { Db } from '../../../db/driver.ts'
import { columnNames, raw, rowWriter, run, runAll, type Sql, sql } from '../../../db/sql.ts'
import { newId } from '../../../ids.ts'
import { keyFields, keysOf, type LeadKey } from './keys.ts'

/** The advisory lock of a workspace between making the keys of all leads and those of some. */
export const keysLock = 7_245_320

const writeKeys = rowWriter('lead_key', { kind: 'smallint', key: 'text', id_lead: 'uuid' })

type Row = Record<string, unknown>

export interface Keyed {
  row: Row
  /** Its keys, if the caller knows them already. */
  keys?: LeadKey[] | undefined
}

/** The statements for the keys of new leads. */
export type KeysOfNew = (space: string, leads: Keyed[]) => Sql[]

/** Written together with the leads. `zone` is the time zone of the workspace. */
export const keysNow =
  (zone: string): KeysOfNew =>
  (space, leads) =>
    insertKeys(space, leads, zone)

/** How many leads a row names at most. */
export const dueLeads = 2_000

/** Made in the background (build.ts): writing keys takes a quarter as long as all the rest of an import. */
export function keysLater(space: string, leads: Keyed[]): Sql[] {
  const ids = leads.map(({ row }) => row.id as string)
  const rows = Array.from({ length: Math.ceil(ids.length / dueLeads) }, (_, at) =>
    ids.slice(at * dueLeads, (at + 1) * dueLeads),
  )
  return rows.map(
    (some) => sql`insert into lead_key_due (id_space, id, ids)
      values (${space}, ${newId()}, ${some}::uuid[])`,
  )
}

/** The statement that writes the keys of leads: none if they have no keys. */
export function insertKeys(space: string, leads: Keyed[], zone: string): Sql[] {
  const all: (LeadKey & { id_lead: unknown })[] = []
  for (const { row, keys = keysOf(row, zone) } of leads) {
    for (const { kind, key } of keys) all.push({ kind, key, id_lead: row.id })
  }
  return all.length > 0 ? [sql`${writeKeys(space, all)}`] : []
}

/** How many possible duplicates of a new lead are returned. */
export const maxLike = 5

/** A query of the oldest leads with these keys: kind, key, id_lead. */
export const leadsWithKeys = (space: string, keys: LeadKey[]) => sql`
  select wanted.kind, wanted.key, found.id_lead
  from unnest(${keys.map(({ kind }) => kind)}::smallint[], ${keys.map(({ key }) => key)}::text[])
    as wanted (kind, key)
  cross join lateral (
    select lead_key.id_lead from lead_key
    where lead_key.id_space = ${space} and lead_key.kind = wanted.kind and lead_key.key = wanted.key
    order by lead_key.id_lead limit ${raw(String(maxLike))}) found`

/** How many leads are read at a time. */
const batchSize = 5_000

/** Writes the keys of changed leads again, which the caller has locked. `ids` is an array, in SQL. */
export async function refreshKeys(db: Db, space: string, ids: Sql): Promise<void> {
  await forgetKeys(db, space, ids)
  const rows = await run<{ id: string }[]>(db)`
    select written.id from unnest(${ids}) as written (id) order by written.id`
  const zone = await selectZone(db, space)
  for (let at = 0; at < rows.length; at += batchSize) {
    const some = rows.slice(at, at + batchSize).map(({ id }) => id)
    const leads = await run<Row[]>(db)`select id, ${columnNames(keyFields)} from lead
      where id_space = ${space} and id = any(${some}::uuid[]) and not is_deleted`
    const keyed = leads.map((row) => ({ row }))
    await runAll(db, insertKeys(space, keyed, zone))
  }
}

/** Those of deleted leads, and of those whose keys are about to be written again. `ids` is an array, in SQL. */
export async function forgetKeys(db: Db, space: string, ids: Sql): Promise<void> {
  // Keys that are being made of all leads would come after this.
  await run(db)`select pg_advisory_xact_lock_shared(${keysLock}::int, hashtext(${space}))`
  await run(db)`delete from lead_key using unnest(${ids}) as written (id)
    where lead_key.id_space = ${space} and lead_key.id_lead = written.id`
}

/** The time zone of the workspace. */
export async function selectZone(db: Db, space: string): Promise<string> {
  const [row] = await run<{ time_zone: string }[]>(db, zoneOf(space))
  return row?.time_zone ?? 'UTC'
}

/** The query of `selectZone`. */
export const zoneOf = (space: string) => sql`select time_zone from space where id_space = ${space}`
