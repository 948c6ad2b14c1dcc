// Handlers of tags.
import { notFound } from '@rapport/contract/errors'
import { tags as contract } from '@rapport/contract/tags'
import { transaction } from '../../db/driver.ts'
import { resource } from '../../http/handler.ts'
import { pick } from '../../http/pick.ts'
import { newId } from '../../ids.ts'
import { requireList } from '../references/lists.ts'
import { deleteTag, insertTag, selectTags, type TagRow, updateTag } from './tags.sql.ts'

const toTag = (row: TagRow) => ({ ...row, id_list: row.id_list ?? '' })

export const tags = resource(contract, {
  async create(db, { space, body, now }) {
    const { name, color = '' } = body
    return toTag(await insertTag(db, space, { id: newId(), name, color }, now))
  },

  async list(db, { space }) {
    return (await selectTags(db, space)).map(toTag)
  },

  async update(db, { space, id, body, now }) {
    const fields = pick(body, ['name', 'color', 'icon', 'order', 'show'])
    return transaction(db, async (tx) => {
      const list = body.id_list !== undefined && {
        id_list: await requireList(tx, space, body.id_list, ['id_list']),
      }
      const row = await updateTag(tx, space, id, { ...fields, ...list }, now)
      if (!row) throw notFound()
      return toTag(row)
    })
  },

  async remove(db, { space, id }) {
    if (!(await transaction(db, (tx) => deleteTag(tx, space, id)))) throw notFound()
    return 'Tag deleted'
  },
})
