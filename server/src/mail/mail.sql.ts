// Statements about the mails of a workspace.

import type { MailKind, MailState } from '@rapport/contract/mail.values'
import type { Db } from '../db/driver.ts'
import { acrossWorkspaces, assignments, jsonb, rowValues, run, sql } from '../db/sql.ts'
import type { MailContent } from './content.ts'

export interface MailRow {
  id_space: string
  id: string
  id_member: string
  kind: MailKind
  content: MailContent
  /** Sealed. */
  link: string | null
  state: MailState
  message_id: string | null
  not_before: string
  expires_at: string | null
  attempts: number
  last_error: string | null
  created_at: string
  handed_at: string | null
}

type Inserted = Omit<MailRow, 'message_id' | 'attempts' | 'last_error' | 'handed_at'>

export async function insertMail(tx: Db, { content, ...mail }: Inserted): Promise<void> {
  await run(tx, sql`insert into mail_out ${rowValues({ ...mail, content: jsonb(content) })}`)
}

export async function deleteQueued(
  tx: Db,
  space: string,
  member: string,
  kind: MailKind,
): Promise<void> {
  await run(
    tx,
    sql`delete from mail_out where id_space = ${space} and id_member = ${member}
      and kind = ${kind} and state = 'queued'`,
  )
}

const isPaused = (space: string) => sql`exists (select from mail_pause where id_space = ${space})`

/** Those whose worker has died after it began to speak to the server. */
export async function markUncertain(db: Db, space: string, error: string): Promise<void> {
  await run(
    db,
    sql`update mail_out set state = 'uncertain', last_error = ${error}
      where id_space = ${space} and state = 'handed'`,
  )
}

/** Its link was used, replaced or ended, or has expired. A link and its mail expire at the same time. */
const isOver = (space: string, now: Date) => sql`link is not null and not exists (
  select from sign_in_link made where made.id_space = ${space}
    and made.id_member = mail_out.id_member and made.purpose = mail_out.kind
    and made.expires_at = mail_out.expires_at and made.expires_at > ${now})`

/** What nobody has any use for anymore is not sent. */
export async function failOver(db: Db, space: string, now: Date, error: string): Promise<void> {
  await run(
    db,
    sql`update mail_out set state = 'failed', content = null, link = null, last_error = ${error}
      where id_space = ${space} and state = 'queued' and ${isOver(space, now)}`,
  )
}

export async function failQueued(db: Db, space: string, error: string): Promise<void> {
  await run(
    db,
    sql`update mail_out set state = 'failed', last_error = ${error}
      where id_space = ${space} and state = 'queued'`,
  )
}

export type NextMail = Pick<
  MailRow,
  'id' | 'id_member' | 'kind' | 'content' | 'link' | 'attempts' | 'created_at'
> & { email: string; workspace: string }

/**
 * The next one to send, locked. Links come first: somebody is waiting for them. None while the mail of the workspace is
 * paused.
 */
export async function lockNext(tx: Db, space: string, now: Date): Promise<NextMail | undefined> {
  const [row] = await run<NextMail[]>(
    tx,
    sql`select mail.id, mail.id_member, mail.kind, mail.content, mail.link, mail.attempts,
        mail.created_at, member.email, space.name as workspace
      from mail_out mail
      join member on member.id_space = mail.id_space and member.id = mail.id_member
      join space on space.id_space = mail.id_space
      where mail.id_space = ${space} and member.id_space = ${space} and space.id_space = ${space}
        and mail.state = 'queued' and mail.not_before <= ${now}
        and not ${isPaused(space)}
      order by mail.link is null, mail.not_before, mail.id
      limit 1 for update of mail skip locked`,
  )
  return row
}

/** Takes the contents of the other notifications that wait for the member out of the queue. The oldest first. */
export async function takeOthers(
  tx: Db,
  space: string,
  { id, id_member, kind }: NextMail,
  now: Date,
): Promise<MailContent[]> {
  const rows = await run<{ content: MailContent }[]>(
    tx,
    sql`with taken as (
        delete from mail_out where id_space = ${space} and id_member = ${id_member}
          and kind = ${kind} and state = 'queued' and not_before <= ${now} and id <> ${id}
        returning id, content)
      select content from taken order by id`,
  )
  return rows.map(({ content }) => content)
}

/** From here on, it may have been sent. */
export async function markHanded(
  tx: Db,
  space: string,
  id: string,
  { content, message_id, now }: { content: MailContent; message_id: string; now: Date },
): Promise<void> {
  await run(
    tx,
    sql`update mail_out set state = 'handed', content = ${jsonb(content)},
        message_id = ${message_id}, handed_at = ${now}, attempts = attempts + 1
      where id_space = ${space} and id = ${id}`,
  )
}

export type Outcome =
  | { state: 'sent'; last_error: null; content: null; link: null }
  | { state: 'failed' | 'uncertain'; last_error: string }
  | { state: 'queued'; last_error: string; not_before?: Date }

/** What came of it. The worker may have taken so long that another one has called it uncertain. */
export async function settle(db: Db, space: string, id: string, outcome: Outcome): Promise<void> {
  await run(
    db,
    sql`update mail_out set ${assignments(outcome)}
      where id_space = ${space} and id = ${id} and state in ('handed', 'uncertain')`,
  )
}

/** When the next one may be sent. Null: none waits, or the mail of the workspace is paused. */
export async function selectNextTime(db: Db, space: string): Promise<string | null> {
  const [row] = await run<[{ next: string | null }]>(
    db,
    sql`select min(not_before) as next from mail_out
      where id_space = ${space} and state = 'queued'
        and not ${isPaused(space)}`,
  )
  return row.next
}

/**
 * After a restore. What the backup has yet to send may have been sent since, and its links have ended. Nothing is sent
 * until somebody resumes it.
 */
export async function pauseMail(tx: Db, space: string, error: string): Promise<void> {
  await run(tx, sql`delete from mail_out where id_space = ${space} and link is not null`)
  await run(
    tx,
    sql`update mail_out set state = 'uncertain', last_error = ${error}
      where id_space = ${space} and state in ('queued', 'handed')`,
  )
  await run(
    tx,
    sql`insert into mail_pause (id_space) values (${space}) on conflict (id_space) do nothing`,
  )
}

/** Returns whether it was paused. */
export async function resumeMail(tx: Db, space: string): Promise<boolean> {
  const rows = await run(
    tx,
    sql`delete from mail_pause where id_space = ${space} returning id_space`,
  )
  return rows.length > 0
}

export async function isMailPaused(db: Db, space: string): Promise<boolean> {
  const rows = await run(db, sql`select from mail_pause where id_space = ${space}`)
  return rows.length > 0
}

/** What an admin sees of a mail: nothing of its content. */
export type OpenMail = Omit<
  MailRow,
  'content' | 'link' | 'message_id' | 'id_space' | 'expires_at'
> & { can_send: boolean }

const canSend = (space: string, now: Date) =>
  sql`state in ('failed', 'uncertain') and content is not null and not (${isOver(space, now)})`

/** Those that were not sent, the newest first. */
export function selectOpenMails(
  db: Db,
  space: string,
  now: Date,
  limit: number,
): Promise<OpenMail[]> {
  return run<OpenMail[]>(
    db,
    sql`select id, id_member, kind, state, not_before, attempts, last_error, created_at, handed_at,
        (${canSend(space, now)}) as can_send
      from mail_out where id_space = ${space} and state <> 'sent'
      order by created_at desc, id desc limit ${limit}`,
  )
}

export async function hasMail(db: Db, space: string, id: string): Promise<boolean> {
  const rows = await run(db, sql`select from mail_out where id_space = ${space} and id = ${id}`)
  return rows.length > 0
}

/** Somebody sends it again by hand. False: it cannot be. */
export async function queueAgain(tx: Db, space: string, id: string, now: Date): Promise<boolean> {
  const rows = await run(
    tx,
    sql`update mail_out set state = 'queued', not_before = ${now}, created_at = ${now}, attempts = 0
      where id_space = ${space} and id = ${id} and ${canSend(space, now)} returning id`,
  )
  return rows.length > 0
}

/** How many mails about single notifications these members have got, or will soon. */
export async function countRecent(
  db: Db,
  space: string,
  members: string[],
  since: Date,
): Promise<Map<string, number>> {
  const rows = await run<{ id_member: string; count: number }[]>(
    db,
    sql`select id_member, count(*)::int as count from mail_out
      where id_space = ${space} and id_member = any(${members}::uuid[]) and kind = 'notification'
        and created_at > ${since}
      group by id_member`,
  )
  return new Map(rows.map(({ id_member, count }) => [id_member, count]))
}

export interface MailCount {
  state: MailState
  count: number
  /** The oldest that could have been sent. */
  since: string | null
  last_error: string | null
}

/** By state; of one workspace, or of all. */
export function countMails(db: Db, space: string | undefined, now: Date): Promise<MailCount[]> {
  const its = space === undefined ? sql`true` : sql`id_space = ${space}`
  return run<MailCount[]>(
    db,
    sql`${space === undefined ? acrossWorkspaces : sql``}
      select state, count(*) as count, min(not_before) filter (where not_before <= ${now}) as since,
        max(last_error) as last_error
      from mail_out where ${its} group by state`,
  )
}

/** What is over is forgotten after a while. */
export async function pruneMails(db: Db, before: Date): Promise<void> {
  await run(
    db,
    sql`${acrossWorkspaces} delete from mail_out
      where created_at < ${before} and state not in ('queued', 'handed')`,
  )
}
