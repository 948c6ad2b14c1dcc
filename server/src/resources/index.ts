// The handlers of every resource of the contract except the calendar, the demo and the system, which are a floor above:
// they are made of other resources, fill them all, or look at more than records.
import type { contract } from '@rapport/contract'
import type { Resource } from '../http/handler.ts'
import { attributes } from './attributes/attributes.ts'
import { audit } from './audit/audit.ts'
import { campaigns } from './campaigns/campaigns.ts'
import { duplicates } from './duplicates/duplicates.ts'
import { events } from './events/events.ts'
import { keys } from './keys/keys.ts'
import { leads } from './leads/leads.ts'
import { lists } from './lists/lists.ts'
import { mail } from './mail/mail.ts'
import { members } from './members/members.ts'
import { notes } from './notes/notes.ts'
import { notifications } from './notifications/notifications.ts'
import { operations } from './operations/operations.ts'
import { rates } from './rates/rates.ts'
import { reminders } from './reminders/reminders.ts'
import { status } from './status/status.ts'
import { tags } from './tags/tags.ts'
import { transfer } from './transfer/transfer.ts'
import { version } from './version/version.ts'
import { views } from './views/views.ts'
import { webhooks } from './webhooks/webhooks.ts'

const all: Record<Exclude<keyof typeof contract, 'calendar' | 'demo' | 'system'>, Resource> = {
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
  events,
  audit,
  operations,
  keys,
  webhooks,
  mail,
  version,
}

export const resources: Resource[] = Object.values(all)
