// The list of resources, written out: the service serves exactly these.
import { attributes } from './attributes.ts'
import { audit } from './audit.ts'
import { campaigns } from './campaigns.ts'
import { demo } from './demo.ts'
import { events } from './events.ts'
import { keys } from './keys.ts'
import { leads } from './leads/routes.ts'
import { lists } from './lists.ts'
import { members } from './members.ts'
import { notes } from './notes.ts'
import { operations } from './operations.ts'
import { reminders } from './reminders.ts'
import type { ResourceContract } from './route.ts'
import { status } from './status.ts'
import { tags } from './tags.ts'
import { transfer } from './transfer.ts'
import { views } from './views.ts'

export const contract = {
  leads,
  transfer,
  lists,
  status,
  tags,
  attributes,
  notes,
  reminders,
  campaigns,
  views,
  members,
  events,
  audit,
  operations,
  keys,
  demo,
} satisfies Record<string, ResourceContract>
