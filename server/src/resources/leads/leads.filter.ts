// The fields of the lead filter: what each of them means for the tables of leads.
import type { Db } from '../../db/connect.ts'
import { raw, type Sql, sql } from '../../db/sql.ts'
import { attributes } from '../../filter/attributes.ts'
import { compileFilter, everything, type Fields } from '../../filter/compile.ts'
import { type LeadFilter, stepStatuses } from '../../filter/filter.schema.ts'
import {
  choice,
  excludedIdSet,
  flag,
  hasAny,
  idSet,
  inState,
  ranges,
  related,
  whenTrue,
  words,
} from '../../filter/kinds.ts'
import { isId } from '../../ids.ts'
import { selectAttributes } from '../attributes/attributes.sql.ts'
import { leadCount, relatedCount, selectedCount } from './leads.count.sql.ts'

const id = raw('lead.id')
const relation = (table: string, other: string) => ({ id, table, owner: 'id_lead', other })
const relations = {
  lists: relation('lead_list', 'id_list'),
  status: relation('lead_status', 'id_status'),
  tags: relation('lead_tag', 'id_tag'),
  owners: relation('lead_owner', 'id_member'),
  campaigns: relation('lead_campaign', 'id_campaign'),
}
const { lists, owners } = relations

const icebreaker = sql`coalesce(lead.icebreaker, '') || coalesce(lead.icebreaker_2, '')
  || coalesce(lead.icebreaker_3, '') || coalesce(lead.icebreaker_4, '')`
const email = sql`lead.email ~ '\\S'`

const fields: Fields<LeadFilter> = {
  leads: idSet(id),
  not_leads: excludedIdSet(id),
  is_company: flag(raw('lead.is_company')),
  is_tracked: flag(raw('lead.is_tracked')),
  is_contract: flag(raw('lead.is_contract')),
  ai_enabled: flag(raw('lead.ai_enabled')),
  has_icebreaker: flag(sql`(${icebreaker} ~ '\\S')`),
  email_status: choice({
    all: undefined,
    with_email: email,
    without_email: sql`(${email}) is not true`,
    verified: sql`${email} and lead.email_bounce_score < 50`,
    risky: sql`${email} and lead.email_bounce_score >= 50`,
    unverified: sql`${email} and lead.email_bounce_score is null`,
  }),
  search: words(raw('lead.search_text')),
  tags: related(relations.tags),
  status: related(relations.status),
  lists: related(lists),
  has_list: whenTrue(hasAny(lists)),
  has_no_list: whenTrue((context) => sql`not ${hasAny(lists)(context)}`),
  owners: related(owners),
  has_owner: whenTrue(hasAny(owners)),
  has_no_owner: whenTrue((context) => sql`not ${hasAny(owners)(context)}`),
  campaigns: related(relations.campaigns),
  sequences_steps: inState(relation('lead_step', 'id_step'), stepStatuses),
  score: ranges(raw('lead.score')),
  attributes: attributes(raw('lead.attributes')),
}

/**
 * Holds for the rows of the table lead that the filter selects. The statement around it adds it with
 * AND to `lead.id_space = … and not lead.is_deleted`.
 */
export async function leadCondition(
  db: Db,
  space: string,
  filter: LeadFilter,
  path: (string | number)[],
): Promise<Sql> {
  const ids = (filter.attributes ?? []).map((entry) => entry.id).filter(isId)
  const rows = ids.length > 0 ? await selectAttributes(db, space, ids) : []
  const known = new Map(
    rows.map(({ id, type, is_multi, options }) => [
      id,
      { type, is_multi, options: options.map((option) => option.id) },
    ]),
  )
  return compileFilter(filter, fields, { space, attribute: (id) => known.get(id) }, path)
}

/** How many leads the filter selects, in the cheapest way there is: a subquery, one number. */
export function leadTotal(space: string, filter: LeadFilter, condition: Sql): Sql {
  if (condition === everything) return leadCount(sql`${space}`)
  const [only, ...more] = Object.entries(filter).filter(([, value]) => value !== undefined)
  const [name = '', value] = only ?? []
  const isRelation = more.length === 0 && Object.hasOwn(relations, name)
  const [id, ...others] = isRelation ? (value as string[]) : []
  return isId(id) && others.length === 0
    ? relatedCount(space, relations[name as keyof typeof relations], id)
    : selectedCount(space, condition)
}
