// Statements about notifications that are sent by mail.
import type { Db } from '../../db/driver.ts'
import { acrossWorkspaces, rowsOf, run, sql } from '../../db/sql.ts'
import { type NotificationRow, shownCharacters, toldWithRecords } from './notifications.sql.ts'

export interface Mailable
  extends Pick<
    NotificationRow,
    'id' | 'kind' | 'created_at' | 'id_lead' | 'id_record' | 'count' | 'text' | 'operation'
  > {
  id_member: string
  /** Nobody has decided when it is sent. */
  is_new: boolean
}

/** The workspaces that have something to send or to decide. */
export async function selectMailableSpaces(db: Db, now: Date): Promise<string[]> {
  const rows = await run<{ id_space: string }[]>(db)`
    ${acrossWorkspaces} select distinct id_space from notification where mail_at <= ${now}
    limit 1000`
  return rows.map(({ id_space }) => id_space)
}

/** Those that are due or not decided, oldest first. Another process that does the same skips them. */
export function lockMailable(tx: Db, space: string, now: Date): Promise<Mailable[]> {
  return run<Mailable[]>(tx)`
    select told.id, told.id_member, told.kind, told.created_at, told.id_lead, told.id_record,
      told.count, told.mail_at = '-infinity' as is_new,
      coalesce(reminder.name, left(note.content, ${shownCharacters}::int), webhook.name, '') as text,
      case when operation.id is not null
        then jsonb_build_object('kind', operation.kind, 'state', operation.state) end as operation
    from ${toldWithRecords(space)}
    where told.id_space = ${space} and told.mail_at <= ${now}
    order by told.id limit 1000 for update of told skip locked`
}

export async function setMailTimes(
  tx: Db,
  space: string,
  times: { id: string; mail_at: string | null }[],
): Promise<void> {
  await run(tx)`update notification set mail_at = entry.mail_at
    from ${rowsOf(times, sql`id uuid, mail_at timestamptz`)}
    where notification.id_space = ${space} and notification.id = entry.id`
}
