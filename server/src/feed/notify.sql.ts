// Notifications: who is notified of what. Those that follow from events are written when the events get their numbers,
// so that no request takes longer for them. The others are written in the transaction of what they are about.
import { type NotificationKind, notificationTable } from '@rapport/contract/notifications.values'
import { adminRoles } from '@rapport/contract/roles'
import type { Db } from '../db/driver.ts'
import { raw, rowWriter, run, type Sql, sql } from '../db/sql.ts'
import { newId } from '../ids.ts'
import type { Author } from './author.ts'

/** The channel on which processes announce new events and other news to each other. */
export const channel = 'rapport_events'
/** The sender of payloads that say whose notifications have changed: "<sender> <workspace> <member>". */
export const inboxSender = 'inbox'
/** The sender of payloads that say where keys of leads are due: see leads/duplicates/build.sql.ts. */
export const keysSender = 'keys'

export interface Told {
  kind: NotificationKind
  id_member: string
  id_actor: string | null
  id_lead: string | null
  id_record: string | null
  count: number
  created_at: string
}

/** The value after the change; of a relation, what was added. */
const valueAfter = (name: string) => sql`(changed -> ${raw(`'${name}'`)} -> 1)`
const owners = valueAfter('owners')
const formerOwners = sql`(changed -> 'owners' -> 0)`

/** Holds for events that may notify somebody. It is cheap, because it is evaluated for every event. */
export const mayTell = sql`undo_of is null and way <> 'import' and case type
  when 'reminder.due' then true
  when 'note.created' then ${valueAfter('mentions')} <> '[]'
  when 'note.updated' then ${valueAfter('mentions')} <> '[]'
  when 'lead.updated' then id_operation is not null
    or (${owners} <> '[]' and ${owners} <> jsonb_build_array(id_member))
  when 'lead.created' then ${owners} <> '[]' and ${owners} <> jsonb_build_array(id_member)
  else false end`

/** Holds for events after which somebody may have fewer leads than their notification says. */
export const mayTakeBack = sql`type in ('lead.updated', 'lead.deleted')
  and (undo_of is not null or (id_operation is null and ${formerOwners} <> '[]'))`

/** Who is notified of the events with numbers after `seq`, up to `upTo`. */
export function selectTold(tx: Db, space: string, seq: number, upTo: number): Promise<Told[]> {
  const found = sql`found as materialized (
    select seq, type, at, id_member, id_operation, ids, leads, changed from event
    where id_space = ${space} and seq > ${seq} and seq <= ${upTo} and ${mayTell})`
  return run<Told[]>(tx)`with ${found}
    select told.kind, told.id_member, told.id_actor, told.id_lead, told.id_record, told.count,
      told.created_at
    from (${due(space)} union all ${mentions(space)} union all ${assigned} union all ${assignedByOperations(space)}) told
    join member on member.id_space = ${space} and member.id = told.id_member
    where told.id_member is distinct from told.id_actor
    order by told.seq`
}

const valuesOf = (array: Sql) =>
  sql`jsonb_array_elements_text(case jsonb_typeof(${array}) when 'array' then ${array} else '[]' end)`

/** The users of a reminder; without any, the owners of its lead; without those, its author. */
const due = (space: string) => {
  const ofLead = sql`from lead_owner owner
    where owner.id_space = ${space} and owner.id_lead = found.leads[1]`
  return sql`
    select 'reminder' as kind, recipient.id as id_member, null::uuid as id_actor,
      found.leads[1] as id_lead, found.ids[1] as id_record, 1 as count, found.at as created_at,
      found.seq
    from found cross join lateral (
      select given.id::uuid as id from ${valuesOf(valueAfter('users'))} as given (id)
      union all
      select owner.id_member ${ofLead} and ${valueAfter('users')} = '[]'
      union all
      select reminder.id_author from reminder
      where reminder.id_space = ${space} and reminder.id = found.ids[1]
        and ${valueAfter('users')} = '[]' and not exists (select ${ofLead})) recipient
    where found.type = 'reminder.due'`
}

/** As the note is now. Members who were mentioned before the change already know. */
const mentions = (space: string) => sql`
  select 'mention', mentioned.id, found.id_member, note.id_lead, note.id, 1, found.at, found.seq
  from found
  join note on note.id_space = ${space} and note.id = found.ids[1] and not note.is_deleted
  cross join lateral unnest(note.mentions) as mentioned (id)
  where found.type in ('note.created', 'note.updated')
    and not coalesce((found.changed -> 'mentions' -> 0) ? mentioned.id::text, false)`

const assigned = sql`
  select 'assigned', owner.id::uuid, found.id_member, found.ids[1], null::uuid,
    cardinality(found.ids), found.at, found.seq
  from found cross join lateral ${valuesOf(owners)} as owner (id)
  where found.type in ('lead.created', 'lead.updated') and found.id_operation is null`

/** The owners that a step of an operation gave to leads. */
const newOwners = sql`
  select given.id::uuid as id, cardinality(kept.ids) as leads
  from ${valuesOf(sql`(kept.new -> 'owners')`)} as given (id)
  union all
  select given.id::uuid, 1
  from jsonb_array_elements(case when kept.is_packed then kept.new else '[]' end) as entry (packed),
    ${valuesOf(sql`(entry.packed -> 'owners')`)} as given (id)`

/** What an operation has done so far, as it keeps it: events of many different changes have no values. */
const assignedByOperations = (space: string) => sql`
  select 'assigned', owner.id, operation.id_member,
    case when sum(owner.leads) = 1 then (array_agg(kept.ids[1]) filter (where not kept.is_packed))[1] end,
    operation.id, sum(owner.leads)::int, operation.at, operation.seq
  from (
    select id_operation as id, (array_agg(id_member))[1] as id_member, max(at) as at, max(seq) as seq
    from found
    where type = 'lead.updated' and id_operation is not null group by id_operation) operation
  join operation_before kept on kept.id_space = ${space} and kept.id_operation = operation.id
    and kept.what = 'owners'
  cross join lateral (${newOwners}) owner
  group by owner.id, operation.id, operation.id_member, operation.at, operation.seq`

/**
 * Which members have which leads by an operation, as far as they still do. It keeps no values of leads that are new or
 * came back. Each lead is looked up by itself: a join may compare each with each while PostgreSQL does not know yet how
 * many there are, which took a minute for 5,000 leads.
 */
const stillOwned = (space: string, operation: Sql) => sql`
  select distinct given.id_member, given.id_lead from operation_before kept cross join lateral (
    select lead_owner.id_member, lead_owner.id_lead from unnest(kept.ids) as lead (id)
    cross join lateral (
      select id_member, id_lead from lead_owner
      where id_space = ${space} and id_lead = lead.id offset 0) lead_owner
    where kept.what in ('created', 'restored')
    union all
    select owner.id::uuid, lead.id
    from ${valuesOf(sql`(kept.new -> 'owners')`)} as owner (id), unnest(kept.ids) as lead (id)
    union all
    select owner.id::uuid, kept.ids[entry.place]
    from jsonb_array_elements(case when kept.is_packed then kept.new else '[]' end)
      with ordinality as entry (packed, place),
      ${valuesOf(sql`(entry.packed -> 'owners')`)} as owner (id)) given
  cross join lateral (
    select from lead
    where id_space = ${space} and id = given.id_lead and not is_deleted limit 1) lead
  cross join lateral (
    select from lead_owner
    where id_space = ${space} and id_lead = given.id_lead and id_member = given.id_member
    limit 1) lead_owner
  where kept.id_space = ${space} and kept.id_operation = ${operation}
    and kept.what in ('created', 'restored', 'owners')`

/** What these events reverted is no longer news: its notification disappears, or counts what is left. */
export async function takeBack(tx: Db, space: string, seq: number, upTo: number): Promise<void> {
  const back = sql`back as materialized (
    select undo_of, ids, changed from event
    where id_space = ${space} and seq > ${seq} and seq <= ${upTo} and ${mayTakeBack})`
  const changed = await run<{ id_member: string }[]>(tx)`with ${back}, remaining as (
      select told.id, told.id_member, (
          select count(*)::int from (${stillOwned(space, sql`told.id_record`)}) owned
          where owned.id_member = told.id_member) as count
      from notification told
      where told.id_space = ${space} and told.kind = 'assigned'
        and told.id_record in (select undo_of from back)
      union all
      select told.id, told.id_member, 0
      from back cross join lateral ${valuesOf(formerOwners)} as lost (id)
      join notification told on told.id_space = ${space} and told.id_member = lost.id::uuid
        and told.id_lead = any(back.ids)
      where told.kind = 'assigned' and told.id_record is null),
    gone as (
      delete from notification using remaining
      where notification.id_space = ${space} and notification.id = remaining.id
        and remaining.count = 0
      returning notification.id_member),
    fewer as (
      update notification set count = remaining.count from remaining
      where notification.id_space = ${space} and notification.id = remaining.id
        and remaining.count > 0
      returning notification.id_member)
    select id_member from gone union select id_member from fewer`
  const members = changed.map(({ id_member }) => id_member)
  if (members.length > 0) await wakeInboxes(tx, space, members)
}

const notificationRows = rowWriter('notification', {
  id: 'uuid',
  id_member: 'uuid',
  kind: 'text',
  id_actor: 'uuid',
  id_lead: 'uuid',
  id_record: 'uuid',
  count: 'int',
  created_at: 'timestamptz',
})

/** Writes notifications, and tells the pages of these members when the transaction is committed. */
export async function insertNotifications(tx: Db, space: string, told: Told[]): Promise<void> {
  const rows = new Map(
    told.map((row) => {
      const { kind, id_member, id_record } = row
      const isOnce = 'isOnce' in notificationTable[kind] && id_record !== null
      const id = newId()
      return [isOnce ? `${kind} ${id_member} ${id_record}` : id, { id, ...row }]
    }),
  )
  if (rows.size === 0) return
  await run(tx)`${notificationRows(space, [...rows.values()])}
    on conflict (id_space, id_member, kind, id_record) where kind in ('assigned', 'mention')
    do update set count = excluded.count`
  await wakeInboxes(tx, space, [...new Set(told.map(({ id_member }) => id_member))])
}

/** The notifications of these members have changed. */
export async function wakeInboxes(tx: Db, space: string, members: string[]): Promise<void> {
  await run(tx)`select pg_notify(${channel}, ${`${inboxSender} ${space}`} || ' ' || member)
    from unnest(${members}::text[]) as member`
}

/** An operation has ended: its author is notified, because they may not have waited for it. */
export async function tellFinished(
  tx: Db,
  { space, actor, now }: Pick<Author, 'space' | 'actor' | 'now'>,
  operation: string,
  count: number,
): Promise<void> {
  if (!actor.member) return
  const about = { id_actor: null, id_lead: null, id_record: operation, count }
  const created_at = now.toISOString()
  await insertNotifications(tx, space, [
    { kind: 'finished', id_member: actor.member, ...about, created_at },
  ])
}

/** Those who got leads by an operation whose events notify nobody: an import, or the undo of an undo. */
export async function tellOwners(
  tx: Db,
  { space, actor, now }: Pick<Author, 'space' | 'actor' | 'now'>,
  operation: string,
): Promise<void> {
  const rows = await run<Pick<Told, 'id_member' | 'count'>[]>(tx)`
    select id_member, count(*)::int as count from (${stillOwned(space, sql`${operation}`)}) owned
    where id_member is distinct from ${actor.member}::uuid group by id_member`
  const about = { id_actor: actor.member, id_lead: null, id_record: operation }
  const created_at = now.toISOString()
  await insertNotifications(
    tx,
    space,
    rows.map((row) => ({ kind: 'assigned', ...row, ...about, created_at })),
  )
}

/** A webhook was disabled. */
export async function tellAdmins(
  tx: Db,
  { space, now }: Pick<Author, 'space' | 'now'>,
  webhook: string,
): Promise<void> {
  const admins = await run<{ id: string }[]>(tx)`
    select id from member where id_space = ${space} and role = any(${adminRoles}::text[])`
  const about = { id_actor: null, id_lead: null, id_record: webhook, count: 0 }
  const created_at = now.toISOString()
  await insertNotifications(
    tx,
    space,
    admins.map(({ id }) => ({ kind: 'webhook', id_member: id, ...about, created_at })),
  )
}
