import { type Static, Type } from 'typebox'
import { exampleIds } from './examples.ts'
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
  users: Type.Array(Id, { description: 'The members it is for' }),
})

const Users = Type.Array(Ref, { maxItems: 1000, description: 'Ids of members' })
const CronText = Nullable(
  Type.String({
    maxLength: 200,
    description:
      'Five fields (minute, hour, day, month, weekday), read in the time zone of the workspace',
  }),
)

const ReminderFilter = AllOptional(
  Shape('ReminderFilter', {
    leads_filter: LeadFilter,
    id_lead: Ref,
    id_list: Type.String({ description: 'Of leads in this list' }),
    id_status: Type.String({ description: 'Of leads with this status' }),
    is_done: Type.Boolean(),
    due_after: Type.String({ format: 'date-time', description: 'With this date, or a later one' }),
    due_before: Type.String({ format: 'date-time', description: 'With an earlier date' }),
    users: Limited(Ref, maxRefs, { description: 'For one of these members' }),
    search: SearchText('Every word occurs in the name, without regard to case'),
  }),
  {
    additionalProperties: false,
    description:
      'All conditions hold. leads_filter selects reminders of the leads that it selects; one without a lead is of none. An id that is not known matches nothing, an empty array of users is no condition.',
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

export const reminders = {
  name: 'Reminders',
  description: 'They fire at a date, once or by a schedule.',
  routes: {
    create: route({
      operationId: 'createReminder',
      method: 'POST',
      path: '/reminders',
      role: 'write',
      summary: 'Create a reminder',
      description:
        'It fires at its date, once; with a cron again at every occurrence. At least one of date and cron is required; without a date the first time is the next occurrence. users are members, by default the one the key acts as. id_lead and cron may be null or "" for none.',
      body: ReminderInput,
      reply: Reminder,
      example: { body: { name: 'Send the offer', date: '2030-01-15T09:00:00Z' } },
    }),
    update: route({
      operationId: 'updateReminder',
      method: 'PATCH',
      path: '/reminders/{id}',
      role: 'write',
      summary: 'Change a reminder',
      description:
        'Only the fields that are sent change. Another date lets a reminder that has fired fire again. Another cron gets a new cron_id and, unless a date is sent, the date of its next occurrence; null or "" ends the recurrence and keeps the date. is_done true keeps a reminder without cron from firing; of a recurring one it says that the last occurrence is dealt with: the next one fires all the same and sets is_done back to false.',
      body: ReminderChange,
      reply: Reminder,
      example: { id: exampleIds.reminder, body: { is_done: true } },
    }),
    list: route({
      operationId: 'listReminders',
      method: 'POST',
      path: '/reminders/list',
      role: 'read',
      summary: 'List reminders',
      description:
        'By date unless orderBy says otherwise. The first page is 1. cursor is the number of reminders to skip; with it, page is ignored. Reminders of deleted leads are left out.',
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
    count: route({
      operationId: 'getReminderCount',
      method: 'POST',
      path: '/reminders/count',
      role: 'read',
      summary: 'Count reminders',
      description: 'How many the filter of the list selects.',
      extension: true,
      body: AllOptional(Shape('ReminderSelection', { filter: ReminderFilter })),
      reply: Shape('ReminderCount', { count: Type.Integer() }),
      example: { body: { filter: { is_done: false, due_before: '2030-01-15T09:00:00Z' } } },
    }),
    get: route({
      operationId: 'getReminder',
      method: 'GET',
      path: '/reminders/{id}',
      role: 'read',
      summary: 'Get a reminder',
      description: 'With the ids of the members that it is for.',
      extension: true,
      reply: Reminder,
      example: { id: exampleIds.reminder },
    }),
    remove: route({
      operationId: 'deleteReminder',
      method: 'DELETE',
      path: '/reminders/{id}',
      role: 'write',
      summary: 'Delete a reminder',
      description: 'It does not fire any more.',
      extension: true,
      reply: Message,
      example: { id: exampleIds.reminder },
    }),
  },
}
