// Statements about webhooks: what people see of them and change.
import type { LeadFilter } from '@rapport/contract/leads/filter'
import { attemptDays, type WebhookReason } from '@rapport/contract/webhooks.values'
import type { Db } from '../../db/driver.ts'
import {
  acrossWorkspaces,
  assignments,
  columnNames,
  jsonb,
  rowValues,
  run,
  runOne,
  sql,
} from '../../db/sql.ts'

export interface WebhookRow {
  id: string
  name: string
  url: string
  types: string[]
  filter: LeadFilter
  include: 'lead'[]
  /** Sealed. */
  secret: string
  old_secret: string | null
  old_secret_until: string | null
  state: 'active' | 'paused' | 'disabled'
  reason: WebhookReason | null
  expires_at: string | null
  seq: number
  replay_seq: number | null
  replay_until: number | null
  failures: number
  set_aside: number
  failing_since: string | null
  revision: number
  id_member: string | null
  created_at: string
  updated_at: string
}

const columns = columnNames([
  ...[
    'id',
    'name',
    'url',
    'types',
    'filter',
    'include',
    'secret',
    'old_secret',
    'old_secret_until',
  ],
  ...[
    'state',
    'reason',
    'expires_at',
    'seq',
    'replay_seq',
    'replay_until',
    'failures',
    'set_aside',
  ],
  ...['failing_since', 'revision', 'id_member', 'created_at', 'updated_at'],
])

/** With what other tables say about it. */
export interface ListedWebhook extends WebhookRow {
  /** The number of the newest event. */
  head: number
  retrying: number
  /** When the first of the events that have failed is sent again, and when the oldest one is. */
  next_at: string | null
  oldest_next_at: string | null
}

/** All of the workspace, or one. */
export function selectWebhooks(db: Db, space: string, id?: string): Promise<ListedWebhook[]> {
  const only = id === undefined ? sql`` : sql`and id = ${id}`
  return run<ListedWebhook[]>(db)`
    select ${columns}, coalesce(retry.retrying, 0) as retrying, retry.next_at,
      retry.oldest_next_at,        (select seq from event_head where id_space = ${space}) as head
    from webhook
    left join (
      select id_webhook, count(*) as retrying, min(next_at) as next_at,
        (array_agg(next_at order by seq))[1] as oldest_next_at
      from webhook_retry where id_space = ${space} group by id_webhook
    ) retry on retry.id_webhook = webhook.id
    where webhook.id_space = ${space} ${only} order by id`
}

export function selectWebhook(db: Db, space: string, id: string) {
  return runOne<WebhookRow>(db)`
    select ${columns} from webhook where id_space = ${space} and id = ${id}`
}

/** Locks it until the transaction ends. */
export function lockWebhook(db: Db, space: string, id: string): Promise<WebhookRow | undefined> {
  return runOne<WebhookRow>(db)`
    select ${columns} from webhook where id_space = ${space} and id = ${id} for update`
}

export async function countWebhooks(db: Db, space: string): Promise<number> {
  const [row] = await run<[{ count: number }]>(db)`
    select count(*) as count from webhook where id_space = ${space}`
  return row.count
}

export type NewWebhook = Pick<
  WebhookRow,
  'id' | 'name' | 'url' | 'types' | 'filter' | 'include' | 'secret' | 'expires_at' | 'id_member'
>

/** It begins after the newest event. */
export async function insertWebhook(
  tx: Db,
  space: string,
  { filter, ...webhook }: NewWebhook,
  now: Date,
): Promise<void> {
  const [head] = await run<[{ seq: number }]>(tx)`
    select seq from event_head where id_space = ${space}`
  const row = {
    ...{ id_space: space, ...webhook, filter: jsonb(filter), state: 'active', seq: head.seq },
    ...{ created_at: now, updated_at: now },
  }
  await run(tx)`insert into webhook ${rowValues(row)}`
}

export type WebhookChange = Partial<Omit<WebhookRow, 'id' | 'revision' | 'created_at'>>

/** A change by people. */
export async function updateWebhook(
  tx: Db,
  space: string,
  id: string,
  { filter, ...change }: WebhookChange,
  now: Date,
): Promise<void> {
  const set = { ...change, ...(filter && { filter: jsonb(filter) }), updated_at: now }
  await run(tx)`update webhook set ${assignments(set)}, revision = revision + 1
    where id_space = ${space} and id = ${id}`
}

/** What has failed is sent again at once. */
export async function retryNow(tx: Db, space: string, id: string, now: Date): Promise<void> {
  await run(tx)`update webhook_retry set next_at = ${now}
    where id_space = ${space} and id_webhook = ${id} and next_at > ${now}`
}

export async function deleteWebhook(tx: Db, space: string, id: string): Promise<void> {
  await run(tx)`delete from webhook where id_space = ${space} and id = ${id}`
}

/** After a restore: others may have sent the same events since. */
export async function pauseWebhooks(tx: Db, space: string): Promise<void> {
  await run(tx)`update webhook set state = 'paused', reason = 'restored'
    where id_space = ${space} and state = 'active'`
}

export interface AttemptRow {
  id: string
  seq: number | null
  type: string
  at: string
  took_ms: number
  status: number | null
  error: string | null
  answer: string | null
}

export async function insertAttempt(
  tx: Db,
  space: string,
  webhook: string,
  attempt: AttemptRow,
): Promise<void> {
  const row = { id_space: space, id_webhook: webhook, ...attempt }
  await run(tx)`insert into webhook_attempt ${rowValues(row)}`
}

/** Newest first, those before the attempt `before`. */
export function selectAttempts(
  db: Db,
  space: string,
  webhook: string,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<AttemptRow[]> {
  const older = before === undefined ? sql`` : sql`and id < ${before}`
  return run<AttemptRow[]>(db)`
    select id, seq, type, at, took_ms, status, error, answer from webhook_attempt
    where id_space = ${space} and id_webhook = ${webhook} ${older}
    order by id desc limit ${limit}`
}

const day = 86_400_000

/** Attempts that are old, and webhooks that ended long ago. */
export async function pruneWebhooks(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - attemptDays * day)
  await run(db)`${acrossWorkspaces} delete from webhook_attempt where at < ${before}`
  await run(db)`${acrossWorkspaces} delete from webhook where expires_at < ${before}`
}
