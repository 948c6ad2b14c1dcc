// Statements about the calendar of a member: its address, and the reminders in it.
import type { Db } from '../db/driver.ts'
import { rowValues, run, runOne, sql } from '../db/sql.ts'
import { isLiveReminder } from '../resources/reminders/reminders.sql.ts'

export interface Owner {
  id_space: string
  id_member: string
}

/** In place of the one before, which ends. */
export async function replaceToken(
  tx: Db,
  { id_space, id_member }: Owner,
  hash: string,
  now: Date,
): Promise<void> {
  await run(tx)`
    insert into calendar_token ${rowValues({ id_space, id_member, hash, created_at: now })}
    on conflict (id_space, id_member) do update set hash = ${hash}, created_at = ${now}`
}

export async function selectTokenTime(
  db: Db,
  { id_space, id_member }: Owner,
): Promise<string | undefined> {
  const [row] = await run<{ created_at: string }[]>(db)`select created_at from calendar_token
    where id_space = ${id_space} and id_member = ${id_member}`
  return row?.created_at
}

export function selectOwner(db: Db, hash: string): Promise<Owner | undefined> {
  return runOne<Owner>(db)`
    select id_space, id_member from calendar_token where hash = ${hash}`
}

export interface CalendarReminder {
  id: string
  id_lead: string | null
  name: string
  date: string
  cron: string
  updated_at: string
}

/** The open reminders of the member, or of nobody else and their lead. The next ones, if there are many. */
export function selectCalendar(db: Db, { id_space, id_member }: Owner, since: Date, limit: number) {
  const users = sql`from reminder_user u where u.id_space = ${id_space} and u.id_reminder = reminder.id`
  return run<CalendarReminder[]>(db)`select id, id_lead, name, date, cron, updated_at from reminder
    where ${isLiveReminder(id_space)} and not is_done and date >= ${since}
      and (exists (select ${users} and u.id_member = ${id_member})
        or (not exists (select ${users}) and exists (
          select from lead_owner o where o.id_space = ${id_space}
            and o.id_lead = reminder.id_lead and o.id_member = ${id_member})))
    order by date, id limit ${limit}`
}
