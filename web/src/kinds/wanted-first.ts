// A lead may have a status in each of several lists. Those that a filter asks for come first.
import type { LeadFilter } from '@rapport/contract/leads/filter'
import type { Lead } from '../api/lead.ts'
import type { Field } from './field.ts'

type Statuses = Lead['status']

export function wantedFirst(statuses: Statuses, filter: LeadFilter): Statuses {
  if (statuses.length < 2) return statuses
  const asked = [filter, ...(filter.any ?? [])]
  const wanted = new Set(asked.flatMap(({ status = [] }) => status))
  const lists = new Set(asked.flatMap(({ lists = [] }) => lists))
  const rank = ({ id, id_list }: Statuses[number]) =>
    wanted.has(id) ? 0 : lists.has(id_list) ? 1 : 2
  return statuses.toSorted((a, b) => rank(a) - rank(b))
}

/** The field as it reads leads that a filter has selected. */
export const readFor = (field: Field, filter: LeadFilter): Field =>
  field.kind === 'status' ? { ...field, read: (lead) => wantedFirst(lead.status, filter) } : field
