// What the page knows of the events of the change feed: what each makes stale, and how the history of a lead
// shows it.
import type { Event, EventType } from '@rapport/contract'
import type { LeadVerb } from '@rapport/contract/changes.values'
import type { InvalidateQueryFilters } from '@tanstack/react-query'
import { type LucideIcon, Merge, Pencil, Plus, Trash2, Undo2 } from 'lucide-react'
import { client } from '../api/client.ts'

export interface Stale {
  /** What is read again only once, however many events affect it. */
  name: string
  filters: InvalidateQueryFilters
  /** It is expensive to read: pages and counts of leads. */
  isMuch?: boolean
  /** A part of what is much that the page cannot count itself: it is read after the page's own changes, too. */
  isCounted?: boolean
}

const under = (...queryKey: string[]): Stale => ({ name: queryKey.join(), filters: { queryKey } })
const leads = { ...under('leads'), isMuch: true }
const counts = { ...under('leads', 'lists'), isCounted: true }
const sums = { ...under('leads', 'stats'), isCounted: true }
const campaigns = { ...under('campaigns'), isMuch: true }
const changes = { ...under('changes'), isMuch: true }
const openLeads = under('lead')
const reminders = under('reminders')
const history = ofEveryLead('events')

function ofEveryLead(part: 'notes' | 'reminders' | 'events'): Stale {
  const predicate: InvalidateQueryFilters['predicate'] = ({ queryKey }) =>
    queryKey[0] === 'lead' && queryKey[2] === part
  return { name: `lead * ${part}`, filters: { predicate } }
}

/** The leads themselves, if they are in the cache, and their history. */
function theseLeads(ids: readonly string[]): Stale[] {
  const known = ids.filter((id) => client.getQueryState(['lead', id]))
  return known.map((id) => ({
    name: `lead ${id}`,
    filters: {
      predicate: ({ queryKey: [first, of, part] }) =>
        first === 'lead' && of === id && (part === undefined || part === 'events'),
    },
  }))
}

/** Leads are changed or new; none is gone or back. */
const isSameSet = (verb: Verb) => verb === 'updated' || verb === 'created'

type RecordName = EventType extends `${infer Name}.${string}` ? Name : never
type Verb = EventType extends `${string}.${infer Last}` ? Last : never
type Touches = (verb: Verb, event: Event) => Stale[]

/** A record that leads refer to: they show its name. What is new, none refers to. */
const referred =
  (key: string, ...beside: Stale[]): Touches =>
  (verb) => [under('records', key), ...beside, ...(verb === 'created' ? [] : [leads, openLeads])]

/**
 * What an event of these records touches. docs/EVENTS.md says what else an event changes. Other records are in the
 * cache under their own name, and nothing else shows them.
 */
const touches: Partial<Record<RecordName, Touches>> = {
  // Reminders of deleted leads are hidden, and come back with them.
  lead: (verb, { ids }) => [
    leads,
    counts,
    sums,
    campaigns,
    ...(isSameSet(verb) ? [] : [reminders]),
    ...theseLeads(ids),
  ],
  note: (verb, { changed }) => [
    ofEveryLead('notes'),
    history,
    // They move the last interaction of the lead, and reports count them.
    ...(verb !== 'updated' || 'happened_at' in changed || 'kind' in changed ? [leads] : []),
  ],
  reminder: () => [reminders, ofEveryLead('reminders'), history],
  campaign: () => [under('records', 'campaigns'), campaigns],
  // Sums are in its currency.
  workspace: () => [under('me'), leads],
  rate: () => [under('rate'), leads],
  // A deleted list takes its statuses and tags along.
  list: (verb, event) => [
    ...referred('lists')(verb, event),
    ...(verb === 'created' ? [] : [under('records', 'status'), under('records', 'tags')]),
  ],
  status: referred('status'),
  tag: referred('tags'),
  attribute: referred('attributes'),
  member: referred('members', under('me')),
}

export function touchedBy(event: Event): Stale[] {
  const [record, verb] = event.type.split('.') as [RecordName, Verb]
  const undone = event.cause.undo_of === null ? [] : [under('operations')]
  return [changes, ...undone, ...(touches[record]?.(verb, event) ?? [under(record)])]
}

type LeadEventType = `lead.${LeadVerb}`

/** In the history of a lead. */
export const leadIcons: Record<LeadEventType, LucideIcon> = {
  'lead.created': Plus,
  'lead.updated': Pencil,
  'lead.deleted': Trash2,
  'lead.merged': Merge,
  'lead.restored': Undo2,
  'lead.erased': Trash2,
}

export type LeadEntry = Event & { type: LeadEventType }

export const isLeadEvent = (event: Event): event is LeadEntry => event.type in leadIcons
