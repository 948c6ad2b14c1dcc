import { Type } from 'typebox'
import { leads } from './leads/routes.ts'
import { LeadWithRelations } from './leads/shapes.ts'
import { route } from './route.ts'
import {
  Anything,
  DateTime,
  Id,
  Limited,
  Message,
  maxRefs,
  Name,
  Nullable,
  OneOf,
  Ref,
  Shape,
} from './shapes.ts'
import { statusTypes } from './status.values.ts'

const StatusType = Nullable(OneOf(statusTypes))
const SuccessRate = Type.Number({ minimum: 0, maximum: 100 })

export const Status = Shape('Status', {
  id: Id,
  type: StatusType,
  name: Type.String(),
  color: Type.String(),
  icon: Type.String(),
  instructions: Type.String(),
  id_list: Type.String(),
  id_space: Type.String(),
  created_at: DateTime,
  updated_at: DateTime,
  ai_instructions_text: Type.String(),
  ai_rules_text: Type.String(),
  order: Type.Number(),
  success_rate: Type.Number(),
  ai_enabled: Type.Boolean(),
  leads_order: Anything,
  ai_instructions: Anything,
  ai_rules: Anything,
})

export const StatusInput = Shape('StatusInput', {
  name: Name,
  id_list: Type.Optional(Nullable(Ref)),
  color: Type.Optional(Type.String()),
  success_rate: Type.Optional(SuccessRate),
  ai_enabled: Type.Optional(Type.Boolean()),
  order: Type.Optional(Type.Number()),
  type: Type.Optional(StatusType),
})

const ReadyStatuses = Shape('ReadyStatuses', { id_list: Type.Optional(Nullable(Ref)) })

const StatusChange = Shape('StatusChange', {
  id: Ref,
  order: Type.Optional(Type.Number()),
  leads_order: Type.Optional(Nullable(Type.Array(Anything))),
  success_rate: Type.Optional(SuccessRate),
  name: Type.Optional(Name),
  type: Type.Optional(StatusType),
  color: Type.Optional(Type.String()),
})

const PlaceInput = Shape('PlaceInput', {
  id_lead: Ref,
  before: Type.Optional(
    Nullable(Type.String({ description: 'A lead with this status. Null, "" or absent: the end.' })),
  ),
})

const examples = { status: '01920000-0000-7000-8000-000000000003' }

export const status = {
  name: 'Statuses',
  description:
    'The stages of a pipeline. A lead has at most one status per list, plus one that belongs to no list.',
  examples,
  routes: {
    create: route('POST /status', {
      operationId: 'createStatus',
      role: 'write',
      common: true,
      summary: 'Create a pipeline status',
      description: 'A status without a list belongs to the workspace-wide pipeline.',
      body: StatusInput,
      reply: Status,
      example: { body: { name: 'Proposal sent', color: '#6366f1', success_rate: 60 } },
    }),
    createReady: route('POST /status/ready', {
      operationId: 'createStatusPipeline',
      role: 'write',
      summary: 'Set up a default pipeline',
      description:
        'Creates New, Contacted, Qualified, Proposal, Won and Lost, with colors, success rates and types, in a list or, without one, in the workspace-wide pipeline. Skips the ones that exist. Returns all statuses of the pipeline.',
      body: ReadyStatuses,
      reply: Type.Array(Status, { title: 'Statuses' }),
      example: { body: {} },
    }),
    update: route('PATCH /status', {
      operationId: 'updateStatuses',
      role: 'write',
      common: true,
      summary: 'Change several statuses',
      description:
        'Changes only the fields you send, all or nothing. leads_order holds lead ids in the order in which the pipeline shows them.',
      body: Shape('StatusChanges', { status: Limited(StatusChange, maxRefs) }),
      reply: Message,
      example: {
        body: { status: [{ id: examples.status, color: '#10b981', success_rate: 80 }] },
      },
    }),
    list: route('GET /status', {
      operationId: 'listStatuses',
      role: 'read',
      summary: 'List statuses',
      description:
        'Returns all statuses in order: first the workspace-wide ones, then those of each list.',
      reply: Type.Array(Status, { title: 'Statuses' }),
    }),
    place: route('POST /status/{id}/place', {
      operationId: 'placeLead',
      role: 'write',
      summary: 'Move a lead to a position in a status',
      description:
        'Gives the lead the status and places it directly before the lead `before` or, without it, at the end. No other lead changes. POST /leads/list returns the leads of a status in this order with orderBy place, and so does mode pipeline. Any earlier leads_order of the status is discarded.',
      body: PlaceInput,
      reply: LeadWithRelations,
      example: { id: examples.status, body: { id_lead: leads.examples.lead } },
    }),
    remove: route('DELETE /status/{id}', {
      operationId: 'deleteStatus',
      role: 'write',
      bulk: true,
      summary: 'Delete a status',
      description: 'Permanently deletes the status. Leads that had it have no status instead.',
      reply: Message,
      example: { id: examples.status },
    }),
  },
}
