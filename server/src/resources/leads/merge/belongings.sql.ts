// What leads have besides fields and relations, and what happens to it when they are merged: notes and reminders go
// with them, what campaigns did and earlier stays in stages are known of both. All of it can be undone.
import { stepStatuses } from '@rapport/contract/leads/filter.values'
import type { Db } from '../../../db/driver.ts'
import { join, raw, run, type Sql, sql } from '../../../db/sql.ts'
import type { Author } from '../../../feed/author.ts'
import { journalMoved, keep } from '../../../feed/journal.sql.ts'
import { insertEvents, maxIds } from '../../../feed/record.sql.ts'

/** `wanted` is a query with the columns id, lost and got: it goes if it is still with the lead that loses it. */
export function moveToLeads(
  db: Db,
  by: Author,
  record: 'note' | 'reminder',
  wanted: Sql,
): Promise<void> {
  const table = raw(record)
  const moved = sql`moved as (
    update ${table} set id_lead = wanted.got, updated_at = ${by.now.toISOString()}
    from (${wanted}) wanted
    where ${table}.id_space = ${by.space} and ${table}.id = wanted.id
      and ${table}.id_lead = wanted.lost
    returning ${table}.id, wanted.lost, wanted.got, ${table}.is_deleted)`
  return journalMoved(db, by, record, moved)
}

/** For `moveToLeads`: all of the leads that are merged. */
export const ofMerged = (space: string, record: 'note' | 'reminder', pairs: Sql) => sql`
  select ${raw(record)}.id, pair.id as lost, pair.id_into as got
  from (${pairs}) pair
  join ${raw(record)} on ${raw(record)}.id_space = ${space} and ${raw(record)}.id_lead = pair.id`

const flags = raw(stepStatuses.join(', '))

const stateOf = (row: string) =>
  sql`case when ${raw(row)}.id_lead is not null then jsonb_build_object(
    'updated_at', ${raw(row)}.updated_at, ${raw(stepStatuses.map((name) => `'${name}', ${row}.${name}`).join(', '))}) end`

/** For `changeSteps`: what happened to one of the leads, happened to the one that stays. Who has unsubscribed, has. */
export const unitedSteps = (space: string, pairs: Sql) => sql`
  select had.id_lead, had.id_step, ${stateOf('own')} as old, jsonb_build_object(
    'updated_at', greatest(had.updated_at, own.updated_at),
    ${raw(stepStatuses.map((name) => `'${name}', had.${name} or coalesce(own.${name}, false)`).join(', '))}) as new
  from (
    select pair.id_into as id_lead, lead_step.id_step, max(lead_step.updated_at) as updated_at,
      ${raw(stepStatuses.map((name) => `bool_or(lead_step.${name}) as ${name}`).join(', '))}
    from (${pairs}) pair
    join lead_step on lead_step.id_space = ${space} and lead_step.id_lead = pair.id
    group by pair.id_into, lead_step.id_step) had
  left join lead_step own on own.id_space = ${space} and own.id_lead = had.id_lead
    and own.id_step = had.id_step`

/** `wanted` is a query with the columns id_lead, id_step, old and new. It changes what is still as in `old`. */
export async function changeSteps(db: Db, by: Author, wanted: Sql): Promise<void> {
  const { space } = by
  const kept = sql`select false as is_packed, jsonb_object_agg(id_step, old) as old,
    jsonb_object_agg(id_step, new) as new, array[id_lead] as ids from change group by id_lead`
  // As when a campaign does something: the event has no values.
  const events = sql`
    select array_agg(id_lead) as ids, null::uuid[] as leads, null::jsonb as changed
    from (
      select id_lead, (row_number() over () - 1) / ${raw(String(maxIds))} as chunk
      from (select distinct id_lead from change) told) numbered
    group by chunk`
  await run(db)`with change as materialized (
      select wanted.id_lead, wanted.id_step, wanted.old, wanted.new
      from (${wanted}) wanted
      join campaign_step on campaign_step.id_space = ${space} and campaign_step.id = wanted.id_step
      join lead on lead.id_space = ${space} and lead.id = wanted.id_lead
      left join lead_step now on now.id_space = ${space} and now.id_lead = wanted.id_lead
        and now.id_step = wanted.id_step
      where wanted.old is distinct from wanted.new and ${stateOf('now')} is not distinct from wanted.old),
    ${keep(by, 'steps', kept)}
    logged as (${insertEvents(by, 'lead.updated', events)}),
    gone as (
      delete from lead_step where id_space = ${space} and (id_lead, id_step) in (
        select change.id_lead, change.id_step from change where change.new is null)),
    written as (
      insert into lead_step (id_space, id_lead, id_step, updated_at, ${flags})
      select ${space}::uuid, id_lead, id_step, (new ->> 'updated_at')::timestamptz,
        ${raw(stepStatuses.map((name) => `(new ->> '${name}')::boolean`).join(', '))}
      from change where new is not null
      on conflict (id_space, id_lead, id_step) do update set updated_at = excluded.updated_at,
        ${raw(stepStatuses.map((name) => `${name} = excluded.${name}`).join(', '))})
    select 1`
}

/** For `changeStays`: those of the leads that are merged. */
export const staysOfMerged = (space: string, pairs: Sql) => sql`
  select pair.id_into as id_lead, lead_stage.id_status, lead_stage.entered_at, lead_stage.left_at
  from (${pairs}) pair
  join lead_stage on lead_stage.id_space = ${space} and lead_stage.id_lead = pair.id`

/** Adds or removes earlier stays. `stays` is a query with the columns id_lead, id_status, entered_at and left_at. */
export async function changeStays(
  db: Db,
  by: Author,
  how: 'add' | 'remove',
  stays: Sql,
): Promise<void> {
  const { space } = by
  const columns = ['id_lead', 'id_status', 'entered_at', 'left_at'].map(raw)
  const changed =
    how === 'add'
      ? sql`insert into lead_stage (id_space, ${join(columns, ', ')})
          select ${space}::uuid, stay.id_lead, stay.id_status, stay.entered_at, stay.left_at
          from (${stays}) stay
          join lead on lead.id_space = ${space} and lead.id = stay.id_lead
          join status on status.id_space = ${space} and status.id = stay.id_status
          on conflict do nothing returning ${join(columns, ', ')}`
      : sql`delete from lead_stage using (${stays}) stay
          where lead_stage.id_space = ${space} and lead_stage.id_lead = stay.id_lead
            and lead_stage.id_status = stay.id_status and lead_stage.left_at = stay.left_at
          returning ${join(
            ['id_lead', 'id_status', 'entered_at', 'left_at'].map((name) =>
              raw(`lead_stage.${name}`),
            ),
            ', ',
          )}`
  const all = sql`jsonb_build_object('stays', jsonb_agg(to_jsonb(changed) - 'id_lead'))`
  const none = sql`'{"stays": []}'::jsonb`
  const kept = sql`select false as is_packed, ${how === 'add' ? none : all} as old,
    ${how === 'add' ? all : none} as new, array[id_lead] as ids from changed group by id_lead`
  await run(db)`
    with changed as (${changed}), ${keep(by, 'stays', kept)} done as (select 1) select 1`
}
