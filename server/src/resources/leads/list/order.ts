// The order of leads: by fields, by custom attributes, by status and by owner.
import { badRequest, type Issue, unknownRecord } from '@rapport/contract/errors'
import { type AnsweredField, answeredFields } from '@rapport/contract/leads/fields'
import type { LeadFilter } from '@rapport/contract/leads/filter'
import {
  leadRelations,
  type OrderRelation,
  orderRelations,
} from '@rapport/contract/leads/relations'
import { attributeRecords } from '../../../attributes/types.ts'
import type { Db } from '../../../db/driver.ts'
import { alphabetical, raw, type Sql, sql } from '../../../db/sql.ts'
import { isId } from '../../../ids.ts'
import { type AttributeRow, selectAttributes } from '../../../references/attributes.ts'
import { countingStatuses, fieldTerm, type Order, orderByTerms, type Term } from './list.sql.ts'

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
  const faults: Issue[] = []
  const joins = new Map<OrderRelation, Sql>()
  const terms = entries.flatMap(({ field, type = 'asc' }, index): Term[] => {
    if (isLeadField(field)) return [fieldTerm(field, type)]
    if (isOrderRelation(field)) {
      joins.set(field, rankOf(space, field, filter))
      return [{ value: raw(`by_${field}.rank`), type, nulls: 'last' }]
    }
    const value = attributeValue(field, known, [...path, index, 'field'], faults)
    return value ? [{ value, type, nulls: 'last' }] : []
  })
  if (faults.length > 0) throw badRequest(faults)
  return orderByTerms(terms, [...joins.values()])
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

/** Joins each lead with the rank of its first status or owner. The records are few, so they are ranked once. */
function rankOf(space: string, name: OrderRelation, filter: LeadFilter): Sql {
  const { join: table, column, record, sort } = leadRelations[name]
  const by = sort === 'name' ? sql`name ${alphabetical}` : raw(`"${sort}"`)
  const only = name === 'status' ? countingStatuses(filter) : sql`true`
  return sql`
    left join (
      select ${raw(table)}.id_lead, min(ranked.rank) as rank
      from ${raw(table)}
      join (
        select id, row_number() over (order by ${by}, id) as rank
        from ${raw(record)} where id_space = ${space}) ranked on ranked.id = ${raw(`${table}.${column}`)}
      where ${raw(table)}.id_space = ${space} and ${only}
      group by ${raw(table)}.id_lead) ${raw(`by_${name}`)} on ${raw(`by_${name}`)}.id_lead = lead.id`
}

const isLeadField = (name: string): name is AnsweredField =>
  answeredFields.some((field) => field === name)
const isOrderRelation = (name: string): name is OrderRelation =>
  orderRelations.some((relation) => relation === name)
