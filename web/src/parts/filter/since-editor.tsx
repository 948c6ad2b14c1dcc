// The editor of what has happened, or has not, for some time. It applies when it is complete and sent.

import { readRelativeDay, readSpan } from '@rapport/contract/leads/field-operators.values'
import type { LeadFilter } from '@rapport/contract/leads/filter'
import type { ConditionOf } from '@rapport/contract/leads/filter.values'
import { useState } from 'react'
import { withValue } from '../../kinds/conditions.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/select.tsx'
import { submitting } from '../../ui/submitting.ts'
import { words } from '../../words/index.ts'
import { SpanInput } from './field-editor.tsx'
import css from './filter.module.css'
import { Matches } from './matches.tsx'

interface Props {
  id: ConditionOf<'since'>
  filter: LeadFilter
  onChange: (filter: LeadFilter) => void
  onDone: () => void
}

type Way = 'since' | 'none_since'

export function SinceEditor({ id, filter, onChange, onDone }: Props) {
  const kept = filter[id]
  const [way, setWay] = useState<Way>(kept?.since === undefined ? 'none_since' : 'since')
  const day = kept?.since ?? kept?.none_since ?? ''
  const [text, setText] = useState(readRelativeDay(day) ? day.slice(1) : '14d')
  const draft = readSpan(text) && withValue(filter, id, { [way]: `-${text}` })
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
        value={way}
        options={[
          ['none_since', words.filter.noneFor(words.filter.conditions[id].field)],
          ['since', words.filter.someIn(words.filter.conditions[id].field)],
        ]}
        onValue={(next) => setWay(next as Way)}
      />
      <SpanInput text={text} onText={setText} />
      <p className={css.hint}>{draft ? <Matches filter={draft} /> : words.filter.incomplete}</p>
      <Button type="submit" disabled={!draft}>
        {words.filter.apply}
      </Button>
    </form>
  )
}
