import type { Db } from '../../db/connect.ts'

export interface NoteRow {
  id: string
  id_space: string
  id_lead: string | null
  id_parent: string | null
  thread_id: string | null
  message_id: string | null
  content: string
  is_edited: boolean
  is_edited_at: string | null
  is_pinned: boolean
  is_pinned_at: string | null
  is_deleted: boolean
  created_at: string
  updated_at: string
}

const columns = [
  'id',
  'id_space',
  'id_lead',
  'id_parent',
  'thread_id',
  'message_id',
  'content',
  'is_edited',
  'is_edited_at',
  'is_pinned',
  'is_pinned_at',
  'is_deleted',
  'created_at',
  'updated_at',
] as const

/** What is deleted takes its notes along: those of a deleted lead are not found either. */
function isLive(db: Db, space: string) {
  return db`not note.is_deleted and (note.id_lead is null or exists (
    select from lead
    where lead.id_space = ${space} and lead.id = note.id_lead and not lead.is_deleted))`
}

/** A note that can be replied to, kept from being deleted until the transaction ends. */
export async function lockParent(db: Db, space: string, id: string) {
  const [row] = await db<Pick<NoteRow, 'id' | 'id_lead' | 'thread_id'>[]>`
    select id, id_lead, thread_id from note
    where id_space = ${space} and id = ${id} and ${isLive(db, space)}
    for share of note`
  return row
}

/** Answers false when there is no such lead. Its time never moves backwards. */
export async function touchLead(db: Db, space: string, id: string, now: Date): Promise<boolean> {
  const rows = await db`
    update lead set last_interaction_at = greatest(last_interaction_at, ${now}::timestamptz)
    where id_space = ${space} and id = ${id} and not is_deleted
    returning id`
  return rows.length > 0
}

export type NewNote = Pick<NoteRow, 'id' | 'id_lead' | 'id_parent' | 'thread_id' | 'content'>

export async function insertNote(
  db: Db,
  space: string,
  note: NewNote,
  now: Date,
): Promise<NoteRow> {
  const time = now.toISOString()
  const row = { ...note, id_space: space, created_at: time, updated_at: time }
  const [inserted] = await db<[NoteRow]>`
    insert into note ${db(row)} returning ${db(columns)}`
  return inserted
}

export interface NoteSelection {
  id_lead?: string
  thread_id?: string
  limit: number
  offset: number
}

export function selectNotes(
  db: Db,
  space: string,
  { id_lead, thread_id, limit, offset }: NoteSelection,
): Promise<NoteRow[]> {
  return db<NoteRow[]>`
    select ${db(columns)} from note
    where id_space = ${space} and ${isLive(db, space)}
      ${id_lead === undefined ? db`` : db`and id_lead = ${id_lead}`}
      ${thread_id === undefined ? db`` : db`and thread_id = ${thread_id}`}
    order by created_at desc, id
    limit ${limit} offset ${offset}`
}

export type NoteChange = Partial<
  Pick<
    NoteRow,
    'content' | 'is_edited' | 'is_edited_at' | 'is_pinned' | 'is_pinned_at' | 'is_deleted'
  >
>

export async function updateNote(
  db: Db,
  space: string,
  id: string,
  change: NoteChange,
  now: Date,
): Promise<NoteRow | undefined> {
  const [row] = await db<NoteRow[]>`
    update note set ${db({ ...change, updated_at: now.toISOString() })}
    where id_space = ${space} and id = ${id} and ${isLive(db, space)}
    returning ${db(columns)}`
  return row
}
