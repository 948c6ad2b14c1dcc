// POST /leads/list.
import { Readable } from 'node:stream'
import type { Pool } from '../../db/connect.ts'
import { badRequest, type Issue } from '../../http/errors.ts'
import { type Call, type Handler, Json } from '../../http/route.ts'
import { isId } from '../../ids.ts'
import type { routes } from './leads.contract.ts'
import { type LeadField, leadFields } from './leads.fields.ts'
import { leadCondition } from './leads.filter.ts'
import {
  countLeads,
  type Order,
  orderByFields,
  orderByPipeline,
  type Selection,
  type Shape,
  selectAllIds,
  selectByIds,
  selectPage,
} from './leads.list.sql.ts'

type Body = Call<typeof routes.list>['body']

export const listLeads: Handler<typeof routes.list> = async (db, { space, body }) => {
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
  { cursor, pagination = {} }: Body,
): Promise<Json> {
  const { page_size = 50 } = pagination
  const page = Math.max(1, pagination.page ?? 1)
  const offset = cursor ?? (page - 1) * page_size
  const [leads, total] = await Promise.all([
    selectPage(db, selection, shape, page_size, offset),
    countLeads(db, selection),
  ])
  const end = offset + page_size
  const answer = {
    page: cursor == null ? page : Math.floor(cursor / page_size) + 1,
    page_size,
    next_cursor: end < total ? end : null,
  }
  return new Json(`{"leads":${leads},"pagination":${JSON.stringify(answer)},"total":${total}}`)
}

/** Leads that are read and sent at a time. */
const batch = 1000
const idBytes = 16

async function allLeads(db: Pool, selection: Selection, shape: Shape): Promise<Json> {
  const ids = await selectAllIds(db, selection)
  const total = ids.length / idBytes

  // When the client goes away the stream is destroyed, and this ends at its next yield.
  async function* chunks() {
    yield '{"leads":['
    let comma = ''
    for (let at = 0; at < ids.length; at += batch * idBytes) {
      const some = readIds(ids.subarray(at, at + batch * idBytes))
      const json =
        shape === 'id'
          ? JSON.stringify(some.map((id) => ({ id })))
          : await selectByIds(db, selection.space, some, shape)
      // Leads that were deleted meanwhile may leave a batch empty.
      if (json === '[]') continue
      yield comma + json.slice(1, -1)
      comma = ','
    }
    yield `],"pagination":{"all":true},"total":${total}}`
  }
  return new Json(Readable.from(chunks()))
}

function readIds(bytes: Buffer): string[] {
  const ids: string[] = []
  for (let at = 0; at < bytes.length; at += idBytes) {
    const hex = bytes.toString('hex', at, at + idBytes)
    ids.push(hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'))
  }
  return ids
}

function readOrder(space: string, { mode, orderBy = [], filter = {} }: Body): Order {
  const faults = orderBy.flatMap(({ field }, index): Issue[] =>
    isLeadField(field)
      ? []
      : [{ path: ['orderBy', index, 'field'], code: 'unknown_field', message: 'No such field' }],
  )
  if (faults.length > 0) throw badRequest(faults)
  if (mode === 'pipeline') {
    const { lists = [], status = [] } = filter
    return orderByPipeline(space, lists.filter(isId), status.filter(isId))
  }
  const fields = orderBy as { field: LeadField; type?: 'asc' | 'desc' }[]
  return orderByFields(fields.length > 0 ? fields : [{ field: 'created_at', type: 'desc' }])
}

function isLeadField(name: string): name is LeadField {
  return leadFields.some((field) => field === name)
}
