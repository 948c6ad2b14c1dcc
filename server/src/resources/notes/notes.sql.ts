// Statements about notes.
import { Note } from '@rapport/contract/notes'
import type { Db } from '../../db/driver.ts'
import { columnsOf, type RowOf } from '../../db/rows.ts'
import { assignments, rowsOf, rowValues, run, runOne, sql } from '../../db/sql.ts'
import type { Author } from '../../feed/author.ts'
import { journalNotes } from '../../feed/journal.sql.ts'
import { requireSmallPage } from '../../references/room.ts'
import { isDeletedLead } from '../leads/row/existing.sql.ts'

export type NoteRow = RowOf<typeof Note>
const columns = columnsOf(Note)

/** Not deleted, and not of a deleted lead. */
const isLive = (space: string) =>
  sql`not note.is_deleted and not ${isDeletedLead(space, sql`note.id_lead`)}`

/** Locks a note for a reply, so that it cannot be deleted until the transaction ends. */
export function lockParent(db: Db, space: string, id: string) {
  return runOne<Pick<NoteRow, 'id' | 'id_lead' | 'thread_id'>>(db)`
    select id, id_lead, thread_id from note
    where id_space = ${space} and id = ${id} and ${isLive(space)}
    for share of note`
}

/** What a call or a meeting has besides its text. */
export type Details = Pick<NoteRow, 'kind' | 'happened_at' | 'duration' | 'outcome'>

export type NewNote = Details &
  Pick<NoteRow, 'id' | 'id_lead' | 'id_parent' | 'thread_id' | 'content' | 'id_author' | 'mentions'>

export async function insertNote(
  db: Db,
  space: string,
  note: NewNote,
  now: Date,
): Promise<NoteRow> {
  const time = now.toISOString()
  const row = { ...note, id_space: space, created_at: time, updated_at: time }
  const [inserted] = await run<[NoteRow]>(db)`
    insert into note ${rowValues(row)} returning ${columns}`
  return inserted as NoteRow
}

export interface ImportedNote extends Partial<Details> {
  id: string
  id_lead: string
  content: string
  created_at?: string
  is_pinned_at?: string | null
  thread_id?: string | null
  id_parent: string | null
}

/** Notes of many leads. One that the lead already has is not written again. */
export async function insertNotes(db: Db, by: Author, notes: ImportedNote[]): Promise<void> {
  const { space } = by
  const time = sql`${by.now.toISOString()}::timestamptz`
  const made = sql`made as (insert into note (id_space, id, id_lead, id_parent, thread_id, content,
        kind, happened_at, duration, outcome, id_author, is_pinned, is_pinned_at, created_at, updated_at)
      select ${space}::uuid, entry.id, entry.id_lead, entry.id_parent, entry.thread_id, entry.content,
        coalesce(entry.kind, 'note'), entry.happened_at, entry.duration, entry.outcome, ${by.actor.member}::uuid,
        entry.is_pinned_at is not null, entry.is_pinned_at, coalesce(entry.created_at, ${time}), ${time}
      from ${rowsOf(
        notes,
        sql`id uuid, id_lead uuid, id_parent uuid, thread_id text, content text, kind text,
          happened_at timestamptz, duration int, outcome text, is_pinned_at timestamptz,
          created_at timestamptz`,
      )}
      where not exists (
        select 1 from note
        where note.id_space = ${space} and note.id_lead = entry.id_lead and not note.is_deleted
          and note.content = entry.content and note.kind = coalesce(entry.kind, 'note')
          and note.happened_at is not distinct from entry.happened_at)
      on conflict (id_space, id) do nothing
      returning id, id_lead, is_deleted)`
  await journalNotes(db, by, made)
}

export interface NoteSelection {
  id_lead?: string
  thread_id?: string
  limit: number
  offset: number
}

export async function selectNotes(
  db: Db,
  space: string,
  { id_lead, thread_id, limit, offset }: NoteSelection,
): Promise<NoteRow[]> {
  const page = sql`select ${columns} from note
    where id_space = ${space} and ${isLive(space)}
      ${id_lead === undefined ? sql`` : sql`and id_lead = ${id_lead}`}
      ${thread_id === undefined ? sql`` : sql`and thread_id = ${thread_id}`}
    order by created_at desc, id
    limit ${limit} offset ${offset}`
  await requireSmallPage(db, limit, sql`octet_length(content)`, page)
  return run<NoteRow[]>(db, page)
}

/** Locks the note, deleted or not, so that no other request changes it in the meantime. */
export function lockNote(db: Db, space: string, id: string): Promise<NoteRow | undefined> {
  return runOne<NoteRow>(db)`select ${columns} from note
    where id_space = ${space} and id = ${id} and not ${isDeletedLead(space, sql`note.id_lead`)}
    for no key update of note`
}

export type NoteChange = Partial<
  Omit<NewNote, 'id' | 'id_lead' | 'id_parent' | 'thread_id' | 'id_author'> &
    Pick<NoteRow, 'is_edited' | 'is_edited_at' | 'is_pinned' | 'is_pinned_at' | 'is_deleted'>
>

/** Changes a note that the caller has locked. */
export async function updateNote(
  db: Db,
  space: string,
  id: string,
  change: NoteChange,
  now: Date,
): Promise<NoteRow> {
  const [row] = await run<[NoteRow]>(db)`
    update note set ${assignments({ ...change, updated_at: now.toISOString() })}
    where id_space = ${space} and id = ${id}
    returning ${columns}`
  return row
}
