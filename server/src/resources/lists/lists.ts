// Handlers of lists. Deleting a list also deletes its statuses and removes its leads, tags and views
// from it.
import { notFound } from '@rapport/contract/errors'
import { lists as contract } from '@rapport/contract/lists'
import { transaction } from '../../db/driver.ts'
import { recordCreated, recordDeleted, recordUpdated } from '../../feed/record.sql.ts'
import { resource } from '../../http/handler.ts'
import { pick } from '../../http/pick.ts'
import { newId } from '../../ids.ts'
import { requireRoom } from '../../references/room.ts'
import { emptyList } from '../leads/change/pick.sql.ts'
import { deleteStatusesOfList } from '../status/status.sql.ts'
import { detachTagsOfList } from '../tags/tags.sql.ts'
import { detachViewsOfList } from '../views/views.sql.ts'
import {
  insertList,
  lockList,
  markListDeleted,
  selectListCounts,
  selectLists,
  updateList,
} from './lists.sql.ts'

const settings = ['color', 'auto_status'] as const

export const lists = resource(contract, {
  async create(db, call) {
    const { space, body, now } = call
    const list = { id: newId(), ...pick(body, ['name', 'emoji', 'description', ...settings]) }
    return transaction(db, async (tx) => {
      const row = await insertList(tx, space, list, now)
      await requireRoom(tx, space, 'list')
      await recordCreated(tx, call, 'list', row)
      return row
    })
  },

  list(db, { space }) {
    return selectLists(db, space)
  },

  counts(db, { space }) {
    return selectListCounts(db, space)
  },

  async update(db, call) {
    const { space, id, body, now } = call
    const fields = ['name', 'emoji', 'description', 'order', 'favorite'] as const
    const change = pick(body, [...fields, ...settings, 'attribute_definitions_order'])
    return transaction(db, async (tx) => {
      const before = await lockList(tx, space, id)
      const row = before && (await updateList(tx, space, id, change, now))
      if (!row) throw notFound()
      await requireRoom(tx, space, 'list')
      await recordUpdated(tx, call, 'list', before, row)
      return row
    })
  },

  async remove(db, call) {
    const { space, id, now } = call
    await transaction(db, async (tx) => {
      const deleted = await markListDeleted(tx, space, id, now)
      if (!deleted) throw notFound()
      await deleteStatusesOfList(tx, space, id)
      await emptyList(tx, space, id)
      await detachTagsOfList(tx, space, id)
      await detachViewsOfList(tx, space, id)
      await recordDeleted(tx, call, 'list', deleted)
    })
    return 'List deleted'
  },
})
