// Who changed a lead, and when: from the change feed, as far as it is kept.
import type { LeadFilter } from '@rapport/contract/leads/filter'
import { join, raw, type Sql, sql } from '../../../db/sql.ts'
import { concernedLeads, concernsLeads } from '../../../feed/concerns.sql.ts'
import { exists, type Kind, nothing, type Place } from '../../../filter/compile.ts'
import { oneOf } from '../../../filter/kinds.ts'
import { startOfDay } from '../../../filter/times.ts'
import { isId } from '../../../ids.ts'

type Changed = NonNullable<LeadFilter['changed']>

/** The lead, one of its notes or one of its reminders was changed by one of these members, since this day. */
export const changed: Kind<Changed> = (wanted, place) => {
  if (!wanted.by?.length && wanted.after === undefined) return undefined
  if (oneOf(raw('id_member'), wanted.by ?? []) === nothing) return nothing
  const rows = changes(wanted, place, 'union all')
  return exists(sql`select from (${rows}) change where change.id_lead = lead.id`)
}

/** The lead was created or changed by this operation. */
export const operation: Kind<string> = (id, { context: { space } }) => {
  if (!isId(id)) return nothing
  const from = (table: string) => sql`
    select unnest(ids) as id from ${raw(table)}
    where id_space = ${space} and id_operation = ${id} and type like 'lead.%'`
  return sql`lead.id in (${from('event')} union all ${from('event_new')})`
}

/**
 * The leads that members changed, with the member: (id_lead, id_member). With 'union all', each may be there
 * several times, which takes less time.
 */
export function changes(
  { by = [], after }: Changed,
  place: Place,
  union: 'union' | 'union all' = 'union',
): Sql {
  const start =
    after === undefined
      ? undefined
      : startOfDay(after, { ...place, path: [...place.path, 'after'] })
  return changesOf(by, start, place, union)
}

/**
 * What members did to leads since a time. That leads were created or imported is no work with them, nor is a bulk
 * change that was undone, nor an undo.
 */
export const changesSince = (start: Sql, place: Place) =>
  changesOf([], start, place, 'union all', [
    sql`type <> 'lead.created'`,
    sql`way <> 'import'`,
    sql`(id_operation is null or id_operation not in (${withoutEffect(place)}))`,
  ])

/** What was undone, and undos. A redo is the undo of an undo. */
const withoutEffect = ({ context: { space } }: Place) => sql`
    select id from operation
    where id_space = ${space}
      and (undone_by is not null or (kind = 'undo' and data -> 'redid' is null))`

function changesOf(
  by: string[],
  start: Sql | undefined,
  { context: { space } }: Place,
  union: 'union' | 'union all',
  more: Sql[] = [],
): Sql {
  const conditions = [
    sql`id_member is not null`,
    concernsLeads,
    ...[oneOf(raw('id_member'), by) ?? []].flat(),
    ...(start ? [sql`at >= ${start}`] : []),
    ...more,
  ]
  // New events are not numbered yet, and are in a separate table.
  const from = (table: string) => sql`
    select unnest(${concernedLeads}) as id_lead, id_member from ${raw(table)}
    where id_space = ${space} and ${join(conditions, ' and ')}`
  return sql`${from('event')} ${raw(union)} ${from('event_new')}`
}
