// The list of resources, written out: what is served is what stands here.
import type { Resource } from '../http/route.ts'
import { attributes } from './attributes/attributes.ts'
import { campaigns } from './campaigns/campaigns.ts'
import { leads } from './leads/leads.ts'
import { lists } from './lists/lists.ts'
import { members } from './members/members.ts'
import { notes } from './notes/notes.ts'
import { reminders } from './reminders/reminders.ts'
import { status } from './status/status.ts'
import { tags } from './tags/tags.ts'
import { transfer } from './transfer/transfer.ts'

export const resources: Resource[] = [
  leads,
  transfer,
  lists,
  status,
  tags,
  attributes,
  notes,
  reminders,
  campaigns,
  members,
]
