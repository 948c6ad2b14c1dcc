// A cursor is a place in the change feed of a workspace: "<epoch>.<seq>".
import { ApiError, badRequest } from '@rapport/contract/errors'
import { type EventType, eventTypes } from '@rapport/contract/events'
import type { Head } from '../../feed/head.sql.ts'

export const cursorOf = ({ epoch }: Pick<Head, 'epoch'>, seq: number) => `${epoch}.${seq}`

/** The number after which a reader goes on. */
export function readCursor(head: Head, after = 'start'): number {
  if (after === 'start' || after === '') return head.pruned
  if (after === 'now') return head.seq
  const [, epoch, digits] = /^([0-9a-f]{8})\.(\d{1,15})$/.exec(after) ?? []
  if (epoch === undefined) {
    const message = 'Must be "start", "now", or the cursor of an earlier answer'
    throw badRequest({ path: ['after'], code: 'cursor', message })
  }
  const seq = Number(digits)
  if (epoch === head.epoch && seq >= head.pruned && seq <= head.seq) return seq
  const reason =
    epoch === head.epoch && seq < head.pruned
      ? 'The events after this cursor were deleted for their age'
      : 'A backup was restored since'
  const start = cursorOf(head, head.seq)
  const message = `${reason}: read everything once more, then go on at ${start}`
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
    const message = `No such type: ${type}. Known are ${eventTypes.join(', ')}`
    throw badRequest({ path: ['types'], code: 'type', message })
  })
}

/** A whole number in a query. */
export function readNumber(
  name: string,
  text: string | undefined,
  { min, max, otherwise }: { min: number; max: number; otherwise: number },
): number {
  if (text === undefined || text === '') return otherwise
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= min && value <= max) return value
  const message = `Must be a whole number from ${min} to ${max}`
  throw badRequest({ path: [name], code: 'integer', message })
}
