import { Type } from 'typebox'
import { exampleIds } from './examples.ts'
import { route } from './route.ts'
import { AllOptional, DateTime, Id, Nullable, Ref } from './shapes.ts'

const Content = Type.String({ pattern: '\\S' })

export const Note = Type.Object(
  {
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
  },
  { title: 'Note' },
)

export const notes = {
  name: 'Notes',
  routes: {
    create: route({
      method: 'POST',
      path: '/notes',
      role: 'write',
      summary: 'Write a note',
      description:
        'At least one of id_lead, thread_id and id_parent says where the note belongs; null and "" count as absent. A reply (id_parent) takes id_lead and thread_id from the note it replies to, each unless it is sent. The lead\'s last_interaction_at moves to the time of the note.',
      body: Type.Object({
        content: Content,
        id_lead: Type.Optional(Nullable(Ref)),
        id_parent: Type.Optional(Nullable(Ref)),
        // Bounded, because it is in an index.
        thread_id: Type.Optional(Nullable(Type.String({ maxLength: 255 }))),
      }),
      reply: Note,
      example: {
        body: { id_lead: exampleIds.lead, content: 'Called: interested, wants numbers by Friday.' },
      },
    }),
    list: route({
      method: 'POST',
      path: '/notes/list',
      role: 'read',
      summary: 'List notes, newest first',
      description:
        'Notes of a lead, of a thread, or of the whole workspace; an id that is not known selects nothing. Notes of deleted leads are left out. The first page is 1.',
      body: AllOptional(
        Type.Object({
          id_lead: Ref,
          thread_id: Type.String(),
          pagination: AllOptional(
            Type.Object({
              page: Type.Integer({ minimum: 0, maximum: 1_000_000_000 }),
              page_size: Type.Integer({ minimum: 1, maximum: 1000 }),
            }),
          ),
        }),
      ),
      reply: Type.Array(Note),
      example: { body: { id_lead: exampleIds.lead, pagination: { page: 1, page_size: 20 } } },
    }),
    update: route({
      method: 'PATCH',
      path: '/notes/{id}',
      role: 'write',
      summary: 'Edit or pin a note',
      description:
        'Only the fields that are sent change. New content marks the note as edited; is_pinned pins it or takes the pin away.',
      extension: true,
      body: AllOptional(Type.Object({ content: Content, is_pinned: Type.Boolean() })),
      reply: Note,
      example: { id: exampleIds.note, body: { is_pinned: true } },
    }),
    remove: route({
      method: 'DELETE',
      path: '/notes/{id}',
      role: 'write',
      summary: 'Delete a note',
      description: 'Replies to it stay.',
      extension: true,
      reply: Type.String(),
      example: { id: exampleIds.note },
    }),
  },
}
