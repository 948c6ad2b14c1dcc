// The conditions of a filter, one by one: what the chips show and the editors change. Each key of the
// filter is a condition; each entry of `attributes` is one of its own.
import type { LeadFilter } from '@rapport/contract/leads/filter'
import { emailStatuses, operators, operatorsOfType } from '@rapport/contract/leads/filter.values'
import type { AttributeRecord } from '../api/records.ts'
import { words } from '../words/index.ts'

export type FilterKey = keyof LeadFilter
export type AttributeCondition = NonNullable<LeadFilter['attributes']>[number]

/** A key of the filter, or an entry of its attributes. */
export type ConditionId = Exclude<FilterKey, 'attributes'> | `attribute ${number}`

/** How a condition is edited. */
export type ConditionKind =
  | 'records'
  | 'flag'
  | 'must'
  | 'email'
  | 'search'
  | 'score'
  | 'steps'
  | 'leads'
  | 'day'
  | 'changed'

// biome-ignore format: one line is one entry
export const conditionKinds: Record<Exclude<FilterKey, 'attributes'>, ConditionKind> = {
  search: 'search',
  is_company: 'flag',
  status: 'records', tags: 'records', lists: 'records', owners: 'records', campaigns: 'records',
  has_list: 'must', has_no_list: 'must', has_owner: 'must', has_no_owner: 'must',
  email_status: 'email',
  sequences_steps: 'steps',
  score: 'score',
  created_after: 'day', created_before: 'day',
  changed: 'changed',
  is_contract: 'flag', is_tracked: 'flag', ai_enabled: 'flag', has_icebreaker: 'flag',
  leads: 'leads', not_leads: 'leads',
}

/** `has_list` is edited as a choice of `lists`. */
export const editedAs: Partial<Record<ConditionId, ConditionId>> = {
  has_list: 'lists',
  has_no_list: 'lists',
  has_owner: 'owners',
  has_no_owner: 'owners',
}

export const companions: Partial<Record<ConditionId, readonly [some: FilterKey, none: FilterKey]>> =
  {
    lists: ['has_list', 'has_no_list'],
    owners: ['has_owner', 'has_no_owner'],
  }

export interface Addable {
  id: ConditionId | `new ${string}`
  label: string
  group: string
}

/** The fields that a condition can be added for. */
export function addable(attributes: readonly AttributeRecord[]): Addable[] {
  const { fields, groups } = words.filter
  const in_ = (group: string, ...ids: (keyof typeof fields)[]) =>
    ids.map((id) => ({ id, label: fields[id], group }))
  return [
    ...in_(groups.lead, 'search', 'is_company', 'score', 'is_contract', 'is_tracked', 'ai_enabled'),
    ...in_(groups.lead, 'created_after', 'created_before'),
    ...in_(groups.pipeline, 'status', 'tags', 'lists', 'owners'),
    ...in_(groups.mail, 'email_status', 'has_icebreaker', 'campaigns', 'sequences_steps'),
    ...attributes.map(({ id, name }) => ({
      id: `new ${id}` as const,
      label: name,
      group: groups.attributes,
    })),
  ]
}

export function conditionsOf(filter: LeadFilter): ConditionId[] {
  const keys = (Object.keys(filter) as FilterKey[]).filter((key) => filter[key] !== undefined)
  return keys.flatMap((key): ConditionId[] =>
    key === 'attributes'
      ? (filter.attributes ?? []).map((_, index) => `attribute ${index}` as const)
      : [key],
  )
}

export const attributeIndex = (id: ConditionId) =>
  id.startsWith('attribute ') ? Number(id.slice(10)) : -1

export function without(filter: LeadFilter, id: ConditionId): LeadFilter {
  const index = attributeIndex(id)
  if (index >= 0) {
    const attributes = filter.attributes?.filter((_, at) => at !== index) ?? []
    const { attributes: _, ...rest } = filter
    return attributes.length > 0 ? { ...rest, attributes } : rest
  }
  const { [id as FilterKey]: _, ...rest } = filter
  return rest
}

/** Sets a key; an empty list is no condition, so the key goes. */
export function withValue<K extends FilterKey>(
  filter: LeadFilter,
  key: K,
  value: LeadFilter[K],
): LeadFilter {
  const isEmpty =
    value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
  const { [key]: _, ...rest } = filter
  return isEmpty ? rest : { ...filter, [key]: value }
}

export function withAttribute(
  filter: LeadFilter,
  index: number,
  condition: AttributeCondition,
): LeadFilter {
  const attributes = [...(filter.attributes ?? [])]
  attributes[index] = condition
  return { ...filter, attributes }
}

/** A new condition begins as one that is complete, so that the filter is always valid. */
export function newAttributeCondition({
  id,
  type,
  select_options,
}: AttributeRecord): AttributeCondition {
  if (type === 'CHECKBOX') return { id, operator: 'equals', value: 'true' }
  const [first] = select_options
  if (type === 'SELECT' && first) return { id, operator: 'equals', value: first.id }
  return { id, operator: 'is_not_empty' }
}

export const operatorsFor = ({ type }: AttributeRecord) => operatorsOfType[type]

export const needsValue = (operator: AttributeCondition['operator']) =>
  operator !== 'is_empty' && operator !== 'is_not_empty'

export function operatorWord(
  { operator }: Pick<AttributeCondition, 'operator'>,
  attribute: AttributeRecord | undefined,
): string {
  const { operators, dateOperators, multiEquals, multiNotEquals } = words.filter
  if (attribute?.isMultiSelect && operator === 'equals') return multiEquals
  if (attribute?.isMultiSelect && operator === 'not_equals') return multiNotEquals
  const isDate = attribute?.type === 'DATE' || attribute?.type === 'TIMESTAMP'
  return (
    (isDate &&
      operator in dateOperators &&
      dateOperators[operator as keyof typeof dateOperators]) ||
    operators[operator]
  )
}

const scoreEntry = /^(-?\d+|\d+-\d+|\d+-|-\d+)$/

/** "42, 10-20": the entries, or undefined when one is none. */
export function readScore(text: string): string[] | undefined {
  const entries = text.split(/[,;\s]+/).filter(Boolean)
  return entries.every((entry) => scoreEntry.test(entry)) ? entries : undefined
}

const isTexts = (value: unknown) =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string')
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function isDay(value: unknown): boolean {
  return (
    typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))
  )
}

/** What each kind of condition looks like. The service checks the rest. */
const looksRight: Record<ConditionKind, (value: unknown) => boolean> = {
  records: isTexts,
  leads: isTexts,
  score: isTexts,
  flag: (value) => typeof value === 'boolean',
  must: (value) => typeof value === 'boolean',
  email: (value) => emailStatuses.some((status) => status === value),
  search: (value) => typeof value === 'string',
  day: isDay,
  changed: (value) =>
    isObject(value) && isTexts(value.by ?? []) && (value.after === undefined || isDay(value.after)),
  steps: (value) => isObject(value) && isTexts(value.id ?? []) && isTexts(value.status ?? []),
}

const isAttributeCondition = (value: unknown) =>
  isObject(value) &&
  typeof value.id === 'string' &&
  operators.some((operator) => operator === value.operator) &&
  (value.value === undefined || typeof value.value === 'string')

/** Whether something from outside, such as the address, can be shown and edited as a filter. */
export function isFilter(value: unknown): value is LeadFilter {
  if (!isObject(value)) return false
  return Object.entries(value).every(([key, condition]) => {
    if (key === 'attributes')
      return Array.isArray(condition) && condition.every(isAttributeCondition)
    return (
      key in conditionKinds &&
      looksRight[conditionKinds[key as keyof typeof conditionKinds]](condition)
    )
  })
}
