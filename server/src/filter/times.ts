// Days and times in filters: what a caller writes, and when that is in the time zone of the workspace.
import {
  type Period,
  periods,
  readRelativeDay,
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

/**
 * When a local time is. In a subquery, so that PostgreSQL computes it once, and not for each record. In
 * `local`, time_zone is the time zone of the workspace.
 */
const inZone = ({ space }: FilterContext, local: Sql) =>
  sql`(select (${local}) at time zone time_zone from space where id_space = ${space})`

const plus = (local: Sql, count: number, unit: string) =>
  sql`${local} + ${count}::int * ${raw(unit === 'quarter' ? `interval '3 months'` : `interval '1 ${unit}'`)}`

/** One unit of the calendar that begins at a local time. */
const unitFrom = (context: FilterContext, local: Sql, unit: string): Interval => ({
  start: inZone(context, local),
  end: inZone(context, plus(local, 1, unit)),
})

/** When the day, week or so of now began. */
const current = ({ now }: FilterContext, unit: string) =>
  sql`date_trunc('${raw(unit)}', ${now.toISOString()}::timestamptz at time zone time_zone)`

export function periodOf(name: Period, context: FilterContext): Interval {
  const [unit, later] = periods[name]
  return unitFrom(context, plus(current(context, unit), later, unit), unit)
}

/** A day so many days, weeks or months after today. */
export function relativeDay({ count, unit }: Span, context: FilterContext): Interval {
  return unitFrom(context, plus(current(context, 'day'), count, unit), 'day')
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
