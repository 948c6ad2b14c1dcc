// Operations: look at a bulk change before it is done, do it, take it back.
import { type Static, Type } from 'typebox'
import { Actor } from './actor.ts'
import { exampleConfirm, exampleIds } from './examples.ts'
import { LeadFilter } from './leads/filter.ts'
import { route } from './route.ts'
import {
  AllOptional,
  AnyObject,
  DateTime,
  Documented,
  Id,
  Nullable,
  OneOf,
  Shape,
} from './shapes.ts'

/** What a caller can do to all leads that a filter selects. */
export const bulkKinds = [
  'update',
  'track',
  'add-list',
  'move-leads',
  'remove-leads',
  'delete',
] as const
export type BulkKind = (typeof bulkKinds)[number]

/** Erasing can be looked at like the others, but it cannot be taken back. */
export const previewKinds = [...bulkKinds, 'erase'] as const
export type PreviewKind = (typeof previewKinds)[number]

export const operationKinds = [...previewKinds, 'import', 'undo'] as const
export type OperationKind = (typeof operationKinds)[number]

export const operationStates = ['running', 'done', 'failed', 'stopped'] as const
export type OperationState = (typeof operationStates)[number]

const wanted = {
  filter: LeadFilter,
  data: Type.Optional(
    AnyObject({
      description:
        'update: the data of PATCH /leads/update-many. track: {"remove_tracking"}. add-list, remove-leads: {"id_list"}. move-leads: {"id_list", "id_source"}; id_list is the destination. delete: {}. erase (preview only): {"deleted"}.',
    }),
  ),
}

const PreviewRequest = Shape('PreviewRequest', { kind: OneOf(previewKinds), ...wanted })

const confirm = Type.String({ description: 'The token of the preview' })

const OperationRequest = Shape('OperationRequest', {
  kind: OneOf(bulkKinds),
  ...wanted,
  confirm,
  wait: Type.Optional(
    Type.Boolean({
      description: 'false: the answer comes at once, with the state "running"; the work goes on',
    }),
  ),
})

const Sample = Shape('PreviewSample', {
  id: Id,
  name: Type.String(),
  before: AnyObject({ description: 'What will change, as it is' }),
  after: AnyObject({ description: 'The same, as it will be' }),
})

export const Preview = Shape('Preview', {
  kind: OneOf(previewKinds),
  count: Type.Integer({ description: 'Leads that the filter selects' }),
  changed: Type.Integer({ description: 'Those of them that will really change' }),
  sample: Type.Array(Sample, { description: 'Up to ten of those' }),
  confirm: Type.String({
    description: 'Confirms this kind, filter, data and count, for this key, until expires_at',
  }),
  expires_at: DateTime,
})
export type Preview = Static<typeof Preview>

export const Operation = Shape('Operation', {
  id: Id,
  kind: OneOf(operationKinds),
  state: OneOf(operationStates),
  count: Type.Integer(),
  changed: Type.Integer(),
  actor: Actor,
  filter: Nullable(AnyObject()),
  data: Nullable(AnyObject()),
  created_at: DateTime,
  done_at: Nullable(DateTime),
  undoable_until: Nullable(DateTime),
  undo_of: Nullable(Id),
  undone_by: Nullable(Id),
  error: Nullable(Type.String()),
  undone: Type.Optional(Type.Integer({ description: 'Of an undo: leads that got something back' })),
  kept: Type.Optional(
    Type.Integer({ description: 'Of an undo: leads of which something could not be taken back' }),
  ),
  kept_reasons: Type.Optional(
    Type.Array(Shape('KeptReason', { reason: Type.String(), leads: Type.Integer() })),
  ),
})
export type Operation = Static<typeof Operation>

const EraseRequest = Shape('EraseRequest', {
  filter: LeadFilter,
  deleted: Type.Optional(
    Type.Boolean({ description: 'true: among the deleted leads instead of the others' }),
  ),
  confirm,
})

const Erasure = Shape('Erasure', {
  id: Id,
  erased: Type.Integer(),
  notes: Type.Integer(),
  reminders: Type.Integer(),
  backups: Type.String({ description: 'What erasing does not reach' }),
})

const OperationPage = Shape('OperationPage', {
  operations: Type.Array(Operation),
  next: Nullable(Type.String()),
})

const OperationQuery = AllOptional(
  Shape('OperationQuery', {
    after: Type.String({ description: '`next` of the page before' }),
    limit: Documented(Type.String({ description: '1 to 1000 operations, 50 when absent' }), {
      type: 'integer',
    }),
  }),
)

const filter = { search: 'grace@navy.example' }

export const operations = {
  name: 'Operations',
  description:
    'Bulk changes that one can look at before, do, and take back. The bulk routes of leads and imports are recorded as operations too, and say X-Operation-Id.',
  routes: {
    preview: route({
      operationId: 'previewOperation',
      method: 'POST',
      path: '/operations/preview',
      role: 'read',
      summary: 'Look at a bulk change before it is done',
      description:
        'Counts the leads, shows ten before and after, and returns the token that POST /operations wants. Nothing is changed.',
      extension: true,
      bulk: true,
      body: PreviewRequest,
      reply: Preview,
      example: { body: { kind: 'update', filter, data: { city: 'London' } } },
    }),
    create: route({
      operationId: 'createOperation',
      method: 'POST',
      path: '/operations',
      role: 'write',
      summary: 'Do a bulk change',
      description:
        'All or nothing. 409 with a fresh preview when the number of leads is no longer that of the preview, or when the token is too old.',
      extension: true,
      bulk: true,
      body: OperationRequest,
      reply: Operation,
      example: {
        body: { kind: 'update', filter, data: { city: 'London' }, confirm: exampleConfirm },
      },
    }),
    list: route({
      operationId: 'listOperations',
      method: 'GET',
      path: '/operations',
      role: 'read',
      summary: 'List operations',
      description: 'Newest first.',
      extension: true,
      query: OperationQuery,
      reply: OperationPage,
      example: { query: { limit: 10 } },
    }),
    get: route({
      operationId: 'getOperation',
      method: 'GET',
      path: '/operations/{id}',
      role: 'read',
      summary: 'Get an operation',
      description: 'Also tells whether and until when it can be undone.',
      extension: true,
      reply: Operation,
      example: { id: exampleIds.operation },
    }),
    undo: route({
      operationId: 'undoOperation',
      method: 'POST',
      path: '/operations/{id}/undo',
      role: 'write',
      bulk: true,
      summary: 'Take an operation back',
      description:
        'Restores each lead only where its value is still what the operation set: later changes are kept, and counted in `kept`. An undo is an operation itself and can be undone. 409 when the operation runs, was undone, or its values are no longer kept.',
      extension: true,
      reply: Operation,
      example: { id: exampleIds.operation },
    }),
    erase: route({
      operationId: 'eraseLeads',
      method: 'POST',
      path: '/leads/erase',
      role: 'admin',
      bulk: true,
      summary: 'Erase leads for good',
      description:
        'The leads, their notes, reminders and history go, and their values vanish from events, operations and kept answers. It cannot be undone. Look first: POST /operations/preview with the kind "erase", the same filter, and data {"deleted"} if that is sent here. Backups made before still hold the leads.',
      extension: true,
      body: EraseRequest,
      reply: Erasure,
      example: { body: { filter, confirm: exampleConfirm } },
    }),
  },
}
