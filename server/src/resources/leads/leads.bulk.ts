// Handlers that change many leads. Each is one transaction: all or nothing.
import { badRequest, type Issue, notFound, unknownRecord } from '@rapport/contract/errors'
import { changeFields } from '@rapport/contract/leads/fields'
import {
  disconnectRelations,
  type LeadRelation,
  leadRelations,
  relationNames,
} from '@rapport/contract/leads/relations'
import type { leads as contract } from '@rapport/contract/leads/routes'
import type { LeadChange } from '@rapport/contract/leads/shapes'
import type { Static } from 'typebox'
import { type Db, transaction } from '../../db/driver.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Handler } from '../../http/handler.ts'
import { readValues } from '../references/attribute-values.ts'
import { lockAttributes } from '../references/attributes.ts'
import { lockLists, requireList } from '../references/lists.ts'
import { type References, requireReferences } from '../references/references.ts'
import {
  connect,
  connectStatuses,
  disconnect,
  markDeleted,
  pickLeads,
  updateLeads,
} from './leads.bulk.sql.ts'
import { changeCount } from './leads.count.sql.ts'
import { leadCondition } from './leads.filter.ts'
import { writtenColumns } from './leads.write.ts'

type Change = Static<typeof LeadChange>
type Routes = typeof contract.routes

export const updateMany: Handler<Routes['updateMany']> = (db, { space, body, now }) =>
  transaction(db, async (tx) => {
    const condition = await leadCondition(tx, space, body.filter, ['filter'])
    return `${leads(await changeLeads(tx, space, condition, body.data, ['data'], now))} updated`
  })

export const track: Handler<Routes['track']> = (db, { space, body, now }) =>
  transaction(db, async (tx) => {
    const condition = await leadCondition(tx, space, body.filter, ['filter'])
    const { count, ids } = await pickLeads(tx, space, condition)
    await updateLeads(tx, space, ids, { is_tracked: !body.remove_tracking }, {}, now)
    return `${leads(count)} ${body.remove_tracking ? 'no longer tracked' : 'tracked'}`
  })

export const addToList: Handler<Routes['addToList']> = (db, { space, body }) =>
  transaction(db, async (tx) => {
    const list = await requireList(tx, space, body.id_list, ['id_list'])
    if (list === null) throw badRequest(unknownRecord(['id_list'], 'list'))
    const condition = await leadCondition(tx, space, body.filter, ['filter'])
    const { ids } = await pickLeads(tx, space, condition)
    return `${leads(await connect(tx, space, ids, 'lists', [list]))} added`
  })

export const moveToList: Handler<Routes['moveToList']> = (db, { space, id, body }) =>
  transaction(db, async (tx) => {
    const source = body.id_source.toLowerCase()
    const found = await lockLists(tx, space, [id, source])
    if (!found.includes(id)) throw notFound()
    if (!found.includes(source)) throw badRequest(unknownRecord(['id_source'], 'list'))
    const condition = await leadCondition(tx, space, body.filter, ['filter'])
    // A move within one list changes nothing.
    if (source === id) return `${leads(0)} moved`
    const { count, ids } = await pickLeads(
      tx,
      space,
      sql`${inList(space, source)} and (${condition})`,
    )
    await connect(tx, space, ids, 'lists', [id])
    await disconnect(tx, space, ids, 'lists', [source])
    return `${leads(count)} moved`
  })

export const removeFromList: Handler<Routes['removeFromList']> = (db, { space, id, body }) =>
  transaction(db, async (tx) => {
    if ((await lockLists(tx, space, [id])).length === 0) throw notFound()
    const condition = await leadCondition(tx, space, body.filter, ['filter'])
    const { count, ids } = await pickLeads(tx, space, sql`${inList(space, id)} and (${condition})`)
    await disconnect(tx, space, ids, 'lists', [id])
    return `${leads(count)} removed`
  })

export const removeMany: Handler<Routes['removeMany']> = (db, { space, body, now }) =>
  transaction(db, async (tx) => {
    const condition = await leadCondition(tx, space, body.filter, ['filter'])
    return `${leads(await deleteLeads(tx, space, condition, now))} deleted`
  })

export async function deleteLeads(
  db: Db,
  space: string,
  condition: Sql,
  now: Date,
): Promise<number> {
  const { count, ids } = await pickLeads(db, space, condition)
  if (count > 0) {
    await markDeleted(db, space, ids, now)
    await changeCount(db, space, -count)
  }
  return count
}

/** Changes the selected leads and returns their number. `path` is where the change is in the body. */
export async function changeLeads(
  db: Db,
  space: string,
  condition: Sql,
  change: Change,
  path: Issue['path'],
  now: Date,
): Promise<number> {
  const fields = writtenColumns(change, changeFields, path)
  const links = readLinks(change, path)
  const statuses = await requireReferences(db, space, links)
  const values = await attributeValues(db, space, change.attributes, path)

  const { count, ids } = await pickLeads(db, space, condition)
  if (count === 0) return 0
  if (Object.keys(fields).length > 0 || Object.keys(values).length > 0) {
    await updateLeads(db, space, ids, fields, values, now)
  }
  for (const { relation, action, ids: given } of links) {
    const records = unique([given].flat())
    if (action === 'disconnect') await disconnect(db, space, ids, relation, records)
    if (action === 'replace') await disconnect(db, space, ids, relation, records, 'all others')
    if (action === 'disconnect' || records.length === 0) continue
    if (relation === 'status') {
      await connectStatuses(db, space, ids, lastOfEachList(records, statuses))
    } else {
      await connect(db, space, ids, relation, records)
    }
  }
  return count
}

interface Link extends References {
  relation: LeadRelation
  action: 'replace' | 'connect' | 'disconnect'
}

/** What to do with relations, in this order: replace, connect, disconnect. */
function readLinks(change: Change, path: Issue['path']): Link[] {
  const link = (relation: LeadRelation, action: Link['action'], field: keyof Change): Link[] => {
    const ids = change[field] as string | string[] | null | undefined
    // An empty array is kept: it connects and disconnects nothing, but as a replacement it removes
    // everything.
    if (ids === undefined || ids === null || ids === '') return []
    const { record: kind } = leadRelations[relation]
    return [{ relation, kind, action, path: [...path, field], ids }]
  }
  return [
    ...relationNames.flatMap((name) => link(name, 'replace', name)),
    ...link('lists', 'connect', 'id_list'),
    ...relationNames.flatMap((name) => link(name, 'connect', `${name}_connect`)),
    ...disconnectRelations.flatMap((name) => link(name, 'disconnect', `${name}_disconnect`)),
  ]
}

async function attributeValues(
  db: Db,
  space: string,
  attributes: Record<string, unknown> | undefined,
  path: Issue['path'],
) {
  const ids = Object.keys(attributes ?? {})
  if (!attributes || ids.length === 0) return {}
  const definitions = await lockAttributes(db, space, ids)
  const { values, relations } = readValues(definitions, attributes, [...path, 'attributes'])
  const named = relations.map(({ id, path }) => ({ kind: 'lead' as const, path, ids: id }))
  await requireReferences(db, space, named)
  return values
}

/** A lead has one status in each list. If several are given, the last one counts. */
function lastOfEachList(ids: string[], listOf: Map<string, string | null>) {
  const chosen = new Map(ids.map((id) => [listOf.get(id) ?? null, id]))
  return [...chosen].map(([id_list, id]) => ({ id, id_list }))
}

const inList = (space: string, list: string) =>
  sql`lead.id in (select id_lead from lead_list where id_space = ${space} and id_list = ${list})`

export const unique = (ids: string[]) => [...new Set(ids.map((id) => id.toLowerCase()))]

const leads = (count: number) => `${count} ${count === 1 ? 'lead' : 'leads'}`
