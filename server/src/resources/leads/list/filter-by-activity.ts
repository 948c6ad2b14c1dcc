// What has happened to a lead since a day, and what is due.
import type { LeadFilter } from '@rapport/contract/leads/filter'
import type { DueTime } from '@rapport/contract/leads/filter.values'
import { raw, type Sql, sql } from '../../../db/sql.ts'
import {
  allOf,
  type FilterContext,
  type Kind,
  nothing,
  opposite,
  type Place,
} from '../../../filter/compile.ts'
import { isRelated } from '../../../filter/kinds.ts'
import { periodOf, readAnyDay, startOfDay } from '../../../filter/times.ts'
import { countInParts } from '../row/count.sql.ts'
import { changesSince } from './filter-by-change.ts'

type Since = NonNullable<LeadFilter['notes']>

/** Whether it has happened since the start of a day. */
interface Happened {
  has(start: Sql, place: Place): Sql
  hasNot(start: Sql, place: Place): Sql
}

function since({ has, hasNot }: Happened): Kind<Since> {
  return ({ since, none_since }, place) => {
    const on = (name: keyof Since, text: string | undefined, test: Happened['has']) => {
      if (text === undefined) return []
      const start = startOfDay(text, { ...place, path: [...place.path, name] }, readAnyDay)
      return [start ? test(start, place) : nothing]
    }
    return allOf([...on('since', since, has), ...on('none_since', none_since, hasNot)])
  }
}

const ofLead = (table: string) => ({ id: raw('lead.id'), table, owner: 'id_lead' })

const hasNote = (start: Sql, { context }: Place) =>
  isRelated(ofLead('note'), context, sql`not is_deleted and created_at >= ${start}`)

export const notes = since({
  has: hasNote,
  hasNot: (start, place) => opposite(hasNote(start, place)),
})

/** The lead says itself that something has happened. */
const isTouched = (start: Sql) => sql`lead.last_interaction_at >= ${start}`

/** The leads that have notes or were changed. Each may be there several times. */
const happenings = (start: Sql, place: Place) => sql`(
    select id_lead from note
    where id_space = ${place.context.space} and not is_deleted and created_at >= ${start}
    union all select id_lead from (${changesSince(start, place)}) change) happened`

/** The same, each once. PostgreSQL expects few groups, so it always puts them into a hash table. */
const happenedTo = (start: Sql, place: Place) =>
  sql`select id_lead from ${happenings(start, place)} group by id_lead`

export const activity = since({
  has: (start, place) => sql`(${isTouched(start)} or lead.id in (${happenedTo(start, place)}))`,
  hasNot: (start, place) => sql`(${isTouched(start)}) is not true and not exists (
    select from ${happenings(start, place)} where happened.id_lead = lead.id)`,
})

const activeCount = (start: Sql, place: Place) =>
  countInParts(place.context.space, isTouched(start), {
    ids: happenedTo(start, place),
    isOneEach: true,
  })

/** Counts the leads that the condition selects. `all` counts all leads. */
export const activityCount = (all: Sql) =>
  since({
    has: activeCount,
    hasNot: (start, place) => sql`(${all} - ${activeCount(start, place)})`,
  })

/** The lead has a reminder that is not done, and due then. */
export const reminders: Kind<{ due: DueTime }> = ({ due }, { context }) => {
  const isOpen = sql`not is_deleted and not is_done`
  const when = dueThen(due, context)
  return isRelated(ofLead('reminder'), context, when ? sql`${isOpen} and ${when}` : isOpen)
}

function dueThen(due: DueTime, context: FilterContext): Sql | undefined {
  if (due === 'any') return undefined
  const now = sql`${context.now.toISOString()}::timestamptz`
  if (due === 'overdue') return sql`date < ${now}`
  if (due === 'upcoming') return sql`date >= ${now}`
  const { start, end } = periodOf(due, context)
  return sql`date >= ${start} and date < ${end}`
}
