// Reads the change feed page after page, from a cursor on.
import type { Event } from '@rapport/contract'
import type { Db } from '../../db/driver.ts'
import { cursorOf, readCursor, readTypes, requireContinuable } from './cursor.ts'
import { selectPage } from './events.sql.ts'

export interface Reader {
  /** The next events, at most `limit`. None: the reader is at the end, or `isBehind` says otherwise. */
  read(limit: number): Promise<Event[]>
  /** There were more events when the last page was read. */
  isBehind(): boolean
  /** Where to continue; with an event: after it. */
  cursor(event?: Event): string
}

/** A read that many readers may do at the same time. `what` is the same for equal ones. */
export type Share = <T>(what: string, work: () => Promise<T>) => Promise<T>

/** Throws 400 for a cursor or types that cannot be read. */
export function openReader(
  db: Db,
  space: string,
  { after, types: given }: { after?: string; types?: string },
  share: Share = (_what, work) => work(),
): Reader {
  const types = readTypes(given)
  let place = readCursor(after)
  let epoch = ''
  let isBehind = false
  return {
    isBehind: () => isBehind,
    cursor: (event) => cursorOf({ epoch }, event?.seq ?? place.seq),
    async read(limit) {
      const wanted = { after: place.seq, limit, types }
      const { head, events, upTo } = await share(JSON.stringify(wanted), () =>
        selectPage(db, space, wanted),
      )
      requireContinuable(head, place)
      epoch = head.epoch
      place = { epoch, seq: upTo }
      isBehind = upTo < head.seq
      return events
    },
  }
}
