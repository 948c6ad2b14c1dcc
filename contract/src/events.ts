// The change feed: what changed in the workspace, in order.
import { Type } from 'typebox'
import { Actor } from './actor.ts'
import { changeKinds, changePeriods, furtherLeadVerbs, recordVerbs } from './changes.values.ts'
import { relationNames } from './leads/relations.ts'
import { leads } from './leads/routes.ts'
import { LeadWithRelations } from './leads/shapes.ts'
import { Operation } from './operations.ts'
import { route } from './route.ts'
import {
  AllOptional,
  AnyObject,
  DateTime,
  each,
  Id,
  Nullable,
  nextPage,
  OneOf,
  PageLimit,
  Seconds,
  Shape,
} from './shapes.ts'

/** What can happen to these records. */
export const eventTypesOf = <const R extends string>(records: readonly R[]) =>
  [
    ...records.flatMap((record) => recordVerbs.map((verb) => `${record}.${verb}` as const)),
    ...furtherLeadVerbs.map((verb) => `lead.${verb}` as const),
    'reminder.due',
    'workspace.updated',
  ] as const

/** A longer value is truncated. */
export const maxValueBytes = 2048

const event = {
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
    description: `Field → [before, after]. For relations of leads (${relationNames.join(', ')}): [ids removed, ids added]. A value longer than ${maxValueBytes / 1024} KB is truncated: {"cut": its start, "length": …}. Empty if the ids say it all, or if too many different values changed; in that case, read the records.`,
  }),
}

/** A lead, with its name. */
export const NamedLead = Shape('ChangedLead', {
  id: Id,
  name: Type.String(),
  is_deleted: Type.Boolean(),
})

const text = (description: string) => Type.String({ description })

const reading = {
  after: text(
    'A cursor: `next` of the previous page. "start" (the default): the oldest retained event. "now": new events only.',
  ),
  types: text(
    'Only these types, for example lead.created,lead.updated; lead.* for all lead events',
  ),
}

export const eventLimits = { min: 1, max: 1000, otherwise: 100 }
export const waitLimits = { min: 0, max: 60, otherwise: 0 }
/** How many of the newest events a summary counts. */
export const countedEvents = 100_000
export const changeLimits = { min: 1, max: 200, otherwise: 50 }

const EventQuery = AllOptional(
  Shape('EventQuery', {
    ...reading,
    limit: PageLimit(eventLimits, 'events'),
    wait: Seconds(waitLimits, 'Seconds to wait if there is no event yet'),
  }),
)

const when = {
  period: OneOf(changePeriods, {
    description:
      "Only changes of this time, in the workspace's time zone. Default: all that are kept",
  }),
}

const ChangeQuery = AllOptional(
  Shape('ChangeQuery', {
    ...when,
    member: text('Only changes by this member'),
    kind: OneOf(changeKinds, { description: 'Only changes of this kind' }),
    ...nextPage(changeLimits, 'changes'),
  }),
)

const SummaryQuery = AllOptional(Shape('ChangeSummaryQuery', when))

const ChangeSummary = Shape('ChangeSummary', {
  members: Type.Array(
    Shape('ChangesOfMember', {
      member: Nullable(Id),
      ...each(changeKinds, Type.Integer()),
    }),
    {
      description:
        'For each member, how many records were changed, by kind. A bulk change counts each lead. Null: the command line, or the service itself',
    },
  ),
  complete_since: Nullable(DateTime),
})

const StreamQuery = AllOptional(
  Shape('StreamQuery', {
    ...reading,
    notifications: OneOf(['true', 'false'], {
      description:
        'true: also sends an SSE event named "notifications", without an id, when the notifications of the member the key acts as have changed',
    }),
  }),
)

export function eventsOf<const T extends readonly string[]>(types: T) {
  const Event = Shape('Event', {
    /** Increases by one per workspace. */
    seq: Type.Integer(),
    type: OneOf(types),
    ...event,
  })
  const Change = Shape('Change', {
    at: DateTime,
    kind: OneOf(changeKinds),
    actor: Actor,
    event: Type.Optional(Event),
    operation: Type.Optional(Operation),
    leads: Type.Array(NamedLead, {
      description: 'Up to three of the leads of an event, with their names',
    }),
    undone_by: Nullable(Id),
  })
  return {
    name: 'Events',
    description:
      'The change feed: every change in the workspace, in order and without gaps. A reader that stores its cursor misses nothing and sees nothing twice.',
    routes: {
      list: route('GET /events', {
        operationId: 'listEvents',
        role: 'read',
        summary: 'Read the change feed',
        description:
          'Returns the events after a cursor, oldest first. Returns 410 if the feed cannot continue from the cursor because the events after it have expired or a backup was restored. The response then says where to restart.',
        waits: 'asked',
        query: EventQuery,
        reply: Shape('EventPage', {
          events: Type.Array(Event),
          /** Where to continue: the `after` of the next request. */
          next: Type.String(),
        }),
        example: { query: { limit: 10 } },
      }),
      samples: route('GET /events/samples', {
        operationId: 'listEventSamples',
        role: 'read',
        summary: 'Get sample events',
        description:
          'Returns one realistic event of each type, as a webhook that includes leads sends it, with the newest lead of the workspace if there is one. Nothing has happened: the samples are not in the feed.',
        query: AllOptional(Shape('EventSampleQuery', { types: reading.types })),
        reply: Type.Array(
          Shape('EventSample', {
            ...Event.properties,
            test: Type.Boolean(),
            lead: Type.Union([LeadWithRelations, Type.Null()]),
          }),
          { title: 'EventSamples' },
        ),
        example: { query: { types: 'lead.created,reminder.due' } },
      }),
      ofLead: route('GET /lead/{id}/events', {
        operationId: 'listLeadEvents',
        role: 'read',
        summary: 'Read the history of a lead',
        description:
          'Returns the events of a lead, its notes and its reminders, newest first. Send `next` of the previous page as `after` to continue.',
        query: AllOptional(
          Shape('HistoryQuery', {
            after: EventQuery.properties.after,
            limit: EventQuery.properties.limit,
          }),
        ),
        reply: Shape('History', { events: Type.Array(Event), next: Nullable(Type.String()) }),
        example: { id: leads.examples.lead, query: { limit: 10 } },
      }),
      changes: route('GET /changes', {
        operationId: 'listChanges',
        role: 'read',
        summary: 'List recent changes',
        description:
          'What people did in the workspace, newest first: each operation, and each event that is not part of one. A page may have fewer changes than asked for, or none, if few match; continue until `next` is null. POST /operations/{id}/undo or POST /lead/{id}/undo undoes a change; undone_by says that it was undone.',
        query: ChangeQuery,
        reply: Shape('ChangePage', {
          changes: Type.Array(Change),
          next: Nullable(Type.String()),
        }),
        example: { query: { period: 'this_week', limit: 10 } },
      }),
      summary: route('GET /changes/summary', {
        operationId: 'getChangeSummary',
        role: 'read',
        summary: 'Count recent changes by member',
        description: `Counts who changed how many records, by kind, in the newest ${countedEvents.toLocaleString('en')} events at most. If there are more, complete_since is the time of the oldest one counted, otherwise null.`,
        query: SummaryQuery,
        reply: ChangeSummary,
        example: { query: { period: 'this_week' } },
      }),
      stream: route('GET /events/stream', {
        operationId: 'streamEvents',
        role: 'read',
        scopes: ['read'],
        summary: 'Follow the change feed',
        description:
          'Streams server-sent events. The data of each is an event of the feed, and its id is the cursor. Last-Event-ID resumes after that event. Without Last-Event-ID and `after`, the stream starts now.',
        waits: 'always',
        produces: ['text/event-stream'],
        query: StreamQuery,
        reply: Type.String(),
      }),
    },
  }
}
