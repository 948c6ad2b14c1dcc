// Handlers of lists. Deleting a list also deletes its statuses and removes its leads, tags and views
// from it.
import { notFound } from '@rapport/contract/errors'
import { lists as contract } from '@rapport/contract/lists'
import { transaction } from '../../db/driver.ts'
import { resource } from '../../http/handler.ts'
import { pick } from '../../http/pick.ts'
import { newId } from '../../ids.ts'
import { emptyList } from '../leads/leads.bulk.sql.ts'
import { deleteStatusesOfList } from '../status/status.sql.ts'
import { detachTagsOfList } from '../tags/tags.sql.ts'
import { detachViewsOfList } from '../views/views.sql.ts'
import { insertList, markListDeleted, selectLists, updateList } from './lists.sql.ts'

export const lists = resource(contract, {
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
      await detachTagsOfList(tx, space, id)
      await detachViewsOfList(tx, space, id)
    })
    return 'List deleted'
  },
})
