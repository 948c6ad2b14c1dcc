// By what leads are ordered when they are ordered by an attribute. Null where a lead has no value.
import { alphabetical, type Sql, sql } from '../db/sql.ts'
import type { Target } from './definition.ts'

const textOf = ({ column, id }: Target) => sql`nullif(${column}->>${id}::text, '')`

export const byText = (target: Target) => sql`${textOf(target)} ${alphabetical}`

export const byAddress = ({ column, id }: Target) =>
  sql`nullif(${column}->${id}::text->>'address', '') ${alphabetical}`

/** As jsonb, because a cast to a number would fail on a stored value that is not a number. */
export function byNumber({ column, id }: Target): Sql {
  const stored = sql`${column}->${id}::text`
  return sql`case when jsonb_typeof(${stored}) = 'number' then ${stored} end`
}

/** Dates are stored as text that sorts by time when it is compared byte by byte. */
export const byTime = (target: Target) => sql`${textOf(target)} collate "C"`

/** A checkbox that was never set counts as false. */
export const byFlag = ({ column, id }: Target) =>
  sql`coalesce(${column}->${id}::text = 'true', false)`

/** In the order of the options. With several, by the first one that was chosen. */
export function byOption({ column, id, attribute }: Target): Sql {
  const chosen = sql`${column}->${id}::text`
  const option = attribute.is_multi ? sql`${chosen}->>0` : sql`${column}->>${id}::text`
  return sql`array_position(${attribute.options.map((each) => each.id)}::text[], ${option})`
}
