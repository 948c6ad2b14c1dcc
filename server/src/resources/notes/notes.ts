// Handlers of notes. A new note also sets the time of the lead's last interaction.
import { badRequest, notFound, unknownRecord } from '@rapport/contract/errors'
import { notes as contract } from '@rapport/contract/notes'
import { type Db, transaction } from '../../db/driver.ts'
import { record, recordCreated, recordUpdated } from '../../feed/record.sql.ts'
import { resource } from '../../http/handler.ts'
import { isId, newId } from '../../ids.ts'
import { touchLead } from '../leads/row/existing.sql.ts'
import {
  insertNote,
  lockNote,
  lockParent,
  type NoteChange,
  type NoteRow,
  selectNotes,
  updateNote,
} from './notes.sql.ts'

export const notes = resource(contract, {
  async create(db, call) {
    const { space, body, now } = call
    const sent = {
      id_lead: body.id_lead || null,
      id_parent: body.id_parent || null,
      thread_id: body.thread_id || null,
    }
    if (!sent.id_lead && !sent.id_parent && !sent.thread_id) {
      const message = 'One of id_lead, thread_id and id_parent is required'
      throw badRequest({ path: ['id_lead'], code: 'required', message })
    }
    return transaction(db, async (tx) => {
      const parent = sent.id_parent ? await requireParent(tx, space, sent.id_parent) : undefined
      const id_lead = sent.id_lead ?? parent?.id_lead ?? null
      if (id_lead && !(isId(id_lead) && (await touchLead(tx, space, id_lead, now)))) {
        throw badRequest(unknownRecord([sent.id_lead ? 'id_lead' : 'id_parent'], 'lead'))
      }
      const row = {
        id: newId(),
        id_lead,
        id_parent: parent?.id ?? null,
        thread_id: sent.thread_id ?? parent?.thread_id ?? null,
        content: body.content,
      }
      const note = await insertNote(tx, space, row, now)
      await recordCreated(tx, call, 'note', note, leadsOf(note))
      return note
    })
  },

  async list(db, { space, body }) {
    const { id_lead, thread_id, pagination } = body
    if (id_lead !== undefined && !isId(id_lead)) return []
    const { page = 1, page_size = 50 } = pagination ?? {}
    return selectNotes(db, space, {
      ...(id_lead !== undefined && { id_lead }),
      ...(thread_id !== undefined && { thread_id }),
      limit: page_size,
      offset: Math.max(page - 1, 0) * page_size,
    })
  },

  async update(db, call) {
    const { space, id, body, now } = call
    const time = now.toISOString()
    const { content, is_pinned } = body
    const change: NoteChange = {
      ...(content !== undefined && { content, is_edited: true, is_edited_at: time }),
      ...(is_pinned !== undefined && { is_pinned, is_pinned_at: is_pinned ? time : null }),
    }
    return transaction(db, async (tx) => {
      const before = await lockNote(tx, space, id)
      if (!before) throw notFound()
      const note = await updateNote(tx, space, id, change, now)
      await recordUpdated(tx, call, 'note', before, note, leadsOf(note))
      return note
    })
  },

  async remove(db, call) {
    const { space, id, now } = call
    await transaction(db, async (tx) => {
      const note = await lockNote(tx, space, id)
      if (!note) throw notFound()
      await updateNote(tx, space, id, { is_deleted: true }, now)
      await record(tx, call, { type: 'note.deleted', ids: [id], leads: leadsOf(note) })
    })
    return 'Note deleted'
  },
})

const leadsOf = ({ id_lead }: NoteRow) => (id_lead === null ? [] : [id_lead])

async function requireParent(db: Db, space: string, id: string) {
  const parent = isId(id) ? await lockParent(db, space, id) : undefined
  if (!parent) throw badRequest(unknownRecord(['id_parent'], 'note'))
  return parent
}
