// The conditions of a filter, one by one: what the chips show and the editors change. Each key of the
// filter is a condition; each entry of `attributes`, of `fields` and of `none` is one of its own.
import { attributeTable, operators } from '@rapport/contract/attributes.values'
import {
  fieldOperators,
  isLeadField,
  operatorsOf,
  takes,
} from '@rapport/contract/leads/field-operators.values'
import { type Contact, type LeadField, leadFields } from '@rapport/contract/leads/fields'
import type { LeadFilter } from '@rapport/contract/leads/filter'
import {
  type ConditionKind,
  type ConditionOf,
  dueTimes,
  emailStatuses,
  leadConditions,
  maxFilterDepth,
  readRange,
} from '@rapport/contract/leads/filter.values'
import { type LeadRelation, leadRelations } from '@rapport/contract/leads/relations'
import type { Lead } from '../api/lead.ts'
import type { AttributeRecord } from '../api/records.ts'
import { words } from '../words/index.ts'
import { attributeRecords } from './attribute-types.tsx'
import type { Field } from './field.ts'

export type FilterKey = keyof LeadFilter
export type AttributeCondition = NonNullable<LeadFilter['attributes']>[number]
export type FieldCondition = NonNullable<LeadFilter['fields']>[number]

/** A condition that is a key of the filter. */
export type Key = Exclude<FilterKey, Entries>
/** The keys whose entries are conditions. */
type Entries = 'attributes' | 'fields' | 'none'
const isEntries = (key: FilterKey): key is Entries =>
  key === 'attributes' || key === 'fields' || key === 'none'
/** A key of the filter, or an entry of its attributes, fields or exceptions. */
export type ConditionId = Key | `${Entries} ${number}`

export const kindOf = <K extends FilterKey>(key: K): (typeof leadConditions)[K]['kind'] =>
  leadConditions[key].kind

/** `has_list` is edited as a choice of `lists`. */
export function editedAs(id: ConditionId): ConditionId {
  return isKey(id) && isMust(id) ? leadConditions[id].relation : id
}

const isMust = (key: FilterKey): key is ConditionOf<'must'> => kindOf(key) === 'must'

/** The conditions that the relation is there at all, or is not. */
export const companionsOf = (relation: LeadRelation) =>
  keys.filter(isMust).filter((key) => leadConditions[key].relation === relation)

const keys = Object.keys(leadConditions) as FilterKey[]
export const isKey = (id: string): id is Key => id in words.filter.conditions

/** Leads to leave out, which the filter does not name yet. */
export const newException = 'new exception'

/** What a filter of `none` leaves out, if it is nothing but some records of a relation. */
export function exceptedRelation(filter: LeadFilter): LeadRelation | undefined {
  const [only, ...others] = conditionsOf(filter)
  return only && others.length === 0 && isKey(only) && kindOf(only) === 'records'
    ? (only as LeadRelation)
    : undefined
}

/** A condition on this field that is not part of the filter yet. */
export type NewFieldId = `new field ${LeadField}`
export const isNewField = (id: string): id is NewFieldId => id.startsWith('new field ')
export const fieldNameOf = (id: NewFieldId) => id.slice('new field '.length) as LeadField

/** Fields that other conditions ask for, or that mean nothing to people. */
const otherwise = new Set<string>(['score', 'is_deleted', 'is_deleted_at', ...keys])
const askedFields = (Object.keys(leadFields) as LeadField[]).filter(
  (name) =>
    !otherwise.has(name) && leadFields[name].kind !== 'uuid' && leadFields[name].kind !== 'json',
)

export interface Addable {
  id: ConditionId | `new ${string}`
  label: string
  group: string
}

/** The fields that a condition can be added for, and groups of conditions if they may be any deeper. */
export function addable(attributes: readonly AttributeRecord[], depth: number): Addable[] {
  const { conditions, exceptions, groups } = words.filter
  const plain = Object.entries(conditions).flatMap(([id, { field, group }]) =>
    group && isKey(id) ? [{ id, label: field, group: groups[group] }] : [],
  )
  const fields = askedFields.map((name) => ({
    id: `new field ${name}` as const,
    label: leadFields[name].label,
    group: groups.fields,
  }))
  const grouped: Addable[] = [
    { id: 'any', label: conditions.any.field, group: groups.combined },
    { id: newException, label: exceptions.field, group: groups.combined },
  ]
  return [
    ...plain,
    ...fields,
    ...(depth < maxFilterDepth ? grouped : []),
    ...attributes.map(({ id, name }) => ({
      id: `new ${id}` as const,
      label: name,
      group: groups.attributes,
    })),
  ]
}

/** The condition that asks about a column. Undefined: none does. */
export function conditionFor({ id, kind, attribute }: Field): Addable['id'] | undefined {
  if (kind === 'name') return 'search'
  if (attribute) return `new ${attribute.id}`
  if (isKey(id)) return id
  return askedFields.some((name) => name === id) ? `new field ${id}` : undefined
}

/** The filter that also wants the value of this lead. Undefined where no condition says "is". */
export function withSame(filter: LeadFilter, field: Field, lead: Lead): LeadFilter | undefined {
  const { id, attribute, kind } = field
  const own = field.read(lead)
  // One of several emails is enough.
  const value = kind === 'contacts' ? (own as Contact[])[0]?.value : own
  const isEmpty =
    value === undefined ||
    value === null ||
    value === '' ||
    (Array.isArray(value) && value.length === 0)
  if (attribute) {
    const [first] = [value].flat()
    if (typeof first === 'object' && !isEmpty) return undefined
    const condition: AttributeCondition = isEmpty
      ? { id: attribute.id, operator: 'is_empty' }
      : { id: attribute.id, operator: 'equals', value: String(first) }
    if (!operatorsFor(attribute).some((operator) => operator === condition.operator))
      return undefined
    return withEntry(filter, 'attributes', filter.attributes?.length ?? 0, condition)
  }
  if (id in leadRelations) {
    const relation = id as LeadRelation
    const none = companionsOf(relation).find((key) => key.startsWith('has_no_'))
    if (isEmpty) return none && withValue(filter, none, true)
    return withValue(
      filter,
      relation,
      (value as { id: string }[]).map((record) => record.id),
    )
  }
  if (isKey(id)) {
    if (kindOf(id) === 'flag') return withValue(filter, id, value === true)
    return id === 'score' && !isEmpty ? withValue(filter, id, [String(value)]) : undefined
  }
  const name = askedFields.find((asked) => asked === id)
  const wanted = isEmpty ? ['is_empty'] : ['is', 'equals']
  const operator = name && operatorsOf(name).find((one) => wanted.includes(one))
  if (!operator) return undefined
  const condition = { field: name, operator, ...(!isEmpty && { value }) } as FieldCondition
  return withEntry(filter, 'fields', filter.fields?.length ?? 0, condition)
}

export function conditionsOf(filter: LeadFilter): ConditionId[] {
  const keys = (Object.keys(filter) as FilterKey[]).filter((key) => filter[key] !== undefined)
  return keys.flatMap((key): ConditionId[] =>
    isEntries(key) ? (filter[key] ?? []).map((_, index) => `${key} ${index}` as const) : [key],
  )
}

export const isEmpty = (filter: LeadFilter) => conditionsOf(filter).length === 0

/** Which entry of attributes, fields or exceptions it is. Undefined for a key. */
export function entryOf(id: ConditionId): { key: Entries; index: number } | undefined {
  const [key, index] = id.split(' ')
  return index === undefined ? undefined : { key: key as Entries, index: Number(index) }
}

export function without(filter: LeadFilter, id: ConditionId): LeadFilter {
  const entry = entryOf(id)
  if (entry) {
    const { [entry.key]: entries = [], ...rest } = filter
    const others = entries.filter((_, at) => at !== entry.index)
    return others.length > 0 ? { ...rest, [entry.key]: others } : rest
  }
  const { [id as FilterKey]: _, ...rest } = filter
  return rest
}

/** Sets a key; an empty list is not a condition, so the key goes. */
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

/** Sets an entry of attributes, fields or exceptions. */
export function withEntry<K extends Entries>(
  filter: LeadFilter,
  key: K,
  index: number,
  condition: NonNullable<LeadFilter[K]>[number],
): LeadFilter {
  return { ...filter, [key]: Object.assign([...(filter[key] ?? [])], { [index]: condition }) }
}

/** Leaves out what `exception` selects, as the one at `index`. An empty one would leave out every lead. */
export function withException(
  filter: LeadFilter,
  index: number,
  exception: LeadFilter,
): LeadFilter {
  if (isEmpty(exception)) return filter
  return { ...filter, none: (filter.none ?? []).toSpliced(index, 0, exception) }
}

/** A new condition begins as one that is complete, so that the filter is always valid. */
export function newAttributeCondition(attribute: AttributeRecord): AttributeCondition {
  const { id, type } = attribute
  const [first] = attributeRecords[type].choices?.(attribute) ?? []
  return first ? { id, operator: 'equals', value: first.id } : { id, operator: 'is_not_empty' }
}

export const operatorsFor = ({ type }: AttributeRecord) => attributeTable[type].operators

export const needsValue = (operator: AttributeCondition['operator']) =>
  takes[operator] !== 'nothing'

export function operatorWord(
  { operator }: Pick<AttributeCondition, 'operator'>,
  attribute: AttributeRecord | undefined,
): string {
  const { operators, dateOperators, multiEquals, multiNotEquals } = words.filter
  if (attribute?.isMultiSelect && operator === 'equals') return multiEquals
  if (attribute?.isMultiSelect && operator === 'not_equals') return multiNotEquals
  const isDate = attribute && attributeRecords[attribute.type].typed?.startsWith('date')
  return (
    (isDate &&
      operator in dateOperators &&
      dateOperators[operator as keyof typeof dateOperators]) ||
    operators[operator]
  )
}

/** "42, 10-20": the entries, or undefined when one is none. */
export function readScore(text: string): string[] | undefined {
  const entries = text.split(/[,;\s]+/).filter(Boolean)
  return entries.every(readRange) ? entries : undefined
}

const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText)
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function isDay(value: unknown): boolean {
  return isText(value) && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))
}

const hasDays = ({ after, before }: Record<string, unknown>) =>
  [after, before].every((day) => day === undefined || isDay(day))

const isFlag = (value: unknown) => typeof value === 'boolean'
const isText = (value: unknown): value is string => typeof value === 'string'

/** What each kind of condition looks like. The service checks the rest. */
const looksRight: Record<ConditionKind, (value: unknown) => boolean> = {
  records: isTexts,
  leads: isTexts,
  score: isTexts,
  flag: isFlag,
  must: isFlag,
  email: (value) => emailStatuses.some((status) => status === value),
  search: isText,
  operation: isText,
  key: isText,
  day: isDay,
  changed: (value) =>
    isObject(value) && isTexts(value.by ?? []) && (value.after === undefined || isDay(value.after)),
  stay: (value) => isObject(value) && isTexts(value.status ?? []) && hasDays(value),
  noted: (value) =>
    isObject(value) && isTexts(value.kind ?? []) && isTexts(value.by ?? []) && hasDays(value),
  steps: (value) => isObject(value) && isTexts(value.id ?? []) && isTexts(value.status ?? []),
  attributes: (value) => Array.isArray(value) && value.every(isAttributeCondition),
  fields: (value) => Array.isArray(value) && value.every(isFieldCondition),
  due: (value) => isObject(value) && dueTimes.some((due) => due === value.due),
  since: (value) => isObject(value) && isTexts(Object.values(value)),
  filters: (value) => Array.isArray(value) && value.every(isFilter),
}

const isFieldCondition = (value: unknown) =>
  isObject(value) &&
  typeof value.field === 'string' &&
  isLeadField(value.field) &&
  fieldOperators.some((operator) => operator === value.operator)

const isAttributeCondition = (value: unknown) =>
  isObject(value) &&
  typeof value.id === 'string' &&
  operators.some((operator) => operator === value.operator) &&
  (value.value === undefined || typeof value.value === 'string')

/** Whether something from outside, such as the address, can be shown and edited as a filter. */
export function isFilter(value: unknown): value is LeadFilter {
  if (!isObject(value)) return false
  return Object.entries(value).every(([name, condition]) => {
    const key = keys.find((one) => one === name)
    return key !== undefined && looksRight[kindOf(key)](condition)
  })
}
