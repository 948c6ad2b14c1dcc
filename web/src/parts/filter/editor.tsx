// The editor of one condition. Changes apply immediately, and the count of matches follows. Escape reverts them.

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
import { type ReactNode, useContext, useState } from 'react'
import type { Records } from '../../api/records.ts'
import {
  type ConditionId,
  companionsOf,
  entryOf,
  exceptedRelation,
  fieldNameOf,
  isKey,
  isNewField,
  type Key,
  kindOf,
  type NewFieldId,
  newException,
  readScore,
  withException,
  without,
  withValue,
} from '../../kinds/conditions.ts'
import { relations } from '../../kinds/relations.tsx'
import { Options } from '../../ui/options.tsx'
import { Select } from '../../ui/select.tsx'
import { submitting } from '../../ui/submitting.ts'
import { WhenInput } from '../../ui/when-input.tsx'
import { words } from '../../words/index.ts'
import { AttributeEditor } from './attribute-editor.tsx'
import { FieldEditor } from './field-editor.tsx'
import css from './filter.module.css'
import { AlternativesEditor, ExceptionEditor, Footer } from './group-editor.tsx'
import { HistoryEditor } from './history-editor.tsx'
import { Matches, WholeFilter } from './matches.tsx'
import { SinceEditor } from './since-editor.tsx'
import { useTyped } from './use-typed.ts'

interface Props {
  id: Key
  filter: LeadFilter
  records: Records
  onChange: (filter: LeadFilter) => void
  onDone: () => void
}

type AnyProps = Omit<Props, 'id'> & {
  id: ConditionId | NewFieldId | typeof newException
  /** It is added to a filter, which may have one like it. */
  isNew?: boolean
  /** The chips of a filter within this one. */
  chips: (filter: LeadFilter, onChange: (filter: LeadFilter) => void) => ReactNode
}

export function ConditionEditor({ id, isNew, chips, ...props }: AnyProps) {
  const { filter } = props
  // It stays the same one, whatever the condition becomes.
  const [exception] = useState(() => exceptionOf(id, filter, isNew))
  if (exception?.relation) {
    return <RelationEditor {...props} id={exception.relation} exception={exception.index} />
  }
  if (exception) return <ExceptionEditor {...props} chips={chips} index={exception.index} />
  if (id === 'any') return <AlternativesEditor {...props} chips={chips} />
  const field = fieldOf(id, props.filter)
  if (field) return <FieldEditor {...props} {...field} />
  if (isNewField(id) || id === newException) return null
  if (!isKey(id)) {
    return <AttributeEditor {...props} id={id} footer={<Matches filter={props.filter} />} />
  }
  const Editor = editors[kindOf(id)]
  return <Editor {...props} id={id} />
}

/** What is left out, by its place among the exceptions. Undefined: nothing is. */
function exceptionOf(
  id: AnyProps['id'],
  filter: LeadFilter,
  isNew = false,
): { index: number; relation?: LeadRelation | undefined } | undefined {
  const { none = [] } = filter
  if (id === newException) return { index: none.length }
  if (isNewField(id)) return undefined
  // What it may have is asked already: what it may not have can be added.
  if (isNew && isKey(id) && kindOf(id) === 'records' && filter[id]) {
    return { index: none.length, relation: id as LeadRelation }
  }
  const entry = entryOf(id)
  if (entry?.key !== 'none') return undefined
  return { index: entry.index, relation: exceptedRelation(none[entry.index] ?? {}) }
}

/** The condition on a field that is changed, or added as the last one. */
function fieldOf(
  id: AnyProps['id'],
  { fields = [] }: LeadFilter,
): { field: LeadField; index: number } | undefined {
  if (id === newException) return undefined
  if (isNewField(id)) return { field: fieldNameOf(id), index: fields.length }
  const entry = entryOf(id)
  const field = entry?.key === 'fields' ? fields[entry.index]?.field : undefined
  return entry && field && isLeadField(field) ? { field, index: entry.index } : undefined
}

/** The records that a lead has one of, or none of. */
function RelationEditor({ exception, ...props }: Props & { exception?: number }) {
  const { filter, onChange, onDone } = props
  const key = props.id as LeadRelation
  const whole = useContext(WholeFilter)
  const [at, setAt] = useState(exception)
  const [others, setOthers] = useState(() =>
    exception === undefined ? filter : without(filter, `none ${exception}`),
  )
  const [excepted, setExcepted] = useState<LeadFilter>(filter.none?.[exception ?? -1] ?? {})
  const leaveOut = (next: LeadFilter) => {
    setExcepted(next)
    onChange(withException(others, at ?? 0, next))
  }
  const turn = (isExcept: boolean) => {
    const index = filter.none?.length ?? 0
    const chosen = (isExcept ? filter : excepted)[key]
    const rest = isExcept ? [key, ...companionsOf(key)].reduce(without, filter) : others
    setOthers(rest)
    setAt(isExcept ? index : undefined)
    setExcepted(isExcept ? withValue({}, key, chosen) : {})
    if (!chosen) return
    onChange(
      isExcept
        ? withException(rest, index, { [key]: chosen })
        : withValue(rest, key, [...new Set([...(rest[key] ?? []), ...chosen])]),
    )
    onDone()
  }
  const { field, operator, except } = words.filter.conditions[key]
  const isExcept = at !== undefined
  return (
    <div>
      <div className={css.operator}>
        <Select
          isBare
          goesOn
          label={words.filter.operator}
          value={String(isExcept)}
          options={[
            ['false', `${field} ${operator}`],
            ['true', `${field} ${except}`],
          ]}
          onValue={(way) => way !== String(isExcept) && turn(way === 'true')}
        />
      </div>
      <WholeFilter value={isExcept ? (part) => whole(withException(others, at, part)) : whole}>
        <RecordsEditor
          {...props}
          {...(isExcept && { isExcept, filter: excepted, onChange: leaveOut })}
        />
      </WholeFilter>
    </div>
  )
}

function RecordsEditor({
  id,
  filter,
  records,
  onChange,
  onDone,
  isExcept,
}: Props & { isExcept?: boolean }) {
  const key = id as LeadRelation
  const companions = isExcept ? [] : companionsOf(key)
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
    onChange(withValue(rest, key, toggled(filter[key] ?? [], picked)))
  }
  return (
    <Options
      label={words.fields.find(words.filter.conditions[key].field)}
      options={[...special, ...relations[key].options(records)]}
      chosen={chosen}
      onPick={pick}
      footer={<Footer filter={filter} isEmpty={chosen.size === 0} onDone={onDone} />}
    />
  )
}

const toggled = <T,>(chosen: readonly T[], one: T) =>
  chosen.includes(one) ? chosen.filter((entry) => entry !== one) : [...chosen, one]

function StepsEditor({ filter, onChange, onDone }: Props) {
  const { conditions, steps } = words.filter
  const chosen = filter.sequences_steps?.status ?? []
  const pick = (state: string) => {
    const status = toggled(chosen, state as (typeof stepStatuses)[number])
    onChange({ ...filter, sequences_steps: { ...filter.sequences_steps, status } })
  }
  return (
    <Options
      label={conditions.sequences_steps.field}
      options={stepStatuses.map((state) => ({ id: state, label: steps[state] }))}
      chosen={new Set<string>(chosen)}
      onPick={pick}
      footer={<Footer filter={filter} isEmpty={chosen.length === 0} onDone={onDone} />}
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
  const [day, setDay] = useState(filter[key] ?? '')
  return (
    <form className={css.form} onSubmit={submitting(onDone)}>
      <WhenInput
        kind="day"
        label={words.filter.conditions[key].field}
        value={day}
        isFirst
        isPast
        onValue={(next) => {
          setDay(next)
          if (next) onChange(withValue(filter, key, next))
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
      onSubmit={submitting(() => {
        apply(text)
        if (!isWrong) onDone()
      })}
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
const historyEditor = ({ id, ...props }: Props) => (
  <HistoryEditor {...props} id={id as ConditionOf<'stay' | 'noted' | 'changed'>} />
)

const editors: Record<
  Exclude<ConditionKind, 'attributes' | 'fields'>,
  (props: Props) => ReactNode
> = {
  records: RelationEditor,
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
  // Edited in a group.
  filters: Nothing,
  // Made by a selection, an operation or a group of duplicates, and only shown.
  leads: Nothing,
  operation: Nothing,
  key: Nothing,
  changed: historyEditor,
  stay: historyEditor,
  noted: historyEditor,
}
