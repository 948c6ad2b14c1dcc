// Takes back what an operation did to the relations of leads.
import { type LeadRelation, leadRelations, relationNames } from '@rapport/contract/leads/relations'
import type { Db } from '../../db/driver.ts'
import { raw, run, type Sql, sql } from '../../db/sql.ts'
import { journal, runJournaled } from '../../feed/journal.sql.ts'
import { isLiveRecord } from '../../references/references.sql.ts'
import { defaultPlaceOfLead } from '../leads/change/place.sql.ts'
import { setsOf } from '../leads/change/relations.sql.ts'
import { endStays, enteredAgain, lastStays, resumeStays } from '../leads/change/stays.sql.ts'
import type { OperationAuthor } from './store/operation.sql.ts'
import {
  changedSince,
  type Done,
  deletedLeads,
  deletedSince,
  keptPart,
  valuesOf,
} from './undo.sql.ts'

/**
 * The records that leads lost (old) or got (new) by the operation, one row for each. What one step added
 * and another one removed does not count.
 */
function allPairsOf(space: string, relation: LeadRelation, of: Done, side: 'old' | 'new'): Sql {
  const pairs = (from: 'old' | 'new') => sql`
    select unnest(ids) as id_lead, value::uuid as id_record, step, ${from}::text as side
    from (select * from ${valuesOf(space, of)}) rows,
      jsonb_array_elements_text(rows.${raw(from)} -> ${relation}::text) value`
  if (of.steps === 1) return pairs(side)
  return sql`
    select pair.id_lead, pair.id_record
    from (${pairs('old')} union all ${pairs('new')}) pair
    group by pair.id_lead, pair.id_record
    having (array_agg(pair.side order by pair.step))[1] = ${side}
      and (array_agg(pair.side order by pair.step desc))[1] = ${side}`
}

/** Those of leads that still exist. */
const pairsOf = (...pairs: Parameters<typeof allPairsOf>) => sql`
  select pair.id_lead, pair.id_record from (${allPairsOf(...pairs)}) pair
  join lead on lead.id_space = ${pairs[0]} and lead.id = pair.id_lead and not lead.is_deleted`

/**
 * The rows of relations: those that the operation added go, those that it removed come back. Statuses
 * need their lists: they go before them and come back after them. A stay in a stage that the operation ended
 * goes on, and one that it began has never been; if it was an undo, one that it let go on ends.
 */
export async function undoRelations(db: Db, by: OperationAuthor, done: Done[]): Promise<void> {
  const find = (name: LeadRelation) => done.find(({ what }) => what === name)
  const status = find('status')
  const kept = status && (await keepChangedStatuses(db, by, status))
  const others = relationNames.filter((name) => name !== 'status')
  for (const name of ['status', ...others] as const) {
    const of = find(name)
    if (of) await removeAdded(db, by, name, of)
  }
  for (const name of [...others, 'status'] as const) {
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
  const goes: Partial<Record<LeadRelation, Sql>> = {
    lists: sql`where not ${hasStatus}`,
    owners: sql`where id_lead not in (${heirs(space, of)})`,
  }
  const going = sql`from ${raw(table)}
    where id_space = ${space} and (id_lead, ${raw(column)}) in (
      select id_lead, id_record from added_then ${goes[relation] ?? sql``})`
  // What went on by an undo, and not from its beginning, ends when that is undone.
  const ended =
    relation === 'status'
      ? [
          endStays(
            by,
            sql`select id_lead, id_status, entered_at ${going}
              and (entered_at < ${of.since}::timestamptz) is not false`,
          ),
        ]
      : []
  const gone = sql`gone as (delete ${going} returning id_lead, ${raw(column)} as id_record)`
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
    [added, ...ended, gone, ...kept, deletedLeads(by, of)],
    journal(by, relation, setsOf(relation, raw('gone'), 'lost')),
  )
}

/**
 * The leads none of whose former owners is still a member. They keep the present ones. All pairs: who asks looks at
 * leads that exist, and joined with leads for a group, each pair may be compared with each lead.
 */
const heirs = (space: string, of: Done) => sql`
  select was.id_lead from (${allPairsOf(space, 'owners', of, 'old')}) was
  group by was.id_lead having not bool_or(${isLiveRecord(space, 'member', raw('was.id_record'))})`

/**
 * A status comes back only if its place is as the operation left it: with the status that it set, or
 * empty. Notes the leads where it is not, by list, and returns the step with these notes.
 */
async function keepChangedStatuses(db: Db, by: OperationAuthor, of: Done): Promise<number> {
  const { space, operation } = by
  operation.steps++
  await run(db)`with was as (${pairsOf(space, 'status', of, 'old')}),
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
    from changed group by id_list`
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
      : sql`select wanted.id_lead, wanted.id_record, status.id_list, ${defaultPlaceOfLead},
            ${enteredAgain(by)}
          from wanted
          left join stay on stay.id_lead = wanted.id_lead and stay.id_status = wanted.id_record
          join lead on lead.id_space = ${space} and lead.id = wanted.id_lead
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
  const names = raw(relation === 'status' ? `${column}, id_list, place, entered_at` : column)
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
  const parts =
    keptStep === undefined
      ? [wanted, added, lost]
      : [wanted, lastStays(space, of.since), added, resumeStays(space), lost]
  await runJournaled(db, parts, journal(by, relation, setsOf(relation, raw('added'), 'got')))
}
