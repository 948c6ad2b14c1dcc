// What is sent: the event as it is in the feed, and the lead as it is now.
import { createHash } from 'node:crypto'
import type { Event } from '@rapport/contract'
import type { LeadFilter } from '@rapport/contract/leads/filter'
import type { Db } from '../../db/driver.ts'
import type { Scope } from '../../filter/compile.ts'
import { selectConcerned } from '../events/events.sql.ts'
import { withLead } from '../events/samples.ts'
import { leadCondition } from '../leads/list/filter.ts'
import { selectMatching } from '../leads/list/list.sql.ts'
import { selectLead } from '../leads/row/json.sql.ts'

/**
 * The same for every attempt, and after a restore: there the number may be that of another event, but not at the same
 * time.
 */
export function messageId(space: string, { seq, at }: Pick<Event, 'seq' | 'at'>): string {
  const hash = createHash('sha256').update(`${space} ${seq} ${at}`).digest('base64url')
  return `msg_${hash.slice(0, 24)}`
}

/** Merged leads are part of the one that stays. */
const leadsOf = ({ type, ids, changed }: Event) =>
  type === 'lead.merged' ? [(changed.merged_into as string[] | undefined)?.[1] ?? ''] : ids

/** The event as JSON, with its lead if there is exactly one. */
export async function bodyOf(
  db: Db,
  space: string,
  event: Event,
  include: readonly 'lead'[],
): Promise<string> {
  if (!include.includes('lead')) return JSON.stringify(event)
  const leads = event.type.startsWith('lead.')
    ? leadsOf(event)
    : ((await selectConcerned(db, space, [event.seq])).get(event.seq) ?? [])
  const [only = '', ...more] = leads
  const isOne = only !== '' && more.length === 0
  return withLead(event, isOne ? await selectLead(db, space, only) : undefined)
}

/**
 * The events that a filter leaves, each with those of its leads that the filter selects. What concerns no lead stays,
 * and so does lead.erased: of an erased lead there is nothing to filter by.
 */
export async function narrowed(
  db: Db,
  scope: Scope,
  filter: LeadFilter,
  events: Event[],
): Promise<Event[]> {
  if (Object.keys(filter).length === 0) return events
  const wanted = events.filter(({ type }) => type !== 'lead.erased').map(({ seq }) => seq)
  const condition = await leadCondition(db, scope, filter, ['filter'])
  const concerned = await selectConcerned(db, scope.space, wanted)
  const ids = [...new Set([...concerned.values()].flat())]
  const selected = await selectMatching(db, scope.space, condition, ids)
  return events.flatMap((event) => {
    const leads = concerned.get(event.seq)
    if (!leads) return [event]
    if (!leads.some((id) => selected.has(id))) return []
    const isOfLeads = event.type.startsWith('lead.') && event.type !== 'lead.merged'
    return [isOfLeads ? { ...event, ids: event.ids.filter((id) => selected.has(id)) } : event]
  })
}
