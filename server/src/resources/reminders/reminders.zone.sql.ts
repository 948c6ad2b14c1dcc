// Statements that move recurring reminders to another time zone.
import type { Db } from '../../db/driver.ts'
import { jsonb, run } from '../../db/sql.ts'

export interface Recurring {
  id: string
  date: string
  cron: string
  id_lead: string | null
}

/** The recurring reminders that are not due yet. */
export function lockRecurring(db: Db, space: string, now: Date) {
  return run<Recurring[]>(db)`select id, date, cron, id_lead from reminder
    where id_space = ${space} and not is_deleted and cron <> '' and date > ${now}
    order by id for update`
}

export async function moveReminders(
  db: Db,
  space: string,
  moves: readonly Recurring[],
  now: Date,
): Promise<void> {
  const dates = moves.map(({ id, date }) => ({ id, date }))
  await run(db)`update reminder set date = moved.date, updated_at = ${now}
    from jsonb_to_recordset(${jsonb(dates)}) as moved (id uuid, date timestamptz)
    where reminder.id_space = ${space} and reminder.id = moved.id`
}
