import { type Db, transaction } from '../../db/connect.ts'
import { badRequest, type Issue, notFound, unknownRecord } from '../../http/errors.ts'
import { pick } from '../../http/pick.ts'
import { resource } from '../../http/route.ts'
import { isId, newId } from '../../ids.ts'
import { emptyList } from '../leads/leads.bulk.sql.ts'
import { deleteStatusesOfList } from '../status/status.sql.ts'
import { freeTagsOfList } from '../tags/tags.sql.ts'
import { routes } from './lists.contract.ts'
import { insertList, lockLists, markListDeleted, selectLists, updateList } from './lists.sql.ts'

export const lists = resource('Lists', routes, {
  async create(db, { space, body, now }) {
    const { name, emoji = '', description = '' } = body
    return insertList(db, space, { id: newId(), name, emoji, description }, now)
  },

  list(db, { space }) {
    return selectLists(db, space)
  },

  async update(db, { space, id, body, now }) {
    const fields = ['name', 'emoji', 'description', 'order', 'favorite'] as const
    const change = pick(body, [...fields, 'attribute_definitions_order'])
    const row = await updateList(db, space, id, change, now)
    if (!row) throw notFound()
    return row
  },

  async remove(db, { space, id, now }) {
    await transaction(db, async (tx) => {
      if (!(await markListDeleted(tx, space, id, now))) throw notFound()
      await deleteStatusesOfList(tx, space, id)
      await emptyList(tx, space, id)
      await freeTagsOfList(tx, space, id)
    })
    return 'List deleted'
  },
})

/** The list that a body names, kept from being deleted until the transaction ends; "" and null name none. */
export async function requireList(
  db: Db,
  space: string,
  id: string | null,
  path: Issue['path'],
): Promise<string | null> {
  if (id === null || id === '') return null
  const [found] = isId(id) ? await lockLists(db, space, [id]) : []
  if (!found) throw badRequest(unknownRecord(path, 'list'))
  return found
}
