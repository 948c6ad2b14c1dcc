// A condition in words: the three parts of its chip.
import type { LeadFilter } from '@rapport/contract/leads/filter'
import type { ReactNode } from 'react'
import type { AttributeRecord, Records } from '../../api/records.ts'
import {
  type AttributeCondition,
  attributeIndex,
  type ConditionId,
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

export function describe(id: ConditionId, filter: LeadFilter, records: Records): Described {
  const { fields, flags, isAnyOf, hasAnyOf, is, contains } = words.filter
  const index = attributeIndex(id)
  if (index >= 0) return describeAttribute(filter.attributes?.[index], records)
  switch (id) {
    case 'status':
      return {
        field: fields.status,
        operator: isAnyOf,
        value: names(filter.status, records.status),
      }
    case 'tags':
      return {
        field: fields.tags,
        operator: hasAnyOf,
        value: names(
          filter.tags,
          records.tags.map(({ id, name }) => ({ id, name })),
        ),
      }
    case 'lists':
      return { field: fields.lists, operator: isAnyOf, value: names(filter.lists, records.lists) }
    case 'owners':
      return {
        field: fields.owners,
        operator: isAnyOf,
        value: names(filter.owners, records.members),
      }
    case 'campaigns':
      return {
        field: fields.campaigns,
        operator: isAnyOf,
        value: names(filter.campaigns, records.campaigns),
      }
    case 'has_list':
    case 'has_no_list':
    case 'has_owner':
    case 'has_no_owner': {
      const isList = id.endsWith('list')
      const value = id.startsWith('has_no') ? words.filter.none : words.filter.some
      return {
        field: isList ? fields.lists : fields.owners,
        operator: is,
        value: filter[id] ? value : words.filter.noCondition,
      }
    }
    case 'email_status':
      return {
        field: fields.email_status,
        operator: is,
        value: words.filter.emailStatusShort[filter.email_status ?? 'all'],
      }
    case 'search':
      return {
        field: fields.search,
        operator: contains,
        value: filter.search || words.filter.noCondition,
      }
    case 'score':
      return {
        field: fields.score,
        operator: is,
        value: filter.score?.join(', ') || words.filter.noCondition,
      }
    case 'sequences_steps': {
      const { status: states = [], id: steps = [] } = filter.sequences_steps ?? {}
      const any = states.map((state) => words.filter.steps[state]).join(', ') || words.filter.some
      const value = steps.length > 0 ? words.campaigns.inSteps(any, steps.length) : any
      return { field: fields.sequences_steps, operator: is, value }
    }
    case 'created_after':
    case 'created_before': {
      const { greater_or_equal, less_than } = words.filter.dateOperators
      return {
        field: words.filter.created,
        operator: id === 'created_after' ? greater_or_equal : less_than,
        value: formatPlainDay(filter[id] ?? ''),
      }
    }
    case 'changed': {
      const { by = [], after } = filter.changed ?? {}
      return {
        field: fields.changed,
        operator: after
          ? `${words.filter.dateOperators.greater_or_equal} ${formatPlainDay(after)}`
          : '',
        value: by.length > 0 ? names(by, records.members) : words.filter.anybody,
      }
    }
    case 'leads':
    case 'not_leads': {
      const ids = filter[id] ?? []
      if (ids.length === 0)
        return {
          field: fields[id],
          operator: is,
          value: id === 'leads' ? words.filter.noLead : words.filter.noCondition,
        }
      const [only = ''] = ids
      return {
        field: fields[id],
        operator: is,
        value: ids.length === 1 ? <LeadName id={only} /> : words.leads.count(ids.length),
      }
    }
    case 'is_company':
    case 'is_tracked':
    case 'is_contract':
    case 'ai_enabled':
    case 'has_icebreaker':
      return { field: fields[id], operator: is, value: flags[id][filter[id] ? 0 : 1] }
    default:
      return { field: id, operator: '', value: '' }
  }
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

function valueText(value: string, { type, select_options, currency }: AttributeRecord): ReactNode {
  switch (type) {
    case 'SELECT':
      return names([value], select_options)
    case 'CHECKBOX':
      return value === 'true' ? words.fields.yes : words.fields.no
    case 'DATE':
      return formatPlainDay(value)
    case 'TIMESTAMP':
      return formatExact(value)
    case 'CURRENCY':
      return formatMoney(Number(value), currency)
    case 'NUMBER':
      return formatNumber(Number(value))
    case 'RELATION':
      return <LeadName id={value} />
    default:
      return value
  }
}
