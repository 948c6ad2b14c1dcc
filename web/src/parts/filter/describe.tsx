// A condition in words: the three parts of its chip.
import {
  isLeadField,
  readRelativeDay,
  readSpan,
  type Span,
  takes,
} from '@rapport/contract/leads/field-operators.values'
import { leadFields } from '@rapport/contract/leads/fields'
import type { LeadFilter } from '@rapport/contract/leads/filter'
import type { ConditionKind, ConditionOf } from '@rapport/contract/leads/filter.values'
import { Fragment, type ReactNode } from 'react'
import type { Records } from '../../api/records.ts'
import { attributeRecords } from '../../kinds/attribute-types.tsx'
import {
  type AttributeCondition,
  type ConditionId,
  conditionsOf,
  entryOf,
  exceptedRelation,
  type FieldCondition,
  isKey,
  kindOf,
  needsValue,
  operatorWord,
} from '../../kinds/conditions.ts'
import { LeadName } from '../../kinds/lead-name.tsx'
import { names, relations } from '../../kinds/relations.tsx'
import { formatNumber, formatPlainDay } from '../../ui/format.ts'
import { addDays } from '../../ui/periods.ts'
import { words } from '../../words/index.ts'
import css from './filter.module.css'

export interface Described {
  field: string
  operator: string
  value: ReactNode
}

const { conditions, is, noCondition, dateOperators } = words.filter

type Kind = Exclude<ConditionKind, 'attributes' | 'fields'>
type Value<K extends Kind> = NonNullable<LeadFilter[ConditionOf<K>]>
type Words<K extends Kind> = (typeof conditions)[ConditionOf<K> & keyof typeof conditions]
type Part = Partial<Described> & Pick<Described, 'value'>

/** What each kind of condition says: its value, and where it is not the usual, its field and operator. */
const described: {
  [K in Kind]: (value: Value<K>, said: Words<K>, records: Records, key: ConditionOf<K>) => Part
} = {
  search: (text) => ({ operator: words.filter.operators.contains, value: text || noCondition }),
  flag: (value, { values: [yes, no] }) => ({ value: value ? yes : no }),
  must: (isOn, { value }) => ({ value: isOn ? value : noCondition }),
  records: (ids, { operator }, records, relation) => ({
    operator,
    value: names(ids, relations[relation].named(records)),
  }),
  email: (state) => ({ value: words.filter.emailStatusShort[state] }),
  score: (entries) => ({ value: entries.join(', ') || noCondition }),
  steps({ status: states = [], id: steps = [] }) {
    const any = states.map((state) => words.filter.steps[state]).join(', ') || words.filter.some
    return { value: steps.length > 0 ? words.campaigns.inSteps(any, steps.length) : any }
  },
  day: (day, { chip, operator }) => ({ field: chip, operator, value: formatPlainDay(day) }),
  changed: ({ by = [], after }, _, { members }) => ({
    operator: after ? `${dateOperators.greater_or_equal} ${formatPlainDay(after)}` : '',
    value: by.length > 0 ? names(by, members) : words.filter.anybody,
  }),
  operation: () => ({ value: words.filter.oneOperation }),
  key: (text) => ({ value: text.slice(text.indexOf(':') + 1) }),
  stay: ({ status = [], ...days }, _, records) => ({
    operator: daysText(days),
    value: status.length > 0 ? names(status, records.status) : words.filter.some,
  }),
  noted: ({ kind = [], by = [], ...days }, _, { members }) => ({
    operator: daysText(days),
    value: (
      <>
        {kind.map((one) => words.notes.kinds[one]).join(', ') || words.filter.some}{' '}
        {by.length > 0 ? (
          <>
            {words.filter.by} {names(by, members)}
          </>
        ) : (
          words.filter.anybody
        )}
      </>
    ),
  }),
  due: ({ due }) => ({ operator: words.filter.dueAt, value: words.filter.due[due] }),
  since: ({ since, none_since }) => ({
    operator: since === undefined ? words.filter.noneSince : words.filter.since,
    value: dayText(since ?? none_since ?? ''),
  }),
  filters: (filters, _, records) => ({
    operator: '',
    value: joined(filters, words.filter.or, (filter) => sentences(filter, records)),
  }),
  leads(ids, _, _records, key) {
    const [only = ''] = ids
    if (ids.length === 1) return { value: <LeadName id={only} /> }
    if (ids.length > 0) return { value: words.leads.count(ids.length) }
    return { value: key === 'leads' ? words.filter.noLead : noCondition }
  },
}

export function describe(id: ConditionId, filter: LeadFilter, records: Records): Described {
  const entry = entryOf(id)
  if (entry?.key === 'fields') return describeField(filter.fields?.[entry.index])
  if (entry?.key === 'none') return describeException(filter.none?.[entry.index] ?? {}, records)
  if (entry) return describeAttribute(filter.attributes?.[entry.index], records)
  if (!isKey(id)) return unknown
  const said = conditions[id]
  const describeKind = described[kindOf(id)] as (...all: unknown[]) => Part
  return { field: said.field, operator: is, ...describeKind(filter[id], said, records, id) }
}

const unknown: Described = { field: '', operator: '', value: '' }

function describeException(exception: LeadFilter, records: Records): Described {
  const relation = exceptedRelation(exception)
  if (!relation) return { ...words.filter.exceptions, value: sentences(exception, records) }
  return { ...describe(relation, exception, records), operator: conditions[relation].except }
}

/** All conditions of a filter that is part of another. */
const sentences = (filter: LeadFilter, records: Records) =>
  joined(conditionsOf(filter), words.filter.and, (id) => {
    const { field, operator, value } = describe(id, filter, records)
    return (
      <>
        {field} {operator} {value}
      </>
    )
  })

const joined = <T,>(items: readonly T[], word: string, content: (item: T) => ReactNode) => (
  <span className={css.sentence}>
    {items.map((item, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: filters have no other name
      <Fragment key={at}>
        {at > 0 && ` ${word} `}
        {content(item)}
      </Fragment>
    ))}
  </span>
)

const spanText = ({ count, unit }: Span) => words.filter.spans[unit](Math.abs(count))

/** A day as a filter has it: "2026-01-31", or "-14d". */
function dayText(text: string): string {
  const span = readRelativeDay(text)
  if (!span) return formatPlainDay(text.slice(0, 10))
  return span.count < 0 ? words.filter.ago(spanText(span)) : words.filter.ahead(spanText(span))
}

/** From the one day on, and before the other. */
function daysText({ after, before }: { after?: string; before?: string }): string {
  const { operators, range } = words.filter
  if (after && before) {
    return `${operators.between} ${range(dayText(after), dayText(addDays(before, -1)))}`
  }
  if (after) return `${dateOperators.greater_or_equal} ${dayText(after)}`
  return before ? `${dateOperators.less_than} ${dayText(before)}` : ''
}

/** "more than … ago": the value is in the middle. */
function around(operator: string): [before: string, after: string] {
  const [before = '', after = ''] = operator.split(/ ?…/)
  return [before, after]
}

function describeField(condition: FieldCondition | undefined): Described {
  if (!condition || !isLeadField(condition.field)) return unknown
  const { label, kind } = leadFields[condition.field]
  const [operator, after] = around(words.filter.operators[condition.operator])
  const one = (value: unknown): string => {
    if (kind === 'flag') return value ? words.filter.yes : words.filter.no
    if (typeof value === 'number') return formatNumber(value)
    if (kind !== 'time') return String(value)
    const span = readSpan(String(value))
    return span ? spanText(span) : dayText(String(value))
  }
  const { value } = condition
  if (value === undefined) return { field: label, operator, value: '' }
  const [from, to] = [value].flat().map(one)
  return {
    ...{ field: label, operator },
    value: to === undefined ? `${from}${after}` : words.filter.range(from ?? '', to),
  }
}

function describeAttribute(condition: AttributeCondition | undefined, records: Records): Described {
  const attribute = records.attributes.find(({ id }) => id === condition?.id)
  if (!condition) return unknown
  const [operator, after] = around(operatorWord(condition, attribute))
  const described = { field: attribute?.name ?? words.filter.deleted, operator }
  const { value = '' } = condition
  if (!needsValue(condition.operator) || !attribute) return { ...described, value: '' }
  const span = takes[condition.operator] === 'span' ? readSpan(value) : undefined
  return {
    ...described,
    value: span
      ? spanText(span) + after
      : attributeRecords[attribute.type].inCondition(value, attribute),
  }
}
