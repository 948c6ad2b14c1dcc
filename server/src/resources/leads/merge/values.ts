// Which values a lead gets when others are merged into it.
import { isDeepStrictEqual } from 'node:util'
import {
  type Contact,
  contactsFields,
  type LeadField,
  leadFields,
  maxContacts,
  transferFields,
} from '@rapport/contract/leads/fields'
import type { MergeRule, SurvivorRule } from '@rapport/contract/leads/merge.values'
import type { LeadUpdate } from '../change/batch.sql.ts'
import { phoneKey } from '../duplicates/phone.ts'
import { columnType } from '../row/columns.ts'
import { readContacts } from '../search/contacts.ts'
import { matchKey } from '../search/match.ts'

const unmerged = new Set<string>(['id', 'created_at', 'updated_at', 'order'])
export const mergedColumns = transferFields.filter((name) => !unmerged.has(name))

export interface MergeLead extends Record<string, unknown> {
  id: string
  created_at: string
  updated_at: string | null
  attributes: Record<string, unknown>
}

/** A rule, the lead whose value it is, or the value, as it is stored. */
export type Choice = MergeRule | { from: string } | { value: unknown }

export interface Choices {
  rule: MergeRule
  /** By field. */
  fields: Map<string, Choice>
  /** By attribute id. */
  attributes: Map<string, Choice>
  /** The attributes that refer to leads. */
  relations: Set<string>
}

/** They say what a lead is, not what is known about it: only a choice changes them. */
const own = new Set<string>(['is_company', 'is_draft', 'ai_enabled', 'ai_enabled_at'])

const isEmpty = (value: unknown) =>
  value === undefined ||
  value === null ||
  value === '' ||
  value === false ||
  (Array.isArray(value) && value.length === 0)

const isNewer = (a: MergeLead, b: MergeLead) =>
  Date.parse(b.updated_at ?? b.created_at) - Date.parse(a.updated_at ?? a.created_at)

const fullness = ({ attributes, ...lead }: MergeLead) =>
  mergedColumns.filter((name) => !isEmpty(lead[name])).length + Object.keys(attributes).length

/** The lead that stays, and the others, those that were changed last first. `leads` are the oldest first. */
export function chooseSurvivor(leads: MergeLead[], by: SurvivorRule | { id: string }): MergeLead[] {
  const first = {
    oldest: () => leads[0],
    newest: () => leads.at(-1),
    fullest: () => leads.toSorted((a, b) => fullness(b) - fullness(a))[0],
  }
  const chosen = typeof by === 'object' ? leads.find(({ id }) => id === by.id) : first[by]()
  if (!chosen) return []
  return [chosen, ...leads.filter((lead) => lead !== chosen).sort(isNewer)]
}

type Read = (lead: MergeLead) => unknown

/** The lead whose value it is: the first one is that which stays. */
function leadOf(leads: MergeLead[], read: Read, choice: MergeRule | { from: string }): MergeLead {
  const [survivor, ...others] = leads as [MergeLead, ...MergeLead[]]
  if (typeof choice === 'object') return leads.find(({ id }) => id === choice.from) ?? survivor
  const filled = [survivor, ...others].filter((lead) => !isEmpty(read(lead)))
  const length = (lead: MergeLead) => {
    const value = read(lead)
    return typeof value === 'string' ? value.trim().length : 0
  }
  if (choice === 'newest') filled.sort(isNewer)
  if (choice === 'longest') filled.sort((a, b) => length(b) - length(a))
  return filled[0] ?? survivor
}

/** What the lead that stays gets, if anything. It is the first of them. `zone` is that of the workspace. */
export function mergeValues(
  leads: MergeLead[],
  choices: Choices,
  zone: string,
): LeadUpdate | undefined {
  const { rule, fields } = choices
  const [survivor] = leads as [MergeLead]
  const set: Record<string, unknown> = {}
  const chosenFor = (name: LeadField, choice: Choice) =>
    typeof choice === 'object' && 'value' in choice
      ? choice.value
      : leadOf(leads, (lead) => lead[name], choice)[name]
  for (const name of mergedColumns) {
    const choice = fields.get(name)
    if (own.has(name) && !choice) continue
    set[name] = chosenFor(name, choice ?? rule)
  }
  // What belongs together comes from one lead.
  if (!fields.has('contract_currency') && !isValue(fields.get('contract_value'))) {
    const choice = (fields.get('contract_value') ?? rule) as MergeRule
    const { contract_value, contract_currency } = leadOf(
      leads,
      (lead) => lead.contract_value,
      choice,
    )
    if (!isEmpty(contract_value)) set.contract_currency = contract_currency
  }
  if (!fields.has('email_bounce_score')) set.email_bounce_score = worstScore(leads, set.email)
  set.last_interaction_at = latest(leads)
  for (const name of contactsFields) {
    if (isValue(fields.get(name))) continue
    set[name] = furtherOf(leads, name, set[leadFields[name].of], zone)
  }
  const sent = Object.keys(set).filter((name) => !isSame(set[name], survivor[name]))
  const changed = Object.fromEntries(sent.map((name) => [name, set[name]]))
  if ('company' in changed || 'is_company' in changed) changed.company_claim = null
  const values = mergeAttributes(leads, choices)
  if (sent.length === 0 && Object.keys(values).length === 0) return undefined
  const isCleared = (id: string) => values[id] === null
  const ids = Object.keys(values)
  return {
    id: survivor.id,
    sent: Object.keys(changed),
    set: changed,
    attributes: Object.fromEntries(
      ids.filter((id) => !isCleared(id)).map((id) => [id, values[id]]),
    ),
    cleared: ids.filter(isCleared),
  }
}

const isValue = (choice: Choice | undefined) => typeof choice === 'object' && 'value' in choice

const isSame = (a: unknown, b: unknown) => isDeepStrictEqual(a ?? null, b ?? null)

/** The attributes that change, with their new values. */
function mergeAttributes(
  leads: MergeLead[],
  { rule, attributes, relations }: Choices,
): Record<string, unknown> {
  const [survivor] = leads as [MergeLead]
  const ids = new Set([
    ...leads.flatMap((lead) => Object.keys(lead.attributes)),
    ...attributes.keys(),
  ])
  const values: Record<string, unknown> = {}
  for (const id of ids) {
    const choice = attributes.get(id) ?? rule
    // Whoever referred to the one that stays would refer to itself.
    const isItself = (value: unknown) => relations.has(id) && value === survivor.id
    const read: Read = ({ attributes }) => (isItself(attributes[id]) ? undefined : attributes[id])
    const value =
      typeof choice === 'object' && 'value' in choice
        ? choice.value
        : read(leadOf(leads, read, choice))
    if (!isSame(value, read(survivor))) values[id] = value ?? null
  }
  return values
}

/** About how many bytes the lead has then: not less than its table counts. */
export function sizeAfter({
  stays,
  update,
}: {
  stays: MergeLead
  update?: LeadUpdate | undefined
}) {
  const after: Record<string, unknown> = { ...stays, ...update?.set }
  const { attributes = {}, cleared = [] } = update ?? {}
  after.attributes = { ...stays.attributes, ...attributes }
  for (const id of cleared) delete (after.attributes as Record<string, unknown>)[id]
  return sized.reduce((sum, name) => sum + sizeOf(after[name]), 0)
}

/** The columns that count. */
export const sized = ['attributes', ...mergedColumns].filter((name) =>
  ['text', 'jsonb'].includes(columnType(name)),
)

function sizeOf(value: unknown): number {
  if (value === null || value === undefined) return 0
  if (typeof value === 'string') return Buffer.byteLength(value)
  // PostgreSQL keeps a few bytes for each entry.
  return Buffer.byteLength(JSON.stringify(value)) + 16 * entriesOf(value)
}

const entriesOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce((sum: number, each) => sum + 1 + entriesOf(each), 1)
    : 1

/** Bad news about an address counts, whoever brings it. */
function worstScore(leads: MergeLead[], email: unknown): unknown {
  const key = (value: unknown) => matchKey('email', String(value ?? ''))
  const scores = leads
    .filter((lead) => key(lead.email) === key(email))
    .flatMap(({ email_bounce_score: score }) => (typeof score === 'number' ? score : []))
  return scores.length > 0 ? Math.max(...scores) : null
}

function latest(leads: MergeLead[]): unknown {
  const times = leads.flatMap(({ last_interaction_at: at }) => (typeof at === 'string' ? at : []))
  return times.sort((a, b) => Date.parse(b) - Date.parse(a))[0] ?? null
}

/** All emails or phones of the leads but the first, each once, however it is written. */
function furtherOf(
  leads: MergeLead[],
  name: (typeof contactsFields)[number],
  first: unknown,
  zone: string,
): Contact[] | null {
  const { of } = leadFields[name]
  const keyOf = (value: string, { timezone }: MergeLead) =>
    (of === 'phone' && phoneKey(value, timezone as string | null, zone)) ||
    matchKey(of, value) ||
    value
  const [survivor] = leads as [MergeLead]
  const known = new Set([keyOf(String(first ?? ''), survivor)])
  const others = leads.flatMap((lead) => {
    const all = [
      ...((lead[name] ?? []) as Contact[]),
      ...(isEmpty(lead[of]) ? [] : [{ value: String(lead[of]), label: '' }]),
    ]
    return all.filter(({ value }) => known.size < known.add(keyOf(value, lead)).size)
  })
  return readContacts(of, others)?.slice(0, maxContacts) ?? null
}
