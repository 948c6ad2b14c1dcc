// On whose behalf a change is written. A request's call is one.
import type { Actor, Way } from '@rapport/contract/actor'

export interface Author {
  space: string
  actor: Actor
  now: Date
  /** The operation that the change is part of. It keeps the old values. */
  operation?: OperationLog
  /** The operation that the change undoes. */
  undoOf?: string
}

export interface OperationLog {
  id: string
  /** How many steps the operation has recorded. They are undone in the opposite order. */
  steps: number
}

/** The actor of what no request does. */
export function actorOf(way: Way, member: string | null = null): Actor {
  return { member, key: null, way, request_id: null }
}

/** The author of changes that no request makes. */
export function authorOf(way: Way, space: string, now: Date, member: string | null = null): Author {
  return { space, now, actor: actorOf(way, member) }
}
