// From an event of the change feed to what is read again. Nothing is read for each event: what many events
// touch is read once, and again only after a pause. So a change of 100,000 leads costs few reads.
import type { Event } from '@rapport/contract'
import type { InvalidateQueryFilters } from '@tanstack/react-query'
import { isOwnRequest } from '../../api/call.ts'
import { client } from '../../api/client.ts'
import { type Stale, touchedBy } from '../../kinds/events.ts'

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
const readCounted = rounds(120, 2_000)

export function refreshFor(event: Event): void {
  const isOwn = isOwnRequest(event.cause.request_id)
  for (const stale of touchedBy(event)) {
    if (stale.isCounted) {
      if (isOwn) readCounted.read(stale)
      continue
    }
    const way = stale.isMuch ? readSparingly : readSoon
    // The page shows its own changes already. It reads them when it looks at them again. But when others
    // change something in the same moment, what it read for them may be from before its own change.
    if (isOwn && !way.isBusy())
      void client.invalidateQueries({ ...stale.filters, refetchType: 'none' })
    else way.read(stale)
  }
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
