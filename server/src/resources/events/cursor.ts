// A cursor is a place in the change feed of a workspace: "<epoch>.<seq>".

import { type EventType, eventTypes } from '@rapport/contract'
import { ApiError, badRequest } from '@rapport/contract/errors'
import type { Head } from '../../feed/head.sql.ts'

/** A place in the feed. Without an epoch it fits every feed: its start or its end. */
export interface Place {
  epoch?: string
  seq: number
}

export const cursorOf = ({ epoch }: Pick<Head, 'epoch'>, seq: number) => `${epoch}.${seq}`

export function readCursor(text = ''): Place {
  if (text === '' || text === 'start') return { seq: 0 }
  if (text === 'now') return { seq: Number.MAX_SAFE_INTEGER }
  const [, epoch, digits] = /^([0-9a-f]{8})\.(\d{1,15})$/.exec(text) ?? []
  if (epoch === undefined) {
    const message = 'Must be "start", "now" or the cursor of an earlier response'
    throw badRequest({ path: ['after'], code: 'cursor', message })
  }
  return { epoch, seq: Number(digits) }
}

/** Throws 410 when the feed cannot be continued at this place: events would be missing. */
export function requireContinuable(head: Head, { epoch, seq }: Place): void {
  if (epoch === undefined) return
  const isSameFeed = epoch === head.epoch && seq <= head.seq
  if (isSameFeed && seq >= head.pruned) return
  const reason = isSameFeed
    ? 'The events after this cursor have expired'
    : 'A backup has been restored since'
  const start = cursorOf(head, head.seq)
  const message = `${reason}. Read everything again, then continue from ${start}.`
  throw new ApiError('GONE', [{ path: ['after'], code: 'gone', message }], { more: { start } })
}

/** "lead.created,note.*" */
export function readTypes(text: string | undefined): EventType[] {
  const wanted = (text ?? '').split(',').map((type) => type.trim())
  return wanted.flatMap((type) => {
    if (type === '') return []
    const found = eventTypes.filter((known) =>
      type.endsWith('.*') ? known.startsWith(type.slice(0, -1)) : known === type,
    )
    if (found.length > 0) return found
    const message = `Unknown type ${type}. Must be one of ${eventTypes.join(', ')}`
    throw badRequest({ path: ['types'], code: 'type', message })
  })
}
