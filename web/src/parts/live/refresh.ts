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

const recordKeys = {
  list: 'lists',
  status: 'status',
  tag: 'tags',
  attribute: 'attributes',
  member: 'members',
} as const

/** Leads are changed or new; none is gone or back. */
const isSameSet = (verb: string | undefined) => verb === 'updated' || verb === 'created'

/** docs/EVENTS.md says what else an event changes. */
function touchedBy({ type, ids, changed }: Event): Stale[] {
  const [record, verb] = type.split('.')
  switch (record) {
    case 'lead':
      // Reminders of deleted leads are hidden, and come back with them.
      return [leads, campaigns, ...(isSameSet(verb) ? [] : [reminders]), ...theseLeads(ids)]
    case 'note':
      return [ofEveryLead('notes'), history, ...('id_lead' in changed ? [leads] : [])]
    case 'reminder':
      return [reminders, ofEveryLead('reminders'), history]
    case 'view':
      return [under('views')]
    case 'campaign':
      return [under('records', 'campaigns'), campaigns]
    case 'workspace':
      return [under('me')]
    default: {
      const key = recordKeys[record as keyof typeof recordKeys]
      const own = [under('records', key), ...(record === 'member' ? [under('me')] : [])]
      // Leads show the names of what they refer to. What is new, none refers to.
      if (verb === 'created') return own
      const deletedList =
        record === 'list' ? [under('records', 'status'), under('records', 'tags')] : []
      return [...own, ...deletedList, leads, openLeads]
    }
  }
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
