// The change feed: what changed in the workspace, in order.
import { type Static, Type } from 'typebox'
import { Actor } from './actor.ts'
import { exampleIds } from './examples.ts'
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

const written = ['created', 'updated', 'deleted'] as const
const records = [
  'lead',
  'list',
  'status',
  'tag',
  'attribute',
  'note',
  'reminder',
  'view',
  'member',
  'campaign',
] as const

/** What an event can be about. */
export type EventRecord = (typeof records)[number]

export const eventTypes = [
  ...records.flatMap((record) => written.map((verb) => `${record}.${verb}` as const)),
  'lead.restored',
  'lead.erased',
  'reminder.due',
  'workspace.updated',
] as const
export type EventType = (typeof eventTypes)[number]

export const Event = Shape('Event', {
  /** Counts up by one in each workspace. */
  seq: Type.Integer(),
  type: OneOf(eventTypes),
  at: DateTime,
  actor: Actor,
  cause: Shape('EventCause', {
    request_id: Nullable(Type.String()),
    operation: Nullable(Id),
    undo_of: Nullable(Id),
  }),
  /** The records that changed, at most 500. */
  ids: Type.Array(Id),
  changed: AnyObject({
    description:
      'Field → [before, after]. Relations of leads (lists, status, tags, owners, campaigns): [ids removed, ids added]. A value of more than 2 KB is cut: {"cut": its start, "length": …}. Empty where the ids say everything, or where too many different values were changed: read the records then.',
  }),
})
export type Event = Static<typeof Event>

const EventPage = Shape('EventPage', {
  events: Type.Array(Event),
  /** Where to go on: the `after` of the next request. */
  next: Type.String(),
})

const text = (description: string) => Type.String({ description })

const reading = {
  after: text(
    'A cursor: `next` of the page before. "start" (or nothing): the oldest event that is kept. "now": only what comes from now on.',
  ),
  types: text('Only these types, as in lead.created,lead.updated; lead.* for all of leads'),
}

const EventQuery = AllOptional(
  Shape('EventQuery', {
    ...reading,
    limit: Documented(text('1 to 1000 events, 100 when absent'), { type: 'integer' }),
    wait: Documented(text('Seconds to wait for an event when there is none, at most 60'), {
      type: 'integer',
    }),
  }),
)

const StreamQuery = AllOptional(Shape('StreamQuery', reading))

export const events = {
  name: 'Events',
  description:
    'The change feed: every change of the workspace, in order, without gaps. A reader that keeps its cursor misses nothing and sees nothing twice.',
  routes: {
    list: route({
      operationId: 'listEvents',
      method: 'GET',
      path: '/events',
      role: 'read',
      summary: 'Read the change feed',
      description:
        'Events after a cursor, oldest first. 410 when the cursor cannot be continued: the events after it were deleted for their age, or a backup was restored. The answer then says where to start again.',
      extension: true,
      waits: 'asked',
      query: EventQuery,
      reply: EventPage,
      example: { query: { limit: 10 } },
    }),
    ofLead: route({
      operationId: 'listLeadEvents',
      method: 'GET',
      path: '/lead/{id}/events',
      role: 'read',
      summary: 'Read the history of a lead',
      description:
        'The events of one lead, of its notes and of its reminders, newest first. `after` goes on behind the `next` of the page before.',
      extension: true,
      query: AllOptional(
        Shape('HistoryQuery', {
          after: EventQuery.properties.after,
          limit: EventQuery.properties.limit,
        }),
      ),
      reply: Shape('History', { events: Type.Array(Event), next: Nullable(Type.String()) }),
      example: { id: exampleIds.lead, query: { limit: 10 } },
    }),
    stream: route({
      operationId: 'streamEvents',
      method: 'GET',
      path: '/events/stream',
      role: 'read',
      summary: 'Follow the change feed',
      description:
        'Server-sent events: the data of each is an event of the feed, its id the cursor. Last-Event-ID goes on behind it. Begins now when neither that nor `after` is given.',
      extension: true,
      waits: 'always',
      produces: ['text/event-stream'],
      query: StreamQuery,
      reply: Type.String(),
      example: {},
    }),
  },
}
