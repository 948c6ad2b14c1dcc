// The values of a change before and after, in words.

import type { Event } from '@rapport/contract'
import { isCut } from '@rapport/contract/cut.values'
import { leadFields } from '@rapport/contract/leads/fields'
import { type LeadRelation, leadRelations } from '@rapport/contract/leads/relations'
import { idsIn } from '../api/ids-in.ts'
import type { Records } from '../api/records.ts'
import { formatExact, formatNumber } from '../ui/format.ts'
import { words } from '../words/index.ts'
import { placeText } from './place-text.ts'
import { relations } from './relations.tsx'

export interface Change {
  label: string
  before: string
  after: string
}

/** Set by the service with every change: they say nothing to people. */
const silent = ['updated_at', 'order', 'last_interaction_at']

/** What the events of one request changed. The first one that it lost and the next one that it got are one change. */
export function requestChanges(events: readonly Changed[], records: Records): Change[] {
  const joined: Change[] = []
  for (const change of events.flatMap((event) => eventChanges(event, records))) {
    const last = joined.at(-1)
    if (last?.label === change.label && !last.after && !change.before) last.after = change.after
    else joined.push(change)
  }
  return joined
}

type Changed = Pick<Event, 'changed'>

export function eventChanges({ changed }: Changed, records: Records): Change[] {
  return Object.entries(changed as Record<string, [unknown, unknown]>).flatMap(
    ([name, [before, after]]) => {
      if (silent.includes(name)) return []
      if (name === 'place') return placeChange(before, after, records)
      if (name === 'attributes' && !isCut(before) && !isCut(after))
        return attributeChanges(before, after, records)
      const attribute = records.attributes.find(({ id }) => id === name.replace('attributes.', ''))
      if (attribute) return [attributeChange(attribute.id, before, after, records)]
      if (isNamed(name)) return relationChanges(name, before, after, records)
      if (name === 'status') {
        const [lost, got] = [before, after].map((ids) => namesOf(name, ids, records))
        return [{ label: labelOf(name), before: lost ?? '', after: got ?? '' }]
      }
      return [
        { label: labelOf(name), before: textOf(before, records), after: textOf(after, records) },
      ]
    },
  )
}

/** A move on a board. One to another status says that the status has changed, and nothing else. */
function placeChange(before: unknown, after: unknown, records: Records): Change[] {
  const [old, now] = [before, after].map((spot) => (spot as { status?: string } | null)?.status)
  if (old !== now) return []
  return [{ label: words.timeline.place, before: '', after: namesOf('status', now, records) }]
}

export function labelOf(name: string): string {
  // The exact amount, as bulk changes are asked for it.
  if (name === 'contract_amount') return leadFields.contract_value.label
  const plain = name.replace(/_(connect|disconnect)$/, '')
  if (plain in leadFields) return leadFields[plain as keyof typeof leadFields].label
  if (plain in leadRelations) return leadRelations[plain as keyof typeof leadRelations].label
  return name
}

type NamedRelation = keyof typeof words.timeline.relations
const isNamed = (name: string): name is NamedRelation => name in words.timeline.relations

/** What a lead lost, and what it got. */
function relationChanges(
  name: NamedRelation,
  before: unknown,
  after: unknown,
  records: Records,
): Change[] {
  const { added, removed } = words.timeline.relations[name]
  const [lost, got] = [before, after].map((value) => idsIn(value).length)
  const names = (value: unknown) => namesOf(name, value, records)
  return [
    ...(lost ? [{ label: removed(lost), before: names(before), after: '' }] : []),
    ...(got ? [{ label: added(got), before: '', after: names(after) }] : []),
  ]
}

/** The names of these records. Some may be deleted. Previews tell the records themselves. */
function namesOf(relation: LeadRelation, value: unknown, records: Records): string {
  const known = relations[relation].named(records)
  const gone = relation === 'owners' ? words.notes.formerMember : words.filter.deleted
  const nameOf = (id: unknown) => known.find((record) => record.id === id)?.name ?? gone
  const names = idsIn(value).map((one) =>
    typeof one === 'object' ? textOf(one, records) : nameOf(one),
  )
  return names.join(', ') + (isCut(value) ? ' …' : '')
}

function attributeChanges(before: unknown, after: unknown, records: Records): Change[] {
  const [old, now] = [before, after].map((value) => (value ?? {}) as Record<string, unknown>)
  const ids = new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})])
  return [...ids]
    .filter((id) => JSON.stringify(old?.[id]) !== JSON.stringify(now?.[id]))
    .map((id) => attributeChange(id, old?.[id], now?.[id], records))
}

function attributeChange(id: string, before: unknown, after: unknown, records: Records): Change {
  const attribute = records.attributes.find((entry) => entry.id === id)
  const options = new Map(attribute?.select_options.map((option) => [option.id, option.name]))
  const text = (value: unknown): string => {
    if (Array.isArray(value)) return value.map(text).join(', ')
    if (typeof value === 'string' && options.has(value)) return options.get(value) ?? ''
    return textOf(value, records)
  }
  return {
    label: attribute?.name ?? words.filter.deleted,
    before: text(before),
    after: text(after),
  }
}

const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d/

function textOf(value: unknown, records: Records): string {
  if (value === null || value === undefined || value === '') return ''
  if (Array.isArray(value)) return value.map((entry) => textOf(entry, records)).join(', ')
  if (typeof value === 'boolean') return value ? words.fields.yes : words.fields.no
  if (typeof value === 'number') return formatNumber(value)
  if (typeof value === 'object') {
    if (isCut(value)) return `${value.cut} …`
    const { name, value: contact, label } = value as Record<string, unknown>
    if (typeof contact === 'string') return label ? `${contact} (${label})` : contact
    return typeof name === 'string' ? name : placeText(value)
  }
  const text = String(value)
  const record = Object.values(relations)
    .flatMap(({ named }) => named(records))
    .find(({ id }) => id === text)
  if (record) return record.name
  return isTime.test(text) ? formatExact(text) : text
}
