// When an event is sent again after a failure, and what failures mean for its endpoint.
import { failingDays, type WebhookReason } from '@rapport/contract/webhooks.values'
import type { Answer } from '../../outgoing/post.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** The pauses after the first failure, the second one, and so on. After the last one the event is given up. */
const pauses = [
  ...[5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour],
  24 * hour,
]
/** After this many failures an event is set aside: the next ones no longer wait for it. */
export const patience = 3
/** After this many events in a row were set aside, the endpoint waits. Only its oldest event is tried. */
const maxSetAside = 5
/** An endpoint that waits is tried at least this often, and nothing is given up. */
const probeMs = hour
/** An endpoint that takes nothing for this long is disabled. */
const maxFailingMs = failingDays * 24 * hour
const maxRetryAfterMs = 24 * hour

/** How well an endpoint does. */
export interface Health {
  /** Failed attempts in a row. */
  failures: number
  /** Events in a row that were set aside. */
  set_aside: number
  failing_since: string | null
}

export const healthy: Health = { failures: 0, set_aside: 0, failing_since: null }

export const isWaiting = ({ set_aside }: Pick<Health, 'set_aside'>) => set_aside >= maxSetAside

export const isDelivered = ({ status }: Pick<Answer, 'status'>) =>
  status !== null && status >= 200 && status < 300

export interface Failed {
  health: Health
  /** When to send the event again. Undefined: never. */
  next: Date | undefined
  /** Why the endpoint is disabled. */
  reason: WebhookReason | undefined
}

/** After an attempt that failed. `tries` are those of the event, with this one. */
export function afterFailure(
  before: Health,
  tries: number,
  { status, retryAfterMs = 0 }: Pick<Answer, 'status' | 'retryAfterMs'>,
  now: Date,
): Failed {
  const health = {
    failures: before.failures + 1,
    set_aside: before.set_aside + (tries === patience ? 1 : 0),
    failing_since: before.failing_since ?? now.toISOString(),
  }
  const isFailingLong = now.getTime() - Date.parse(health.failing_since) >= maxFailingMs
  const reason = status === 410 ? 'gone' : isFailingLong ? 'failing' : undefined
  const pause = pauses[tries - 1] ?? (isWaiting(health) || reason ? probeMs : undefined)
  if (pause === undefined) return { health, next: undefined, reason }
  const limited = isWaiting(health) ? Math.min(pause, probeMs) : pause
  // A little later for each, so that those that failed together do not come back together.
  const jittered = limited * (1 + Math.random() / 10)
  const ms = Math.max(jittered, Math.min(retryAfterMs, maxRetryAfterMs))
  return { health, next: new Date(now.getTime() + ms), reason }
}
