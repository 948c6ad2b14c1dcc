// Events of the change feed and operations, in words.
import type { Event } from '@rapport/contract'
import type { Operation } from '@rapport/contract/operations'
import { whatItDid } from '@rapport/contract/operations.values'
import { counted } from '../words.ts'

/** "updated 3 leads: city, tags" */
export function eventInWords({
  type,
  ids,
  changed,
}: Pick<Event, 'type' | 'ids' | 'changed'>): string {
  const [record = '', verb = ''] = type.split('.')
  const fields = Object.keys(changed)
  const said = fields.slice(0, 6).join(', ') + (fields.length > 6 ? ', …' : '')
  const isTold = verb === 'updated' && said !== ''
  return `${verb} ${counted(ids.length, record)}${isTold ? `: ${said}` : ''}`
}

export const operationInWords = ({ kind, data, changed, state }: Operation) =>
  `${counted(changed, 'lead')} ${whatItDid(kind, data)}${state === 'done' ? '' : ` (${state})`}`

export function whoOf({ member, way }: Event['actor'], members: Map<string, string>): string {
  const name = (member && members.get(member)) ?? 'the service'
  return way === 'agent' ? `an agent with a key of ${name}` : name
}
