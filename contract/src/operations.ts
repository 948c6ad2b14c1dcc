// Operations: preview a bulk change, run it, undo it.
import { type Static, Type } from 'typebox'
import { Actor } from './actor.ts'
import { dataInWords } from './leads/bulk.ts'
import { LeadFilter } from './leads/filter.ts'
import { leads } from './leads/routes.ts'
import { bulkKinds, operationKinds, previewKinds } from './operations.values.ts'
import { route } from './route.ts'
import {
  AllOptional,
  AnyObject,
  DateTime,
  Id,
  maxText,
  Nullable,
  nextPage,
  OneOf,
  Shape,
} from './shapes.ts'

export const operationStates = ['running', 'done', 'failed', 'stopped'] as const
export type OperationState = (typeof operationStates)[number]

const wanted = {
  filter: LeadFilter,
  data: Type.Optional(
    AnyObject({
      description: dataInWords,
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
      description:
        'false: respond immediately with the state "running" and continue in the background',
    }),
  ),
})

const Sample = Shape('PreviewSample', {
  id: Id,
  name: Type.String(),
  before: AnyObject({ description: 'The current values of what will change' }),
  after: AnyObject({ description: 'The values afterward' }),
  merged: Type.Optional(
    Type.Array(Id, { description: 'For merge: the leads that become part of this one' }),
  ),
})

const Share = Shape('PreviewShare', {
  id: Id,
  leads: Type.Integer({ description: 'Leads that the member gets' }),
  owns: Type.Integer({ description: 'Leads that the member owns afterward' }),
})
export type Share = Static<typeof Share>

export const Preview = Shape('Preview', {
  kind: OneOf(previewKinds),
  count: Type.Integer({ description: 'Leads that the filter selects' }),
  changed: Type.Integer({ description: 'Leads that will actually change' }),
  sample: Type.Array(Sample, { description: 'Up to ten of the leads that will change' }),
  shares: Type.Optional(
    Type.Array(Share, { description: 'For distribute and hand-over: who gets how many leads' }),
  ),
  groups: Type.Optional(
    Type.Integer({ description: 'For merge: leads that stay, each with others merged into it' }),
  ),
  merged: Type.Optional(
    Type.Integer({ description: 'For merge: leads that become part of another one' }),
  ),
  skipped: Type.Optional(
    Type.Integer({
      description:
        'For merge: groups that are left out, because they have many leads or values, leads that were dismissed as duplicates or, by phone, people with different names',
    }),
  ),
  too_large: Type.Optional(
    Type.Integer({
      description: `For merge: groups among those left out whose lead would have more than ${maxText} of values, too large to be merged at once`,
    }),
  ),
  confirm: Type.String({
    description:
      'Confirms this kind, filter, data, count and groups, for this key, until expires_at',
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
  data: Nullable(
    AnyObject({
      description:
        'What it did. For an undo: the kind of operation that it undid (`undid`) or, as the undo of an undo, did again (`redid`). For the undo of an import also what it `removed` besides leads, and what `stays`',
    }),
  ),
  created_at: DateTime,
  done_at: Nullable(DateTime),
  undoable_until: Nullable(DateTime),
  undo_of: Nullable(Id),
  undone_by: Nullable(Id),
  error: Nullable(Type.String()),
  undone: Type.Optional(
    Type.Integer({
      description:
        'For an undo, and for an operation that was undone: leads that were restored, fully or in part',
    }),
  ),
  kept: Type.Optional(
    Type.Integer({
      description:
        'For an undo: leads with changes that could not be undone. For a merge: leads of groups that are too large to be merged at once',
    }),
  ),
  kept_reasons: Type.Optional(
    Type.Array(Shape('KeptReason', { reason: Type.String(), leads: Type.Integer() })),
  ),
})
export type Operation = Static<typeof Operation>

const EraseRequest = Shape('EraseRequest', {
  filter: LeadFilter,
  deleted: Type.Optional(
    Type.Boolean({ description: 'true: select from the deleted leads instead' }),
  ),
  confirm,
})

const Erasure = Shape('Erasure', {
  id: Id,
  erased: Type.Integer(),
  notes: Type.Integer(),
  reminders: Type.Integer(),
  backups: Type.String({ description: 'A note about backups, which erasing does not reach' }),
})

const UndoChangeRequest = Shape('UndoChangeRequest', {
  seq: Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'The `seq` of an event of GET /lead/{id}/events',
  }),
})

const OperationPage = Shape('OperationPage', {
  operations: Type.Array(Operation),
  next: Nullable(Type.String()),
})

export const operationLimits = { min: 1, max: 1000, otherwise: 50 }

const OperationQuery = AllOptional(Shape('OperationQuery', nextPage(operationLimits, 'operations')))

const filter = { search: 'grace@navy.example' }

/** Stands for the `confirm` of a preview, which an example cannot know. */
export const exampleConfirm = 'the confirm of the preview'

/** Stands for the number of an event, which an example cannot know either. */
export const exampleSeq = 1

const examples = { operation: '01920000-0000-7000-8000-000000000016' }

export const operations = {
  name: 'Operations',
  description:
    'Bulk changes that you can preview, run and undo. Imports and the bulk routes of leads are recorded as operations too and return X-Operation-Id.',
  examples,
  routes: {
    preview: route('POST /operations/preview', {
      operationId: 'previewOperation',
      role: 'read',
      summary: 'Preview a bulk change',
      description:
        'Counts the leads, shows ten of them before and after, and returns the token that POST /operations requires. Changes nothing.',
      bulk: true,
      body: PreviewRequest,
      reply: Preview,
      example: { body: { kind: 'update', filter, data: { city: 'London' } } },
    }),
    create: route('POST /operations', {
      operationId: 'createOperation',
      role: 'write',
      summary: 'Run a bulk change',
      description:
        'All or nothing. Returns 409 with a new preview if the number of leads has changed since the preview or the token has expired.',
      bulk: true,
      body: OperationRequest,
      reply: Operation,
      example: {
        body: { kind: 'update', filter, data: { city: 'London' }, confirm: exampleConfirm },
      },
    }),
    list: route('GET /operations', {
      operationId: 'listOperations',
      role: 'read',
      summary: 'List operations',
      description: 'Newest first.',
      query: OperationQuery,
      reply: OperationPage,
      example: { query: { limit: 10 } },
    }),
    get: route('GET /operations/{id}', {
      operationId: 'getOperation',
      role: 'read',
      summary: 'Get an operation',
      description: 'undoable_until says how long it can be undone.',
      reply: Operation,
      example: { id: examples.operation },
    }),
    undo: route('POST /operations/{id}/undo', {
      operationId: 'undoOperation',
      role: 'write',
      bulk: true,
      summary: 'Undo an operation',
      description:
        'Restores a value only if it is still what the operation set. Later changes are kept and counted in `kept`. An undo is itself an operation and can be undone. Returns 409 if the operation is running, has been undone, or its old values are no longer stored.',
      reply: Operation,
      example: { id: examples.operation },
    }),
    undoChange: route('POST /lead/{id}/undo', {
      operationId: 'undoLeadChange',
      role: 'write',
      summary: 'Undo a change of a lead',
      description:
        'Undoes what one request did to this lead: the event with this number in the history of the lead, and the others of the same request. Restores a value only if it is still what the request set. Returns the undo, which is an operation and can be undone. Returns 409 if nothing can be restored, with the reason.',
      body: UndoChangeRequest,
      reply: Operation,
      example: { id: leads.examples.lead, body: { seq: exampleSeq } },
    }),
    erase: route('POST /leads/erase', {
      operationId: 'eraseLeads',
      role: 'admin',
      scopes: ['admin', 'delete'],
      bulk: true,
      summary: 'Permanently erase leads',
      description:
        'Erases the leads with their notes, reminders and history, and removes their values from events, operations and stored responses. This cannot be undone. Preview it first: POST /operations/preview with the kind "erase", the same filter, and data {"deleted"} if you send it here. Earlier backups still contain the leads.',
      body: EraseRequest,
      reply: Erasure,
      example: { body: { filter, confirm: exampleConfirm } },
    }),
  },
}
