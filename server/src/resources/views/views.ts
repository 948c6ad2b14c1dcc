// Handlers of saved views.
import { ApiError, badRequest, type Issue, notFound, unknownRecord } from '@rapport/contract/errors'
import { answeredFields, extendedFields, nameColumn } from '@rapport/contract/leads/fields'
import { toldRelations } from '@rapport/contract/leads/relations'
import { views as contract } from '@rapport/contract/views'
import { type Db, transaction } from '../../db/driver.ts'
import type { Author } from '../../feed/author.ts'
import { difference, record, recordDeleted } from '../../feed/record.sql.ts'
import type { Scope } from '../../filter/compile.ts'
import { type Call, resource } from '../../http/handler.ts'
import { pick } from '../../http/pick.ts'
import { isId, newId } from '../../ids.ts'
import { selectAttributes } from '../../references/attributes.ts'
import { requireList } from '../../references/lists.ts'
import { requireRoom } from '../../references/room.ts'
import { readOrderBy } from '../leads/list/order.ts'
import { requireStorable } from '../leads/list/stored-filter.ts'
import {
  deleteView,
  insertView,
  lockView,
  type OwnViewRow,
  selectViews,
  setFavorite,
  updateView,
  type ViewChange,
  type ViewRow,
} from './views.sql.ts'

type Routes = typeof contract.routes
type Body = Call<Routes['update']>['body']

const toView = (row: ViewRow) => ({
  ...row,
  id_list: row.id_list ?? '',
  id_member: row.id_member ?? '',
})

export const views = resource(contract, {
  async create(db, call) {
    const { space, user, body, now } = call
    const view = { id: newId(), id_member: user, name: body.name, ...defaults }
    return transaction(db, async (tx) => {
      const change = await readChange(tx, call, body)
      const made = toView(await insertView(tx, space, { ...view, ...change }, now))
      await requireRoom(tx, space, 'view')
      await recordView(tx, call, 'created', undefined, made)
      return { ...made, favorite: false }
    })
  },

  async list(db, { space, user }) {
    const rows = await selectViews(db, space, user)
    return rows.map((row) => ({ ...toView(row), favorite: row.favorite }))
  },

  async update(db, call) {
    const { space, user, id, body, now } = call
    const { favorite, ...others } = body
    return transaction(db, async (tx) => {
      const isFavoriteOnly = favorite !== undefined && Object.keys(others).length === 0
      const { favorite: before, ...view } = await (isFavoriteOnly
        ? requireView(tx, call)
        : requireOwnView(tx, call))
      if (favorite !== undefined && favorite !== before) {
        await setFavorite(tx, space, id, user, favorite)
      }
      if (isFavoriteOnly) {
        // Whose favorite it is concerns nobody else.
        await record(tx, call, { type: 'view.updated', ids: [id] })
        return { ...toView(view), favorite }
      }
      const change = { ...(await readChange(tx, call, body)), ...pick(body, ['order']) }
      // The owner has left, so the view goes to the admin who changes it. Otherwise a view without an
      // owner could become private, and then no member could see it.
      const id_member = view.id_member ?? user
      const after = toView(await updateView(tx, space, id, { ...change, id_member }, now))
      await requireRoom(tx, space, 'view')
      await recordView(tx, call, 'updated', toView(view), after)
      return { ...after, favorite: favorite ?? before }
    })
  },

  async remove(db, call) {
    await transaction(db, async (tx) => {
      const view = await requireOwnView(tx, call)
      await deleteView(tx, call.space, call.id)
      if (view.shared) await recordDeleted(tx, call, 'view', view)
      else await record(tx, call, { type: 'view.deleted', ids: [call.id] })
    })
    return 'View deleted'
  },
})

/**
 * All members read the feed, so it does not say what is in a private view, nor what was in a shared one
 * while it was private.
 */
async function recordView(
  tx: Db,
  by: Author,
  verb: 'created' | 'updated',
  before: ReturnType<typeof toView> | undefined,
  after: ReturnType<typeof toView>,
): Promise<void> {
  const known = before?.shared ? before : {}
  const changed = after.shared ? { changed: difference(by, known, after) } : {}
  await record(tx, by, { type: `view.${verb}`, ids: [after.id], ...changed })
}

const defaults = {
  filter: {},
  orderBy: [],
  columns: [],
  mode: 'grid' as const,
  id_list: null,
  shared: false,
}

type Viewer = Pick<Call, 'space' | 'user' | 'role' | 'id'>

/** Locks the view. Throws if the caller may not see it. */
async function requireView(tx: Db, { space, user, id }: Viewer): Promise<OwnViewRow> {
  const view = await lockView(tx, space, id, user)
  if (!view) throw notFound()
  return view
}

/** Throws also if the caller may not change it. */
async function requireOwnView(tx: Db, viewer: Viewer): Promise<OwnViewRow> {
  const { user, role } = viewer
  const view = await requireView(tx, viewer)
  if (view.id_member !== user && role !== 'admin') throw new ApiError('FORBIDDEN')
  return view
}

/** Checks what was sent. What is stored is not checked again: records that it names may be gone. */
async function readChange(tx: Db, scope: Scope, body: Body): Promise<Omit<ViewChange, 'order'>> {
  const { space } = scope
  const { filter, orderBy, columns, id_list } = body
  if (filter) await requireStorable(tx, scope, filter)
  if (orderBy) await readOrderBy(tx, space, orderBy, {}, ['orderBy'])
  return {
    ...pick(body, ['name', 'filter', 'mode', 'shared']),
    ...(orderBy && { orderBy: orderBy.map((entry) => pick(entry, ['field', 'type'])) }),
    ...(columns && { columns: await requireColumns(tx, space, columns) }),
    ...(id_list !== undefined && { id_list: await requireList(tx, space, id_list, ['id_list']) }),
  }
}

const fieldNames = new Set<string>([
  nameColumn,
  ...answeredFields,
  ...extendedFields,
  ...toldRelations,
])

type Columns = NonNullable<Body['columns']>

async function requireColumns(tx: Db, space: string, sent: Columns): Promise<Columns> {
  const columns = sent.map((column) => ({
    ...pick(column, ['field', 'width', 'pinned']),
    field: isId(column.field) ? column.field.toLowerCase() : column.field,
  }))
  const ids = columns.map(({ field }) => field).filter(isId)
  const attributes = ids.length > 0 ? await selectAttributes(tx, space, ids) : []
  const known = new Set(attributes.map(({ id }) => id))
  const seen = new Set<string>()
  const faults = columns.flatMap(({ field }, index): Issue[] => {
    const path = ['columns', index, 'field']
    const isNew = !seen.has(field)
    seen.add(field)
    if (isId(field) && !known.has(field)) return [unknownRecord(path, 'attribute')]
    if (!isId(field) && !fieldNames.has(field)) {
      return [{ path, code: 'unknown_field', message: 'Unknown field' }]
    }
    return isNew ? [] : [{ path, code: 'duplicate', message: 'This column is already listed' }]
  })
  if (faults.length > 0) throw badRequest(faults)
  return columns
}
