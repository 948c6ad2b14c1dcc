// From an event of the change feed to what is read again. Nothing is read for each event: what many events
// touch is read once, and again only after a pause. So a change of 100,000 leads costs few reads.
import type { Event } from '@rapport/contract/events'
import type { InvalidateQueryFilters } from '@tanstack/react-query'
import { isOwnRequest } from '../../api/call.ts'
import { client } from '../../api/client.ts'

interface Stale {
  /** What is read again once, however many events touch it. */
  name: string
  filters: InvalidateQueryFilters
  /** Reading it is much work: pages and counts of leads. */
  isMuch?: boolean
}

const under = (...queryKey: string[]): Stale => ({ name: queryKey.join(), filters: { queryKey } })
const leads = { ...under('leads'), isMuch: true }
const campaigns = { ...under('campaigns'), isMuch: true }
const openLeads = under('lead')
const reminders = under('reminders')
const history = ofEveryLead('events')

function ofEveryLead(part: 'notes' | 'reminders' | 'events'): Stale {
  const predicate: InvalidateQueryFilters['predicate'] = ({ queryKey }) =>
    queryKey[0] === 'lead' && queryKey[2] === part
  return { name: `lead * ${part}`, filters: { predicate } }
}

/** The leads themselves, as far as they are in the cache, and their history. */
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

type EventName = Event['type']
type RecordName = EventName extends `${infer Name}.${string}` ? Name : never
type Verb = EventName extends `${string}.${infer Last}` ? Last : never
type Touches = (verb: Verb, event: Event) => Stale[]

/** A record that leads refer to: they show its name. What is new, none refers to. */
const referred =
  (key: string, ...beside: Stale[]): Touches =>
  (verb) => [under('records', key), ...beside, ...(verb === 'created' ? [] : [leads, openLeads])]

/** What an event of each record touches. docs/EVENTS.md says what else an event changes. */
const touches: Record<RecordName, Touches> = {
  // Reminders of deleted leads are hidden, and come back with them.
  lead: (verb, { ids }) => [
    leads,
    campaigns,
    ...(isSameSet(verb) ? [] : [reminders]),
    ...theseLeads(ids),
  ],
  note: (_, { changed }) => [
    ofEveryLead('notes'),
    history,
    ...('id_lead' in changed ? [leads] : []),
  ],
  reminder: () => [reminders, ofEveryLead('reminders'), history],
  view: () => [under('views')],
  campaign: () => [under('records', 'campaigns'), campaigns],
  workspace: () => [under('me')],
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

function touchedBy(event: Event): Stale[] {
  const [record, verb] = event.type.split('.') as [RecordName, Verb]
  // A newer service may tell of records that this page does not know yet.
  return touches[record]?.(verb, event) ?? []
}

/** Reads in rounds: the first soon after the first event, the next one a pause after the last has ended. */
function rounds(soonMs: number, pauseMs: number) {
  let waiting = new Map<string, InvalidateQueryFilters>()
  let isRunning = false
  const run = async () => {
    isRunning = true
    await sleep(soonMs)
    while (waiting.size > 0) {
      const round = [...waiting.values()]
      waiting = new Map()
      await Promise.all(round.map((filters) => client.invalidateQueries(filters)))
      await sleep(pauseMs)
    }
    isRunning = false
  }
  const read = ({ name, filters }: Stale) => {
    waiting.set(name, filters)
    if (!isRunning) void run()
  }
  return { read, isBusy: () => isRunning }
}

const readSoon = rounds(80, 400)
const readSparingly = rounds(120, 2_000)

export function refreshFor(event: Event): void {
  for (const stale of touchedBy(event)) {
    const way = stale.isMuch ? readSparingly : readSoon
    // The page shows its own changes already. It reads them when it looks at them again. But when others
    // change something in the same moment, what it read for them may be from before its own change.
    if (isOwnRequest(event.cause.request_id) && !way.isBusy())
      void client.invalidateQueries({ ...stale.filters, refetchType: 'none' })
    else way.read(stale)
  }
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
