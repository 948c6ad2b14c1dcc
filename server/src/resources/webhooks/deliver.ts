// Sends the events of one webhook, one at a time: what has failed and is due again, then a replay, then what is new in
// the feed. Each attempt is recorded before the next one begins. No transaction is open while it sends.
import type { Event } from '@rapport/contract'
import { ApiError } from '@rapport/contract/errors'
import type { WebhookReason } from '@rapport/contract/webhooks.values'
import { type Db, transaction } from '../../db/driver.ts'
import { audit } from '../../feed/audit.sql.ts'
import { authorOf } from '../../feed/author.ts'
import { tellAdmins } from '../../feed/notify.sql.ts'
import type { Perform } from '../../outgoing/dispatcher.ts'
import type { Answer, Outgoing } from '../../outgoing/post.ts'
import { dequeue, type Outcome, renew } from '../../outgoing/queue.sql.ts'
import type { Secrets } from '../../secrets.ts'
import { readTypes } from '../events/cursor.ts'
import { selectEvents, selectPage } from '../events/events.sql.ts'
import {
  deleteRetry,
  type Progress,
  type Retry,
  selectRetries,
  updateProgress,
  upsertRetry,
} from './endpoint.sql.ts'
import { aboutWebhook, attemptOf, openSecrets, postMessage } from './message.ts'
import { bodyOf, messageId, narrowed } from './payload.ts'
import { afterFailure, type Health, healthy, isDelivered, isWaiting, patience } from './schedule.ts'
import { insertAttempt, retryNow, selectWebhook, type WebhookRow } from './webhooks.sql.ts'

export interface DeliveryOptions {
  outgoing: Outgoing
  secrets: Secrets | undefined
  clock: () => Date
  /** Called after each attempt. */
  onAttempt(answer: Answer): void
}

/** A worker reads this many events at a time, and gives way to others after this many attempts. */
const pageSize = 50
const maxAttempts = 100

/** The lease was lost, or people have changed the webhook: what is known of it is out of date. */
class Outdated extends Error {}

const nothingDue: Outcome = { due: null, isFailing: false, isHeld: false }

export function createDelivery(options: DeliveryOptions): Perform {
  return async (db, job, turn) => {
    const webhook = await selectWebhook(db, job.id_space, job.id)
    if (webhook?.state !== 'active') {
      await dequeue(db, job.id_space, job.id)
      return nothingDue
    }
    try {
      return await deliver(options, webhook, db, job, turn)
    } catch (error) {
      if (error instanceof Outdated) return { ...nothingDue, due: options.clock() }
      throw error
    }
  }
}

async function deliver(
  { outgoing, secrets: keys, clock, onAttempt }: DeliveryOptions,
  webhook: WebhookRow,
  ...[db, job, turn]: Parameters<Perform>
): Promise<Outcome> {
  const { id_space: space, id } = job
  const secrets = openSecrets(keys, space, webhook, clock())
  const line = outgoing.openLine()
  let health: Health = webhook
  let { seq, replay_seq, replay_until } = webhook
  let attempts = 0

  const isOver = () => attempts >= maxAttempts || turn.stopping.aborted
  const until = (due: Date | null, isHeld = false): Outcome => ({
    ...{ due, isFailing: health.failures > 0, isHeld },
  })

  const { expires_at } = webhook
  try {
    if (expires_at && Date.parse(expires_at) <= clock().getTime()) return await end('expired')
    if (secrets.length === 0) return await end('secret')
    return await work()
  } catch (error) {
    // The filter names an attribute that is gone.
    if (error instanceof ApiError && error.code === 'BAD_REQUEST') return await end('filter')
    throw error
  } finally {
    line.close()
  }

  async function work(): Promise<Outcome> {
    for (;;) {
      // An endpoint that waits is tried with its oldest event only.
      const all = await selectRetries(db, space, id)
      const retries = isWaiting(health) ? all.slice(0, 1) : all
      if (isOver()) return until(clock())
      const times = retries.map(({ next_at }) => Date.parse(next_at))
      const at = times.findIndex((time) => time <= clock().getTime())
      const isHeld = isWaiting(health) || retries.some(({ tries }) => tries < patience)
      const next = times.length > 0 ? new Date(Math.min(...times)) : null
      if (at >= 0) {
        if (await retry(retries[at] as Retry)) return until(null)
      } else if (isHeld) {
        return until(next, true)
      } else {
        const found = await page()
        if (found === 'disabled') return until(null)
        if (found === 'end') return until(next)
      }
    }
  }

  /** Returns whether the endpoint was disabled. */
  async function retry({ seq, tries }: Retry): Promise<boolean> {
    const [event] = await own(await selectEvents(db, space, [seq]))
    if (event) return send(event, tries, {})
    // It has expired, or the filter does not select it anymore.
    await deleteRetry(db, space, id, seq)
    return false
  }

  /** Sends the next events of the replay or of the feed, until one fails. */
  async function page(): Promise<'more' | 'end' | 'disabled'> {
    const isReplay = replay_seq !== null
    const last = replay_until ?? Number.POSITIVE_INFINITY
    const after = replay_seq ?? seq
    const types = readTypes(webhook.types.join(','))
    const read = await selectPage(db, space, { after, limit: pageSize, types })
    const upTo = Math.min(read.upTo, last)
    for (const event of await own(read.events.filter((each) => each.seq <= upTo))) {
      if (isOver()) return 'more'
      if (await send(event, 0, placeAfter(event.seq))) return 'disabled'
      if (health.failures > 0) return 'more'
    }
    // What comes after the last one was not wanted.
    const passed = isReplay ? (replay_seq ?? upTo) : seq
    if (passed < upTo) await record(placeAfter(upTo))
    return !isReplay && upTo >= read.head.seq ? 'end' : 'more'
  }

  function placeAfter(passed: number): Omit<Progress, keyof Health> {
    if (replay_until === null) return { seq: passed }
    return passed < replay_until ? { replay_seq: passed } : { replay_seq: null, replay_until: null }
  }

  /** `place`: where to continue after the event. Returns whether the endpoint was disabled. */
  async function send(
    event: Event,
    triesBefore: number,
    place: Omit<Progress, keyof Health>,
  ): Promise<boolean> {
    const at = clock()
    const body = await bodyOf(db, space, event, webhook.include)
    const message = { id: messageId(space, event), at, body }
    const signal = turn.stopped
    const answer = await postMessage(line, { url: webhook.url, secrets, message, signal })
    // Nobody knows whether it arrived. It is sent again.
    if (signal.aborted) throw new Outdated()
    onAttempt(answer)
    attempts++
    const attempt = attemptOf(answer, { seq: event.seq, type: event.type, at })
    const now = clock()
    if (isDelivered(answer)) {
      const wasWaiting = isWaiting(health)
      health = healthy
      await record(place, async (tx) => {
        await insertAttempt(tx, space, id, attempt)
        if (triesBefore > 0) await deleteRetry(tx, space, id, event.seq)
        // The receiver is back: what was set aside follows at once, in order.
        if (wasWaiting) await retryNow(tx, space, id, now)
      })
      return false
    }
    const tries = triesBefore + 1
    const failed = afterFailure(health, tries, answer, now)
    const { next, reason } = failed
    health = failed.health
    await record({ ...place, ...(reason && { state: 'disabled', reason }) }, async (tx) => {
      await insertAttempt(tx, space, id, attempt)
      const again = next && { seq: event.seq, tries, next_at: next.toISOString() }
      await (again ? upsertRetry(tx, space, id, again) : deleteRetry(tx, space, id, event.seq))
    })
    return reason !== undefined
  }

  /** The events that the filter leaves. */
  function own(events: Event[]): Promise<Event[]> {
    return narrowed(db, { space, now: clock() }, webhook.filter, events)
  }

  /** One transaction: the lease, where to continue, how the endpoint does, and what else there is to write. */
  async function record(
    progress: Omit<Progress, keyof Health>,
    more: (tx: Db) => Promise<void> = async () => {},
  ): Promise<void> {
    const { failures, set_aside, failing_since } = health
    const all = { ...progress, failures, set_aside, failing_since }
    await transaction(db, async (tx) => {
      const isLeased = await renew(tx, job, turn.leaseEnd())
      if (!isLeased || !(await updateProgress(tx, space, webhook, all))) throw new Outdated()
      await more(tx)
      if (progress.state) {
        await dequeue(tx, space, id)
        const by = authorOf('schedule', space, clock())
        const about = { ...aboutWebhook(webhook), reason: progress.reason }
        await audit(tx, by, 'webhook.disabled', about)
        await tellAdmins(tx, by, id)
      }
    })
    if (progress.seq !== undefined) seq = progress.seq
    if (progress.replay_seq !== undefined) replay_seq = progress.replay_seq
    if (progress.replay_until !== undefined) replay_until = progress.replay_until
  }

  /** Disables the endpoint without an attempt. */
  async function end(reason: WebhookReason): Promise<Outcome> {
    await record({ state: 'disabled', reason })
    return until(null)
  }
}
