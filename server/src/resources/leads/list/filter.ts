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
import { cellOf } from '../../../attributes/types.ts'
import type { Db } from '../../../db/driver.ts'
import { join, raw, type Sql, sql } from '../../../db/sql.ts'
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
import {
  countInParts,
  leadCount,
  type RelatedRows,
  relatedCount,
  relatedToAny,
  selectedCount,
} from '../row/count.sql.ts'
import { followMerged } from '../row/merged.sql.ts'
import { activity, activityCount, notes, reminders } from './filter-by-activity.ts'
import { changed, operation } from './filter-by-change.ts'
import { entered, left, noted } from './filter-by-history.ts'
import { duplicateKey } from './filter-by-key.ts'
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

/** Ids of merged leads lead to the surviving leads. */
const followed =
  (kind: Kind<string[]>): Kind<string[]> =>
  (ids, place) =>
    kind(
      ids.map((id) => place.context.lead?.(id) ?? id),
      place,
    )

const fields: Fields<LeadFilter> = {
  leads: followed(idSet(id)),
  not_leads: followed(excludedIdSet(id)),
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
  operation,
  duplicate_key: duplicateKey,
  entered,
  left,
  noted,
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
  const all = requireNested(filter, path)
  const entries = all.flatMap(({ attributes = [] }) => attributes)
  const ids = entries.map((entry) => entry.id).filter(isId)
  const rows = ids.length > 0 ? await selectAttributes(db, space, ids) : []
  const known = new Map(rows.map((row) => [row.id, row]))
  const named = entries.flatMap(({ id, value }) => {
    const type = known.get(id.toLowerCase())?.type
    return value && type && cellOf(type) === 'lead' ? value : []
  })
  const lead = await followMerged(db, space, [...all.flatMap(leadsNamed), ...named])
  return compileFilter(filter, fields, { space, now, lead, attribute: (id) => known.get(id) }, path)
}

const leadsNamed = ({ leads = [], not_leads = [] }: LeadFilter) => [...leads, ...not_leads]

/** For a valid filter without attributes and leads. */
const conditionOf = (scope: Scope, filter: LeadFilter, isForFew = false) =>
  compileFilter(filter, fields, { ...scope, isForFew, attribute: () => undefined }, [])

/** When the leads that the filter selects were created: a part of its condition. */
export function createdCondition(
  scope: Scope,
  { created_after, created_before, fields = [] }: LeadFilter,
): Sql {
  const onCreated = fields.filter(({ field }) => field === 'created_at')
  return conditionOf(scope, { created_after, created_before, fields: onCreated } as LeadFilter)
}

const isMust = (name: string): name is ConditionOf<'must'> =>
  Object.hasOwn(leadConditions, name) && leadConditions[name as Condition].kind === 'must'

/** A subquery that counts the leads that a filter selects, and takes little time. */
export interface QuickTotal {
  total: Sql
  /** It reads at most one row per lead. */
  isOfSelected: boolean
  /** A condition that selects the same, and is quicker for few leads. */
  forFew?: Sql
}

/**
 * Undefined if there is none: with several conditions, or one on fields of the leads. `condition` is that of the
 * filter, if it is known.
 */
export function quickTotal(
  scope: Scope,
  filter: LeadFilter,
  condition?: Sql,
): QuickTotal | undefined {
  const { space } = scope
  const all = leadCount(sql`${space}`)
  const [name] = onlyField(filter) ?? []
  if (name === undefined) return undefined
  if (name === 'leads') {
    return condition && { total: selectedCount(space, condition), isOfSelected: true }
  }
  const rows = relatedRows(space, filter)
  if (rows) {
    const forFew = conditionOf(scope, filter, true)
    return { total: relatedCount(space, rows), isOfSelected: true, forFew }
  }
  const ofAll = (total: Sql | undefined) => total && { total, isOfSelected: false }
  if (name === 'any' && !isLookedUp(filter)) {
    const total = countAny(scope, filter.any ?? [])
    return total && { total, isOfSelected: false, forFew: conditionOf(scope, filter, true) }
  }
  if (isMust(name)) {
    const any = relatedToAny(space, relation(leadConditions[name].relation).table)
    return ofAll(name.startsWith('has_no_') ? sql`(${all} - ${any})` : any)
  }
  if (name === 'activity') return ofAll(countActivity(scope, filter, all))
  if (name === 'none') {
    const { none = [] } = filter
    const total = quickTotal(scope, none.length === 1 ? (none[0] as LeadFilter) : { any: none })
    return ofAll(total && sql`(${all} - ${total.total})`)
  }
  return undefined
}

/** The rows of other tables that select the leads, if the filter has no other condition. */
function relatedRows(space: string, filter: LeadFilter): RelatedRows | undefined {
  const [name, value] = onlyField(filter) ?? []
  const of = (table: string, condition: Sql, isOneEach: boolean) => ({
    ids: sql`select id_lead from ${raw(table)} where id_space = ${space} and (${condition})`,
    isOneEach,
  })
  if (name === 'search') return of(texts.table, contains(texts, value as string), true)
  if (name === 'any') {
    const each = (value as LeadFilter[]).map((one) => relatedRows(space, one))
    if (each.length === 1) return each[0]
    return each.length > 0 && each.every((rows) => rows !== undefined)
      ? {
          ids: join(
            each.map(({ ids }) => ids),
            ' union ',
          ),
          isOneEach: true,
        }
      : undefined
  }
  if (name === undefined || !Object.hasOwn(leadRelations, name)) return undefined
  const { table, other } = relation(name as LeadRelation)
  const ids = (value as string[]).filter(isId)
  const condition = oneOf(raw(other), ids)
  return condition && of(table, condition, ids.length === 1)
}

/** The condition that a lead with this id is selected. It does without the table of leads where it can. */
export function isSelected(space: string, filter: LeadFilter, condition: Sql): (id: Sql) => Sql {
  const deleted = sql`(select lead.id from lead where lead.id_space = ${space} and lead.is_deleted)`
  if (condition === everything) return (id) => sql`${id} not in ${deleted}`
  const rows = relatedRows(space, filter)
  if (rows) return (id) => sql`${id} in (${rows.ids}) and ${id} not in ${deleted}`
  return (id) => sql`${id} in (
    select lead.id from lead where lead.id_space = ${space} and not lead.is_deleted and (${condition}))`
}

/** Undefined if no filter selects leads by rows of other tables. */
function countAny(scope: Scope, filters: LeadFilter[]): Sql | undefined {
  const isRelated = (one: LeadFilter) => relatedRows(scope.space, one) !== undefined
  const rows = relatedRows(scope.space, { any: filters.filter(isRelated) })
  const others = conditionOf(scope, { any: filters.filter((one) => !isRelated(one)) })
  return rows && countInParts(scope.space, others, rows)
}

/** Its condition needs the database. */
const isLookedUp = (filter: LeadFilter) =>
  requireNested(filter, []).some(
    (one) => one.attributes !== undefined || leadsNamed(one).length > 0,
  )

/** Undefined with conditions on both sides of a day. */
function countActivity(scope: Scope, { activity = {} }: LeadFilter, all: Sql): Sql | undefined {
  const context = { ...scope, attribute: () => undefined }
  const isOne = (activity.since === undefined) !== (activity.none_since === undefined)
  return isOne ? activityCount(all)(activity, { context, path: [], fault() {} }) : undefined
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
