// Gives reminders to other members: when one hands over, and when that is undone.
import type { Db } from '../../../db/driver.ts'
import { type Sql, sql } from '../../../db/sql.ts'
import type { Author } from '../../../feed/author.ts'
import { journalReminders } from '../../../feed/journal.sql.ts'
import { memberAt, turnsOf } from './owners.sql.ts'

/**
 * Query of a member's open reminders and who gets them, for `moveReminders`: who gets the lead of the reminder,
 * or else these members in turn. `leads` are the numbered leads that they get.
 */
export const openReminders = (space: string, from: string, members: string[], leads: Sql) => sql`
  select reminder.id, ${from}::uuid as lost, coalesce(turn.id_member,
    ${memberAt(members, sql`row_number() over (order by reminder.id)`)}) as got
  from reminder_user
  join reminder on reminder.id_space = ${space} and reminder.id = reminder_user.id_reminder
  left join (${turnsOf(members, leads)}) turn on turn.id_lead = reminder.id_lead
  where reminder_user.id_space = ${space} and reminder_user.id_member = ${from}
    and not reminder.is_deleted and (not reminder.is_done or reminder.cron <> '')`

/** `wanted` is a query with the columns id, lost and got: members, or null. */
export async function moveReminders(db: Db, by: Author, wanted: Sql): Promise<void> {
  const { space } = by
  const parts = sql`wanted as materialized (${wanted}),
    gone as (
      delete from reminder_user using wanted
      where reminder_user.id_space = ${space} and reminder_user.id_reminder = wanted.id
        and reminder_user.id_member = wanted.lost
      returning reminder_user.id_reminder as id, reminder_user.id_member),
    added as (
      insert into reminder_user (id_space, id_reminder, id_member)
      select ${space}::uuid, wanted.id, wanted.got from wanted
      join member on member.id_space = ${space} and member.id = wanted.got
      join reminder on reminder.id_space = ${space} and reminder.id = wanted.id
      on conflict do nothing
      returning id_reminder as id, id_member),
    moved as materialized (
      select reminder.id, reminder.id_lead, gone.id_member as lost, added.id_member as got
      from wanted
      join reminder on reminder.id_space = ${space} and reminder.id = wanted.id
      left join gone on gone.id = wanted.id
      left join added on added.id = wanted.id
      where gone.id is not null or added.id is not null),
    touched as (
      update reminder set updated_at = ${by.now.toISOString()}
      where reminder.id_space = ${space} and reminder.id in (select id from moved))`
  await journalReminders(db, by, parts)
}
