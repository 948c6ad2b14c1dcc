// A condition in words: the three parts of its chip.
import type { AttributeType } from '@rapport/contract/attributes.values'
import type { LeadFilter } from '@rapport/contract/leads/filter'
import type { ReactNode } from 'react'
import type { AttributeRecord, Records } from '../../api/records.ts'
import {
  type AttributeCondition,
  attributeIndex,
  type ConditionId,
  type FilterKey,
  needsValue,
  operatorWord,
} from '../../kinds/conditions.ts'
import { LeadName } from '../../kinds/lead-name.tsx'
import { formatExact, formatMoney, formatNumber, formatPlainDay } from '../../ui/format.ts'
import { Dot } from '../../ui/small.tsx'
import { words } from '../../words/index.ts'

export interface Described {
  field: string
  operator: string
  value: ReactNode
}

interface Named {
  id: string
  name: string
  color?: string
}

const shownNames = 2

function names(ids: readonly string[] | undefined, records: readonly Named[]): ReactNode {
  if (!ids?.length) return words.filter.noCondition
  const found = ids.map((id) => records.find((record) => record.id === id))
  const first = found[0]?.color
  const text = found
    .slice(0, shownNames)
    .map((record) => record?.name ?? words.filter.deleted)
    .join(', ')
  return (
    <>
      {first && <Dot colour={first} />}
      {text}
      {ids.length > shownNames && `, ${words.filter.more(ids.length - shownNames)}`}
    </>
  )
}

type Key = Exclude<FilterKey, 'attributes'>
type Describe<K extends Key> = (value: NonNullable<LeadFilter[K]>, records: Records) => Described

const { fields, flags, isAnyOf, hasAnyOf, is, contains, noCondition, dateOperators } = words.filter

const records =
  (field: string, operator: string, from: (records: Records) => readonly Named[]) =>
  (ids: string[], all: Records): Described => ({ field, operator, value: names(ids, from(all)) })

const flag =
  (key: keyof typeof flags) =>
  (value: boolean): Described => ({
    field: fields[key],
    operator: is,
    value: flags[key][value ? 0 : 1],
  })

const must =
  (field: string, value: string) =>
  (isOn: boolean): Described => ({ field, operator: is, value: isOn ? value : noCondition })

const created =
  (operator: string) =>
  (day: string): Described => ({
    field: words.filter.created,
    operator,
    value: formatPlainDay(day),
  })

const leads =
  (field: string, none: string) =>
  (ids: string[]): Described => {
    const [only = ''] = ids
    const several = ids.length === 0 ? none : words.leads.count(ids.length)
    return { field, operator: is, value: ids.length === 1 ? <LeadName id={only} /> : several }
  }

/** Every condition of the filter in words. */
const described: { [K in Key]: Describe<K> } = {
  search: (text) => ({ field: fields.search, operator: contains, value: text || noCondition }),
  is_company: flag('is_company'),
  is_tracked: flag('is_tracked'),
  is_contract: flag('is_contract'),
  ai_enabled: flag('ai_enabled'),
  has_icebreaker: flag('has_icebreaker'),
  status: records(fields.status, isAnyOf, ({ status }) => status),
  // Without the color of the first: a chip of tags shows none.
  tags: records(fields.tags, hasAnyOf, ({ tags }) => tags.map(({ id, name }) => ({ id, name }))),
  lists: records(fields.lists, isAnyOf, ({ lists }) => lists),
  owners: records(fields.owners, isAnyOf, ({ members }) => members),
  campaigns: records(fields.campaigns, isAnyOf, ({ campaigns }) => campaigns),
  has_list: must(fields.lists, words.filter.some),
  has_no_list: must(fields.lists, words.filter.none),
  has_owner: must(fields.owners, words.filter.some),
  has_no_owner: must(fields.owners, words.filter.none),
  email_status: (state) => ({
    field: fields.email_status,
    operator: is,
    value: words.filter.emailStatusShort[state],
  }),
  score: (entries) => ({
    field: fields.score,
    operator: is,
    value: entries.join(', ') || noCondition,
  }),
  sequences_steps({ status: states = [], id: steps = [] }) {
    const any = states.map((state) => words.filter.steps[state]).join(', ') || words.filter.some
    const value = steps.length > 0 ? words.campaigns.inSteps(any, steps.length) : any
    return { field: fields.sequences_steps, operator: is, value }
  },
  created_after: created(dateOperators.greater_or_equal),
  created_before: created(dateOperators.less_than),
  changed: ({ by = [], after }, { members }) => ({
    field: fields.changed,
    operator: after ? `${dateOperators.greater_or_equal} ${formatPlainDay(after)}` : '',
    value: by.length > 0 ? names(by, members) : words.filter.anybody,
  }),
  leads: leads(fields.leads, words.filter.noLead),
  not_leads: leads(fields.not_leads, noCondition),
}

export function describe(id: ConditionId, filter: LeadFilter, records: Records): Described {
  const index = attributeIndex(id)
  if (index >= 0) return describeAttribute(filter.attributes?.[index], records)
  const key = id as Key
  return (described[key] as Describe<Key>)(filter[key] as never, records)
}

function describeAttribute(condition: AttributeCondition | undefined, records: Records): Described {
  const attribute = records.attributes.find(({ id }) => id === condition?.id)
  if (!condition) return { field: '', operator: '', value: '' }
  return {
    field: attribute?.name ?? words.filter.deleted,
    operator: operatorWord(condition, attribute),
    value:
      needsValue(condition.operator) && attribute
        ? valueText(condition.value ?? '', attribute)
        : '',
  }
}

function valueText(value: string, attribute: AttributeRecord): ReactNode {
  return valueTexts[attribute.type](value, attribute)
}

const asIs = (value: string) => value

const valueTexts: Record<AttributeType, (value: string, attribute: AttributeRecord) => ReactNode> =
  {
    TEXT: asIs,
    TEXTAREA: asIs,
    EMAIL: asIs,
    PHONENUMBER: asIs,
    LOCATION: asIs,
    SELECT: (value, { select_options }) => names([value], select_options),
    CHECKBOX: (value) => (value === 'true' ? words.fields.yes : words.fields.no),
    DATE: formatPlainDay,
    TIMESTAMP: formatExact,
    CURRENCY: (value, { currency }) => formatMoney(Number(value), currency),
    NUMBER: (value) => formatNumber(Number(value)),
    RELATION: (value) => <LeadName id={value} />,
  }
