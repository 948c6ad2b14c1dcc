// Recent changes, for people: the operations of the workspace, and the events that are not part of one.
import { type contract, type EventType, eventTypes } from '@rapport/contract'
import {
  type ChangeKind,
  type ChangePeriod,
  changeKinds,
  changeOfEvent,
} from '@rapport/contract/changes.values'
import { notNext } from '@rapport/contract/errors'
import { changeLimits, countedEvents } from '@rapport/contract/events'
import { operationKinds, operationTable } from '@rapport/contract/operations.values'
import type { ReplyOf } from '@rapport/contract/route'
import type { Db } from '../../db/driver.ts'
import { run } from '../../db/sql.ts'
import type { Scope } from '../../filter/compile.ts'
import { periodOf } from '../../filter/times.ts'
import type { Handler, Settings } from '../../http/handler.ts'
import { readNumber } from '../../http/read-query.ts'
import { isId } from '../../ids.ts'
import { selectNames } from '../leads/row/existing.sql.ts'
import { toOperation } from '../operations/state.ts'
import {
  countByMember,
  type Interval,
  type OperationPlace,
  type OperationRow,
  selectRecentOperations,
  selectUndone,
} from '../operations/store/operation.sql.ts'
import { countRecent, type RecentEvent, selectRecentEvents, selectSeqAt } from './events.sql.ts'

type Routes = (typeof contract)['events']['routes']
type Change = ReplyOf<Routes['changes']>['changes'][number]

export const listChanges: Handler<Routes['changes']> = async (db, call) => {
  const { space, query, settings, now } = call
  const limit = readNumber('limit', query.limit, changeLimits)
  const place = query.after ? readPlace(query.after) : undefined
  const { member, kind } = query
  if (member !== undefined && !isId(member)) return { changes: [], next: null }
  const interval = await intervalOf(db, call, query.period)
  const from = await selectSeqAt(db, space, interval.start)
  const before = place?.seq ?? (await selectSeqAt(db, space, interval.end))
  const events = await selectRecentEvents(db, space, {
    ...{ from, before, member, limit },
    types: typesOf(kind),
  })
  const operations = await selectRecentOperations(db, space, {
    ...{ interval, before: place?.operation, member, limit },
    kinds: operationKinds.filter((each) => !kind || operationTable[each].change === kind),
  })
  const taken = merge(events, operations, limit)
  const [readEvents, readOperations] = [taken.filter(isEvent), taken.filter(isOperation)]
  const areEventsRead = readEvents.length === events.rows.length
  const areOperationsRead = readOperations.length === operations.rows.length
  const isOver = areEventsRead && !events.upTo && areOperationsRead && !operations.upTo
  // A source that was read to the end of what was looked at continues there, otherwise after what was taken.
  const lastEvent = areEventsRead ? (events.upTo ?? { seq: from }) : readEvents.at(-1)?.event
  const lastOperation =
    (areOperationsRead ? operations.upTo : undefined) ?? readOperations.at(-1) ?? place?.operation
  return {
    changes: await toChanges(db, space, taken, { now, settings }),
    next: isOver ? null : writePlace({ seq: lastEvent?.seq ?? before, operation: lastOperation }),
  }
}

type Taken = RecentEvent | OperationRow
const isEvent = (taken: Taken): taken is RecentEvent => 'event' in taken
const isOperation = (taken: Taken): taken is OperationRow => !isEvent(taken)

/**
 * The newest of both, in their order. What is behind the rows of one is not known if it has more: the other one then
 * ends at the same time.
 */
function merge(
  events: Awaited<ReturnType<typeof selectRecentEvents>>,
  operations: Awaited<ReturnType<typeof selectRecentOperations>>,
  limit: number,
): Taken[] {
  const taken: Taken[] = []
  let [nextEvent, nextOperation] = [0, 0]
  while (taken.length < limit) {
    const event = events.rows[nextEvent]
    const operation = operations.rows[nextOperation]
    const eventAt = event?.event.at ?? events.upTo?.at ?? ''
    const operationAt = operation?.created_at ?? operations.upTo?.created_at ?? ''
    if (event && eventAt >= operationAt) {
      taken.push(event)
      nextEvent++
    } else if (operation && operationAt >= eventAt) {
      taken.push(operation)
      nextOperation++
    } else break
  }
  return taken
}

const namedLeads = 3

async function toChanges(
  db: Db,
  space: string,
  taken: Taken[],
  { now, settings }: { now: Date; settings: Settings },
): Promise<Change[]> {
  const events = taken.filter(isEvent)
  const leads = events.flatMap((each) => each.leads.slice(0, namedLeads))
  const names = new Map(
    (await selectNames(db, space, [...new Set(leads)])).map((lead) => [lead.id, lead]),
  )
  const seqs = events.map(({ event }) => event.seq)
  const undone = await selectUndone(db, space, seqs)
  return taken.map((each): Change => {
    if (isOperation(each)) {
      const operation = toOperation(each, now, settings.undoKeepMs)
      const { created_at: at, actor, undone_by, kind } = operation
      return { at, kind: operationTable[kind].change, actor, operation, leads: [], undone_by }
    }
    const { event } = each
    return {
      ...{ at: event.at, kind: changeOfEvent(event.type) ?? 'settings', actor: event.actor, event },
      leads: each.leads.slice(0, namedLeads).flatMap((id) => names.get(id) ?? []),
      undone_by: undone.get(event.seq) ?? null,
    }
  })
}

export const summarizeChanges: Handler<Routes['summary']> = async (db, call) => {
  const { space, query } = call
  const interval = await intervalOf(db, call, query.period)
  const first = await selectSeqAt(db, space, interval.start)
  const before = await selectSeqAt(db, space, interval.end)
  const from = Math.max(first, before - countedEvents)
  const types = typesOf(undefined)
  const events = await countRecent(db, space, { from, before, types })
  const operations = await countByMember(db, space, interval)
  const members = new Map<string | null, Record<ChangeKind, number>>()
  const add = (member: string | null, kind: ChangeKind | undefined, count: number) => {
    const counts = members.get(member) ?? { ...noChanges }
    if (kind && count > 0) members.set(member, { ...counts, [kind]: counts[kind] + count })
  }
  for (const { member, type, count } of events) add(member, changeOfEvent(type), count)
  for (const { member, kind, count, updated } of operations) {
    add(member, operationTable[kind].change, count - updated)
    add(member, 'edited', updated)
  }
  const oldest = events.map((each) => each.oldest).sort()[0]
  return {
    members: [...members].map(([member, counts]) => ({ member, ...counts })),
    complete_since: from > first ? (oldest ?? null) : null,
  }
}

const noChanges = Object.fromEntries(changeKinds.map((kind) => [kind, 0])) as Record<
  ChangeKind,
  number
>

const typesOf = (kind: ChangeKind | undefined): EventType[] =>
  eventTypes.filter((type) => {
    const own = changeOfEvent(type)
    return kind === undefined ? own !== undefined : own === kind
  })

/** In the time zone of the workspace. Without a period: always. */
async function intervalOf(
  db: Db,
  { space, now }: Scope,
  period: ChangePeriod | undefined,
): Promise<Interval> {
  if (period === undefined) return { start: '-infinity', end: 'infinity' }
  const { start, end } = periodOf(period, { space, now, attribute: () => undefined })
  const [row] = await run<[Interval]>(db)`select ${start} as start, ${end} as "end"`
  return row
}

/** Where a page ends: all events from this number on, and this operation, were before. */
interface Place {
  seq: number
  operation: OperationPlace | undefined
}

const writePlace = ({ seq, operation }: Place) =>
  operation ? `${seq}/${operation.created_at}/${operation.id}` : String(seq)

const place = /^(\d{1,15})(?:\/(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)\/([0-9a-f-]{36}))?$/

function readPlace(text: string): Place {
  const [, seq, created_at, id] = place.exec(text) ?? []
  const isPlace = seq && (!created_at || (!Number.isNaN(Date.parse(created_at)) && isId(id)))
  if (isPlace) {
    return { seq: Number(seq), operation: created_at && id ? { created_at, id } : undefined }
  }
  throw notNext()
}
