import { type Static, Type } from 'typebox'
import { LeadFilter, SearchText } from './leads/filter.ts'
import { route } from './route.ts'
import {
  AllOptional,
  DateTime,
  Id,
  Limited,
  Message,
  maxRefs,
  Name,
  Nullable,
  OneOf,
  PageRequest,
  Ref,
  Shape,
  SortDirection,
} from './shapes.ts'

const fields = {
  id: Id,
  date: DateTime,
  created_at: DateTime,
  updated_at: DateTime,
  name: Type.String(),
  cron: Type.String(),
  cron_id: Type.String(),
  ressource_link: Type.String(),
  id_lead: Type.String(),
  id_space: Type.String(),
  is_deleted: Type.Boolean(),
  is_done: Type.Boolean(),
}

export const reminderFields = Object.keys(fields) as (keyof typeof fields)[]

export const Reminder = Shape('Reminder', {
  ...fields,
  users: Type.Array(Id, { description: 'The members to remind' }),
})

const Users = Type.Array(Ref, { maxItems: 1000, description: 'Member ids' })
const CronText = Nullable(
  Type.String({
    maxLength: 200,
    description: "Five fields (minute, hour, day, month, weekday) in the workspace's time zone",
  }),
)

const ReminderFilter = AllOptional(
  Shape('ReminderFilter', {
    leads_filter: LeadFilter,
    id_lead: Ref,
    id_list: Type.String({ description: 'For leads in this list' }),
    id_status: Type.String({ description: 'For leads with this status' }),
    is_done: Type.Boolean(),
    due_after: Type.String({ format: 'date-time', description: 'Due at or after this time' }),
    due_before: Type.String({ format: 'date-time', description: 'Due before this time' }),
    users: Limited(Ref, maxRefs, { description: 'For one of these members' }),
    search: SearchText('Every word occurs in the name, ignoring case'),
  }),
  {
    additionalProperties: false,
    description:
      'All conditions must match. leads_filter selects the reminders of the leads it selects, which excludes reminders without a lead. An unknown id matches nothing. An empty users array is ignored.',
  },
)
export type ReminderFilter = Static<typeof ReminderFilter>

const OrderBy = Shape('ReminderOrder', {
  field: OneOf(reminderFields, { title: 'ReminderField' }),
  type: Type.Optional(SortDirection),
})
export type OrderBy = Static<typeof OrderBy>

const ReminderInput = Shape('ReminderInput', {
  name: Name,
  id_lead: Type.Optional(Nullable(Ref)),
  ressource_link: Type.Optional(Type.String()),
  date: Type.Optional(Nullable(DateTime)),
  cron: Type.Optional(CronText),
  users: Type.Optional(Users),
})

const ReminderChange = AllOptional(
  Shape('ReminderChange', {
    id_lead: Nullable(Ref),
    name: Name,
    date: DateTime,
    cron: CronText,
    is_done: Type.Boolean(),
    users: Users,
  }),
)

const ReminderQuery = AllOptional(
  Shape('ReminderQuery', {
    cursor: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    filter: ReminderFilter,
    orderBy: OrderBy,
    pagination: PageRequest,
  }),
)

const ReminderPage = Shape('ReminderPage', {
  data: Type.Array(Reminder),
  pagination: Shape('ReminderPageInfo', { page: Type.Integer(), page_size: Type.Integer() }),
})

const examples = { reminder: '01920000-0000-7000-8000-000000000009' }

export const reminders = {
  name: 'Reminders',
  description: 'Reminders fire at a given time, once or on a schedule.',
  examples,
  routes: {
    create: route('POST /reminders', {
      operationId: 'createReminder',
      role: 'write',
      common: true,
      summary: 'Create a reminder',
      description:
        'The reminder fires once at its date or, with a cron, at every occurrence. Send date, cron or both; without a date, it first fires at the next occurrence. users are the members to remind, by default the one the key acts as. Send null or "" for no id_lead or cron.',
      body: ReminderInput,
      reply: Reminder,
      example: { body: { name: 'Send the offer', date: '2030-01-15T09:00:00Z' } },
    }),
    update: route('PATCH /reminders/{id}', {
      operationId: 'updateReminder',
      role: 'write',
      common: true,
      summary: 'Change a reminder',
      description:
        'Changes only the fields you send. A new date makes a reminder that has fired fire again. A new cron gets a new cron_id and, unless you send a date, the date of its next occurrence. A cron of null or "" ends the recurrence and keeps the date. is_done true stops a reminder without a cron from firing. For a recurring reminder, it marks the last occurrence as done; the next one still fires and sets is_done back to false.',
      body: ReminderChange,
      reply: Reminder,
      example: { id: examples.reminder, body: { is_done: true } },
    }),
    list: route('POST /reminders/list', {
      operationId: 'listReminders',
      role: 'read',
      common: true,
      summary: 'List reminders',
      description:
        'Ordered by date unless you send orderBy. The first page is 1. cursor is the number of reminders to skip and overrides page. Reminders of deleted leads are omitted.',
      body: ReminderQuery,
      reply: ReminderPage,
      example: {
        body: {
          filter: { is_done: false, search: 'offer' },
          orderBy: { field: 'date', type: 'asc' },
          pagination: { page: 1, page_size: 20 },
        },
      },
    }),
    count: route('POST /reminders/count', {
      operationId: 'getReminderCount',
      role: 'read',
      summary: 'Count reminders',
      description: 'Counts the reminders that the filter selects.',
      body: AllOptional(Shape('ReminderSelection', { filter: ReminderFilter })),
      reply: Shape('ReminderCount', { count: Type.Integer() }),
      example: { body: { filter: { is_done: false, due_before: '2030-01-15T09:00:00Z' } } },
    }),
    get: route('GET /reminders/{id}', {
      operationId: 'getReminder',
      role: 'read',
      summary: 'Get a reminder',
      description: 'Returns the reminder with the ids of the members it is for.',
      reply: Reminder,
      example: { id: examples.reminder },
    }),
    remove: route('DELETE /reminders/{id}', {
      operationId: 'deleteReminder',
      role: 'write',
      summary: 'Delete a reminder',
      description: 'The reminder no longer fires.',
      reply: Message,
      example: { id: examples.reminder },
    }),
  },
}
