import type { Db } from '../../db/driver.ts'
import { jsonb, run, sql } from '../../db/sql.ts'

/** A reminder as selectDue read it. */
export interface Due {
  id_space: string
  id: string
  date: string
  cron: string
}

/** Where a pass through what is due has arrived. */
export type Position = Pick<Due, 'date' | 'id_space' | 'id'>

/**
 * What is due in all workspaces, the longest due first. It takes no locks: firing compares again. The
 * condition is that of the index reminder_due_idx.
 */
export function selectDue(
  db: Db,
  now: Date,
  after: Position | undefined,
  limit: number,
): Promise<Due[]> {
  const behind = after
    ? sql`and (date, id_space, id) > (${after.date}, ${after.id_space}, ${after.id})`
    : sql``
  return run<Due[]>(
    db,
    sql`select id_space, id, date, cron from reminder
      where not is_deleted and fired_at is null and (cron <> '' or not is_done)
        and date <= ${now} ${behind}
      order by date, id_space, id
      limit ${limit}`,
  )
}

/** Locks those that no other process is working on, until the transaction ends. Returns their ids. */
export async function lockFree(db: Db, space: string, ids: string[]): Promise<Set<string>> {
  const rows = await run<{ id: string }[]>(
    db,
    sql`select id from reminder where id_space = ${space} and id = any(${ids}::uuid[])
      order by id for update skip locked`,
  )
  return new Set(rows.map(({ id }) => id))
}

export interface Step extends Due {
  /** The next occurrence; null when this was the last. */
  next: string | null
}

/** A reminder that took its step: what there is to tell about it. */
export interface Taken {
  id: string
  name: string
  id_lead: string | null
  ressource_link: string
}

/** Compare and set: only reminders that are still as they were read take their step, so one process wins. */
export function takeSteps(db: Db, space: string, steps: Step[], now: Date): Promise<Taken[]> {
  return run<Taken[]>(
    db,
    sql`with step as (
        select (value->>'id')::uuid as id, (value->>'date')::timestamptz as date,
          value->>'cron' as cron, (value->>'next')::timestamptz as next,
          case when value->>'next' is null then ${now}::timestamptz end as fired_at,
          case when value->>'cron' <> '' then false end as is_done
        from jsonb_array_elements(${jsonb(steps)})
      )
      update reminder set
        date = coalesce(step.next, reminder.date),
        fired_at = step.fired_at,
        is_done = coalesce(step.is_done, reminder.is_done),
        updated_at = ${now}
      from step
      where reminder.id_space = ${space} and reminder.id = step.id
        and reminder.date = step.date and reminder.cron = step.cron
        and not reminder.is_deleted and reminder.fired_at is null
        and (reminder.cron <> '' or not reminder.is_done)
      returning reminder.id, reminder.name, reminder.id_lead, reminder.ressource_link`,
  )
}

export function selectUsers(db: Db, space: string, reminders: string[]) {
  return run<{ id_reminder: string; id_member: string }[]>(
    db,
    sql`select id_reminder, id_member from reminder_user
      where id_space = ${space} and id_reminder = any(${reminders}::uuid[])
      order by id_reminder, id_member`,
  )
}

export interface Firing {
  id_reminder: string
  due_at: string
  payload: object
}

/** Returns how many are new: a reminder that was set back to a date it has fired for stays silent. */
export async function insertFirings(
  db: Db,
  space: string,
  firings: Firing[],
  now: Date,
): Promise<number> {
  const inserted = await run(
    db,
    sql`insert into reminder_firing (id_space, id_reminder, due_at, fired_at, payload)
      select ${space}::uuid, firing.id_reminder, firing.due_at, ${now}::timestamptz, firing.payload
      from jsonb_to_recordset(${jsonb(firings)})
        as firing (id_reminder uuid, due_at timestamptz, payload jsonb)
      on conflict (id_space, id_reminder, due_at) do nothing
      returning id_reminder`,
  )
  return inserted.length
}
