import { Type } from 'typebox'
import { exampleIds } from './examples.ts'
import { route } from './route.ts'
import { Anything, DateTime, Id, Name, Nullable, OneOf, Ref } from './shapes.ts'

const StatusType = Nullable(OneOf(['DEAL_WON', 'DEAL_LOST']))
const SuccessRate = Type.Number({ minimum: 0, maximum: 100 })

export const Status = Type.Object(
  {
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
  },
  { title: 'Status' },
)

export const status = {
  name: 'Statuses',
  routes: {
    create: route({
      method: 'POST',
      path: '/status',
      role: 'write',
      summary: 'Create a pipeline status',
      description: 'A status without a list belongs to the pipeline of the whole workspace.',
      body: Type.Object({
        name: Name,
        id_list: Type.Optional(Nullable(Ref)),
        color: Type.Optional(Type.String()),
        success_rate: Type.Optional(SuccessRate),
        ai_enabled: Type.Optional(Type.Boolean()),
        order: Type.Optional(Type.Number()),
      }),
      reply: Status,
      example: {
        body: {
          name: 'Proposal sent',
          id_list: exampleIds.list,
          color: '#6366f1',
          success_rate: 60,
        },
      },
    }),
    update: route({
      method: 'PATCH',
      path: '/status',
      role: 'write',
      summary: 'Change several statuses',
      description:
        'Only the fields that are sent change, in all of the statuses or in none. leads_order holds lead ids in the order the pipeline shows them.',
      body: Type.Object({
        status: Type.Array(
          Type.Object({
            id: Ref,
            order: Type.Optional(Type.Number()),
            leads_order: Type.Optional(Nullable(Type.Array(Anything))),
            success_rate: Type.Optional(SuccessRate),
            name: Type.Optional(Name),
            type: Type.Optional(StatusType),
            color: Type.Optional(Type.String()),
          }),
        ),
      }),
      reply: Type.String(),
      example: {
        body: {
          status: [
            { id: exampleIds.status, order: 0, success_rate: 20 },
            { id: exampleIds.otherStatus, order: 1, type: 'DEAL_WON', success_rate: 100 },
          ],
        },
      },
    }),
    list: route({
      method: 'GET',
      path: '/status',
      role: 'read',
      summary: 'All statuses: those of the workspace, then list by list, in their order',
      extension: true,
      reply: Type.Array(Status),
      example: {},
    }),
    remove: route({
      method: 'DELETE',
      path: '/status/{id}',
      role: 'write',
      bulk: true,
      summary: 'Delete a status',
      description: 'The status is gone for good; leads that had it have none in its place.',
      extension: true,
      reply: Type.String(),
      example: { id: exampleIds.status },
    }),
  },
}
