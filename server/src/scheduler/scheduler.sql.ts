import type { Db, Json } from '../db/connect.ts'

/** A reminder as the scan read it. */
export interface Due {
  id_space: string
  id: string
  date: string
  cron: string
}

/** Where a walk through what is due has come to. */
export type Position = Pick<Due, 'date' | 'id_space' | 'id'>

/**
 * What is due in all workspaces, the longest due first. Takes no locks: it is a hint, and firing
 * compares again. The condition is that of the index reminder_due_idx.
 */
export function selectDue(
  db: Db,
  now: Date,
  after: Position | undefined,
  limit: number,
): Promise<Due[]> {
  return db<Due[]>`
    select id_space, id, date, cron from reminder
    where not is_deleted and fired_at is null and (cron <> '' or not is_done)
      and date <= ${now}
      ${after ? db`and (date, id_space, id) > (${after.date}, ${after.id_space}, ${after.id})` : db``}
    order by date, id_space, id
    limit ${limit}`
}

/** Those that no other process is working on at this moment, locked until the transaction ends. */
export async function lockFree(db: Db, space: string, ids: string[]): Promise<Set<string>> {
  const rows = await db<{ id: string }[]>`
    select id from reminder where id_space = ${space} and id = any(${ids}::uuid[])
    order by id for update skip locked`
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

/**
 * Compare and set: only reminders that still are as they were read take their step, so that of many
 * processes one wins.
 */
export function takeSteps(db: Db, space: string, steps: Step[], now: Date): Promise<Taken[]> {
  return db<Taken[]>`
    with step as (
      select (value->>'id')::uuid as id, (value->>'date')::timestamptz as date,
        value->>'cron' as cron, (value->>'next')::timestamptz as next,
        case when value->>'next' is null then ${now}::timestamptz end as fired_at,
        case when value->>'cron' <> '' then false end as is_done
      from jsonb_array_elements(${db.json(steps as unknown as Json)}::jsonb)
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
    returning reminder.id, reminder.name, reminder.id_lead, reminder.ressource_link`
}

/** Which of these leads are not deleted. */
export async function selectLiveLeads(db: Db, space: string, ids: string[]): Promise<Set<string>> {
  const rows = await db<{ id: string }[]>`
    select id from lead where id_space = ${space} and id = any(${ids}::uuid[]) and not is_deleted`
  return new Set(rows.map(({ id }) => id))
}

export function selectUsers(db: Db, space: string, reminders: string[]) {
  return db<{ id_reminder: string; id_member: string }[]>`
    select id_reminder, id_member from reminder_user
    where id_space = ${space} and id_reminder = any(${reminders}::uuid[])
    order by id_reminder, id_member`
}

export interface NewEvent {
  id: string
  type: 'reminder.due'
  id_reminder: string
  due_at: string
  payload: Json
}

/** Answers how many were new: a reminder that was set back to a date it has fired for is silent. */
export async function insertEvents(
  db: Db,
  space: string,
  events: NewEvent[],
  now: Date,
): Promise<number> {
  const created_at = now.toISOString()
  const rows = events.map(({ payload, ...event }) => ({
    ...event,
    id_space: space,
    created_at,
    payload: db.json(payload),
  }))
  const inserted = await db`
    insert into event ${db(rows as never)}
    on conflict (id_space, id_reminder, due_at) do nothing
    returning id`
  return inserted.length
}
