// The editor of a condition on a field. It applies when it is complete and sent; Escape leaves no trace.
import {
  type FieldOperator,
  operatorsOf,
  readSpan,
  type Span,
  takes,
} from '@rapport/contract/leads/field-operators.values'
import { type LeadField, leadFields } from '@rapport/contract/leads/fields'
import type { LeadFilter } from '@rapport/contract/leads/filter'
import { useId, useState } from 'react'
import { type FieldCondition, withEntry } from '../../kinds/conditions.ts'
import { readAmount } from '../../kinds/parse-number.ts'
import { Button } from '../../ui/button.tsx'
import { currencyChoices } from '../../ui/currencies.ts'
import { Select } from '../../ui/select.tsx'
import { submitting } from '../../ui/submitting.ts'
import { WhenInput } from '../../ui/when-input.tsx'
import { words } from '../../words/index.ts'
import css from './filter.module.css'
import { Matches } from './matches.tsx'

interface Props {
  field: LeadField
  /** Of the entry that it changes or adds. */
  index: number
  filter: LeadFilter
  onChange: (filter: LeadFilter) => void
  onDone: () => void
}

export function FieldEditor({ field, index, filter, onChange, onDone }: Props) {
  const kept = filter.fields?.[index]
  const operators = operatorsOf(field)
  const [operator, setOperator] = useState<FieldOperator>(
    kept?.operator ?? firstOperator(operators),
  )
  const [texts, setTexts] = useState(() => [kept?.value ?? ''].flat().map(String))
  const condition = complete(field, operator, texts)
  const draft = condition && withEntry(filter, 'fields', index, condition)
  const includesEmpty = ['is_not', 'not_contains', 'not_equals'].includes(operator)
  const { label } = leadFields[field]
  return (
    <form
      className={css.form}
      onSubmit={submitting(() => {
        if (!draft) return
        onChange(draft)
        onDone()
      })}
    >
      <Select
        isBare
        goesOn
        label={words.filter.operator}
        value={operator}
        options={operators.map((name) => [name, `${label} ${words.filter.operators[name]}`])}
        onValue={(name) => setOperator(name as FieldOperator)}
      />
      <Values field={field} operator={operator} texts={texts} onTexts={setTexts} />
      <p className={css.hint}>
        {includesEmpty && <span className={css.note}>{words.filter.emptyToo} </span>}
        {leadFields[field].kind === 'amount' && takes[operator] !== 'nothing' && (
          <span className={css.note}>{words.filter.anyCurrency} </span>
        )}
        {draft ? <Matches filter={draft} /> : missing(field, texts)}
      </p>
      <Button type="submit" disabled={!draft}>
        {words.filter.apply}
      </Button>
    </form>
  )
}

/** Most fields are asked for a text or for a number above another one. */
const firstOperator = (operators: readonly FieldOperator[]) =>
  operators.find((name) => name === 'contains' || name === 'greater_than' || name === 'in_last') ??
  operators[0] ??
  'is_not_empty'

const isNumber = (field: LeadField) => ['integer', 'amount'].includes(leadFields[field].kind)

/** Undefined if it is none, or has decimals where the field has none. */
function numberIn(field: LeadField, text: string): number | undefined {
  const number = isNumber(field) ? readAmount(text) : undefined
  return leadFields[field].kind === 'amount' || Number.isInteger(number) ? number : undefined
}

/** What is missing. */
const missing = (field: LeadField, texts: string[]) =>
  texts.some((text) => text.trim() !== '' && isNumber(field) && numberIn(field, text) === undefined)
    ? words.fields.notNumber
    : words.filter.incomplete

/** Undefined while the value is missing or wrong. */
function complete(
  field: LeadField,
  operator: FieldOperator,
  texts: string[],
): FieldCondition | undefined {
  const { kind } = leadFields[field]
  const [first = '', second = ''] = texts.map((text) => text.trim())
  const isRight = (text: string) =>
    isNumber(field) ? numberIn(field, text) !== undefined : text !== ''
  const value = (text: string) => numberIn(field, text) ?? text
  switch (takes[operator]) {
    case 'nothing':
      return { field, operator }
    case 'span':
      return readSpan(first) && { field, operator, value: first }
    case 'two':
      if (!isRight(first) || !isRight(second)) return undefined
      return { field, operator, value: inOrder(value(first), value(second)) }
    case 'one':
      if (kind === 'flag') return { field, operator, value: first !== 'false' }
      return isRight(first) ? { field, operator, value: value(first) } : undefined
  }
}

/** People may say the larger number or the later day first. Relative days stay as they are. */
const inOrder = <T extends string | number>(one: T, other: T): [T, T] =>
  one > other && (typeof one === 'number' || /^\d/.test(one)) ? [other, one] : [one, other]

interface ValueProps {
  field: LeadField
  operator: FieldOperator
  texts: string[]
  onTexts: (texts: string[]) => void
}

function Values({ field, operator, texts, onTexts }: ValueProps) {
  const { kind, label } = leadFields[field]
  const [first = '', second = ''] = texts
  const taken = takes[operator]
  if (taken === 'nothing') return null
  if (taken === 'span') return <SpanInput text={first} onText={(text) => onTexts([text])} />
  if (kind === 'flag') {
    return (
      <Select
        isBare
        label={words.filter.value}
        value={first === 'false' ? 'false' : 'true'}
        options={[
          ['true', words.filter.yes],
          ['false', words.filter.no],
        ]}
        onValue={(text) => onTexts([text])}
      />
    )
  }
  if (kind === 'currency') {
    return (
      <Select
        isBare
        label={words.filter.value}
        value={first}
        options={currencyChoices()}
        onValue={(code) => onTexts([code])}
      />
    )
  }
  const isRelative = /^[+-]/.test(first)
  const input = (text: string, name: string, change: (text: string) => void, isFirst: boolean) =>
    kind === 'time' && !isRelative ? (
      <WhenInput
        kind="day"
        label={name}
        value={text.slice(0, 10)}
        isFirst={isFirst}
        isPast
        onValue={change}
      />
    ) : (
      <input
        className={css.input}
        type="text"
        inputMode={kind === 'amount' ? 'decimal' : kind === 'integer' ? 'numeric' : 'text'}
        aria-label={name}
        maxLength={1000}
        autoComplete="off"
        value={text}
        autoFocus={isFirst}
        onChange={(event) => change(event.target.value)}
      />
    )
  if (taken === 'one') return input(first, label, (text) => onTexts([text]), true)
  return (
    <div className={css.two}>
      {input(first, words.filter.from(label), (text) => onTexts([text, second]), true)}
      {input(second, words.filter.to(label), (text) => onTexts([first, text]), false)}
    </div>
  )
}

const letters = { day: 'd', week: 'w', month: 'm' } as const

/** A number of days, weeks or months: "14d". */
export function SpanInput({ text, onText }: { text: string; onText: (text: string) => void }) {
  const span = readSpan(text)
  const [count, setCount] = useState(span ? String(span.count) : '')
  const [unit, setUnit] = useState<Span['unit']>(span?.unit ?? 'day')
  const hint = useId()
  const change = (nextCount: string, nextUnit: Span['unit']) => {
    setCount(nextCount)
    setUnit(nextUnit)
    onText(`${nextCount.trim()}${letters[nextUnit]}`)
  }
  return (
    <div className={css.two}>
      <input
        className={css.input}
        inputMode="numeric"
        aria-label={words.filter.howMany}
        aria-describedby={hint}
        maxLength={4}
        autoComplete="off"
        value={count}
        autoFocus
        onChange={(event) => change(event.target.value, unit)}
      />
      <div id={hint}>
        <Select
          isBare
          label={words.filter.unit}
          value={unit}
          options={(Object.keys(letters) as Span['unit'][]).map((name) => [
            name,
            words.filter.units[name],
          ])}
          onValue={(name) => change(count, name as Span['unit'])}
        />
      </div>
    </div>
  )
}
