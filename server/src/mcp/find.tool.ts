import { contract } from '@rapport/contract'
import type { LeadWithRelations } from '@rapport/contract/leads/shapes'
import { OneOf } from '@rapport/contract/shapes'
import { Type } from 'typebox'
import { counted } from '../words.ts'
import { Filter, readFilter } from './filter.ts'
import { tellLeads } from './lead.ts'
import { reads, tool } from './tool.ts'

const { list } = contract.leads.routes

export const findLeads = tool({
  name: 'find_leads',
  title: 'Find leads',
  description:
    'Returns the leads that a filter selects, newest first, and their total. If there are more, says where to continue.',
  // An argument of another name would find all leads.
  input: Type.Object(
    {
      filter: Type.Optional(Filter),
      fields: Type.Optional(
        Type.Array(Type.String(), {
          maxItems: 40,
          description: 'Fields, lists, tags, … or attributes to return',
        }),
      ),
      order_by: Type.Optional(Type.String({ description: 'A field' })),
      order: Type.Optional(OneOf(['asc', 'desc'])),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: 'Default 20' })),
      cursor: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
    },
    { additionalProperties: false },
  ),
  annotations: reads,
  needs: [list],

  async run(
    { call, workspace },
    { filter, fields, order_by, order = 'desc', limit = 20, cursor = 0 },
  ) {
    const { leads, total } = await call(list, {
      body: {
        filter: await readFilter(workspace, filter),
        cursor,
        pagination: { page_size: limit },
        ...(order_by && { orderBy: [{ field: order_by, type: order }] }),
      },
    })
    const told = await tellLeads(workspace, leads as LeadWithRelations[], fields)
    const goOn = (shown: number) =>
      cursor + shown < total && shown > 0 ? { next_cursor: cursor + shown } : {}
    return {
      says: `${counted(total, 'lead')} match.`.replace('1 lead match', '1 lead matches'),
      next: { total },
      data: { leads: told },
      cut: { list: 'leads', from: cursor, goOn },
    }
  },
})
