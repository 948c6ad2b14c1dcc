// What one request did to a lead: several events may tell it, and it is undone as a whole.

import type { Event } from '@rapport/contract'
import { isCut } from '@rapport/contract/cut.values'
import type { Lead } from '../api/lead.ts'
import { isLast } from '../api/meanwhile.ts'

/** Combines consecutive events of one request. */
export function byRequest<T>(
  items: readonly T[],
  eventOf: (item: T) => Event | undefined,
): [T, ...T[]][] {
  const groups: [T, ...T[]][] = []
  for (const item of items) {
    const last = groups.at(-1)
    if (last && isSameRequest(eventOf(last[0]), eventOf(item))) last.push(item)
    else groups.push([item])
  }
  return groups
}

function isSameRequest(a: Event | undefined, b: Event | undefined): boolean {
  return (
    a?.type === 'lead.updated' &&
    b?.type === a.type &&
    a.at === b.at &&
    a.cause.request_id !== null &&
    a.cause.request_id === b.cause.request_id &&
    a.ids[0] === b.ids[0]
  )
}

/** One of the values of a change is still there, so it can be undone. */
export function isInForce(events: readonly Event[], lead: Lead): boolean {
  // Long values are whole only where an operation keeps them.
  const isWhole = ({ cause, changed }: Event) =>
    cause.operation !== null || !Object.values(changed).flat().some(isCut)
  if (!events.every(isWhole)) return false
  return events.some(({ changed }) =>
    Object.keys(changed).some((name) =>
      name === 'place' ? isInStage(changed[name], lead) : isLast(changed, name, lead),
    ),
  )
}

/** The lead was moved within a stage, and still has it. */
function isInStage(place: unknown, lead: Lead): boolean {
  const [from, to] = place as ({ status: string } | null)[]
  return from?.status === to?.status && lead.status.some(({ id }) => id === to?.status)
}
