// Statements about notifications, as members see them. They are written in feed/notify.sql.ts.
import {
  maxNotifications,
  type NotificationKind,
  type NotificationWay,
  notificationDays,
} from '@rapport/contract/notifications.values'
import type { Db } from '../../db/driver.ts'
import { acrossWorkspaces, jsonb, run, type Sql, sql } from '../../db/sql.ts'
import type { OperationRow } from '../operations/store/operation.sql.ts'

/** Whose notifications they are. */
export interface Reader {
  space: string
  user: string
}

export interface NotificationRow {
  id: string
  kind: NotificationKind
  created_at: string
  read_at: string | null
  id_actor: string | null
  id_lead: string | null
  id_record: string | null
  count: number
  text: string
  operation: Pick<OperationRow, 'kind' | 'state' | 'lease_until'> | null
}

/** As much of a note as a line or two show. */
export const shownCharacters = 300

/** Notifications as `told`, with the records that they are about. */
export const toldWithRecords = (space: string) => sql`notification told
    left join reminder on reminder.id_space = ${space} and reminder.id = told.id_record
      and not reminder.is_deleted
    left join note on note.id_space = ${space} and note.id = told.id_record and not note.is_deleted
    left join webhook on webhook.id_space = ${space} and webhook.id = told.id_record
    left join operation on operation.id_space = ${space} and operation.id = told.id_record`

/** Newest first, with what their records say now. */
export function selectNotifications(
  db: Db,
  { space, user }: Reader,
  { isUnread, before, limit }: { isUnread: boolean; before: string | undefined; limit: number },
): Promise<NotificationRow[]> {
  const older = before === undefined ? sql`` : sql`and told.id < ${before}`
  return run<NotificationRow[]>(db)`
    select told.id, told.kind, told.created_at, told.read_at, told.id_actor, told.id_lead,
      told.id_record, told.count,
      coalesce(reminder.name, left(note.content, ${shownCharacters}::int), nullif(webhook.name, ''),
        webhook.url, operation.error, '') as text,
      case when operation.id is not null then jsonb_build_object('kind', operation.kind,
        'state', operation.state, 'lease_until', operation.lease_until) end as operation
    from ${toldWithRecords(space)}
    where told.id_space = ${space} and told.id_member = ${user} ${older}
      ${isUnread ? sql`and told.read_at is null` : sql``}
    order by told.id desc limit ${limit}`
}

export async function countUnread(db: Db, { space, user }: Reader): Promise<number> {
  const [row] = await run<[{ count: number }]>(db)`select count(*)::int as count from notification
    where id_space = ${space} and id_member = ${user} and read_at is null`
  return row.count
}

/** Returns how many were not read before. */
export async function markRead(
  db: Db,
  { space, user }: Reader,
  { ids, upTo }: { ids: string[]; upTo: string | undefined },
  now: Date,
): Promise<number> {
  const older = upTo === undefined ? sql`` : sql`or id <= ${upTo}`
  const rows = await run(db)`update notification set read_at = ${now}, mail_at = null
    where id_space = ${space} and id_member = ${user} and read_at is null
      and (id = any(${ids}::uuid[]) ${older})
    returning id`
  return rows.length
}

export interface SettingRow {
  id_member: string
  /** Those that the member has chosen. */
  kinds: Partial<Record<NotificationKind, NotificationWay>>
  digest_hour: number
  quiet_from: number | null
  quiet_to: number | null
  details: boolean
}

const settingColumns = sql`id_member, kinds, digest_hour, quiet_from, quiet_to, details`

export function selectSettings(db: Db, space: string, members: string[]): Promise<SettingRow[]> {
  return run<SettingRow[]>(db)`select ${settingColumns} from notification_setting
    where id_space = ${space} and id_member = any(${members}::uuid[])`
}

export async function upsertSetting(db: Db, space: string, setting: SettingRow): Promise<void> {
  const { id_member, kinds, digest_hour, quiet_from, quiet_to, details } = setting
  await run(db)`insert into notification_setting (id_space, ${settingColumns})
    values (${space}, ${id_member}, ${jsonb(kinds)}, ${digest_hour}, ${quiet_from}, ${quiet_to},
      ${details})
    on conflict (id_space, id_member) do update set kinds = excluded.kinds,
      digest_hour = excluded.digest_hour, quiet_from = excluded.quiet_from,
      quiet_to = excluded.quiet_to, details = excluded.details`
  // Waiting mails are decided again.
  await setMailTime(db, sql`id_space = ${space} and id_member = ${id_member}`, sql`'-infinity'`)
}

/** After a restore: they may have been sent since. */
export async function forgetMails(tx: Db, space: string): Promise<void> {
  await setMailTime(tx, sql`id_space = ${space}`, sql`null`)
}

async function setMailTime(db: Db, which: Sql, time: Sql): Promise<void> {
  await run(db)`update notification set mail_at = ${time} where ${which} and mail_at is not null`
}

const day = 86_400_000

export async function pruneNotifications(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - notificationDays * day)
  await run(db)`${acrossWorkspaces} delete from notification where created_at < ${before}`
  await run(db)`${acrossWorkspaces} delete from notification using (
      select id_space, id, row_number() over (partition by id_space, id_member order by id desc) as place
      from notification) ranked
    where notification.id_space = ranked.id_space and notification.id = ranked.id
      and ranked.place > ${maxNotifications}`
}
