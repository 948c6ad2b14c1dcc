// Which leads become one: all that are selected, or those of them that have a key in common.
import { type KeyKind, largeGroup } from '@rapport/contract/duplicates.values'
import { badRequest } from '@rapport/contract/errors'
import type { Db } from '../../../db/driver.ts'
import { raw, runUnprepared, type Sql, sql } from '../../../db/sql.ts'
import { selectDismissed } from '../duplicates/groups.sql.ts'
import { haveDifferentNames } from '../duplicates/groups.ts'
import { numberOf } from '../duplicates/keys.ts'

export interface MergeGroups {
  groups: string[][]
  /** How many groups are left out. */
  skipped: number
  /** Those of them whose lead would be too large. */
  tooLarge: string[][]
}

/** `ids` is one text, as pickLeads returns it. */
export async function oneGroup(ids: string): Promise<MergeGroups> {
  const leads = ids.slice(1, -1).split(',').filter(Boolean)
  if (leads.length >= 2 && leads.length <= largeGroup) {
    return { groups: [leads], skipped: 0, tooLarge: [] }
  }
  const message = `Select 2 to ${largeGroup} leads. The filter selects ${leads.length}`
  throw badRequest({ path: ['filter'], code: 'count', message })
}

/** Loosely equal addresses may be equal. */
const isOfKind = (kind: KeyKind, table = 'lead_key') =>
  sql`${raw(table)}.kind = any(${kind === 'email_loose' ? [numberOf('email'), numberOf(kind)] : [numberOf(kind)]}::smallint[])`

/**
 * Holds for a lead that has a key of this kind in common with another one. The keys are read once, into a hash (IS TRUE):
 * without statistics, which a new workspace has only after a while, PostgreSQL may compare each lead with each key.
 */
export const sharesKey = (space: string, kind: KeyKind): Sql => sql`(lead.id in (
  select entry.id_lead from (
    select id_lead, lag(id_lead) over same_key <> id_lead or lead(id_lead) over same_key <> id_lead
      as is_shared
    from lead_key where lead_key.id_space = ${space} and ${isOfKind(kind)}
    window same_key as (partition by key order by id_lead)) entry
  where is_shared)) is true`

/**
 * A lead with two emails may have one in common with each of two others: the three are a group. A key that many leads
 * have is left out, even if few of them are selected.
 */
export async function groupsByKey(
  db: Db,
  space: string,
  kind: KeyKind,
  ids: string,
): Promise<Omit<MergeGroups, 'tooLarge'>> {
  const rows = await runUnprepared<{ ids: string[]; is_large: boolean }[]>(db)`
    select array_agg(distinct lead_key.id_lead) as ids, ${largeGroup} < (
        select count(*) from (
          select distinct entry.id_lead from lead_key entry
          where entry.id_space = ${space} and ${isOfKind(kind, 'entry')}
            and entry.key = lead_key.key
          limit ${largeGroup + 1}) counted) as is_large
    from unnest(${ids}::uuid[]) as picked (id)
    join lead_key on lead_key.id_space = ${space} and lead_key.id_lead = picked.id
      and ${isOfKind(kind)}
    group by lead_key.key having count(distinct lead_key.id_lead) > 1
    order by min(lead_key.id_lead::text)`
  const few = rows.filter(({ is_large }) => !is_large)
  const all = united(few.map(({ ids }) => ids))
  const small = all.filter((group) => group.length <= largeGroup)
  const alike = await withoutDismissed(db, space, small)
  const groups = kind === 'phone' ? await withoutColleagues(db, space, alike) : alike
  return { groups, skipped: rows.length - few.length + all.length - groups.length }
}

/** Puts groups with a lead in common together, the smaller one into the larger one. */
function united(groups: string[][]): string[][] {
  const groupOf = new Map<string, Set<string>>()
  for (const group of groups) {
    let whole = new Set<string>()
    for (const id of group) {
      const known = groupOf.get(id) ?? new Set([id])
      if (known === whole) continue
      const [larger, smaller] = known.size > whole.size ? [known, whole] : [whole, known]
      for (const other of smaller) groupOf.set(other, larger.add(other))
      groupOf.set(id, larger)
      whole = larger
    }
  }
  return [...new Set(groupOf.values())].map((group) => [...group])
}

/** Colleagues have a number in common, and different names. */
async function withoutColleagues(db: Db, space: string, groups: string[][]): Promise<string[][]> {
  const rows = await runUnprepared<Named[]>(db)`select lead.id, lead.first_name, lead.last_name
    from unnest(${groups.flat()}::uuid[]) as picked (id)
    join lead on lead.id_space = ${space} and lead.id = picked.id`
  const known = new Map(rows.map((row) => [row.id, row]))
  return groups.filter((group) => !haveDifferentNames(group.flatMap((id) => known.get(id) ?? [])))
}

interface Named {
  id: string
  first_name: string | null
  last_name: string | null
}

/** Leads that somebody has said are not the same are not merged. */
async function withoutDismissed(db: Db, space: string, groups: string[][]): Promise<string[][]> {
  const groupOf = new Map(groups.flatMap((group, at) => group.map((id) => [id, at])))
  const pairs = await selectDismissed(db, space, groups.flat())
  const dismissed = new Set(
    pairs.flatMap(({ id_lead, id_other }) => {
      const at = groupOf.get(id_lead)
      return at !== undefined && at === groupOf.get(id_other) ? at : []
    }),
  )
  return groups.filter((_, at) => !dismissed.has(at))
}
