// Says which leads a filter selects by the rules of the interface, lead by lead in memory. It shares
// only types with the service, so that a fault of the service's compiler shows as a difference.

import type { AttributeType } from '@rapport/contract/attributes'
import type {
  AttributeCondition,
  LeadFilter,
  Operator,
  stepStatuses,
} from '@rapport/contract/leads/filter'

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
  /** Members who changed the lead, and when. None when missing. */
  changes?: { by: string; at: string }[]
  /** Values by the id of the attribute. */
  attributes: Record<string, unknown>
}

/** The type of the attribute with this id. */
type TypeOf = (id: string) => AttributeType | undefined

/** Fields that a search looks into. */
export const searchedFields = [
  ...['first_name', 'last_name', 'email', 'company', 'company_role', 'phone', 'city'],
  ...['website_url', 'linkedin_url', 'twitter_name', 'facebook_username', 'youtube_username'],
  ...['instagram_username', 'telegram_username', 'whatsapp_username'],
]
export const icebreakers = ['icebreaker', 'icebreaker_2', 'icebreaker_3', 'icebreaker_4']

/** A lead is selected when every field of the filter holds. */
export function selects(filter: LeadFilter, lead: FilteredLead, typeOf: TypeOf): boolean {
  return Object.entries(filter).every(([field, value]) => {
    if (Array.isArray(value) && value.length === 0) return field !== 'leads'
    const one = { [field]: value } as Required<LeadFilter>
    return holds[field as keyof LeadFilter](one, lead, typeOf)
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

type Holds = (filter: Required<LeadFilter>, lead: FilteredLead, typeOf: TypeOf) => boolean
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
    const wanted = search.split(' ').filter((word) => word !== '')
    return wanted.every((word) => content.some((text) => text.includes(folded(word))))
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
  created_after: ({ created_after }, { fields }) => day(fields.created_at) >= created_after,
  created_before: ({ created_before }, { fields }) => day(fields.created_at) < created_before,
  changed({ changed: { by = [], after } }, { changes = [] }) {
    if (by.length === 0 && after === undefined) return true
    return changes.some(
      (change) =>
        (by.length === 0 || by.includes(change.by)) && (!after || day(change.at) >= after),
    )
  },
  attributes: ({ attributes }, lead, typeOf) =>
    attributes.every((condition) => conditionHolds(condition, lead, typeOf)),
}

/** The day of a time in a workspace of UTC. */
const day = (time: unknown) => String(time).slice(0, 10)

function bounce(score: unknown): string {
  if (typeof score !== 'number') return 'unverified'
  return score < 50 ? 'verified' : 'risky'
}

/** Whether one condition on an attribute holds. */
export function conditionHolds(
  { id, operator, value = '' }: AttributeCondition,
  lead: FilteredLead,
  typeOf: TypeOf,
): boolean {
  const stored = lead.attributes[id] ?? null
  const isEmpty = stored === null || stored === '' || (Array.isArray(stored) && stored.length === 0)
  if (operator === 'is_empty') return isEmpty
  if (operator === 'is_not_empty') return !isEmpty
  if (operator.startsWith('not_')) {
    const opposite = operator.slice(4) as Operator
    return !conditionHolds({ id, operator: opposite, value }, lead, typeOf)
  }
  switch (typeOf(id)) {
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
