// What members are notified of: reminders that are due, leads that were assigned to them, and so on.
import { type Static, Type } from 'typebox'
import { NamedLead } from './events.ts'
import {
  maxNotifications,
  notificationDays,
  notificationKinds,
  notificationTable,
  notificationWays,
} from './notifications.values.ts'
import { operationStates } from './operations.ts'
import { operationKinds } from './operations.values.ts'
import { route } from './route.ts'
import {
  AllOptional,
  DateTime,
  Documented,
  each,
  Id,
  Limited,
  Message,
  Nullable,
  nextPage,
  OneOf,
  Ref,
  Shape,
} from './shapes.ts'

export const notificationLimits = { min: 1, max: 200, otherwise: 50 }

const kindsInWords = notificationKinds
  .map((kind) => `${kind}: ${notificationTable[kind].says}.`)
  .join(' ')

export const Notification = Shape('Notification', {
  id: Id,
  kind: OneOf(notificationKinds, { title: 'NotificationKind', description: kindsInWords }),
  created_at: DateTime,
  read_at: Nullable(DateTime),
  actor: Nullable(
    Type.String({ format: 'uuid', description: 'The member who did it. Null: the service' }),
  ),
  lead: Nullable(Shape('NotificationLead', NamedLead.properties)),
  record: Nullable(
    Type.String({
      format: 'uuid',
      description:
        'The reminder, note, operation or webhook. Leads that one operation assigned are those that the filter {"operation": record, "owners": [your id]} selects.',
    }),
  ),
  text: Type.String({
    description:
      'The name of the reminder or webhook, the beginning of the note, or why the operation failed, as it is now; "" if it is gone',
  }),
  count: Type.Integer({ description: 'How many leads it is about' }),
  operation: Nullable(
    Shape('NotificationOperation', { kind: OneOf(operationKinds), state: OneOf(operationStates) }),
  ),
})
export type Notification = Static<typeof Notification>

const Hour = Type.Integer({ minimum: 0, maximum: 23 })

const QuietHours = Nullable(
  Type.Object(
    { from: Hour, to: Hour },
    {
      title: 'QuietHours',
      additionalProperties: false,
      description: 'No mail is sent between these hours; it is sent afterward',
    },
  ),
)

const Way = OneOf(notificationWays, {
  title: 'NotificationWay',
  description:
    'page: in the web app. mail: there, and by mail at once. digest: there, and by mail once a day. Without SMTP_URL, all are page.',
})

const chosen = {
  digest_hour: Documented(Hour, { description: 'When the daily mail is sent' }),
  quiet_hours: QuietHours,
  details: Type.Boolean({
    description: 'Whether mails have names and texts of records, or only links. Default: false',
  }),
}

export const NotificationSettings = Shape('NotificationSettings', {
  kinds: Shape('NotificationKinds', each(notificationKinds, Way)),
  ...chosen,
  time_zone: Type.String({
    description: 'The time zone of these hours: yours, or else that of the workspace',
  }),
})
export type NotificationSettings = Static<typeof NotificationSettings>

const SettingsChange = AllOptional(
  Shape('NotificationSettingsChange', {
    kinds: AllOptional(
      Shape('NotificationKindsChange', each(notificationKinds, Way)),
      // A misspelled kind would change nothing.
      { additionalProperties: false },
    ),
    ...chosen,
  }),
)

const examples = { notification: '01920000-0000-7000-8000-000000000021' }

export const notifications = {
  name: 'Notifications',
  description: `What the member the key acts as is notified of: reminders that are due, leads that others assigned to them, notes that mention them, finished imports and bulk changes, and disabled webhooks. Nobody is notified of their own actions. The newest ${maxNotifications} are kept, for ${notificationDays} days. See docs/NOTIFICATIONS.md.`,
  examples,
  routes: {
    list: route('GET /notifications', {
      operationId: 'listNotifications',
      role: 'read',
      summary: 'List notifications',
      description:
        'Newest first. Send `next` of the previous page as `after` to continue. `GET /events/stream?notifications=true` says when there is something new.',
      query: AllOptional(
        Shape('NotificationQuery', {
          unread: OneOf(['true', 'false'], { description: 'true: only unread ones' }),
          ...nextPage(notificationLimits),
        }),
      ),
      reply: Shape('NotificationPage', {
        notifications: Type.Array(Notification),
        /** Null at the end. */
        next: Nullable(Id),
        unread: Type.Integer({ description: 'How many are unread, on all pages' }),
      }),
      example: { query: { unread: 'true', limit: 10 } },
    }),
    read: route('POST /notifications/read', {
      operationId: 'markNotificationsRead',
      role: 'read',
      scopes: ['write'],
      summary: 'Mark notifications as read',
      description:
        'Marks those in `ids`, and all up to and including `up_to`. Unknown ids are ignored. Read notifications are no longer mailed.',
      body: AllOptional(
        Shape('ReadNotifications', {
          ids: Limited(Ref, maxNotifications, {}),
          up_to: Ref,
        }),
      ),
      reply: Message,
      example: { body: { ids: [examples.notification] } },
    }),
    settings: route('GET /notifications/settings', {
      operationId: 'getNotificationSettings',
      role: 'read',
      summary: 'Get your notification settings',
      description: 'The settings of the member the key acts as.',
      reply: NotificationSettings,
    }),
    changeSettings: route('PATCH /notifications/settings', {
      operationId: 'updateNotificationSettings',
      role: 'read',
      scopes: ['write'],
      summary: 'Change your notification settings',
      description:
        'Changes only the fields you send. The change applies to new notifications and to those waiting to be mailed.',
      body: SettingsChange,
      reply: NotificationSettings,
      example: {
        body: {
          kinds: { assigned: 'mail', mention: 'digest' },
          digest_hour: 7,
          quiet_hours: { from: 20, to: 7 },
        },
      },
    }),
  },
}
