// POST /leads/list: one page of leads, or all leads as a stream.
import { badRequest, type Issue } from '@rapport/contract/errors'
import { type AnsweredField, answeredFields } from '@rapport/contract/leads/fields'
import type { LeadFilter } from '@rapport/contract/leads/filter'
import type { leads as contract } from '@rapport/contract/leads/routes'
import type { Pool } from '../../db/driver.ts'
import { everything } from '../../filter/compile.ts'
import { type Call, type Handler, Json } from '../../http/handler.ts'
import { isId } from '../../ids.ts'
import { selectedCount } from './leads.count.sql.ts'
import {
  createdCondition,
  leadCondition,
  onlyField,
  quickTotal,
  soughtLeads,
} from './leads.filter.ts'
import {
  defaultPageSize,
  leadsWithRelations,
  plainLeads,
  selectJson,
  selectNewest,
} from './leads.json.sql.ts'
import {
  newestFirst,
  type Order,
  orderByFields,
  orderByPipeline,
  orderByPlace,
  type Page,
  type Selection,
  selectAllIds,
  selectPage,
  selectPageFromEnd,
  selectPageOf,
  selectPageOfSelected,
} from './leads.list.sql.ts'
import { selectNewestPage } from './leads.newest.sql.ts'

type ListRoute = typeof contract.routes.list
type Body = Call<ListRoute>['body']

export const listLeads: Handler<ListRoute> = async (db, { space, body }) => {
  const order = readOrder(space, body)
  const condition = await leadCondition(db, space, body.filter ?? {}, ['filter'])
  const selection = { space, condition, order }
  const shape = body.id_only ? 'id' : body.include === false ? 'plain' : 'include'
  return body.pagination?.all ? allLeads(db, selection, shape) : onePage(db, selection, shape, body)
}

async function onePage(
  db: Pool,
  selection: Selection,
  shape: Shape,
  { cursor, pagination = {}, filter = {} }: Body,
): Promise<Json> {
  const { space } = selection
  const { page_size = defaultPageSize } = pagination
  const page = Math.max(1, pagination.page ?? 1)
  const offset = cursor ?? (page - 1) * page_size
  const isDefaultList = selection.condition === everything && selection.order === newestFirst
  const isFirstPage = isDefaultList && offset === 0 && page_size === defaultPageSize
  const { json, total } =
    isFirstPage && shape !== 'id'
      ? await selectNewest(db, space, shape)
      : await readPage(db, selection, shape, filter, page_size, offset)
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
  selection: Selection,
  shape: Shape,
  filter: LeadFilter,
  limit: number,
  offset: number,
): Promise<{ json: Buffer; total: number }> {
  const { ids, total } = await findPage(db, selection, filter, limit, offset)
  return { json: await asJson(db, selection.space, ids, shape), total }
}

/** From this offset on, it is worth a query to find out which end of the list is nearer. */
const farOffset = 10_000

async function findPage(
  db: Pool,
  selection: Selection,
  filter: LeadFilter,
  limit: number,
  offset: number,
): Promise<Page> {
  const isFar = offset >= farOffset && selection.condition === everything
  const fromEnd = isFar ? await selectPageFromEnd(db, selection, limit, offset) : null
  if (fromEnd) return fromEnd
  const quick = quickTotal(selection.space, filter, selection.condition)
  const total = quick?.total ?? selectedCount(selection.space, selection.condition)
  const { idsOfStatus, idsOfList } = selection.order
  const [only] = onlyField(filter) ?? []
  if (idsOfStatus && only === 'status') return selectPageOf(db, idsOfStatus, total, limit, offset)
  const [list, ...others] = filter.lists ?? []
  if (idsOfList && isId(list) && others.length === 0 && only === 'lists') {
    const page = await selectPageOf(db, idsOfList(list), total, limit, offset)
    if (page.ids.length === limit) return page
  }
  if (selection.order === newestFirst && selection.condition !== everything) {
    const { space } = selection
    return selectNewestPage(db, {
      ...{ selection, total, isOfSelected: quick?.isOfSelected ?? false, limit, offset },
      created: createdCondition(space, filter),
      sought: soughtLeads(space, filter, selection.condition),
    })
  }
  return quick
    ? selectPage(db, selection, total, limit, offset)
    : selectPageOfSelected(db, selection, limit, offset)
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
      // A batch is empty if all its leads were deleted meanwhile.
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
 * Maps each item, in order. Starts on the next item while the caller uses the result of the one before.
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

function readOrder(space: string, { mode, orderBy = [], filter = {} }: Body): Order {
  const [first] = orderBy
  if (first?.field === 'place' && orderBy.length === 1 && mode !== 'pipeline') {
    return orderByPlace(space, onlyStatus(filter), first.type)
  }
  requireOrderFields(orderBy, ['orderBy'])
  if (mode === 'pipeline') return orderByPipeline(space, filter)
  const fields = orderBy as { field: AnsweredField; type?: 'asc' | 'desc' }[]
  return fields.length > 0 ? orderByFields(fields) : newestFirst
}

/** Places compare leads of one status. */
function onlyStatus({ status = [] }: LeadFilter): string {
  const [id, ...others] = status
  if (isId(id) && others.length === 0) return id
  const message = 'The order by place needs exactly one status in the filter'
  throw badRequest({ path: ['orderBy', 0, 'field'], code: 'place', message })
}

/** Throws an error with the path of each entry that names no plain field of a lead. */
export function requireOrderFields(orderBy: { field: string }[], path: Issue['path']): void {
  const faults = orderBy.flatMap(({ field }, index): Issue[] =>
    isLeadField(field)
      ? []
      : [{ path: [...path, index, 'field'], code: 'unknown_field', message: 'No such field' }],
  )
  if (faults.length > 0) throw badRequest(faults)
}

function isLeadField(name: string): name is AnsweredField {
  return answeredFields.some((field) => field === name)
}
