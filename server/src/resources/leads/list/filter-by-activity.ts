// What has happened to a lead since a day, and what is due.
import type { LeadFilter } from '@rapport/contract/leads/filter'
import type { DueTime } from '@rapport/contract/leads/filter.values'
import { raw, type Sql, sql } from '../../../db/sql.ts'
import {
  allOf,
  exists,
  type FilterContext,
  type Kind,
  nothing,
  opposite,
  type Place,
} from '../../../filter/compile.ts'
import { isRelated } from '../../../filter/kinds.ts'
import { periodOf, readAnyDay, startOfDay } from '../../../filter/times.ts'
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

/** The notes and changes, with a subquery of other leads in front. */
const happenings = (start: Sql, place: Place, others: Sql) => {
  const { space } = place.context
  return exists(sql`select from (
      ${others}
      select id_lead from note
      where id_space = ${space} and not is_deleted and created_at >= ${start}
      union all select id_lead from (${changesSince(start, place)}) change) happened
    where happened.id_lead = lead.id`)
}

export const activity = since({
  // All of it in one subquery, which PostgreSQL can join with. With OR it could not.
  has: (start, place) =>
    happenings(
      start,
      place,
      sql`select id as id_lead from lead touched
        where touched.id_space = ${place.context.space}
          and (touched.created_at >= ${start} or touched.last_interaction_at >= ${start})
        union all`,
    ),
  hasNot: (start, place) => sql`lead.created_at < ${start}
    and (lead.last_interaction_at >= ${start}) is not true
    and ${opposite(happenings(start, place, sql``))}`,
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
