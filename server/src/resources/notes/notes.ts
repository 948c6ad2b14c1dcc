// Handlers of notes, and of calls and meetings, which are notes of a kind. Each also moves the time of the lead's
// last interaction.
import { badRequest, notFound, unknownRecord } from '@rapport/contract/errors'
import { notes as contract } from '@rapport/contract/notes'
import { mentionPattern } from '@rapport/contract/notes.values'
import { pageSizes } from '@rapport/contract/shapes'
import { type Db, transaction } from '../../db/driver.ts'
import { record, recordCreated, recordUpdated } from '../../feed/record.sql.ts'
import { resource } from '../../http/handler.ts'
import { isId, newId } from '../../ids.ts'
import { selectReferences } from '../../references/references.sql.ts'
import { onLead, touchLead } from '../leads/row/existing.sql.ts'
import { detailsOf, requireContent } from './details.ts'
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
    const { space, body, now, actor } = call
    const sent = {
      id_lead: body.id_lead || null,
      id_parent: body.id_parent || null,
      thread_id: body.thread_id || null,
    }
    if (!sent.id_lead && !sent.id_parent && !sent.thread_id) {
      const message = 'One of id_lead, thread_id and id_parent is required'
      throw badRequest({ path: ['id_lead'], code: 'required', message })
    }
    const details = detailsOf(body, now)
    const { content = '' } = body
    requireContent(details.kind, content)
    return transaction(db, async (tx) => {
      const parent = sent.id_parent ? await requireParent(tx, space, sent.id_parent) : undefined
      const wanted = sent.id_lead ?? parent?.id_lead ?? null
      const time = details.happened_at ?? now.toISOString()
      const id_lead =
        wanted !== null && isId(wanted) ? await touchLead(tx, space, wanted, time) : undefined
      if (wanted && !id_lead) {
        throw badRequest(unknownRecord([sent.id_lead ? 'id_lead' : 'id_parent'], 'lead'))
      }
      const row = {
        id: newId(),
        id_lead: id_lead ?? null,
        id_parent: parent?.id ?? null,
        thread_id: sent.thread_id ?? parent?.thread_id ?? null,
        content,
        ...details,
        id_author: actor.member,
        mentions: await mentionsIn(tx, space, content),
      }
      const note = await insertNote(tx, space, row, now)
      await recordCreated(tx, call, 'note', note, leadsOf(note))
      return note
    })
  },

  async list(db, { space, body }) {
    const { id_lead, thread_id, pagination } = body
    if (id_lead !== undefined && !isId(id_lead)) return []
    const { page = 1, page_size = pageSizes.otherwise } = pagination ?? {}
    const select = async (id_lead?: string) =>
      selectNotes(db, space, {
        ...(id_lead !== undefined && { id_lead }),
        ...(thread_id !== undefined && { thread_id }),
        limit: page_size,
        offset: Math.max(page - 1, 0) * page_size,
      })
    if (id_lead === undefined) return select()
    const some = async (id: string) => {
      const notes = await select(id)
      return notes.length > 0 ? notes : undefined
    }
    return (await onLead(db, space, id_lead, some)) ?? []
  },

  async update(db, call) {
    const { space, id, body, now } = call
    const time = now.toISOString()
    const { content, is_pinned, is_deleted } = body
    return transaction(db, async (tx) => {
      const before = await lockNote(tx, space, id)
      if (!before || (before.is_deleted && is_deleted === undefined)) throw notFound()
      const details = detailsOf(body, now, before)
      requireContent(details.kind, content ?? before.content)
      const change: NoteChange = {
        ...details,
        ...(content !== undefined && {
          ...{ content, is_edited: true, is_edited_at: time },
          mentions: await mentionsIn(tx, space, content),
        }),
        ...(is_pinned !== undefined && { is_pinned, is_pinned_at: is_pinned ? time : null }),
        ...(is_deleted !== undefined && { is_deleted }),
      }
      if (before.id_lead && details.happened_at && details.happened_at !== before.happened_at) {
        await touchLead(tx, space, before.id_lead, details.happened_at)
      }
      const note = await updateNote(tx, space, id, change, now)
      // A restored note is a new one to whoever follows the feed.
      if (before.is_deleted) await recordCreated(tx, call, 'note', note, leadsOf(note))
      else await recordUpdated(tx, call, 'note', before, note, leadsOf(note))
      return note
    })
  },

  async remove(db, call) {
    const { space, id, now } = call
    await transaction(db, async (tx) => {
      const note = await lockNote(tx, space, id)
      if (!note || note.is_deleted) throw notFound()
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

/** The members that a text mentions. */
async function mentionsIn(db: Db, space: string, content: string): Promise<string[]> {
  const ids = [...content.matchAll(mentionPattern)].map(([, id]) => (id as string).toLowerCase())
  const wanted = [...new Set(ids)].map((id) => ({ kind: 'member' as const, id }))
  if (wanted.length === 0) return []
  const known = new Set((await selectReferences(db, space, wanted)).map(({ id }) => id))
  return wanted.flatMap(({ id }) => (known.has(id) ? [id] : []))
}
