// Statements that take an operation back, step by step. Each lead gets a value back only where it still
// has the one that the operation set. What they do is journaled like every change, as steps of the undo.
import { type LeadRelation, leadRelations } from '@rapport/contract/leads/relations'
import type { Db } from '../../db/driver.ts'
import { join, raw, run, type Sql, sql } from '../../db/sql.ts'
import {
  journal,
  journalNotes,
  jsonObject,
  runJournaled,
  type What,
} from '../../feed/journal.sql.ts'
import type { OperationAuthor } from '../../feed/operation.sql.ts'
import { columnType } from '../leads/leads.columns.ts'
import { attributePrefix } from '../leads/leads.journal.sql.ts'
import { isLiveRecord } from '../references/references.sql.ts'

/** What an operation did of one kind, in one or several steps. */
export interface Done {
  operation: string
  what: What
  steps: number
}

export function selectDone(db: Db, space: string, operation: string): Promise<Done[]> {
  return run<Done[]>(
    db,
    sql`select ${operation}::text as operation, what, count(distinct step)::int as steps
      from operation_before
      where id_space = ${space} and id_operation = ${operation} and what <> 'kept'
      group by what`,
  )
}

/** Locks all leads of the operation at once, in the order of their ids, as every bulk change does. */
export async function lockLeadsOf(db: Db, space: string, operation: string): Promise<void> {
  await run(
    db,
    sql`select count(*) from (
        select lead.id from lead
        where lead.id_space = ${space} and lead.id in (
          select unnest(ids) from operation_before
          where id_space = ${space} and id_operation = ${operation} and what not in ('kept', 'notes'))
        order by lead.id for no key update) locked`,
  )
}

const rowsOf = (space: string, { operation, what }: Done) => sql`operation_before
  where operation_before.id_space = ${space} and operation_before.id_operation = ${operation}
    and operation_before.what = ${what}`

/**
 * One row for each lead, with its values before and after the operation. If several steps changed a
 * lead, the first one knows the value before, and the last one the value after.
 */
function befores(space: string, done: Done): Sql {
  if (done.steps === 1) return sql`select unnest(ids) as id, old, new from ${rowsOf(space, done)}`
  return sql`
    select each.id, jsonb_object_agg(name, each.old -> name order by each.step desc) as old,
      jsonb_object_agg(name, each.new -> name order by each.step) as new
    from (select unnest(ids) as id, step, old, new from ${rowsOf(space, done)}) each,
      jsonb_object_keys(each.old) name
    group by each.id`
}

/** The leads of which something was done. */
const leadsOf = (space: string, done: Done) =>
  sql`select distinct unnest(ids) as id from ${rowsOf(space, done)}`

/** A part that notes leads of which something stays as it is. `leads` is a query with the column id. */
function keptPart(name: string, by: OperationAuthor, reason: string, leads: Sql): Sql {
  const { space, operation } = by
  operation.steps++
  return sql`${raw(name)} as (
    insert into operation_before (id_space, id_operation, step, part, what, old, ids)
    select ${space}::uuid, ${operation.id}::uuid, ${operation.steps}::int, 1, 'kept',
      jsonb_build_object('reason', ${reason}::text), array_agg(distinct id)
    from (${leads}) lost having count(*) > 0)`
}

const changedSince = 'changed since'
const deletedSince = 'deleted since'

/** A part that notes leads that were deleted since. */
const deletedLeads = (by: OperationAuthor, done: Done) =>
  keptPart(
    'kept_deleted',
    by,
    `lead ${deletedSince}`,
    sql`select before.id from (${leadsOf(by.space, done)}) before
      where not exists (
        select from lead
        where lead.id_space = ${by.space} and lead.id = before.id and not lead.is_deleted)`,
  )

/** Fields and attributes. */
export async function undoFields(db: Db, by: OperationAuthor, of: Done): Promise<void> {
  const { space } = by
  const names = await run<{ name: string }[]>(
    db,
    sql`select distinct jsonb_object_keys(operation_before.old) as name from ${rowsOf(space, of)}`,
  )
  if (names.length === 0) return
  const isAttribute = (name: string) => name.startsWith(attributePrefix)
  const columns = names.map(({ name }) => name).filter((name) => !isAttribute(name))
  const attributes = names
    .filter(({ name }) => isAttribute(name))
    .map(({ name }) => name.slice(attributePrefix.length))
  const current = jsonObject([
    ...columns.map((name): [string, Sql] => [name, sql`lead.${raw(`"${name}"`)}`]),
    ...attributes.map((id): [string, Sql] => [
      attributePrefix + id,
      sql`lead.attributes -> ${id}::text`,
    ]),
  ])
  // An attribute that was deleted since does not come back.
  const gone = attributes.length > 0 ? await selectGone(db, space, attributes) : []
  const found = sql`found as materialized (
    select lead.id, before.old, before.new, ${current} - ${gone}::text[] as current
    from lead join (${befores(space, of)}) before on before.id = lead.id
    where lead.id_space = ${space} and not lead.is_deleted)`
  const back = sql`back as materialized (
    select found.id, found.current as old, found.current || coalesce((
      select jsonb_object_agg(entry.key, entry.value) from jsonb_each(found.old) entry
      where found.current -> entry.key = found.new -> entry.key), '{}') as new
    from found)`
  const lost = sql`
    select found.id from found where exists (
      select from jsonb_each(found.old) entry
      where found.new -> entry.key <> entry.value
        and found.current -> entry.key is distinct from found.new -> entry.key
        and found.current -> entry.key is distinct from entry.value)`
  const declared = columns.map((name) => raw(`"${name}" ${columnType(name)}`))
  const target = sql`target as (
    select back.id, back.new - ${columns}::text[] as attributes
      ${columns.length > 0 ? sql`, typed.*` : sql``}
    from back ${columns.length > 0 ? sql`, jsonb_to_record(back.new) as typed (${join(declared, ', ')})` : sql``}
    where back.old is distinct from back.new)`
  const entries = sql`(select jsonb_object_agg(substr(key, ${attributePrefix.length + 1}), value)
    from jsonb_each(target.attributes)`
  const attributeSet =
    attributes.length > 0
      ? sql`, attributes = (lead.attributes || coalesce(wanted.filled, '{}')) - wanted.empty`
      : sql``
  const wanted = sql`wanted as materialized (
    select target.*,
      ${entries} where value <> 'null') as filled,
      array(select substr(key, ${attributePrefix.length + 1}) from jsonb_each(target.attributes)
        where value = 'null') as empty
    from target)`
  const sets = columns.map((name) => sql`${raw(`"${name}"`)} = wanted.${raw(`"${name}"`)}`)
  // A company that gets its old name back has no claim on it (leads.match.ts).
  if (columns.includes('company') || columns.includes('is_company')) {
    sets.push(sql`company_claim = null`)
  }
  const updated = sql`updated as (
    update lead set ${join([...sets, sql`updated_at = ${by.now.toISOString()}::timestamptz`], ', ')}
      ${attributeSet}
    from wanted where lead.id_space = ${space} and lead.id = wanted.id)`
  await runJournaled(
    db,
    [
      ...[found, back, target, wanted, updated],
      keptPart('kept_changed', by, changedSince, lost),
      ...(gone.length > 0
        ? [keptPart('kept_gone', by, `attribute ${deletedSince}`, lostAttributes(gone))]
        : []),
      deletedLeads(by, of),
    ],
    journal(by, 'fields', sql`select id, old, new from back`),
  )
}

const lostAttributes = (gone: string[]) => sql`
  select found.id from found
  where exists (
    select from jsonb_each(found.old) entry
    where entry.key = any(${gone}::text[]) and entry.value <> 'null')`

/** The names of attributes in the journal that do not exist any more. */
async function selectGone(db: Db, space: string, ids: string[]): Promise<string[]> {
  const rows = await run<{ id: string }[]>(
    db,
    sql`select id from attribute where id_space = ${space} and id = any(${ids}::uuid[]) for share`,
  )
  const known = new Set(rows.map(({ id }) => id))
  return ids.filter((id) => !known.has(id)).map((id) => attributePrefix + id)
}

/**
 * The records that leads lost (old) or got (new) by the operation, one row for each. What one step added
 * and another one removed does not count.
 */
function pairsOf(space: string, relation: LeadRelation, of: Done, side: 'old' | 'new'): Sql {
  const live = sql`lead.id_space = ${space} and lead.id = pair.id_lead and not lead.is_deleted`
  const pairs = (from: 'old' | 'new') => sql`
    select unnest(ids) as id_lead, value::uuid as id_record, step, ${from}::text as side
    from (select * from ${rowsOf(space, of)}) rows,
      jsonb_array_elements_text(rows.${raw(from)} -> ${relation}::text) value`
  if (of.steps === 1) {
    return sql`select pair.id_lead, pair.id_record from (${pairs(side)}) pair join lead on ${live}`
  }
  return sql`
    select pair.id_lead, pair.id_record
    from (${pairs('old')} union all ${pairs('new')}) pair join lead on ${live}
    group by pair.id_lead, pair.id_record
    having (array_agg(pair.side order by pair.step))[1] = ${side}
      and (array_agg(pair.side order by pair.step desc))[1] = ${side}`
}

/** The columns of a journal, from rows of a relation that went or came. */
function setsOf(relation: LeadRelation, rows: 'gone' | 'added'): Sql {
  const none = sql`jsonb_build_object(${relation}::text, '[]'::jsonb)`
  const some = sql`jsonb_build_object(${relation}::text, jsonb_agg(id_record order by id_record))`
  const [old, after] = rows === 'gone' ? [some, none] : [none, some]
  return sql`select id_lead as id, ${old} as old, ${after} as new from ${raw(rows)} group by id_lead`
}

/**
 * The rows of relations: those that the operation added go, those that it removed come back. Statuses
 * need their lists: they go before them and come back after them.
 */
export async function undoRelations(db: Db, by: OperationAuthor, done: Done[]): Promise<void> {
  const find = (name: LeadRelation) => done.find(({ what }) => what === name)
  const status = find('status')
  const kept = status && (await keepChangedStatuses(db, by, status))
  const order: LeadRelation[] = ['status', 'lists', 'tags', 'owners', 'campaigns']
  for (const name of order) {
    const of = find(name)
    if (of) await removeAdded(db, by, name, of)
  }
  for (const name of order.toReversed()) {
    const of = find(name)
    if (of) await bringBackRemoved(db, by, name, of, name === 'status' ? kept : undefined)
  }
}

async function removeAdded(
  db: Db,
  by: OperationAuthor,
  relation: LeadRelation,
  of: Done,
): Promise<void> {
  const { space } = by
  const { join: table, column } = leadRelations[relation]
  const added = sql`added_then as materialized (${pairsOf(space, relation, of, 'new')})`
  // Who has a status of the list by now got it after the operation, and stays in the list.
  const hasStatus = sql`exists (
    select from lead_status where lead_status.id_space = ${space}
      and lead_status.id_lead = added_then.id_lead
      and lead_status.id_list = added_then.id_record)`
  const isList = relation === 'lists'
  const gone = sql`gone as (
    delete from ${raw(table)}
    where id_space = ${space} and (id_lead, ${raw(column)}) in (
      select id_lead, id_record from added_then ${isList ? sql`where not ${hasStatus}` : sql``})
    returning id_lead, ${raw(column)} as id_record)`
  const kept = isList
    ? [
        keptPart(
          'kept_changed',
          by,
          changedSince,
          sql`select id_lead as id from added_then where ${hasStatus}`,
        ),
      ]
    : []
  await runJournaled(
    db,
    [added, gone, ...kept, deletedLeads(by, of)],
    journal(by, relation, setsOf(relation, 'gone')),
  )
}

/**
 * A status comes back only if its place is as the operation left it: with the status that it set, or
 * empty. Notes the leads where it is not, by list, and returns the step with these notes.
 */
async function keepChangedStatuses(db: Db, by: OperationAuthor, of: Done): Promise<number> {
  const { space, operation } = by
  operation.steps++
  await run(
    db,
    sql`with was as (${pairsOf(space, 'status', of, 'old')}),
      became as (${pairsOf(space, 'status', of, 'new')}),
      changed as (
        select was.id_lead, old_status.id_list
        from was
        join status old_status on old_status.id_space = ${space} and old_status.id = was.id_record
        left join (
          select became.id_lead, became.id_record, status.id_list
          from became
          join status on status.id_space = ${space} and status.id = became.id_record) place
          on place.id_lead = was.id_lead and place.id_list is not distinct from old_status.id_list
        left join lead_status on lead_status.id_space = ${space}
          and lead_status.id_lead = was.id_lead
          and lead_status.id_list is not distinct from old_status.id_list
        where lead_status.id_status is distinct from place.id_record
          and lead_status.id_status is distinct from was.id_record)
      insert into operation_before (id_space, id_operation, step, part, what, old, ids)
      select ${space}::uuid, ${operation.id}::uuid, ${operation.steps}::int,
        row_number() over ()::int, 'kept',
        jsonb_build_object('reason', ${changedSince}::text, 'list', id_list),
        array_agg(distinct id_lead)
      from changed group by id_list`,
  )
  return operation.steps
}

async function bringBackRemoved(
  db: Db,
  by: OperationAuthor,
  relation: LeadRelation,
  of: Done,
  keptStep: number | undefined,
): Promise<void> {
  const { space, operation } = by
  const { join: table, column, record } = leadRelations[relation]
  const wanted = sql`wanted as materialized (${pairsOf(space, relation, of, 'old')})`
  const exists = isLiveRecord(space, record, raw('wanted.id_record'))
  const possible =
    keptStep === undefined
      ? sql`select wanted.id_lead, wanted.id_record from wanted where ${exists}`
      : sql`select wanted.id_lead, wanted.id_record, status.id_list from wanted
          join status on status.id_space = ${space} and status.id = wanted.id_record
          where (status.id_list is null or exists (
              select from lead_list where lead_list.id_space = ${space}
                and lead_list.id_lead = wanted.id_lead and lead_list.id_list = status.id_list))
            and not exists (
              select from operation_before
              where operation_before.id_space = ${space}
                and operation_before.id_operation = ${operation.id}
                and operation_before.step = ${keptStep}
                and (operation_before.old ->> 'list')::uuid is not distinct from status.id_list
                and wanted.id_lead = any(operation_before.ids))`
  const names = raw(relation === 'status' ? `${column}, id_list` : column)
  const added = sql`added as (
    insert into ${raw(table)} (id_space, id_lead, ${names})
    select ${space}::uuid, possible.* from (${possible}) possible
    on conflict do nothing
    returning id_lead, ${raw(column)} as id_record)`
  const lost = keptPart(
    'kept_gone',
    by,
    `${record} ${deletedSince}`,
    sql`select wanted.id_lead as id from wanted where not ${exists}`,
  )
  await runJournaled(db, [wanted, added, lost], journal(by, relation, setsOf(relation, 'added')))
}

/** The leads that are in this state, as one text. */
export async function selectLeadsOf(
  db: Db,
  space: string,
  of: Done,
  state: 'live' | 'deleted',
): Promise<{ count: number; ids: string }> {
  const [row] = await run<[{ count: number; ids: string }]>(
    db,
    sql`select count(*)::int as count, coalesce(array_agg(lead.id), '{}')::text as ids
      from (${leadsOf(space, of)}) before
      join lead on lead.id_space = ${space} and lead.id = before.id
      where lead.is_deleted = ${state === 'deleted'}`,
  )
  return row
}

/**
 * The new leads that nobody has touched since: no event about them but those of the operation
 * and of the undo itself. Notes that others remain.
 */
export async function selectUntouched(
  db: Db,
  by: OperationAuthor,
  of: Done,
  sinceSeq: number,
): Promise<{ count: number; ids: string }> {
  const { space, operation } = by
  const others = (table: string, condition: Sql) => sql`
    select unnest(coalesce(leads, ids)) from ${raw(table)}
    where id_space = ${space} and ${condition}
      and (leads is not null or type like 'lead.%')
      and id_operation is distinct from ${of.operation}
      and id_operation is distinct from ${operation.id}`
  const touched = sql`touched (id) as materialized (
    ${others('event', sql`seq > ${sinceSeq}`)} union ${others('event_new', sql`true`)})`
  const live = sql`live as materialized (
    select lead.id from (${leadsOf(space, of)}) before
    join lead on lead.id_space = ${space} and lead.id = before.id and not lead.is_deleted)`
  const [row] = await run<[{ count: number; ids: string }]>(
    db,
    sql`with ${touched}, ${live},
      ${keptPart('kept_changed', by, changedSince, sql`select live.id from live where live.id in (select id from touched)`)}
      select count(*)::int as count, coalesce(array_agg(live.id), '{}')::text as ids from live
      where live.id not in (select id from touched)`,
  )
  return row
}

/** Notes that an import made go, and come back when that is taken back. Edited ones stay. */
export async function undoNotes(db: Db, by: OperationAuthor, of: Done): Promise<void> {
  const { space } = by
  const changed = sql`made as (
    update note set is_deleted = not note.is_deleted, updated_at = ${by.now.toISOString()}
    from (select unnest(ids) as id, new from ${rowsOf(space, of)}) before
    where note.id_space = ${space} and note.id = before.id and not note.is_edited
      and to_jsonb(note.is_deleted) = before.new -> 'is_deleted'
    returning note.id, note.id_lead, note.is_deleted)`
  await journalNotes(db, by, changed)
}

/** How many leads got something back, and how many kept something, with the reasons. */
export async function countUndone(db: Db, space: string, undo: string) {
  const rows = await run<{ reason: string | null; leads: number }[]>(
    db,
    sql`select operation_before.old ->> 'reason' as reason, count(distinct id)::int as leads
      from operation_before, unnest(operation_before.ids) as id
      where operation_before.id_space = ${space} and operation_before.id_operation = ${undo}
        and operation_before.what = 'kept'
      group by operation_before.old ->> 'reason' order by 1`,
  )
  const [row] = await run<[{ undone: number; kept: number }]>(
    db,
    sql`select count(distinct id) filter (where what not in ('kept', 'notes'))::int as undone,
        count(distinct id) filter (where what = 'kept')::int as kept
      from operation_before, unnest(operation_before.ids) as id
      where operation_before.id_space = ${space} and operation_before.id_operation = ${undo}`,
  )
  return { ...row, reasons: rows as { reason: string; leads: number }[] }
}
