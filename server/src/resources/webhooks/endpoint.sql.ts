// Statements of a worker that sends the events of one webhook.
import type { Db } from '../../db/driver.ts'
import { assignments, run } from '../../db/sql.ts'
import type { Health } from './schedule.ts'
import type { WebhookRow } from './webhooks.sql.ts'

export interface Retry {
  seq: number
  tries: number
  next_at: string
}

/** The events that have failed, oldest first. */
export function selectRetries(db: Db, space: string, webhook: string): Promise<Retry[]> {
  return run<Retry[]>(db)`select seq, tries, next_at from webhook_retry
    where id_space = ${space} and id_webhook = ${webhook} order by seq limit 1000`
}

export async function upsertRetry(
  tx: Db,
  space: string,
  webhook: string,
  { seq, tries, next_at }: Retry,
): Promise<void> {
  await run(tx)`insert into webhook_retry (id_space, id_webhook, seq, tries, next_at)
    values (${space}, ${webhook}, ${seq}, ${tries}, ${next_at})
    on conflict (id_space, id_webhook, seq)
    do update set tries = excluded.tries, next_at = excluded.next_at`
}

export async function deleteRetry(
  tx: Db,
  space: string,
  webhook: string,
  seq: number,
): Promise<void> {
  await run(tx)`delete from webhook_retry
    where id_space = ${space} and id_webhook = ${webhook} and seq = ${seq}`
}

/** Where to continue in the feed and in a replay, the state of the endpoint, and whether it continues. */
export type Progress = Partial<
  Pick<WebhookRow, 'seq' | 'replay_seq' | 'replay_until' | 'reason'> & { state: 'disabled' }
> &
  Health

/** False: people have changed or deleted the webhook since it was read. */
export async function updateProgress(
  tx: Db,
  space: string,
  { id, revision }: Pick<WebhookRow, 'id' | 'revision'>,
  progress: Progress,
): Promise<boolean> {
  const rows = await run(tx)`update webhook set ${assignments(progress)}
    where id_space = ${space} and id = ${id} and revision = ${revision} returning id`
  return rows.length > 0
}
