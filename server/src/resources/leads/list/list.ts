// POST /leads/list: one page of leads, or all leads as a stream.
import { badRequest } from '@rapport/contract/errors'
import type { LeadFilter } from '@rapport/contract/leads/filter'
import type { leads as contract } from '@rapport/contract/leads/routes'
import { pageSizes } from '@rapport/contract/shapes'
import type { Pool } from '../../../db/driver.ts'
import { everything } from '../../../filter/compile.ts'
import { type Call, type Handler, Json } from '../../../http/handler.ts'
import { isId } from '../../../ids.ts'
import { leadsWithRelations, plainLeads, selectJson, selectNewest } from '../row/json.sql.ts'
import { leadCondition } from './filter.ts'
import {
  newestFirst,
  type Order,
  orderByPipeline,
  orderByPlace,
  type Selection,
  selectAllIds,
} from './list.sql.ts'
import { readOrderBy } from './order.ts'
import { findPage, type WantedPage } from './strategies.ts'

type ListRoute = typeof contract.routes.list
type Body = Call<ListRoute>['body']

export const listLeads: Handler<ListRoute> = async (db, { space, now, body }) => {
  const { filter = {} } = body
  const order = await readOrder(db, space, body)
  const condition = await leadCondition(db, { space, now }, filter, ['filter'])
  const selection = { space, condition, order }
  const shape = body.id_only ? 'id' : body.include === false ? 'plain' : 'include'
  if (body.pagination?.all) return allLeads(db, selection, shape)
  return onePage(db, selection, now, shape, body)
}

async function onePage(
  db: Pool,
  selection: Selection,
  now: Date,
  shape: Shape,
  { cursor, pagination = {}, filter = {} }: Body,
): Promise<Json> {
  const { space } = selection
  const { page_size = pageSizes.otherwise } = pagination
  const page = Math.max(1, pagination.page ?? 1)
  const offset = cursor ?? (page - 1) * page_size
  const isDefaultList = selection.condition === everything && selection.order === newestFirst
  const isFirstPage = isDefaultList && offset === 0 && page_size === pageSizes.otherwise
  const { json, total } =
    isFirstPage && shape !== 'id'
      ? await selectNewest(db, space, shape)
      : await readPage(db, shape, { selection, now, filter, limit: page_size, offset })
  const end = offset + page_size
  const answer = {
    page: cursor == null ? page : Math.floor(cursor / page_size) + 1,
    page_size,
    next_cursor: end < total ? end : null,
  }
  const rest = `,"pagination":${JSON.stringify(answer)},"total":${total}}`
  return new Json(Buffer.concat([Buffer.from('{"leads":'), json, Buffer.from(rest)]))
}

async function readPage(
  db: Pool,
  shape: Shape,
  wanted: WantedPage,
): Promise<{ json: Buffer; total: number }> {
  const { ids, total } = await findPage(db, wanted)
  return { json: await asJson(db, wanted.selection.space, ids, shape), total }
}

type Shape = 'id' | 'plain' | 'include'

const statements = { plain: plainLeads, include: leadsWithRelations }

async function asJson(db: Pool, space: string, ids: string[], shape: Shape): Promise<Buffer> {
  return shape === 'id'
    ? Buffer.from(JSON.stringify(ids.map((id) => ({ id }))))
    : selectJson(db, statements[shape], space, ids)
}

/** How many leads are read and sent at a time. */
const batch = 250
const comma = Buffer.from(',')

async function allLeads(db: Pool, selection: Selection, shape: Shape): Promise<Json> {
  const all = await selectAllIds(db, selection)

  // If the client disconnects, this ends at its next yield.
  async function* chunks() {
    yield Buffer.from('{"leads":[')
    let isFirst = true
    for await (const json of prefetch(all.batches(batch), (ids) =>
      asJson(db, selection.space, ids, shape),
    )) {
      const leads = json.subarray(1, -1)
      // A batch is empty if all its leads were deleted in the meantime.
      if (leads.length === 0) continue
      if (!isFirst) yield comma
      isFirst = false
      yield leads
    }
    yield Buffer.from(`],"pagination":{"all":true},"total":${all.count}}`)
  }
  return new Json(chunks())
}

/**
 * Maps each item, in order. Starts on the next item while the caller uses the result of the previous one.
 */
async function* prefetch<T, R>(
  items: Iterable<T>,
  make: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  let pending: Promise<R> | undefined
  for (const item of items) {
    const next = make(item)
    // The await below handles its failure. If the caller stops before, the failure does not matter.
    next.catch(() => {})
    if (pending) yield await pending
    pending = next
  }
  if (pending) yield await pending
}

async function readOrder(
  db: Pool,
  space: string,
  { mode, orderBy = [], filter = {} }: Body,
): Promise<Order> {
  const [first] = orderBy
  if (first?.field === 'place' && orderBy.length === 1 && mode !== 'pipeline') {
    return orderByPlace(space, onlyStatus(filter), first.type)
  }
  const order = await readOrderBy(db, space, orderBy, filter, ['orderBy'])
  if (mode === 'pipeline') return orderByPipeline(space, filter)
  return orderBy.length > 0 ? order : newestFirst
}

/** Places compare leads of one status. */
function onlyStatus({ status = [] }: LeadFilter): string {
  const [id, ...others] = status
  if (isId(id) && others.length === 0) return id
  const message = 'Ordering by place requires exactly one status in the filter'
  throw badRequest({ path: ['orderBy', 0, 'field'], code: 'place', message })
}
