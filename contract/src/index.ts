// The service serves exactly these resources.
import { attributes } from './attributes.ts'
import { audit } from './audit.ts'
import { calendar } from './calendar.ts'
import { campaigns } from './campaigns.ts'
import { demo } from './demo.ts'
import { duplicates } from './duplicates.ts'
import { eventsOf, eventTypesOf } from './events.ts'
import { keys } from './keys.ts'
import { leads } from './leads/routes.ts'
import { lists } from './lists.ts'
import { mail } from './mail.ts'
import { members } from './members.ts'
import { notes } from './notes.ts'
import { notifications } from './notifications.ts'
import { operations } from './operations.ts'
import { rates } from './rates.ts'
import { reminders } from './reminders.ts'
import type { ReplyOf, ResourceContract } from './route.ts'
import { status } from './status.ts'
import { system } from './system.ts'
import { tags } from './tags.ts'
import { transfer } from './transfer.ts'
import { version } from './version.ts'
import { views } from './views.ts'
import { webhooks } from './webhooks.ts'

/** The records that the change feed tells of. */
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
  'rate',
] as const
export type EventRecord = (typeof records)[number]

export const eventTypes = eventTypesOf(records)
export type EventType = (typeof eventTypes)[number]

export const contract = {
  leads,
  duplicates,
  transfer,
  lists,
  status,
  tags,
  attributes,
  notes,
  reminders,
  campaigns,
  views,
  rates,
  members,
  notifications,
  events: eventsOf(eventTypes),
  audit,
  operations,
  keys,
  webhooks,
  mail,
  calendar,
  demo,
  system,
  version,
} satisfies Record<string, ResourceContract>

export type Event = ReplyOf<typeof contract.events.routes.list>['events'][number]

/** The ids in the documented examples, by the kind of record. */
export const exampleIds = {
  ...leads.examples,
  ...transfer.examples,
  ...lists.examples,
  ...status.examples,
  ...tags.examples,
  ...attributes.examples,
  ...notes.examples,
  ...reminders.examples,
  ...campaigns.examples,
  ...views.examples,
  ...rates.examples,
  ...members.examples,
  ...notifications.examples,
  ...operations.examples,
  ...keys.examples,
  ...webhooks.examples,
  ...mail.examples,
}
export type ExampleKind = keyof typeof exampleIds
