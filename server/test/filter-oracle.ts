// Says which leads a filter selects by the rules of the interface, lead by lead in memory. It shares
// only types with the service, so that a fault of the service's compiler shows as a difference.

import type { AttributeType } from '@rapport/contract/attributes'
import type { Contact, FieldKind } from '@rapport/contract/leads/fields'
import type {
  AttributeCondition,
  FieldCondition,
  LeadFilter,
  Operator,
  stepStatuses,
} from '@rapport/contract/leads/filter'
import { type Clock, dayIn, dayOf, isDue, isWithin, periodDays } from './filter-oracle.days.ts'

type Relation = 'tags' | 'lists' | 'status' | 'owners' | 'campaigns'

/** A lead as far as filters look at it. */
export interface FilteredLead {
  id: string
  /** Fields that are missing are null. */
  fields: Record<string, unknown>
  /** Ids of the records that the lead is related to; relations that are missing are empty. */
  related: Partial<Record<Relation, string[]>>
  /** Steps of campaigns, with the states that hold for the lead. */
  steps: { id: string; states: (typeof stepStatuses)[number][] }[]
  /** Members who created, changed or imported the lead, and when. None when missing. */
  changes?: { by: string; at: string; type: string; way: string }[]
  /** Emails as they are compared: email:ada@x.example. None when missing. */
  keys?: string[]
  /** When its notes were written, or took place. None when missing. */
  notes?: { at: string; isDeleted: boolean; kind?: string; by?: string; happened?: string | null }[]
  /** Since when it has its statuses. Null or missing: nobody knows. */
  entered?: Record<string, string | null>
  /** Statuses that it had, and when it lost them. None when missing. */
  stays?: { status: string; left: string }[]
  reminders?: { date: string; isDone: boolean; isDeleted: boolean }[]
  /** Values by the id of the attribute. */
  attributes: Record<string, unknown>
}

/** What the rules depend on, besides the filter and the lead. */
export interface Known extends Clock {
  /** The type of the attribute with this id. */
  typeOf(id: string): AttributeType | undefined
  /** The kind of the field with this name. */
  kindOf(field: string): FieldKind
}

/** Fields that a search looks into. */
export const searchedFields = [
  ...['first_name', 'last_name', 'email', 'company', 'company_role', 'phone', 'city'],
  ...['website_url', 'linkedin_url', 'twitter_name', 'facebook_username', 'youtube_username'],
  ...['instagram_username', 'telegram_username', 'whatsapp_username'],
]
export const icebreakers = ['icebreaker', 'icebreaker_2', 'icebreaker_3', 'icebreaker_4']

/** For filters without conditions on fields, days and times. */
export const knownTypes = (typeOf: Known['typeOf']): Known => ({
  ...{ typeOf, kindOf: () => 'text', now: new Date(), zone: 'UTC' },
})

/** A lead is selected when every field of the filter holds. */
export function selects(filter: LeadFilter, lead: FilteredLead, known: Known): boolean {
  return Object.entries(filter).every(([field, value]) => {
    if (Array.isArray(value) && value.length === 0) return field !== 'leads'
    const one = { [field]: value } as Required<LeadFilter>
    return holds[field as keyof LeadFilter](one, lead, known)
  })
}

const isWritten = (text: unknown) => typeof text === 'string' && text.trim() !== ''
const meet = (some: string[], others: string[] = []) => some.some((id) => others.includes(id))
const isTrue = ({ fields }: FilteredLead, name: string) => Boolean(fields[name])
const has = ({ related }: FilteredLead, name: Relation) => (related[name] ?? []).length > 0

/** Without accents and capital letters. */
const folded = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ł', 'l')
    .replaceAll('ς', 'σ')

type Holds = (filter: Required<LeadFilter>, lead: FilteredLead, known: Known) => boolean
const holds: Record<keyof LeadFilter, Holds> = {
  leads: ({ leads }, { id }) => leads.includes(id),
  not_leads: ({ not_leads }, { id }) => !not_leads.includes(id),
  is_company: ({ is_company }, lead) => isTrue(lead, 'is_company') === is_company,
  is_tracked: ({ is_tracked }, lead) => isTrue(lead, 'is_tracked') === is_tracked,
  is_contract: ({ is_contract }, lead) => isTrue(lead, 'is_contract') === is_contract,
  ai_enabled: ({ ai_enabled }, lead) => isTrue(lead, 'ai_enabled') === ai_enabled,
  has_icebreaker: ({ has_icebreaker }, { fields }) =>
    icebreakers.some((name) => isWritten(fields[name])) === has_icebreaker,
  email_status({ email_status }, { fields }) {
    if (email_status === 'all') return true
    const actual = isWritten(fields.email) ? bounce(fields.email_bounce_score) : 'without_email'
    if (email_status === 'with_email') return actual !== 'without_email'
    return actual === email_status
  },
  search({ search }, { fields }) {
    const content = searchedFields.map((name) => folded(String(fields[name] ?? '')))
    content.push(String(fields.phone ?? '').replace(/[^0-9]/g, ''))
    const others = (fields.other_emails ?? []) as Contact[]
    content.push(...others.map(({ value }) => folded(value)))
    const has = (word: string) => content.some((text) => text.includes(word))
    const wanted = search.split(' ').filter((word) => word !== '')
    return wanted.every((word) => {
      const digits = word.replace(/[-+./()]/g, '')
      return has(folded(word)) || (/^[0-9]{3,}$/.test(digits) && has(digits))
    })
  },
  tags: ({ tags }, { related }) => meet(tags, related.tags),
  status: ({ status }, { related }) => meet(status, related.status),
  lists: ({ lists }, { related }) => meet(lists, related.lists),
  owners: ({ owners }, { related }) => meet(owners, related.owners),
  campaigns: ({ campaigns }, { related }) => meet(campaigns, related.campaigns),
  has_list: ({ has_list }, lead) => !has_list || has(lead, 'lists'),
  has_no_list: ({ has_no_list }, lead) => !has_no_list || !has(lead, 'lists'),
  has_owner: ({ has_owner }, lead) => !has_owner || has(lead, 'owners'),
  has_no_owner: ({ has_no_owner }, lead) => !has_no_owner || !has(lead, 'owners'),
  sequences_steps({ sequences_steps: { id = [], status = [] } }, { steps }) {
    if (id.length === 0 && status.length === 0) return true
    return steps.some(
      (step) =>
        (id.length === 0 || id.includes(step.id)) &&
        (status.length === 0 || meet(status, step.states)),
    )
  },
  score({ score }, { fields }) {
    const actual = fields.score
    if (typeof actual !== 'number') return false
    return score.some((range) => {
      const [from = '', to = from] = range.split('-')
      return (from === '' || actual >= Number(from)) && (to === '' || actual <= Number(to))
    })
  },
  created_after: ({ created_after }, { fields }, { zone }) =>
    dayOf(fields.created_at, zone) >= created_after,
  created_before: ({ created_before }, { fields }, { zone }) =>
    dayOf(fields.created_at, zone) < created_before,
  changed({ changed: { by = [], after } }, { changes = [] }, { zone }) {
    if (by.length === 0 && after === undefined) return true
    return changes.some(
      (change) =>
        (by.length === 0 || by.includes(change.by)) && (!after || dayOf(change.at, zone) >= after),
    )
  },
  duplicate_key: ({ duplicate_key }, { keys = [] }) =>
    keys.some((key) => key === duplicate_key || `email_loose:${key.slice(6)}` === duplicate_key),
  operation: ({ operation }, { changes = [] }) => changes.some(({ by }) => by === operation),
  entered: ({ entered }, { related, entered: since = {} }, known) =>
    stayed(
      entered,
      (related.status ?? []).map((status) => ({ status, at: since[status] ?? null })),
      known,
    ),
  left: ({ left }, { stays = [] }, known) =>
    stayed(
      left,
      stays.map(({ status, left: at }) => ({ status, at })),
      known,
    ),
  noted: ({ noted: { kind = [], by = [], ...days } }, { notes = [] }, known) =>
    isNothing({ kind, by, ...days }) ||
    notes.some(
      (note) =>
        !note.isDeleted &&
        (kind.length === 0 || kind.some((one) => one === (note.kind ?? 'note'))) &&
        (by.length === 0 || by.includes(note.by ?? '')) &&
        isBetween(note.happened ?? note.at, days, known),
    ),
  attributes: ({ attributes }, lead, known) =>
    attributes.every((condition) => conditionHolds(condition, lead, known)),
  fields: ({ fields }, lead, known) =>
    fields.every((condition) => fieldHolds(condition, lead, known)),
  reminders: ({ reminders: { due } }, { reminders = [] }, known) =>
    reminders.some(
      ({ date, isDone, isDeleted }) => !isDone && !isDeleted && isDue(date, due, known),
    ),
  notes: ({ notes }, lead, known) => happened(notes, noteTimes(lead), known),
  activity: ({ activity }, lead, known) => {
    const edits = (lead.changes ?? []).filter(
      ({ type, way }) => type !== 'lead.created' && way !== 'import',
    )
    const times = [
      lead.fields.last_interaction_at,
      ...noteTimes(lead),
      ...edits.map(({ at }) => at),
    ]
    return happened(activity, times, known)
  },
  any: ({ any }, lead, known) => any.some((filter) => selects(filter, lead, known)),
  none: ({ none }, lead, known) => !none.some((filter) => selects(filter, lead, known)),
}

interface Days {
  after?: string
  before?: string
}

/** Empty arrays and missing days select everything. */
const isNothing = (value: object) =>
  Object.values(value).every((part) => part === undefined || part.length === 0)

/** An unknown time is in no period with an end. */
function isBetween(at: string | null, { after, before }: Days, { zone }: Known): boolean {
  if (after === undefined && before === undefined) return true
  if (at === null) return false
  const day = dayOf(at, zone)
  return (after === undefined || day >= after) && (before === undefined || day < before)
}

const stayed = (
  { status = [], ...days }: LeadFilter['entered'] & {},
  stays: { status: string; at: string | null }[],
  known: Known,
) =>
  isNothing({ status, ...days }) ||
  stays.some(
    (stay) =>
      (status.length === 0 || status.includes(stay.status)) && isBetween(stay.at, days, known),
  )

const noteTimes = ({ notes = [] }: FilteredLead) =>
  notes.filter(({ isDeleted }) => !isDeleted).map(({ at }) => at)

function happened({ since, none_since }: LeadFilter['notes'] & {}, times: unknown[], known: Known) {
  const isSince = (day: string) =>
    times.some((time) => time != null && dayOf(time, known.zone) >= dayIn(day, known))
  return (
    (since === undefined || isSince(since)) && (none_since === undefined || !isSince(none_since))
  )
}

/** Whether one condition on a field holds. */
export function fieldHolds(
  { field, operator, ...given }: FieldCondition,
  lead: FilteredLead,
  known: Known,
): boolean {
  const { value } = given
  const stored = field === 'id' ? lead.id : (lead.fields[field] ?? null)
  const kind = known.kindOf(field)
  const isText = kind === 'text' || kind === 'phone' || kind === 'currency'
  const isFilled = isText ? isWritten(stored) : stored !== null
  if (operator === 'is_empty') return !isFilled
  if (operator === 'is_not_empty') return isFilled
  const opposite = ({ is_not: 'is', not_equals: 'equals', not_contains: 'contains' } as const)[
    operator as string
  ]
  if (opposite) return !fieldHolds({ field, operator: opposite, ...given }, lead, known)
  if (kind === 'flag') return Boolean(stored) === value
  if (stored === null) return false
  if (kind === 'uuid') return stored === value
  if (kind === 'contacts') {
    const one = (text: string) => ({ ...lead, fields: { city: text } })
    return (stored as Contact[]).some((contact) =>
      fieldHolds({ field: 'city', operator, ...given }, one(contact.value), known),
    )
  }
  if (isText) {
    if (operator === 'is') return lower(String(stored)) === lower(String(value))
    return textHolds(operator as Operator, String(stored), String(value))
  }
  if (kind === 'time') return timeHolds(operator, stored, value, known)
  if (operator === 'between') {
    const [from, to] = [value].flat().map(Number)
    return Number(stored) >= Number(from) && Number(stored) <= Number(to)
  }
  return compares(operator as Operator, Number(stored) - Number(value))
}

function timeHolds(
  operator: string,
  stored: unknown,
  value: FieldCondition['value'],
  known: Known,
): boolean {
  const time = Date.parse(String(stored))
  const isTime = (text: string) => text.includes('T')
  /** Negative when the time is before the day or time, positive when it is after it. */
  const from = (text: unknown) => {
    const wanted = String(text)
    if (isTime(wanted)) return time - Date.parse(wanted)
    const [day, other] = [dayOf(stored, known.zone), dayIn(wanted, known)]
    return day < other ? -1 : day > other ? 1 : 0
  }
  switch (operator) {
    case 'on':
      return from(value) === 0
    case 'before':
      return from(value) < 0
    case 'after':
      return from(value) > 0
    case 'between': {
      const [first, last] = [value].flat()
      return from(first) >= 0 && from(last) <= 0
    }
    case 'in_last':
      return from(`-${value}`) >= 0 && time <= known.now.getTime()
    case 'more_than_ago':
      return from(`-${value}`) < 0
    case 'in_next':
      return from(`+${value}`) <= 0 && time >= known.now.getTime()
    default:
      return isWithin(stored, periodDays(operator, known), known)
  }
}

/** Of a day without a time: all of today is now. */
function dayHolds(operator: string, day: string, value: string, known: Known): boolean {
  const today = dayIn('+0d', known)
  if (operator === 'in_last') return day >= dayIn(`-${value}`, known) && day <= today
  if (operator === 'more_than_ago') return day < dayIn(`-${value}`, known)
  if (operator === 'in_next') return day >= today && day <= dayIn(`+${value}`, known)
  const [first, end] = periodDays(operator, known)
  return day >= first && day < end
}

function bounce(score: unknown): string {
  if (typeof score !== 'number') return 'unverified'
  return score < 50 ? 'verified' : 'risky'
}

/** Whether one condition on an attribute holds. */
export function conditionHolds(
  { id, operator, value = '' }: AttributeCondition,
  lead: FilteredLead,
  known: Known,
): boolean {
  const stored = lead.attributes[id] ?? null
  const isEmpty = stored === null || stored === '' || (Array.isArray(stored) && stored.length === 0)
  if (operator === 'is_empty') return isEmpty
  if (operator === 'is_not_empty') return !isEmpty
  if (operator.startsWith('not_')) {
    const opposite = operator.slice(4) as Operator
    return !conditionHolds({ id, operator: opposite, value }, lead, known)
  }
  if (/^(in|more|this|last|next)_|day$|morrow$/.test(operator)) {
    if (stored === null) return false
    return known.typeOf(id) === 'DATE'
      ? dayHolds(operator, String(stored), value, known)
      : timeHolds(operator, stored, value, known)
  }
  switch (known.typeOf(id)) {
    case 'CHECKBOX':
      return (stored ?? false) === (value === 'true')
    case 'SELECT':
    case 'RELATION':
      return [stored].flat().includes(value)
    case 'NUMBER':
    case 'CURRENCY':
      return stored !== null && compares(operator, Number(stored) - Number(value))
    case 'DATE':
    case 'TIMESTAMP':
      return stored !== null && compares(operator, Date.parse(String(stored)) - Date.parse(value))
    case 'LOCATION':
      return textHolds(operator, (stored as { address?: string } | null)?.address, value)
    default:
      return textHolds(operator, stored as string | null, value)
  }
}

function compares(operator: Operator, difference: number): boolean {
  if (operator === 'equals') return difference === 0
  if (operator === 'greater_than') return difference > 0
  if (operator === 'greater_or_equal') return difference >= 0
  if (operator === 'less_than') return difference < 0
  return difference <= 0
}

function textHolds(operator: Operator, stored: string | null | undefined, value: string): boolean {
  if (stored === null || stored === undefined) return false
  if (operator === 'equals') return stored === value
  const [text, part] = [lower(stored), lower(value)]
  if (operator === 'starts_with') return text.startsWith(part)
  if (operator === 'ends_with') return text.endsWith(part)
  return text.includes(part)
}

/** Letter by letter: JavaScript lowers the last Σ of a word to another letter than the others. */
const lower = (text: string) => Array.from(text, (letter) => letter.toLowerCase()).join('')
