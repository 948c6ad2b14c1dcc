// The editor of one condition. What it changes applies immediately, until Escape takes it back; the count of matches follows.

import { isLeadField } from '@rapport/contract/leads/field-operators.values'
import type { LeadField } from '@rapport/contract/leads/fields'
import type { LeadFilter } from '@rapport/contract/leads/filter'
import {
  type ConditionKind,
  type ConditionOf,
  type DueTime,
  dueTimes,
  emailStatuses,
  stepStatuses,
} from '@rapport/contract/leads/filter.values'
import type { LeadRelation } from '@rapport/contract/leads/relations'
import { type ReactNode, useState } from 'react'
import type { Records } from '../../api/records.ts'
import {
  type ConditionId,
  companionsOf,
  entryOf,
  fieldNameOf,
  isKey,
  isNewField,
  type Key,
  kindOf,
  type NewFieldId,
  readScore,
  without,
  withValue,
} from '../../kinds/conditions.ts'
import { relations } from '../../kinds/relations.tsx'
import { Options } from '../../ui/options.tsx'
import { words } from '../../words/index.ts'
import { AttributeEditor } from './attribute-editor.tsx'
import { FieldEditor } from './field-editor.tsx'
import css from './filter.module.css'
import { Matches } from './matches.tsx'
import { SinceEditor } from './since-editor.tsx'
import { useTyped } from './use-typed.ts'

interface Props {
  id: Key
  filter: LeadFilter
  records: Records
  onChange: (filter: LeadFilter) => void
  onDone: () => void
}

export function ConditionEditor({
  id,
  ...props
}: Omit<Props, 'id'> & { id: ConditionId | NewFieldId }) {
  const field = fieldOf(id, props.filter)
  if (field) return <FieldEditor {...props} {...field} />
  if (isNewField(id)) return null
  if (!isKey(id)) {
    return <AttributeEditor {...props} id={id} footer={<Matches filter={props.filter} />} />
  }
  const Editor = editors[kindOf(id)]
  return <Editor {...props} id={id} />
}

/** The condition on a field that is changed, or added as the last one. */
function fieldOf(
  id: ConditionId | NewFieldId,
  { fields = [] }: LeadFilter,
): { field: LeadField; index: number } | undefined {
  if (isNewField(id)) return { field: fieldNameOf(id), index: fields.length }
  const entry = entryOf(id)
  const field = entry?.key === 'fields' ? fields[entry.index]?.field : undefined
  return entry && field && isLeadField(field) ? { field, index: entry.index } : undefined
}

function RecordsEditor({ id, filter, records, onChange }: Props) {
  const key = id as LeadRelation
  const companions = companionsOf(key)
  const chosen = new Set<string>([
    ...(filter[key] ?? []),
    ...companions.filter((name) => filter[name]),
  ])
  const special = companions.map((name) => ({
    id: name,
    label: words.filter.conditions[name].option,
  }))
  const pick = (picked: string) => {
    const rest = companions.reduce<LeadFilter>(without, filter)
    const companion = companions.find((name) => name === picked)
    if (companion) {
      const others = without(rest, key)
      return onChange(filter[companion] ? others : { ...others, [companion]: true })
    }
    const ids = filter[key] ?? []
    onChange(
      withValue(
        rest,
        key,
        ids.includes(picked) ? ids.filter((entry) => entry !== picked) : [...ids, picked],
      ),
    )
  }
  return (
    <Options
      label={words.fields.find(words.filter.conditions[key].field)}
      options={[...special, ...relations[key].options(records)]}
      chosen={chosen}
      onPick={pick}
      footer={chosen.size === 0 ? words.filter.noCondition : <Matches filter={filter} />}
    />
  )
}

function StepsEditor({ filter, onChange }: Props) {
  const { conditions, steps } = words.filter
  const chosen = filter.sequences_steps?.status ?? []
  const pick = (state: string) => {
    const known = state as (typeof stepStatuses)[number]
    const status = chosen.includes(known)
      ? chosen.filter((entry) => entry !== known)
      : [...chosen, known]
    onChange({ ...filter, sequences_steps: { ...filter.sequences_steps, status } })
  }
  return (
    <Options
      label={conditions.sequences_steps.field}
      options={stepStatuses.map((state) => ({ id: state, label: steps[state] }))}
      chosen={new Set<string>(chosen)}
      onPick={pick}
      footer={<Matches filter={filter} />}
    />
  )
}

function EmailEditor({ filter, onChange, onDone }: Props) {
  const { conditions, emailStatus } = words.filter
  return (
    <Options
      label={conditions.email_status.field}
      options={emailStatuses.map((state) => ({ id: state, label: emailStatus[state] }))}
      chosen={new Set(filter.email_status ? [filter.email_status] : [])}
      onPick={(state) => {
        onChange({ ...filter, email_status: state as (typeof emailStatuses)[number] })
        onDone()
      }}
    />
  )
}

function DueEditor({ filter, onChange, onDone }: Props) {
  const { conditions, due } = words.filter
  return (
    <Options
      label={conditions.reminders.field}
      options={dueTimes.map((time) => ({ id: time, label: due[time] }))}
      chosen={new Set<string>(filter.reminders ? [filter.reminders.due] : [])}
      onPick={(time) => {
        onChange({ ...filter, reminders: { due: time as DueTime } })
        onDone()
      }}
    />
  )
}

function FlagEditor({ id, filter, onChange, onDone }: Props) {
  const key = id as ConditionOf<'flag'>
  const { field, values } = words.filter.conditions[key]
  const [yes, no] = values
  return (
    <Options
      label={field}
      options={[
        { id: 'true', label: yes },
        { id: 'false', label: no },
      ]}
      chosen={new Set(filter[key] === undefined ? [] : [String(filter[key])])}
      onPick={(value) => {
        onChange({ ...filter, [key]: value === 'true' })
        onDone()
      }}
    />
  )
}

function DayEditor({ id, filter, onChange, onDone }: Props) {
  const key = id as ConditionOf<'day'>
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault()
        onDone()
      }}
    >
      <input
        className={css.input}
        type="date"
        aria-label={words.filter.conditions[key].field}
        min="1000-01-01"
        max="9999-12-31"
        value={filter[key] ?? ''}
        autoFocus
        onChange={({ target }) => {
          if (target.validity.valid) onChange(withValue(filter, key, target.value))
        }}
      />
      <p className={css.hint}>
        {filter[key] ? <Matches filter={filter} /> : words.filter.noCondition}
      </p>
    </form>
  )
}

function TextEditor({ id, filter, onChange, onDone }: Props) {
  const isScore = id === 'score'
  const [text, setText] = useState(
    isScore ? (filter.score?.join(', ') ?? '') : (filter.search ?? ''),
  )
  const isWrong = isScore && readScore(text) === undefined
  const apply = (value: string) => {
    const next = isScore ? readScore(value) : value.trim()
    if (next !== undefined)
      onChange(withValue(filter, isScore ? 'score' : 'search', next as string[] & string))
  }
  const typed = useTyped(apply)
  const label = words.filter.conditions[isScore ? 'score' : 'search'].field
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault()
        apply(text)
        if (!isWrong) onDone()
      }}
    >
      <input
        className={css.input}
        aria-label={label}
        aria-invalid={isWrong || undefined}
        aria-describedby="condition-hint"
        placeholder={label}
        maxLength={1000}
        autoComplete="off"
        value={text}
        autoFocus
        onChange={(event) => {
          setText(event.target.value)
          typed(event.target.value)
        }}
      />
      <p className={isWrong ? css.wrong : css.hint} id="condition-hint">
        {isWrong
          ? words.filter.scoreWrong
          : isScore
            ? words.filter.scoreHint
            : words.filter.searchHint}
      </p>
      <p className={css.hint}>
        {text.trim() === '' ? words.filter.noCondition : <Matches filter={filter} />}
      </p>
    </form>
  )
}

const Nothing = () => null

const editors: Record<
  Exclude<ConditionKind, 'attributes' | 'fields'>,
  (props: Props) => ReactNode
> = {
  records: RecordsEditor,
  day: DayEditor,
  search: TextEditor,
  score: TextEditor,
  flag: FlagEditor,
  email: EmailEditor,
  steps: StepsEditor,
  due: DueEditor,
  since: ({ id, ...props }) => <SinceEditor {...props} id={id as ConditionOf<'since'>} />,
  // Edited as a choice of lists or owners.
  must: Nothing,
  // Made by a link of the overview or by a selection, and only shown.
  leads: Nothing,
  filters: Nothing,
  changed: Nothing,
}
