// Statements about reminders, as callers see them. Those that fire reminders are in
// reminders.firing.sql.ts.
import { type Reminder, reminderFields } from '@rapport/contract/reminders'
import type { ReminderLine } from '@rapport/contract/transfer.lines'
import type { Static } from 'typebox'
import type { Db } from '../../db/driver.ts'
import {
  assignments,
  columnNames,
  raw,
  rowsOf,
  rowValues,
  rowWriter,
  run,
  runOne,
  runUnprepared,
  type Sql,
  sql,
} from '../../db/sql.ts'
import type { Author } from '../../feed/author.ts'
import { inChunks, recordMany } from '../../feed/record.sql.ts'
import { newId } from '../../ids.ts'
import { requireSmallPage } from '../../references/room.ts'
import { isDeletedLead, leadExists } from '../leads/row/existing.sql.ts'

export interface ReminderRow extends Omit<Static<typeof Reminder>, 'id_lead' | 'cron_id'> {
  id_lead: string | null
  cron_id: string | null
  /** When it fired for its date. Null: it has not fired yet. */
  fired_at: string | null
}

const columns = columnNames([...reminderFields, 'fired_at'])

const users = (space: string) => sql`array(
  select id_member from reminder_user
  where reminder_user.id_space = ${space} and reminder_user.id_reminder = reminder.id
  order by id_member) as users`

/** Not deleted, and not of a deleted lead. */
export const isLiveReminder = (
  space: string,
) => sql`reminder.id_space = ${space} and not reminder.is_deleted
  and not ${isDeletedLead(space, raw('reminder.id_lead'))}`

/** True for reminders of a lead that is not deleted and meets the condition. */
export function ofLead(space: string, condition: Sql): Sql {
  return leadExists(space, raw('reminder.id_lead'), condition)
}

export function selectReminder(db: Db, space: string, id: string) {
  return runOne<ReminderRow>(db)`select ${columns}, ${users(space)} from reminder
    where ${isLiveReminder(space)} and reminder.id = ${id}`
}

/** Locks the reminder: no other transaction can change or fire it until this one ends. */
export async function lockReminder(db: Db, space: string, id: string): Promise<boolean> {
  const rows = await run(db)`
    select id from reminder where id_space = ${space} and id = ${id} and not is_deleted for update`
  return rows.length > 0
}

export interface ReminderSelection {
  condition: Sql
  /** The name of a column. It becomes SQL text, so it must not be text of a caller. */
  field: string
  descending: boolean
  limit: number
  offset: number
}

export async function selectReminders(
  db: Db,
  space: string,
  { condition, field, descending, limit, offset }: ReminderSelection,
): Promise<ReminderRow[]> {
  const order = raw(`reminder.${field} ${descending ? 'desc' : 'asc'} nulls last, reminder.id`)
  const page = (what: Sql) => sql`select ${what} from reminder
    where ${isLiveReminder(space)} and (${condition})
    order by ${order} limit ${limit} offset ${offset}`
  const texts = sql`octet_length(name) + coalesce(octet_length(ressource_link), 0)`
  await requireSmallPage(db, limit, texts, page(sql`reminder.*`))
  return runUnprepared<ReminderRow[]>(db, page(sql`${columns}, ${users(space)}`))
}

export async function countReminders(db: Db, space: string, condition: Sql): Promise<number> {
  const [row] = await runUnprepared<{ count: number }[]>(db)`
    select count(*) as count from reminder where ${isLiveReminder(space)} and (${condition})`
  return row?.count ?? 0
}

export type NewReminder = Pick<
  ReminderRow,
  'id' | 'id_lead' | 'name' | 'ressource_link' | 'date' | 'cron' | 'cron_id'
>

export async function insertReminder(
  db: Db,
  { space, now, actor }: Author,
  reminder: NewReminder,
): Promise<void> {
  const time = now.toISOString()
  const row = {
    ...{ ...reminder, id_space: space, id_author: actor.member },
    ...{ created_at: time, updated_at: time },
  }
  await run(db)`insert into reminder ${rowValues(row)}`
}

/** Reminders of many new leads, with their members. One whose id is taken is not written again. */
export async function insertReminders(
  db: Db,
  by: Author,
  reminders: (ReminderLine & { id: string; id_lead: string })[],
): Promise<void> {
  const { space } = by
  const time = sql`${by.now.toISOString()}::timestamptz`
  const rows = reminders.map((row) => ({ ...row, cron_id: row.cron ? newId() : null }))
  const made = await run<{ id: string; id_lead: string }[]>(db)`
    insert into reminder (id_space, id, id_lead, name, ressource_link, date, cron, cron_id,
      is_done, fired_at, id_author, created_at, updated_at)
    select ${space}::uuid, id, id_lead, name, coalesce(ressource_link, ''), date, coalesce(cron, ''),
      cron_id, coalesce(is_done, false), fired_at, ${by.actor.member}::uuid, ${time}, ${time}
    from ${rowsOf(
      rows,
      sql`id uuid, id_lead uuid, name text, ressource_link text, date timestamptz, cron text,
        cron_id uuid, is_done boolean, fired_at timestamptz`,
    )}
    on conflict (id_space, id) do nothing
    returning id, id_lead`
  const written = new Set(made.map(({ id }) => id))
  const members = rows
    .filter(({ id }) => written.has(id))
    .flatMap(({ id, users = [] }) =>
      [...new Set(users)].map((id_member) => ({ id_reminder: id, id_member })),
    )
  await run(db)`${writeMembers(space, members)}`
  const events = inChunks(made).map((chunk) => ({
    ids: chunk.map(({ id }) => id),
    leads: [...new Set(chunk.map(({ id_lead }) => id_lead))],
  }))
  await recordMany(db, by, 'reminder.created', events)
}

export type ReminderChange = Partial<
  Pick<
    ReminderRow,
    'id_lead' | 'name' | 'date' | 'cron' | 'cron_id' | 'is_done' | 'is_deleted' | 'fired_at'
  >
>

export async function updateReminder(
  db: Db,
  space: string,
  id: string,
  change: ReminderChange,
  now: Date,
): Promise<void> {
  await run(db)`
    update reminder set ${assignments({ ...change, updated_at: now.toISOString() })}
    where id_space = ${space} and id = ${id}`
}

export async function replaceUsers(
  db: Db,
  space: string,
  id: string,
  members: string[],
): Promise<void> {
  await run(db)`delete from reminder_user where id_space = ${space} and id_reminder = ${id}`
  if (members.length === 0) return
  const rows = members.map((id_member) => ({ id_reminder: id, id_member }))
  await run(db)`${writeMembers(space, rows)}`
}

const writeMembers = rowWriter('reminder_user', { id_reminder: 'uuid', id_member: 'uuid' })
