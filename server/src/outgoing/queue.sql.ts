// Statements about the queue of those who have something to send. A worker holds a lease while it sends, and no
// transaction. The lease of a worker that dies expires.
import type { Db } from '../db/driver.ts'
import { run, sql } from '../db/sql.ts'
import { channel } from '../feed/notify.sql.ts'
import { notify } from '../feed/sequencer.sql.ts'
import { queueSender } from '../feed/sequencer.ts'

export interface Job {
  id_space: string
  id: string
  lease: string
}

/** It has something to send at that time. Tells all processes, when the transaction is committed. */
export async function enqueue(tx: Db, space: string, id: string, due: Date): Promise<void> {
  await run(tx)`
    insert into delivery_queue as queue (id_space, id, due_at) values (${space}, ${id}, ${due})
    on conflict (id_space, id) do update set due_at = least(queue.due_at, excluded.due_at)`
  await notify(tx, channel, `${queueSender} ${space}`)
}

/** It sends nothing anymore. */
export async function dequeue(tx: Db, space: string, id: string): Promise<void> {
  await run(tx)`delete from delivery_queue where id_space = ${space} and id = ${id}`
}

/** The worker has nothing left to send, unless there was something new in the meantime. */
export async function dequeueIdle(db: Db, { id_space, id, lease }: Job): Promise<void> {
  await run(db)`delete from delivery_queue
    where id_space = ${id_space} and id = ${id} and lease = ${lease} and due_at is null`
}

export async function dequeueAll(tx: Db, space: string): Promise<void> {
  await run(tx)`delete from delivery_queue where id_space = ${space}`
}

/** These workspaces have new events. A row that is leased is due again after its release. */
export async function markDue(db: Db, spaces: string[], now: Date): Promise<void> {
  await run(db)`update delivery_queue set due_at = ${now}
    where id_space = any(${spaces}::uuid[]) and not is_held
      and (due_at is null or due_at > ${now})`
}

export interface Claim {
  now: Date
  until: Date
  lease: string
  /** Workspaces that have their share of the workers already. */
  full: string[]
  /** How many at most, of those whose last attempt succeeded and of those whose last one failed. */
  healthy: number
  failing: number
}

export type Claimed = Job & { is_failing: boolean }

/** Takes leases of rows that are due, and of those whose worker has died. Each row goes to one process only. */
export function claim(db: Db, { now, until, lease, full, healthy, failing }: Claim) {
  const due = sql`select id_space, id from delivery_queue
    where (lease_until is null or lease_until <= ${now}) and id_space <> all(${full}::uuid[])
      and (due_at <= ${now} or lease_until <= ${now})`
  const taken = sql`order by due_at for update skip locked`
  return run<Claimed[]>(db)`with healthy as (${due} and not is_failing ${taken} limit ${healthy}),
    failing as (${due} and is_failing ${taken} limit ${failing}),
    chosen as (select * from healthy union all select * from failing)
    update delivery_queue queue set lease = ${lease}, lease_until = ${until}, due_at = null,
      is_held = false
    from chosen where queue.id_space = chosen.id_space and queue.id = chosen.id
    returning queue.id_space, queue.id, queue.lease, queue.is_failing`
}

/** What a worker leaves. */
export interface Outcome {
  /** When it is due again. Null: after the next event only. */
  due: Date | null
  /** Its last attempt failed. */
  isFailing: boolean
  /** It does not send new events before that time. */
  isHeld: boolean
}

/** False: the lease was lost, and somebody else may be sending. */
export async function renew(tx: Db, { id_space, id, lease }: Job, until: Date): Promise<boolean> {
  const rows = await run(tx)`update delivery_queue set lease_until = ${until}
    where id_space = ${id_space} and id = ${id} and lease = ${lease} returning id`
  return rows.length > 0
}

/** What was marked as due in the meantime is still due then. */
export async function release(
  db: Db,
  { id_space, id, lease }: Job,
  { due, isFailing, isHeld }: Outcome,
): Promise<void> {
  await run(db)`
    update delivery_queue set lease = null, lease_until = null, is_failing = ${isFailing},
      is_held = ${isHeld}, due_at = least(due_at, ${due}::timestamptz)
    where id_space = ${id_space} and id = ${id} and lease = ${lease}`
}

/** When the next row is due, or its lease expires. */
export async function selectNextDue(db: Db, now: Date): Promise<string | null> {
  const [row] = await run<[{ next: string | null }]>(db)`
    select min(coalesce(lease_until, due_at)) as next from delivery_queue
    where coalesce(lease_until, due_at) > ${now}`
  return row.next
}

export async function selectQueuedSpaces(db: Db): Promise<string[]> {
  const rows = await run<{ id_space: string }[]>(db)`select distinct id_space from delivery_queue`
  return rows.map(({ id_space }) => id_space)
}
