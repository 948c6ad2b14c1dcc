// A condition on an attribute: an operator of its type, and a value of its type.

import type { Operator } from '@rapport/contract/attributes.values'
import { readSpan, takes } from '@rapport/contract/leads/field-operators.values'
import type { LeadFilter } from '@rapport/contract/leads/filter'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { nameOf } from '../../api/lead.ts'
import { searchQuery } from '../../api/leads.ts'
import type { AttributeRecord, Records } from '../../api/records.ts'
import { attributeRecords } from '../../kinds/attribute-types.tsx'
import {
  type AttributeCondition,
  type ConditionId,
  entryOf,
  needsValue,
  operatorsFor,
  operatorWord,
  withEntry,
} from '../../kinds/conditions.ts'
import { Options } from '../../ui/options.tsx'
import { Select } from '../../ui/select.tsx'
import { submitting } from '../../ui/submitting.ts'
import { WhenInput } from '../../ui/when-input.tsx'
import { localTime, timeAt } from '../../ui/zone.ts'
import { words } from '../../words/index.ts'
import { SpanInput } from './field-editor.tsx'
import css from './filter.module.css'
import { useTyped } from './use-typed.ts'

const isSpan = (operator: Operator) => takes[operator] === 'span'
const usualSpan = '14d'

interface Props {
  id: ConditionId
  filter: LeadFilter
  records: Records
  onChange: (filter: LeadFilter) => void
  onDone: () => void
  footer: ReactNode
}

export function AttributeEditor({ id, filter, records, onChange, onDone, footer }: Props) {
  const index = entryOf(id)?.index ?? -1
  const kept = filter.attributes?.[index]
  const attribute = records.attributes.find((entry) => entry.id === kept?.id)
  // An operator that waits for its value is not part of the filter yet.
  const [operator, setOperator] = useState<Operator>(kept?.operator ?? 'equals')
  if (!kept || !attribute) return <p className={css.hint}>{words.filter.deleted}</p>

  const set = (condition: AttributeCondition) =>
    onChange(withEntry(filter, 'attributes', index, condition))
  const fits = (next: Operator) => Boolean(readSpan(kept.value ?? '')) === isSpan(next)
  const choose = (next: Operator) => {
    setOperator(next)
    if (!needsValue(next)) set({ id: kept.id, operator: next })
    else if (kept.value !== undefined && fits(next)) {
      set({ id: kept.id, operator: next, value: kept.value })
    } else if (isSpan(next)) set({ id: kept.id, operator: next, value: usualSpan })
  }
  const value = fits(operator) ? (kept.value ?? '') : isSpan(operator) ? usualSpan : ''
  const setValue = (value: string) => set({ id: kept.id, operator, value })
  const includesEmpty = operator === 'not_equals' || operator === 'not_contains'
  return (
    <div className={css.attribute}>
      <div className={css.operator}>
        <Select
          isBare
          goesOn
          label={words.filter.operator}
          value={operator}
          options={operatorsFor(attribute).map((name) => [
            name,
            `${attribute.name} ${operatorWord({ operator: name }, attribute)}`,
          ])}
          onValue={(name) => choose(name as Operator)}
        />
      </div>
      {isSpan(operator) ? (
        <form className={css.form} onSubmit={submitting(onDone)}>
          <SpanInput text={value} onText={(text) => readSpan(text) && setValue(text)} />
        </form>
      ) : (
        needsValue(operator) && (
          <ValueEditor
            key={attribute.type}
            attribute={attribute}
            value={value}
            onValue={setValue}
            onDone={onDone}
          />
        )
      )}
      <p className={css.footer}>
        {includesEmpty && <span className={css.note}>{words.filter.emptyToo} </span>}
        {footer}
      </p>
    </div>
  )
}

interface ValueProps {
  attribute: AttributeRecord
  value: string
  onValue: (value: string) => void
  onDone: () => void
}

function ValueEditor({ attribute, value, onValue, onDone }: ValueProps) {
  const pick = (next: string) => {
    onValue(next)
    onDone()
  }
  const { kind, choices } = attributeRecords[attribute.type]
  if (kind === 'lead') return <LeadValue attribute={attribute} onPick={pick} />
  if (choices)
    return (
      <Options
        label={attribute.name}
        options={choices(attribute)}
        chosen={new Set([value])}
        onPick={pick}
      />
    )
  return <TypedValue attribute={attribute} value={value} onValue={onValue} onDone={onDone} />
}

function TypedValue({ attribute: { type, name }, value, onValue, onDone }: ValueProps) {
  const { typed: form = 'text' } = attributeRecords[type]
  const isNumber = form === 'decimal'
  const start =
    form === 'datetime-local' && value
      ? localTime(new Date(value))
      : form === 'date'
        ? value.slice(0, 10)
        : value
  const [text, setText] = useState(start)
  const read = (entered: string) => {
    const trimmed = entered.trim().replace(isNumber ? ',' : '', isNumber ? '.' : '')
    if (trimmed === '') return undefined
    if (isNumber) return /^-?\d+(\.\d+)?$/.test(trimmed) ? trimmed : undefined
    return form === 'datetime-local' ? timeAt(trimmed).toISOString() : trimmed
  }
  const apply = (entered: string) => {
    const next = read(entered)
    if (next !== undefined) onValue(next)
  }
  const typed = useTyped(apply)
  const isWrong = isNumber && text.trim() !== '' && read(text) === undefined
  return (
    <form
      className={css.form}
      onSubmit={submitting(() => {
        apply(text)
        onDone()
      })}
    >
      {form === 'date' || form === 'datetime-local' ? (
        <WhenInput
          kind={form === 'date' ? 'day' : 'time'}
          label={name}
          value={text}
          isFirst
          onValue={(next) => {
            setText(next)
            typed(next)
          }}
        />
      ) : (
        <input
          className={css.input}
          type="text"
          aria-label={name}
          aria-invalid={isWrong || undefined}
          autoComplete="off"
          inputMode={isNumber ? 'decimal' : undefined}
          value={text}
          autoFocus
          onChange={(event) => {
            setText(event.target.value)
            typed(event.target.value)
          }}
        />
      )}
      {isWrong && <p className={css.wrong}>{words.fields.notNumber}</p>}
    </form>
  )
}

function LeadValue({
  attribute,
  onPick,
}: {
  attribute: AttributeRecord
  onPick: (id: string) => void
}) {
  const [text, setText] = useState('')
  const { data = [], isFetching } = useQuery({
    ...searchQuery(text.trim(), 8),
    enabled: text.trim().length > 1,
  })
  return (
    <Options
      label={attribute.name}
      placeholder={words.fields.findLead}
      options={data.map((lead) => ({ id: lead.id, label: nameOf(lead), hint: lead.company }))}
      onSearch={setText}
      isBusy={isFetching}
      onPick={onPick}
    />
  )
}
