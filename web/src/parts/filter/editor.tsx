// The editor of one condition. What it changes applies at once; the count of matches follows.

import type { LeadFilter } from '@rapport/contract/leads/filter'
import { emailStatuses, stepStatuses } from '@rapport/contract/leads/filter.values'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { countQuery } from '../../api/leads.ts'
import type { Records } from '../../api/records.ts'
import {
  attributeIndex,
  type ConditionId,
  type ConditionKind,
  companions,
  conditionKinds,
  type FilterKey,
  readScore,
  withValue,
} from '../../kinds/conditions.ts'
import { type Listed, recordOptions } from '../../kinds/record-options.tsx'
import { type Option, Options } from '../../ui/options.tsx'
import { words } from '../../words/index.ts'
import { AttributeEditor } from './attribute-editor.tsx'
import css from './filter.module.css'
import { useTyped } from './use-typed.ts'

interface Props {
  id: ConditionId
  filter: LeadFilter
  records: Records
  onChange: (filter: LeadFilter) => void
  onDone: () => void
}

export function ConditionEditor(props: Props) {
  const { id, filter } = props
  if (attributeIndex(id) >= 0)
    return <AttributeEditor {...props} footer={<Matches filter={filter} />} />
  const Editor = editors[conditionKinds[id as Exclude<FilterKey, 'attributes'>]]
  return <Editor {...props} />
}

/** How many leads match now, exactly. */
export function Matches({ filter }: { filter: LeadFilter }) {
  const { data, isFetching } = useQuery({ ...countQuery(filter), placeholderData: (old) => old })
  return (
    <span aria-live="polite">
      {data === undefined || isFetching ? '…' : words.filter.live(data)}
    </span>
  )
}

function RecordsEditor({ id, filter, records, onChange }: Props) {
  const key = id as Listed
  const companion = companions[key]
  const chosen = new Set<string>([
    ...(filter[key] ?? []),
    ...(companion?.filter((name) => filter[name]) ?? []),
  ])
  const [some, none] = companion ?? []
  const special: Option[] = companion
    ? [
        {
          id: some as string,
          label: key === 'lists' ? words.filter.anyList : words.filter.anyOwner,
        },
        { id: none as string, label: key === 'lists' ? words.filter.noList : words.filter.noOwner },
      ]
    : []
  const pick = (picked: string) => {
    if (picked === some || picked === none) {
      const isOn = filter[picked as FilterKey] === true
      const { [key]: _, [some as FilterKey]: _a, [none as FilterKey]: _b, ...rest } = filter
      onChange(isOn ? rest : { ...rest, [picked]: true })
      return
    }
    const {
      [some as FilterKey]: _a,
      [none as FilterKey]: _b,
      ...rest
    } = companion ? filter : { ...filter }
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
      label={words.fields.find(words.filter.fields[key])}
      options={[...special, ...recordOptions[key](records)]}
      chosen={chosen}
      onPick={pick}
      footer={chosen.size === 0 ? words.filter.noCondition : <Matches filter={filter} />}
    />
  )
}

function StepsEditor({ filter, onChange }: Props) {
  const { fields, steps } = words.filter
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
      label={fields.sequences_steps}
      options={stepStatuses.map((state) => ({ id: state, label: steps[state] }))}
      chosen={new Set<string>(chosen)}
      onPick={pick}
      footer={<Matches filter={filter} />}
    />
  )
}

function EmailEditor({ filter, onChange, onDone }: Props) {
  const { fields, emailStatus } = words.filter
  return (
    <Options
      label={fields.email_status}
      options={emailStatuses.map((state) => ({ id: state, label: emailStatus[state] }))}
      chosen={new Set(filter.email_status ? [filter.email_status] : [])}
      onPick={(state) => {
        onChange({ ...filter, email_status: state as (typeof emailStatuses)[number] })
        onDone()
      }}
    />
  )
}

function FlagEditor({ id, filter, onChange, onDone }: Props) {
  const { flags, fields } = words.filter
  const key = id as keyof typeof flags
  const [yes, no] = flags[key]
  return (
    <Options
      label={fields[key]}
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
  const key = id as 'created_after' | 'created_before'
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
        aria-label={words.filter.fields[key]}
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
  const label = words.filter.fields[isScore ? 'score' : 'search']
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

const editors: Record<ConditionKind, (props: Props) => ReactNode> = {
  records: RecordsEditor,
  day: DayEditor,
  search: TextEditor,
  score: TextEditor,
  flag: FlagEditor,
  email: EmailEditor,
  steps: StepsEditor,
  // Edited as a choice of lists or owners.
  must: Nothing,
  // Made by a link of the overview or by a selection, and only shown.
  leads: Nothing,
  changed: Nothing,
}
