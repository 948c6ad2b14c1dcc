// A lead as the service returns it, typed by the table of fields.
import type {
  AnsweredField,
  FieldKind,
  LeadField,
  leadFields,
} from '@rapport/contract/leads/fields'
import type { Reply } from './call.ts'

interface ValueOf extends Record<FieldKind, unknown> {
  uuid: string
  text: string
  phone: string
  currency: string
  time: string
  integer: number
  amount: number
  flag: boolean
  json: string
}
type Spec<Name extends LeadField> = (typeof leadFields)[Name]
type Value<Name extends LeadField> =
  | ValueOf[Spec<Name>['kind']]
  | (Spec<Name> extends { notNull: true } ? never : null)

export interface StatusOfLead {
  id: string
  name: string
  color: string
  type: string | null
  id_list: string
}
export interface TagOfLead {
  id: string
  name: string
  color: string
}
export interface ListOfLead {
  id: string
  name: string
  emoji: string
}
export interface OwnerOfLead {
  id: string
  name: string
  email: string
}

export type Lead = { [Name in AnsweredField]: Value<Name> } & {
  status: StatusOfLead[]
  tags: TagOfLead[]
  lists: ListOfLead[]
  owners: OwnerOfLead[]
  attributes: Record<string, unknown>
}

export interface LeadPage {
  leads: Lead[]
  total: number
}

/** What people call a lead. */
export function nameOf(
  lead: Pick<Lead, 'first_name' | 'last_name' | 'company' | 'email' | 'is_company'>,
): string {
  const person = [lead.first_name, lead.last_name].filter(Boolean).join(' ')
  return (lead.is_company ? lead.company || person : person || lead.company) || lead.email || ''
}

/** One entry of the history of a lead. */
export type LeadEvent = Reply<'GET /lead/{id}/events'>['events'][number]
