// Who changed a lead, and when: from the change feed, as far as it is kept.
import type { LeadFilter } from '@rapport/contract/leads/filter'
import { join, raw, type Sql, sql } from '../../db/sql.ts'
import { concernedLeads, concernsLeads } from '../../feed/concerns.sql.ts'
import type { Kind, Place } from '../../filter/compile.ts'
import { oneOf, startOfDay } from '../../filter/kinds.ts'

type Changed = NonNullable<LeadFilter['changed']>

/** The lead, one of its notes or one of its reminders was changed by one of these members, since this day. */
export const changed: Kind<Changed> = (wanted, place) => {
  if (!wanted.by?.length && wanted.after === undefined) return undefined
  return sql`lead.id in (select id_lead from (${changes(wanted, place, 'union all')}) change)`
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
  const { space } = place.context
  const start =
    after === undefined
      ? undefined
      : startOfDay(after, { ...place, path: [...place.path, 'after'] })
  const conditions = [
    sql`id_member is not null`,
    concernsLeads,
    ...[oneOf(raw('id_member'), by) ?? []].flat(),
    ...(start ? [sql`at >= ${start}`] : []),
  ]
  // Events are without a number for a moment, in a table of their own.
  const from = (table: string) => sql`
    select unnest(${concernedLeads}) as id_lead, id_member from ${raw(table)}
    where id_space = ${space} and ${join(conditions, ' and ')}`
  return sql`${from('event')} ${raw(union)} ${from('event_new')}`
}
