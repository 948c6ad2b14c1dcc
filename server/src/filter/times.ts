// Days and times in filters: what a caller writes, and when that is in the time zone of the workspace.
import {
  type Period,
  periods,
  type RelativeOperator,
  readRelativeDay,
  readSpan,
  relativeOperators,
  type Span,
} from '@rapport/contract/leads/field-operators.values'
import { toDate, toTimestamp } from '../attributes/dates.ts'
import { raw, type Sql, sql } from '../db/sql.ts'
import type { FilterContext, Kind, Place } from './compile.ts'
import { nothing } from './compile.ts'

/** From the start, and before the end. */
export interface Interval {
  start: Sql
  end: Sql
}

/** What a local time is compared with. In it and in `local`, time_zone is the time zone of the workspace. */
type Form = (local: Sql) => Sql

const asTime: Form = (local) => sql`(${local}) at time zone time_zone`
/** As attributes have days and times. */
const asDayText: Form = (local) => sql`to_char(${local}, 'YYYY-MM-DD')`
const asTimeText: Form = (local) =>
  sql`to_char(${asTime(local)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** When a local time is. In a subquery, so that PostgreSQL computes it once, and not for each record. */
const inZone = ({ space }: FilterContext, local: Sql, form = asTime) =>
  sql`(select ${form(local)} from space where id_space = ${space})`

const plus = (local: Sql, count: number, unit: string) =>
  sql`${local} + ${count}::int * ${raw(unit === 'quarter' ? `interval '3 months'` : `interval '1 ${unit}'`)}`

/** One unit of the calendar that begins at a local time. */
const unitFrom = (context: FilterContext, local: Sql, unit: string, form?: Form): Interval => ({
  start: inZone(context, local, form),
  end: inZone(context, plus(local, 1, unit), form),
})

/** When the day, week or so of now began. */
const current = ({ now }: FilterContext, unit: string) =>
  sql`date_trunc('${raw(unit)}', ${now.toISOString()}::timestamptz at time zone time_zone)`

export function periodOf(name: Period, context: FilterContext, form?: Form): Interval {
  const [unit, later] = periods[name]
  return unitFrom(context, plus(current(context, unit), later, unit), unit, form)
}

/** The day that is a number of days, weeks or months after today. */
function relativeDay({ count, unit }: Span, context: FilterContext, form?: Form): Interval {
  return unitFrom(context, plus(current(context, 'day'), count, unit), 'day', form)
}

/** How a column has its times, and what now is there. */
export interface Scale {
  form: Form
  now: (context: FilterContext) => Sql
}

const isoNow = ({ now }: FilterContext) => sql`${now.toISOString()}`

export const scales = {
  time: { form: asTime, now: (context) => sql`${isoNow(context)}::timestamptz` },
  dayText: {
    form: asDayText,
    now: (context) => inZone(context, current(context, 'day'), asDayText),
  },
  timeText: { form: asTimeText, now: isoNow },
} satisfies Record<string, Scale>

export const isRelative = (operator: string): operator is RelativeOperator =>
  (relativeOperators as readonly string[]).includes(operator)

/** Returns undefined when the value is no length of time, which some of the operators take. */
export function relative(
  column: Sql,
  operator: RelativeOperator,
  value: unknown,
  context: FilterContext,
  { form, now }: Scale,
): Sql | undefined {
  const span = typeof value === 'string' ? readSpan(value) : undefined
  const first = span && relativeDay({ ...span, count: -span.count }, context, form).start
  switch (operator) {
    // From the beginning of that day until now.
    case 'in_last':
      return first && sql`(${column} >= ${first} and ${column} <= ${now(context)})`
    case 'more_than_ago':
      return first && sql`${column} < ${first}`
    // From now until the end of that day.
    case 'in_next':
      return (
        span &&
        sql`(${column} >= ${now(context)} and ${column} < ${relativeDay(span, context, form).end})`
      )
    default: {
      const { start, end } = periodOf(operator, context, form)
      return sql`(${column} >= ${start} and ${column} < ${end})`
    }
  }
}

/** PostgreSQL knows no year 0. */
const isStorable = (text: string) => !text.startsWith('0000')

/** A day, such as "2026-01-31". */
export function readDay(text: string, context: FilterContext): Interval | undefined {
  const day = isStorable(text) ? toDate(text) : undefined
  return day === undefined ? undefined : unitFrom(context, sql`${day}::date::timestamp`, 'day')
}

/** A day, or one relative to today, such as "-14d". */
export function readAnyDay(text: string, context: FilterContext): Interval | undefined {
  const span = readRelativeDay(text)
  return span ? relativeDay(span, context) : readDay(text, context)
}

/** A day, a relative one, or a time. Times have milliseconds. */
export function readTime(text: string, context: FilterContext): Interval | undefined {
  const time = isStorable(text) ? toTimestamp(text) : undefined
  if (time === undefined) return readAnyDay(text, context)
  const start = sql`${time}::timestamptz`
  return { start, end: sql`${start} + interval '1 millisecond'` }
}

/** The beginning of a day in the time zone of the workspace. Undefined when there is no such day. */
export function startOfDay(
  text: string,
  { context, path, fault }: Place,
  read = readDay,
): Sql | undefined {
  const day = read(text, context)
  if (day) return day.start
  const or = read === readAnyDay ? ' or "-14d"' : ''
  fault({ path, code: 'value', message: `Must be a date, such as "2026-01-31"${or}` })
  return undefined
}

/** The time is on this day or later, or before it. */
export function day(column: Sql, side: 'from' | 'before'): Kind<string> {
  return (text, place) => {
    const start = startOfDay(text, place)
    return start ? sql`${column} ${raw(side === 'from' ? '>=' : '<')} ${start}` : nothing
  }
}
