// Handlers of tags.
import { notFound } from '@rapport/contract/errors'
import { tags as contract } from '@rapport/contract/tags'
import { transaction } from '../../db/driver.ts'
import { recordCreated, recordDeleted, recordUpdated } from '../../feed/record.sql.ts'
import { resource } from '../../http/handler.ts'
import { pick } from '../../http/pick.ts'
import { newId } from '../../ids.ts'
import { requireList } from '../../references/lists.ts'
import { requireRoom } from '../../references/room.ts'
import { deleteTag, insertTag, lockTag, selectTags, type TagRow, updateTag } from './tags.sql.ts'

const toTag = (row: TagRow) => ({ ...row, id_list: row.id_list ?? '' })

export const tags = resource(contract, {
  async create(db, call) {
    const { space, body, now } = call
    const { name, color = '' } = body
    return transaction(db, async (tx) => {
      const tag = toTag(await insertTag(tx, space, { id: newId(), name, color }, now))
      await requireRoom(tx, space, 'tag')
      await recordCreated(tx, call, 'tag', tag)
      return tag
    })
  },

  async list(db, { space }) {
    return (await selectTags(db, space)).map(toTag)
  },

  async update(db, call) {
    const { space, id, body, now } = call
    const fields = pick(body, ['name', 'color', 'icon', 'order', 'show'])
    return transaction(db, async (tx) => {
      const list = body.id_list !== undefined && {
        id_list: await requireList(tx, space, body.id_list, ['id_list']),
      }
      const before = await lockTag(tx, space, id)
      const row = before && (await updateTag(tx, space, id, { ...fields, ...list }, now))
      if (!row) throw notFound()
      await requireRoom(tx, space, 'tag')
      await recordUpdated(tx, call, 'tag', toTag(before), toTag(row))
      return toTag(row)
    })
  },

  async remove(db, call) {
    await transaction(db, async (tx) => {
      const deleted = await deleteTag(tx, call.space, call.id)
      if (!deleted) throw notFound()
      await recordDeleted(tx, call, 'tag', deleted)
    })
    return 'Tag deleted'
  },
})
