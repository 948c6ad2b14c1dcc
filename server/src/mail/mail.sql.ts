// Statements about the mails of a workspace.

import type { MailKind, MailState } from '@rapport/contract/mail.values'
import type { Db } from '../db/driver.ts'
import { acrossWorkspaces, assignments, jsonb, rowValues, run, runOne, sql } from '../db/sql.ts'
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
  await run(tx)`insert into mail_out ${rowValues({ ...mail, content: jsonb(content) })}`
}

export async function deleteQueued(
  tx: Db,
  space: string,
  member: string,
  kind: MailKind,
): Promise<void> {
  await run(tx)`delete from mail_out where id_space = ${space} and id_member = ${member}
    and kind = ${kind} and state = 'queued'`
}

const isPaused = (space: string) => sql`exists (select from mail_pause where id_space = ${space})`

/** Those whose worker died after it had contacted the server. */
export async function markUncertain(db: Db, space: string, error: string): Promise<void> {
  await run(db)`update mail_out set state = 'uncertain', last_error = ${error}
    where id_space = ${space} and state = 'handed'`
}

/** A mail and the link in it, if there is one, have the same member, purpose and end. */
type Linked = Pick<MailRow, 'id_member' | 'kind' | 'expires_at'> & { has_link: boolean }
const linkColumns = sql`id_member, kind, expires_at, link is not null as has_link`

/**
 * Whether the link of a mail still works: it was not used or replaced, and has not expired. On a cluster, links and mails
 * are in different places, so no statement joins them.
 */
async function linkTest(db: Db, space: string, now: Date): Promise<(mail: Linked) => boolean> {
  const rows = await run<{ id_member: string; purpose: string; expires_at: string }[]>(db)`
    select id_member, purpose, expires_at from sign_in_link
    where id_space = ${space} and expires_at > ${now}`
  const live = new Set(rows.map((row) => `${row.id_member} ${row.purpose} ${row.expires_at}`))
  return ({ has_link, id_member, kind, expires_at }) =>
    !has_link || live.has(`${id_member} ${kind} ${expires_at}`)
}

/** Mails that are of no use anymore are not sent. */
export async function failOver(db: Db, space: string, now: Date, error: string): Promise<void> {
  const queued = await run<(Linked & { id: string })[]>(
    db,
    sql`select id, ${linkColumns} from mail_out
      where id_space = ${space} and state = 'queued' and link is not null`,
  )
  if (queued.length === 0) return
  const works = await linkTest(db, space, now)
  const over = queued.filter((mail) => !works(mail)).map(({ id }) => id)
  if (over.length === 0) return
  await run(db)`
    update mail_out set state = 'failed', content = null, link = null, last_error = ${error}
    where id_space = ${space} and id = any(${over}::uuid[]) and state = 'queued'`
}

export async function failQueued(db: Db, space: string, error: string): Promise<void> {
  await run(db)`update mail_out set state = 'failed', last_error = ${error}
    where id_space = ${space} and state = 'queued'`
}

export type NextMail = Pick<
  MailRow,
  'id' | 'id_member' | 'kind' | 'content' | 'link' | 'attempts' | 'created_at'
> & { email: string; workspace: string }

/**
 * The next one to send, locked. Links come first: somebody is waiting for them. None while the mail of the workspace is
 * paused.
 */
export function lockNext(tx: Db, space: string, now: Date): Promise<NextMail | undefined> {
  return runOne<NextMail>(tx)`
    select mail.id, mail.id_member, mail.kind, mail.content, mail.link, mail.attempts,
      mail.created_at, member.email, space.name as workspace
    from mail_out mail
    join member on member.id_space = mail.id_space and member.id = mail.id_member
    join space on space.id_space = mail.id_space
    where mail.id_space = ${space} and member.id_space = ${space} and space.id_space = ${space}
      and mail.state = 'queued' and mail.not_before <= ${now}
      and not ${isPaused(space)}
    order by mail.link is null, mail.not_before, mail.id
    limit 1 for update of mail skip locked`
}

/** Takes the contents of the other notifications that wait for the member out of the queue. The oldest first. */
export async function takeOthers(
  tx: Db,
  space: string,
  { id, id_member, kind }: NextMail,
  now: Date,
): Promise<MailContent[]> {
  const rows = await run<{ content: MailContent }[]>(tx)`with taken as (
      delete from mail_out where id_space = ${space} and id_member = ${id_member}
        and kind = ${kind} and state = 'queued' and not_before <= ${now} and id <> ${id}
      returning id, content)
    select content from taken order by id`
  return rows.map(({ content }) => content)
}

/** From here on, it may have been sent. */
export async function markHanded(
  tx: Db,
  space: string,
  id: string,
  { content, message_id, now }: { content: MailContent; message_id: string; now: Date },
): Promise<void> {
  await run(tx)`update mail_out set state = 'handed', content = ${jsonb(content)},
      message_id = ${message_id}, handed_at = ${now}, attempts = attempts + 1
    where id_space = ${space} and id = ${id}`
}

export type Outcome =
  | { state: 'sent'; last_error: null; content: null; link: null }
  | { state: 'failed' | 'uncertain'; last_error: string }
  | { state: 'queued'; last_error: string; not_before?: Date }

/** The result. The worker may have taken so long that another one has marked the mail as uncertain. */
export async function settle(db: Db, space: string, id: string, outcome: Outcome): Promise<void> {
  await run(db)`update mail_out set ${assignments(outcome)}
    where id_space = ${space} and id = ${id} and state in ('handed', 'uncertain')`
}

/** When the next one may be sent. Null: none is waiting, or the mail of the workspace is paused. */
export async function selectNextTime(db: Db, space: string): Promise<string | null> {
  const [row] = await run<[{ next: string | null }]>(db)`
    select min(not_before) as next from mail_out
    where id_space = ${space} and state = 'queued'
      and not ${isPaused(space)}`
  return row.next
}

/**
 * After a restore. What the backup has yet to send may have been sent since, and its links have ended. Nothing is sent
 * until somebody resumes it.
 */
export async function pauseMail(tx: Db, space: string, error: string): Promise<void> {
  await run(tx)`delete from mail_out where id_space = ${space} and link is not null`
  await run(tx)`update mail_out set state = 'uncertain', last_error = ${error}
    where id_space = ${space} and state in ('queued', 'handed')`
  await run(tx)`
    insert into mail_pause (id_space) values (${space}) on conflict (id_space) do nothing`
}

/** Returns whether it was paused. */
export async function resumeMail(tx: Db, space: string): Promise<boolean> {
  const rows = await run(tx)`delete from mail_pause where id_space = ${space} returning id_space`
  return rows.length > 0
}

export async function isMailPaused(db: Db, space: string): Promise<boolean> {
  const rows = await run(db)`select from mail_pause where id_space = ${space}`
  return rows.length > 0
}

/** What an admin sees of a mail: none of its content. */
export type OpenMail = Omit<
  MailRow,
  'content' | 'link' | 'message_id' | 'id_space' | 'expires_at'
> & { can_send: boolean }

const canSend = sql`state in ('failed', 'uncertain') and content is not null`

/** Those that were not sent, the newest first. */
export async function selectOpenMails(
  db: Db,
  space: string,
  now: Date,
  limit: number,
): Promise<OpenMail[]> {
  const rows = await run<(OpenMail & Linked)[]>(
    db,
    sql`select id, kind, state, not_before, attempts, last_error, created_at, handed_at,
        ${linkColumns}, (${canSend}) as can_send
      from mail_out where id_space = ${space} and state <> 'sent'
      order by created_at desc, id desc limit ${limit}`,
  )
  const works = await linkTest(db, space, now)
  return rows.map(({ has_link, expires_at, ...mail }) => ({
    ...mail,
    can_send: mail.can_send && works({ ...mail, has_link, expires_at }),
  }))
}

export async function hasMail(db: Db, space: string, id: string): Promise<boolean> {
  const rows = await run(db)`select from mail_out where id_space = ${space} and id = ${id}`
  return rows.length > 0
}

/** An admin sends it again. False: it cannot be sent. */
export async function queueAgain(tx: Db, space: string, id: string, now: Date): Promise<boolean> {
  const [mail] = await run<Linked[]>(tx)`select ${linkColumns} from mail_out
    where id_space = ${space} and id = ${id} and ${canSend} for update`
  if (!mail || !(await linkTest(tx, space, now))(mail)) return false
  await run(tx)`
    update mail_out set state = 'queued', not_before = ${now}, created_at = ${now}, attempts = 0
    where id_space = ${space} and id = ${id}`
  return true
}

/** How many mails about single notifications these members have got, or will soon. */
export async function countRecent(
  db: Db,
  space: string,
  members: string[],
  since: Date,
): Promise<Map<string, number>> {
  const rows = await run<{ id_member: string; count: number }[]>(db)`
    select id_member, count(*)::int as count from mail_out
    where id_space = ${space} and id_member = any(${members}::uuid[]) and kind = 'notification'
      and created_at > ${since}
    group by id_member`
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
  return run<MailCount[]>(db)`${space === undefined ? acrossWorkspaces : sql``}
    select state, count(*) as count, min(not_before) filter (where not_before <= ${now}) as since,
      max(last_error) as last_error
    from mail_out where ${its} group by state`
}

/** Finished mails are deleted after a while. */
export async function pruneMails(db: Db, before: Date): Promise<void> {
  await run(db)`${acrossWorkspaces} delete from mail_out
    where created_at < ${before} and state not in ('queued', 'handed')`
}
