// Statements about leads with equal keys.
import { type KeyKind, largeGroup } from '@rapport/contract/duplicates.values'
import type { Db } from '../../../db/driver.ts'
import { rowsOf, run, type Sql, sql } from '../../../db/sql.ts'
import { partsOf } from '../row/merged.sql.ts'
import { type LeadKey, numberOf } from './keys.ts'

export interface KeyGroup {
  key: string
  size: number
  /** Of a large group, only the first ones. */
  ids: string[]
}

export interface KeyBatch {
  groups: KeyGroup[]
  /** How many entries were read. */
  read: number
  /** The last key. There may be more entries with it. */
  last: string | null
}

/** The next entries of a kind in the order of their keys, from this one on, and the groups among them. */
export async function selectKeyBatch(
  db: Db,
  space: string,
  kind: KeyKind,
  from: string,
  limit: number,
): Promise<KeyBatch> {
  const [row] = await run<[KeyBatch]>(db)`with entry as materialized (
      select key, id_lead from lead_key
      where id_space = ${space} and kind = ${numberOf(kind)} and key >= ${from}
      order by key, id_lead limit ${limit})
    select (select count(*)::int from entry) as read, (select max(key) from entry) as last,
      coalesce((
        select json_agg(json_build_object('key', key, 'size', size, 'ids', ids) order by key)
        from (
          select key, count(*)::int as size, (array_agg(id_lead order by id_lead))[1:${largeGroup}::int] as ids
          from (${withExact(space, kind)}) member
          group by key having count(*) > 1) found), '[]') as groups`
  return row
}

/** The entries, and those of exact emails that equal the loose ones. */
const withExact = (space: string, kind: KeyKind): Sql =>
  kind === 'email_loose'
    ? sql`select key, id_lead from entry
        union
        select key, id_lead from lead_key
        where id_space = ${space} and kind = ${numberOf('email')}
          and key = any(array(select key from entry))`
    : sql`select key, id_lead from entry`

/** A group that is larger than a batch. */
export async function selectLargeGroup(
  db: Db,
  space: string,
  kind: KeyKind,
  key: string,
): Promise<KeyGroup> {
  const [row] = await run<[KeyGroup]>(db)`select ${key}::text as key, count(*)::int as size,
      (array_agg(id_lead order by id_lead))[1:${largeGroup}::int] as ids
    from lead_key where id_space = ${space} and kind = ${numberOf(kind)} and key = ${key}`
  return row
}

/** Those of these keys that a large group has. */
export const selectLargeKeys = (db: Db, space: string, keys: LeadKey[]): Promise<LeadKey[]> =>
  run<LeadKey[]>(db)`select entry.kind, entry.key from ${rowsOf(keys, sql`kind smallint, key text`)}
    where ${largeGroup} < (
      select count(*) from (
        select from lead_key
        where lead_key.id_space = ${space} and lead_key.kind = entry.kind and lead_key.key = entry.key
        limit ${largeGroup + 1}) counted)`

export interface StoredKey extends LeadKey {
  id_lead: string
}

export const selectKeysOf = (db: Db, space: string, ids: string[]): Promise<StoredKey[]> =>
  run<StoredKey[]>(db)`select id_lead, kind, key from lead_key
    where id_space = ${space} and id_lead = any(${ids}::uuid[])`

export interface Pair {
  id_lead: string
  id_other: string
}

/** Pairs of these leads that were dismissed: themselves, or leads that were merged into them. */
export const selectDismissed = (db: Db, space: string, ids: string[]): Promise<Pair[]> =>
  run<Pair[]>(db)`with whole as materialized (${partsOf(space, sql`${ids}::uuid[]`)})
    select distinct least(one.id, other.id) as id_lead, greatest(one.id, other.id) as id_other
    from whole one
    join not_duplicate on not_duplicate.id_space = ${space} and not_duplicate.id_lead = one.part
    join whole other on other.part = not_duplicate.id_other
    where one.id <> other.id`

/** All pairs of these leads. */
const pairsOf = (ids: string[]) => sql`
  select one.id as id_lead, other.id as id_other
  from unnest(${ids}::uuid[]) as one (id) join unnest(${ids}::uuid[]) as other (id) on one.id < other.id`

export async function insertDismissed(db: Db, space: string, ids: string[]): Promise<void> {
  await run(db)`insert into not_duplicate (id_space, id_lead, id_other)
    select ${space}::uuid, pair.id_lead, pair.id_other from (${pairsOf(ids)}) pair
    on conflict do nothing`
}

/** Of leads that were merged, it was said of a part. */
export async function deleteDismissed(db: Db, space: string, ids: string[]): Promise<void> {
  await run(db)`with whole as materialized (${partsOf(space, sql`${ids}::uuid[]`)})
    delete from not_duplicate
    where id_space = ${space} and id_lead in (select part from whole)
      and id_other in (select part from whole)`
}

export interface CountRow {
  kind: number
  groups: number
  large: number
  /** Groups that no stronger kind repeats. */
  own: number
}

/**
 * The groups of each kind. A group is dismissed when all its pairs are, and repeated when all its leads have a stronger
 * key in common.
 */
export function countGroups(db: Db, space: string): Promise<CountRow[]> {
  const loose = numberOf('email_loose')
  return run<CountRow[]>(db)`with recursive merged (id, id_into) as (
      select id, merged_into from lead where id_space = ${space} and merged_into is not null
      union
      select merged.id, lead.merged_into from merged
      join lead on lead.id_space = ${space} and lead.id = merged.id_into
        and lead.merged_into is not null),
    told as (
      select coalesce(one.id_into, not_duplicate.id_lead) as id_one,
        coalesce(other.id_into, not_duplicate.id_other) as id_other
      from not_duplicate
      left join merged one on one.id = not_duplicate.id_lead
      left join merged other on other.id = not_duplicate.id_other
      where not_duplicate.id_space = ${space}),
    different as (
      select distinct least(id_one, id_other) as id_lead, greatest(id_one, id_other) as id_other
      from told where id_one <> id_other),
    loose as materialized (
      select key, id_lead from lead_key where id_space = ${space} and kind = ${loose}),
    met as (
      select key, id_lead from loose
      union
      select key, id_lead from lead_key
      where id_space = ${space} and kind = ${numberOf('email')}
        and key = any(array(select key from loose))),
    found as materialized (
      select kind, key, count(*) as size,
        case when count(*) <= ${largeGroup} then array_agg(id_lead) end as ids
      from lead_key where id_space = ${space} and kind <> ${loose}
      group by kind, key having count(*) > 1
      union all
      select ${loose}::smallint, key, count(*),
        case when count(*) <= ${largeGroup} then array_agg(id_lead) end
      from met group by key having count(*) > 1),
    member as materialized (
      select kind, key, size, unnest(ids) as id_lead from found),
    dismissed as (
      select one.kind, one.key from different
      join member one on one.id_lead = different.id_lead
      join member other on other.id_lead = different.id_other
        and other.kind = one.kind and other.key = one.key
      group by one.kind, one.key, one.size having count(*) = one.size * (one.size - 1) / 2),
    repeated as (
      select distinct one.kind, one.key from member one
      join member other on other.id_lead = one.id_lead and other.kind < one.kind
      group by one.kind, one.key, one.size, other.kind, other.key having count(*) = one.size)
    select found.kind, count(*) filter (where ids is not null)::int as groups,
      count(*) filter (where ids is null)::int as large,
      count(*) filter (where ids is not null and repeated.key is null)::int as own
    from found
    left join dismissed on dismissed.kind = found.kind and dismissed.key = found.key
    left join repeated on repeated.kind = found.kind and repeated.key = found.key
    where dismissed.key is null
    group by found.kind`
}
