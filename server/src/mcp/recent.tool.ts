import { contract } from '@rapport/contract'
import { changePeriods } from '@rapport/contract/changes.values'
import { OneOf } from '@rapport/contract/shapes'
import { Type } from 'typebox'
import { counted } from '../words.ts'
import { eventInWords, operationInWords, whoOf } from './events.ts'
import { reads, tool } from './tool.ts'

const { changes: newest, list: feed } = contract.events.routes

export const recentChanges = tool({
  name: 'recent_changes',
  title: 'Recent changes',
  description:
    'What people and programs changed, newest first. With the cursor of an earlier answer: what has changed since, oldest first.',
  input: Type.Object({
    cursor: Type.Optional(Type.String({ maxLength: 200 })),
    period: Type.Optional(OneOf(changePeriods, { description: 'Only without a cursor' })),
    member: Type.Optional(Type.String({ description: 'Only without a cursor: by this member' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: 'Default 20' })),
  }),
  annotations: reads,
  needs: [newest],

  async run({ call, workspace }, { cursor, period, member, limit = 20 }) {
    const members = await workspace.names('member')
    if (cursor !== undefined) {
      const query = { after: cursor, limit: String(limit) }
      const { events, next } = await call(feed, { query })
      return {
        says: `${counted(events.length, 'change')} since then.`,
        next: { cursor: next },
        data: {
          changes: events.map((event) => ({
            ...{ at: event.at, by: whoOf(event.actor, members), what: eventInWords(event) },
            ...(event.type.startsWith('lead.') && { leads: event.ids.slice(0, 3) }),
            change: event.seq,
          })),
        },
      }
    }
    const by = member === undefined ? undefined : await workspace.one('member', member, ['member'])
    const query = {
      ...{ limit: String(limit) },
      ...(period && { period }),
      ...(by && { member: by }),
    }
    const [{ changes }, { next }] = await Promise.all([
      call(newest, { query }),
      call(feed, { query: { after: 'now', limit: '1' } }),
    ])
    return {
      says: `The ${counted(changes.length, 'newest change')}.`,
      next: { cursor: next },
      data: {
        changes: changes.map(({ at, actor, event, operation, leads, undone_by }) => ({
          ...{ at, by: whoOf(actor, members) },
          what: operation ? operationInWords(operation) : event && eventInWords(event),
          ...(leads.length > 0 && { leads: leads.map(({ id, name }) => ({ id, name })) }),
          ...(operation ? { operation: operation.id } : { change: event?.seq }),
          ...(undone_by && { undone: true }),
        })),
      },
    }
  },
})
