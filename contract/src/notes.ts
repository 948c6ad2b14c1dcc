import { Type } from 'typebox'
import { maxDuration, noteKinds, noteOutcomes } from './notes.values.ts'
import { route } from './route.ts'
import {
  AllOptional,
  DateTime,
  Id,
  Message,
  Nullable,
  OneOf,
  PageRequest,
  Ref,
  Shape,
} from './shapes.ts'

export const NoteKind = OneOf(noteKinds, { title: 'NoteKind', description: 'Default: note' })
const Outcome = OneOf([...noteOutcomes.call, ...noteOutcomes.meeting], {
  title: 'NoteOutcome',
  description: `Of a call: ${noteOutcomes.call.join(', ')}. Of a meeting: ${noteOutcomes.meeting.join(', ')}.`,
})
const Duration = Type.Integer({ minimum: 0, maximum: maxDuration, description: 'In minutes' })

/** What a call or a meeting has, and a plain note has not. */
export const noteDetails = {
  happened_at: Nullable(DateTime),
  duration: Nullable(Duration),
  outcome: Nullable(Outcome),
}

const Content = Type.String({ pattern: '\\S' })

export const Note = Shape('Note', {
  id: Id,
  content: Nullable(Type.String()),
  created_at: DateTime,
  updated_at: Nullable(DateTime),
  is_edited_at: Nullable(DateTime),
  is_pinned_at: Nullable(DateTime),
  thread_id: Nullable(Type.String()),
  message_id: Nullable(Type.String()),
  id_parent: Nullable(Type.String()),
  id_lead: Nullable(Type.String()),
  id_space: Nullable(Type.String()),
  is_deleted: Type.Boolean(),
  is_edited: Type.Boolean(),
  is_pinned: Type.Boolean(),
  kind: NoteKind,
  ...noteDetails,
  id_author: Nullable(Type.String()),
  mentions: Type.Array(Id),
})

const NoteInput = Shape('NoteInput', {
  // A call or a meeting may have none.
  content: Type.Optional(Content),
  id_lead: Type.Optional(Nullable(Ref)),
  id_parent: Type.Optional(Nullable(Ref)),
  // Bounded because it is indexed.
  thread_id: Type.Optional(Nullable(Type.String({ maxLength: 255 }))),
  kind: Type.Optional(NoteKind),
  ...AllOptional(Shape('NoteDetails', noteDetails)).properties,
})

const NoteQuery = AllOptional(
  Shape('NoteQuery', { id_lead: Ref, thread_id: Type.String(), pagination: PageRequest }),
)

const NoteChange = AllOptional(
  Shape('NoteChange', {
    content: Type.String({ pattern: '^$|\\S' }),
    is_pinned: Type.Boolean(),
    kind: NoteKind,
    ...noteDetails,
    is_deleted: Type.Literal(false, { description: 'Restores a deleted note' }),
  }),
)

const examples = { note: '01920000-0000-7000-8000-000000000008' }

export const notes = {
  name: 'Notes',
  description: 'Notes, calls and meetings with a lead or in a thread, and replies to them.',
  examples,
  routes: {
    create: route('POST /notes', {
      operationId: 'createNote',
      role: 'write',
      common: true,
      summary: 'Write a note',
      description:
        'Send at least one of id_lead, thread_id and id_parent; null and "" count as absent. A reply (id_parent) inherits id_lead and thread_id from the note it replies to unless you send them. Sets last_interaction_at of the lead to the time of the note, unless it is already later. kind makes the note a call or a meeting, which may have happened_at (default: now; not in the future), duration, outcome and no content. <@id> in the content mentions a member.',
      body: NoteInput,
      reply: Note,
      example: {
        body: { thread_id: 'spring-call', content: 'Called: interested, wants numbers by Friday.' },
      },
    }),
    list: route('POST /notes/list', {
      operationId: 'listNotes',
      role: 'read',
      common: true,
      summary: 'List notes',
      description:
        'Returns the notes of a lead, a thread or the whole workspace, newest first. An unknown id selects nothing. Notes of deleted leads are omitted. The first page is 1.',
      body: NoteQuery,
      reply: Type.Array(Note, { title: 'Notes' }),
      example: { body: { thread_id: 'spring-call', pagination: { page: 1, page_size: 20 } } },
    }),
    update: route('PATCH /notes/{id}', {
      operationId: 'updateNote',
      role: 'write',
      summary: 'Edit, pin or restore a note',
      description:
        'Changes only the fields you send. New content marks the note as edited. is_pinned pins or unpins it. is_deleted: false restores a deleted note.',
      body: NoteChange,
      reply: Note,
      example: { id: examples.note, body: { is_pinned: true } },
    }),
    remove: route('DELETE /notes/{id}', {
      operationId: 'deleteNote',
      role: 'write',
      summary: 'Delete a note',
      description: 'Replies to it are kept.',
      reply: Message,
      example: { id: examples.note },
    }),
  },
}
