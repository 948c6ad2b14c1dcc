// The order of leads: by fields, by custom attributes, by status and by owner.
import { badRequest, type Issue, unknownRecord } from '@rapport/contract/errors'
import { type AnsweredField, answeredFields } from '@rapport/contract/leads/fields'
import type { LeadFilter } from '@rapport/contract/leads/filter'
import { type SingleRelation, singleRelations } from '@rapport/contract/leads/relations'
import { attributeRecords } from '../../../attributes/types.ts'
import type { Db } from '../../../db/driver.ts'
import { join, raw, type Sql, sql } from '../../../db/sql.ts'
import { isId } from '../../../ids.ts'
import { type AttributeRow, selectAttributes } from '../../../references/attributes.ts'
import { type NewRate, selectRatesInForce } from '../../rates/rates.sql.ts'
import { fieldTerm, type Order, orderByTerms, type Term } from './list.sql.ts'
import { joinRanks } from './ranks.sql.ts'

/** As callers write it. */
export interface OrderEntry {
  field: string
  type?: 'asc' | 'desc'
}

/** Throws an error with the path of each entry that leads cannot be ordered by. */
export async function readOrderBy(
  db: Db,
  space: string,
  entries: OrderEntry[],
  filter: LeadFilter,
  path: Issue['path'],
): Promise<Order> {
  const ids = entries.map(({ field }) => field).filter(isId)
  const rows = ids.length > 0 ? await selectAttributes(db, space, ids) : []
  const known = new Map(rows.map((row) => [row.id, row]))
  const isByValue = entries.some(({ field }) => field === 'contract_value')
  const rates = isByValue ? await selectRatesInForce(db, space) : []
  const faults: Issue[] = []
  const terms = entries.flatMap(({ field, type = 'asc' }, index): RankTerm[] => {
    if (field === 'contract_value' && rates.length > 0) {
      // Values without a rate are not comparable with others: they come after those.
      return [{ value: convertedValue(rates), type, nulls: 'last' }, fieldTerm(field, type)]
    }
    if (isLeadField(field)) return [fieldTerm(field, type)]
    if (isSingleRelation(field)) {
      return [{ value: raw(`by_${field}.rank`), type, nulls: 'last', relation: field }]
    }
    const value = attributeValue(field, known, [...path, index, 'field'], faults)
    return value ? [{ value, type, nulls: 'last' }] : []
  })
  if (faults.length > 0) throw badRequest(faults)
  const order = (terms: RankTerm[]) => {
    const relations = new Set(terms.flatMap(({ relation = [] }) => relation))
    return orderByTerms(
      terms,
      [...relations].map((relation) => joinRanks(space, relation, filter)),
    )
  }
  const [{ relation, type } = {}, ...others] = terms
  if (!relation || !type) return order(terms)
  const within = order(others.filter((term) => term.relation !== relation))
  return { ...order(terms), byRank: { relation, type, within } }
}

/** In the currency of the workspace, in which values without a currency are too. */
function convertedValue(rates: NewRate[]): Sql {
  const currency = raw('lead.contract_currency')
  const cases = rates.map(
    (each) => sql`when ${currency} = ${each.currency} then ${String(each.rate)}::numeric`,
  )
  return sql`(lead.contract_value * case
    when ${currency} is null or ${currency} = ${rates[0]?.base ?? ''} then 1 ${join(cases, ' ')} end)`
}

interface RankTerm extends Term {
  /** It is the rank of this relation. */
  relation?: SingleRelation
}

function attributeValue(
  field: string,
  known: Map<string, AttributeRow>,
  path: Issue['path'],
  faults: Issue[],
): Sql | undefined {
  if (!isId(field)) {
    faults.push({ path, code: 'unknown_field', message: 'Unknown field' })
    return undefined
  }
  const id = field.toLowerCase()
  const attribute = known.get(id)
  if (!attribute) {
    faults.push(unknownRecord(path, 'attribute'))
    return undefined
  }
  const { sort } = attributeRecords[attribute.type]
  if (!sort) {
    const message = `Attributes of type ${attribute.type} have no order`
    faults.push({ path, code: 'order', message })
    return undefined
  }
  return sort({ column: raw('lead.attributes'), id, attribute })
}

const isLeadField = (name: string): name is AnsweredField =>
  answeredFields.some((field) => field === name)
const isSingleRelation = (name: string): name is SingleRelation =>
  singleRelations.some((relation) => relation === name)
