import type { Db } from '../../db/connect.ts'
import { raw, run, runPlanned, type Sql, sql } from '../../db/sql.ts'

export interface ReminderRow {
  id: string
  id_space: string
  id_lead: string | null
  name: string
  ressource_link: string
  date: string
  cron: string
  cron_id: string | null
  is_done: boolean
  is_deleted: boolean
  fired_at: string | null
  created_at: string
  updated_at: string
  /** Sorted, each once. */
  users: string[]
}

const columns = raw(
  'id, id_space, id_lead, name, ressource_link, date, cron, cron_id, is_done, is_deleted, fired_at, created_at, updated_at',
)

const users = (space: string) => sql`array(
  select id_member from reminder_user
  where reminder_user.id_space = ${space} and reminder_user.id_reminder = reminder.id
  order by id_member) as users`

/** What is deleted takes its reminders along: those of a deleted lead are not found either. */
const isLive = (space: string) => sql`reminder.id_space = ${space} and not reminder.is_deleted
  and (reminder.id_lead is null or ${ofLead(space, raw('true'))})`

/** Holds for reminders of a live lead for which the condition holds. */
export function ofLead(space: string, condition: Sql): Sql {
  return sql`exists (
    select from lead
    where lead.id_space = ${space} and lead.id = reminder.id_lead and not lead.is_deleted
      and (${condition}))`
}

export async function selectReminder(
  db: Db,
  space: string,
  id: string,
): Promise<ReminderRow | undefined> {
  const [row] = await run<ReminderRow[]>(
    db,
    sql`select ${columns}, ${users(space)} from reminder
      where ${isLive(space)} and reminder.id = ${id}`,
  )
  return row
}

/** Keeps everybody else, the scheduler too, from changing the reminder until the transaction ends. */
export async function lockReminder(db: Db, space: string, id: string): Promise<boolean> {
  const rows = await db`
    select id from reminder where id_space = ${space} and id = ${id} and not is_deleted for update`
  return rows.length > 0
}

export interface ReminderSelection {
  condition: Sql
  /** A column of this program's own naming. */
  field: string
  descending: boolean
  limit: number
  offset: number
}

export function selectReminders(
  db: Db,
  space: string,
  { condition, field, descending, limit, offset }: ReminderSelection,
): Promise<ReminderRow[]> {
  const order = raw(`reminder.${field} ${descending ? 'desc' : 'asc'} nulls last, reminder.id`)
  return runPlanned<ReminderRow[]>(
    db,
    sql`select ${columns}, ${users(space)} from reminder
      where ${isLive(space)} and (${condition})
      order by ${order} limit ${limit} offset ${offset}`,
  )
}

export type NewReminder = Pick<
  ReminderRow,
  'id' | 'id_lead' | 'name' | 'ressource_link' | 'date' | 'cron' | 'cron_id'
>

export async function insertReminder(
  db: Db,
  space: string,
  reminder: NewReminder,
  now: Date,
): Promise<void> {
  const time = now.toISOString()
  const row = { ...reminder, id_space: space, created_at: time, updated_at: time }
  await db`insert into reminder ${db(row)}`
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
  await db`
    update reminder set ${db({ ...change, updated_at: now.toISOString() })}
    where id_space = ${space} and id = ${id}`
}

export async function replaceUsers(
  db: Db,
  space: string,
  id: string,
  members: string[],
): Promise<void> {
  await db`delete from reminder_user where id_space = ${space} and id_reminder = ${id}`
  if (members.length === 0) return
  const rows = members.map((id_member) => ({ id_space: space, id_reminder: id, id_member }))
  await db`insert into reminder_user ${db(rows)}`
}

/** Which of these are members of the workspace. */
export async function selectMemberIds(db: Db, space: string, ids: string[]): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select id from member where id_space = ${space} and id = any(${ids}::uuid[])`
  return rows.map(({ id }) => id)
}

/** The lead, kept from being deleted until the transaction ends; undefined when there is none. */
export async function lockLead(db: Db, space: string, id: string): Promise<string | undefined> {
  const [row] = await db<{ id: string }[]>`
    select id from lead where id_space = ${space} and id = ${id} and not is_deleted for share`
  return row?.id
}
