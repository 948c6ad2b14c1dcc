// The table of filter fields for leads: what each field means in SQL.

import { isLeadField } from '@rapport/contract/leads/field-operators.values'
import { leadFields } from '@rapport/contract/leads/fields'
import { type LeadFilter, stepStatuses } from '@rapport/contract/leads/filter'
import {
  type Condition,
  type ConditionOf,
  leadConditions,
} from '@rapport/contract/leads/filter.values'
import { type LeadRelation, leadRelations, relationNames } from '@rapport/contract/leads/relations'
import type { Db } from '../../../db/driver.ts'
import { raw, type Sql, sql } from '../../../db/sql.ts'
import { attributes } from '../../../filter/attributes.ts'
import {
  anyOf,
  compileFilter,
  everything,
  type Fields,
  filters,
  type Kind,
  opposite,
  type Scope,
} from '../../../filter/compile.ts'
import { fields as conditionsOnFields, hasText } from '../../../filter/fields.ts'
import {
  choice,
  contains,
  excludedIdSet,
  flag,
  hasAny,
  idSet,
  inState,
  oneOf,
  type Relation,
  ranges,
  related,
  whenTrue,
  words,
} from '../../../filter/kinds.ts'
import { day } from '../../../filter/times.ts'
import { isId } from '../../../ids.ts'
import { selectAttributes } from '../../../references/attributes.ts'
import { leadCount, relatedCount, relatedToAny, selectedCount } from '../row/count.sql.ts'
import { activity, notes, reminders } from './filter-by-activity.ts'
import { changed } from './filter-by-change.ts'
import { requireNested } from './filter-nested.ts'
import type { Sought } from './newest.sql.ts'

const id = raw('lead.id')

function relation(name: LeadRelation): Relation {
  const { join: table, column: other } = leadRelations[name]
  return { id, table, owner: 'id_lead', other }
}

/** Each relation is a condition: the lead has one of these records. */
const ofRelations = Object.fromEntries(
  relationNames.map((name) => [name, related(relation(name))]),
) as Record<LeadRelation, Kind<string[]>>

const lists = relation('lists')
const owners = relation('owners')
const texts: Relation = { id, table: 'lead_search', owner: 'id_lead', other: 'text' }
const steps: Relation = { id, table: 'lead_step', owner: 'id_lead', other: 'id_step' }

const column = (name: string) => raw(`lead."${name}"`)
const icebreakers = ['icebreaker', 'icebreaker_2', 'icebreaker_3', 'icebreaker_4'].map(column)
const email = hasText(column('email'))

const fields: Fields<LeadFilter> = {
  leads: idSet(id),
  not_leads: excludedIdSet(id),
  is_company: flag(raw('lead.is_company')),
  is_tracked: flag(raw('lead.is_tracked')),
  is_contract: flag(raw('lead.is_contract')),
  ai_enabled: flag(raw('lead.ai_enabled')),
  has_icebreaker: flag(anyOf(icebreakers.map(hasText))),
  email_status: choice({
    all: undefined,
    with_email: email,
    without_email: opposite(email),
    verified: sql`${email} and lead.email_bounce_score < 50`,
    risky: sql`${email} and lead.email_bounce_score >= 50`,
    unverified: sql`${email} and lead.email_bounce_score is null`,
  }),
  search: words(texts),
  ...ofRelations,
  has_list: whenTrue(hasAny(lists)),
  has_no_list: whenTrue((context) => opposite(hasAny(lists)(context))),
  has_owner: whenTrue(hasAny(owners)),
  has_no_owner: whenTrue((context) => opposite(hasAny(owners)(context))),
  sequences_steps: inState(steps, stepStatuses),
  score: ranges(raw('lead.score')),
  created_after: day(raw('lead.created_at'), 'from'),
  created_before: day(raw('lead.created_at'), 'before'),
  changed,
  fields: conditionsOnFields((name) =>
    isLeadField(name) ? { kind: leadFields[name].kind, sql: column(name) } : undefined,
  ),
  attributes: attributes(raw('lead.attributes')),
  reminders,
  notes,
  activity,
  any: filters(() => fields, 'any'),
  none: filters(() => fields, 'none'),
}

/**
 * The condition that holds for the leads that the filter selects at this time. The statement around it joins
 * it by AND with `lead.id_space = … and not lead.is_deleted`.
 */
export async function leadCondition(
  db: Db,
  { space, now }: Scope,
  filter: LeadFilter,
  path: (string | number)[],
): Promise<Sql> {
  const entries = requireNested(filter, path).flatMap(({ attributes = [] }) => attributes)
  const ids = entries.map((entry) => entry.id).filter(isId)
  const rows = ids.length > 0 ? await selectAttributes(db, space, ids) : []
  const known = new Map(rows.map((row) => [row.id, row]))
  return compileFilter(filter, fields, { space, now, attribute: (id) => known.get(id) }, path)
}

/** The leads that were created on the days that the filter names: a part of its condition. */
export function createdCondition(
  { space, now }: Scope,
  { created_after, created_before }: LeadFilter,
): Sql {
  const days = { created_after, created_before } as LeadFilter
  return compileFilter(days, fields, { space, now, attribute: () => undefined }, [])
}

const isMust = (name: string): name is ConditionOf<'must'> =>
  Object.hasOwn(leadConditions, name) && leadConditions[name as Condition].kind === 'must'

/** A subquery that counts the leads that a filter selects, and takes little time. */
export interface QuickTotal {
  total: Sql
  /** It reads at most one row per lead. */
  isOfSelected: boolean
}

/** Undefined if there is none: with several conditions, or one on fields of the leads. */
export function quickTotal(
  space: string,
  filter: LeadFilter,
  condition: Sql,
): QuickTotal | undefined {
  const all = leadCount(sql`${space}`)
  if (condition === everything) return { total: all, isOfSelected: true }
  const [name, value] = onlyField(filter) ?? []
  if (name === undefined) return undefined
  const related = (table: string, rows: Sql, isOneEach: boolean) => ({
    total: relatedCount(space, table, rows, { isOneEach }),
    isOfSelected: true,
  })
  if (name === 'leads') return { total: selectedCount(space, condition), isOfSelected: true }
  if (name === 'search') return related(texts.table, contains(texts, value as string), true)
  if (isMust(name)) {
    const any = relatedToAny(space, relation(leadConditions[name].relation).table)
    const total = name.startsWith('has_no_') ? sql`(${all} - ${any})` : any
    return { total, isOfSelected: false }
  }
  if (!Object.hasOwn(leadRelations, name)) return undefined
  const { table, other } = relation(name as LeadRelation)
  const ids = (value as string[]).filter(isId)
  const rows = oneOf(raw(other), ids)
  return rows && related(table, rows, ids.length === 1)
}

/** The leads of a search or with values of attributes, if the filter has no other condition. */
export function soughtLeads(space: string, filter: LeadFilter, condition: Sql): Sought | undefined {
  const [name] = onlyField(filter) ?? []
  if (name === 'attributes' && filter.attributes?.every(({ operator }) => operator === 'equals')) {
    const ids = sql`select lead.id from lead
      where lead.id_space = ${space} and not lead.is_deleted and (${condition})`
    return { ids, isOne: condition }
  }
  if (name !== 'search') return undefined
  const rows = sql`from ${raw(texts.table)}
    where id_space = ${space} and ${contains(texts, filter.search ?? '')}`
  return {
    ids: sql`select id_lead as id ${rows}`,
    // OFFSET 0: otherwise PostgreSQL would take the index of the texts here too.
    isOne: sql`exists (select ${rows} and id_lead = lead.id offset 0)`,
  }
}

/** The only field of the filter that has a value, with its value. */
export function onlyField(filter: LeadFilter): [string, unknown] | undefined {
  const [only, ...more] = Object.entries(filter).filter(([, value]) => value !== undefined)
  return more.length === 0 ? only : undefined
}
