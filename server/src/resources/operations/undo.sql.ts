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

export interface Step {
  step: number
  what: What
}

/** One step of the operation that is taken back. */
export interface StepOf extends Step {
  operation: string
}

/** The steps in the order in which they are taken back. */
export function selectSteps(db: Db, space: string, operation: string): Promise<Step[]> {
  return run<Step[]>(
    db,
    sql`select distinct step, what from operation_before
      where id_space = ${space} and id_operation = ${operation} and what <> 'kept'
      order by step desc`,
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

/** The rows of a step, one for each lead. */
const befores = (space: string, { operation, step }: StepOf) => sql`
  select unnest(ids) as id, old, new from operation_before
  where id_space = ${space} and id_operation = ${operation} and step = ${step}`

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

/** A part that notes leads of the step that were deleted since. */
const deletedLeads = (by: OperationAuthor, rows: Sql) =>
  keptPart(
    'kept_deleted',
    by,
    `lead ${deletedSince}`,
    sql`select before.id from (${rows}) before
      where not exists (
        select from lead
        where lead.id_space = ${by.space} and lead.id = before.id and not lead.is_deleted)`,
  )

/** Fields and attributes. */
export async function undoFields(db: Db, by: OperationAuthor, of: StepOf): Promise<void> {
  const { space } = by
  const names = await run<{ name: string }[]>(
    db,
    sql`select distinct name from operation_before, jsonb_object_keys(operation_before.old) as name
      where operation_before.id_space = ${space} and operation_before.id_operation = ${of.operation}
        and operation_before.step = ${of.step}`,
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
      deletedLeads(by, befores(space, of)),
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
 * The rows of a relation: those that the operation added go, those that it removed come back. A lead
 * that has another status of the list by now keeps it.
 */
export async function undoRelation(
  db: Db,
  by: OperationAuthor,
  relation: LeadRelation,
  of: StepOf,
): Promise<void> {
  const { space } = by
  const { join: table, column, record } = leadRelations[relation]
  const side = (name: 'old' | 'new') => sql`
    select before.id as id_lead, value::uuid as id_record
    from (${befores(space, of)}) before
    join lead on lead.id_space = ${space} and lead.id = before.id and not lead.is_deleted,
      jsonb_array_elements_text(before.${raw(name)} -> ${relation}::text) value`
  const sets = (rows: string, went: boolean) => {
    const none = sql`jsonb_build_object(${relation}::text, '[]'::jsonb)`
    const some = sql`jsonb_build_object(${relation}::text, jsonb_agg(id_record order by id_record))`
    return sql`select id_lead as id, ${went ? some : none} as old, ${went ? none : some} as new
      from ${raw(rows)} group by id_lead`
  }
  if (relation === 'lists') {
    // Who leaves a list loses its statuses: the journal must know.
    const dropped = sql`dropped as (
      select lead_status.id_lead, lead_status.id_status as id_record from lead_status
      join (${side('new')}) added on added.id_lead = lead_status.id_lead
        and added.id_record = lead_status.id_list
      where lead_status.id_space = ${space})`
    const changes = sql`select id_lead as id,
        jsonb_build_object('status', jsonb_agg(id_record order by id_record)) as old,
        jsonb_build_object('status', '[]'::jsonb) as new
      from dropped group by id_lead`
    await runJournaled(db, [dropped], journal(by, 'status', changes))
  }
  const gone = sql`gone as (
    delete from ${raw(table)} where id_space = ${space} and (id_lead, ${raw(column)}) in (${side('new')})
    returning id_lead, ${raw(column)} as id_record)`
  await runJournaled(
    db,
    [gone, deletedLeads(by, befores(space, of))],
    journal(by, relation, sets('gone', true)),
  )
  const wanted = sql`wanted as materialized (${side('old')})`
  const exists = isLiveRecord(space, record, raw('wanted.id_record'))
  const possible =
    relation === 'status'
      ? // Only while the lead is in the list of the status.
        sql`select wanted.id_lead, wanted.id_record, status.id_list from wanted
          join status on status.id_space = ${space} and status.id = wanted.id_record
          where status.id_list is null or exists (
            select from lead_list where lead_list.id_space = ${space}
              and lead_list.id_lead = wanted.id_lead and lead_list.id_list = status.id_list)`
      : sql`select wanted.id_lead, wanted.id_record from wanted where ${exists}`
  const names = relation === 'status' ? raw(`${column}, id_list`) : raw(column)
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
  const taken =
    relation === 'status'
      ? [
          keptPart(
            'kept_changed',
            by,
            changedSince,
            sql`select wanted.id_lead as id from wanted
              where ${exists} and not exists (
                select from added where added.id_lead = wanted.id_lead
                  and added.id_record = wanted.id_record)
              and not exists (
                select from lead_status where lead_status.id_space = ${space}
                  and lead_status.id_lead = wanted.id_lead
                  and lead_status.id_status = wanted.id_record)`,
          ),
        ]
      : []
  await runJournaled(
    db,
    [wanted, added, lost, ...taken],
    journal(by, relation, sets('added', false)),
  )
}

/** The leads of a step that are in this state, as one text. */
export async function selectLeadsOf(
  db: Db,
  space: string,
  of: StepOf,
  state: 'live' | 'deleted',
): Promise<{ count: number; ids: string }> {
  const [row] = await run<[{ count: number; ids: string }]>(
    db,
    sql`select count(*)::int as count, coalesce(array_agg(lead.id), '{}')::text as ids
      from (${befores(space, of)}) before
      join lead on lead.id_space = ${space} and lead.id = before.id
      where lead.is_deleted = ${state === 'deleted'}`,
  )
  return row
}

/**
 * The new leads of a step that nobody has touched since: no event about them but those of the operation
 * and of the undo itself. Notes that others remain.
 */
export async function selectUntouched(
  db: Db,
  by: OperationAuthor,
  of: StepOf,
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
    select lead.id from (${befores(space, of)}) before
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
export async function undoNotes(db: Db, by: OperationAuthor, of: StepOf): Promise<void> {
  const { space } = by
  const changed = sql`made as (
    update note set is_deleted = not note.is_deleted, updated_at = ${by.now.toISOString()}
    from (${befores(space, of)}) before
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
