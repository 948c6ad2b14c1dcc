// Statements that fire reminders.
import type { Db } from '../../db/driver.ts'
import { acrossWorkspaces, jsonb, run, sql } from '../../db/sql.ts'

/** A due reminder, as it was when selectDue read it. */
export interface Due {
  id_space: string
  id: string
  date: string
  cron: string
}

/** The last reminder of a batch: the next batch begins after it. */
export type Position = Pick<Due, 'date' | 'id_space' | 'id'>

/**
 * The due reminders of all workspaces, the oldest date first. It takes no locks: advanceReminders checks
 * again that nothing has changed. The condition is that of the index reminder_due_idx.
 */
export function selectDue(db: Db, now: Date, after: Position | undefined, limit: number) {
  const afterLast = after
    ? sql`and (date, id_space, id) > (${after.date}, ${after.id_space}, ${after.id})`
    : sql``
  return run<Due[]>(db)`${acrossWorkspaces} select id_space, id, date, cron from reminder
    where not is_deleted and fired_at is null and (cron <> '' or not is_done)
      and date <= ${now} ${afterLast}
    order by date, id_space, id
    limit ${limit}`
}

/**
 * Locks the reminders that no other transaction has locked, until this transaction ends. Returns whether
 * each of them is done, by its id.
 */
export async function lockUnclaimed(
  db: Db,
  space: string,
  ids: string[],
): Promise<Map<string, boolean>> {
  const rows = await run<{ id: string; is_done: boolean }[]>(db)`
    select id, is_done from reminder where id_space = ${space} and id = any(${ids}::uuid[])
    order by id for update skip locked`
  return new Map(rows.map(({ id, is_done }) => [id, is_done]))
}

export interface Advance extends Due {
  /** The next occurrence. Null: there is none, and the reminder is finished. */
  next: string | null
}

/** A reminder that has advanced, with what its firing contains. */
export interface Advanced {
  id: string
  date: string
  is_done: boolean
  name: string
  id_lead: string | null
  ressource_link: string
}

/**
 * Sets each reminder to its next occurrence, or marks it as fired. Compare and set: only reminders that
 * are unchanged since selectDue read them advance, so of several processes one wins.
 */
export function advanceReminders(
  db: Db,
  space: string,
  advances: Advance[],
  now: Date,
): Promise<Advanced[]> {
  return run<Advanced[]>(db)`with advance as (
      select (value->>'id')::uuid as id, (value->>'date')::timestamptz as date,
        value->>'cron' as cron, (value->>'next')::timestamptz as next,
        case when value->>'next' is null then ${now}::timestamptz end as fired_at,
        case when value->>'cron' <> '' then false end as is_done
      from jsonb_array_elements(${jsonb(advances)})
    )
    update reminder set
      date = coalesce(advance.next, reminder.date),
      fired_at = advance.fired_at,
      is_done = coalesce(advance.is_done, reminder.is_done),
      updated_at = ${now}
    from advance
    where reminder.id_space = ${space} and reminder.id = advance.id
      and reminder.date = advance.date and reminder.cron = advance.cron
      and not reminder.is_deleted and reminder.fired_at is null
      and (reminder.cron <> '' or not reminder.is_done)
    returning reminder.id, reminder.date, reminder.is_done, reminder.name, reminder.id_lead,
      reminder.ressource_link`
}

export function selectUsers(db: Db, space: string, reminders: string[]) {
  return run<{ id_reminder: string; id_member: string }[]>(db)`
    select id_reminder, id_member from reminder_user
    where id_space = ${space} and id_reminder = any(${reminders}::uuid[])
    order by id_reminder, id_member`
}

export interface Firing {
  id_reminder: string
  due_at: string
  payload: { id_lead: string | null } & Record<string, unknown>
}

/**
 * Returns the reminders that have fired. One that was set back to a date for which it has fired does not
 * fire again.
 */
export async function insertFirings(
  db: Db,
  space: string,
  firings: Firing[],
  now: Date,
): Promise<Set<string>> {
  const inserted = await run<{ id_reminder: string }[]>(db)`
    insert into reminder_firing (id_space, id_reminder, due_at, fired_at, payload)
    select ${space}::uuid, firing.id_reminder, firing.due_at, ${now}::timestamptz, firing.payload
    from jsonb_to_recordset(${jsonb(firings)})
      as firing (id_reminder uuid, due_at timestamptz, payload jsonb)
    on conflict (id_space, id_reminder, due_at) do nothing
    returning id_reminder`
  return new Set(inserted.map(({ id_reminder }) => id_reminder))
}
