// The editor of what has become of a lead: the stages it was in, what was written about it, who changed it, and
// when. It applies when it is complete and sent.
import type { LeadFilter } from '@rapport/contract/leads/filter'
import type { ConditionOf } from '@rapport/contract/leads/filter.values'
import { type NoteKind, noteKinds } from '@rapport/contract/notes.values'
import { useState } from 'react'
import type { Records } from '../../api/records.ts'
import { kindOf, withValue } from '../../kinds/conditions.ts'
import { relations } from '../../kinds/relations.tsx'
import { Button } from '../../ui/button.tsx'
import { Options } from '../../ui/options.tsx'
import { addDays } from '../../ui/periods.ts'
import { Select } from '../../ui/select.tsx'
import { submitting } from '../../ui/submitting.ts'
import { WhenField } from '../../ui/when-input.tsx'
import { words } from '../../words/index.ts'
import css from './filter.module.css'
import { Matches } from './matches.tsx'

interface Props {
  id: ConditionOf<'stay' | 'noted' | 'changed'>
  filter: LeadFilter
  records: Records
  onChange: (filter: LeadFilter) => void
  onDone: () => void
}

/** All parts that one of these conditions can have. */
interface Draft {
  status?: string[]
  kind?: NoteKind[]
  by?: string[]
  after?: string
  before?: string
}

export function HistoryEditor({ id, filter, records, onChange, onDone }: Props) {
  const [draft, setDraft] = useState<Draft>(filter[id] ?? {})
  const set = (change: Draft) => setDraft({ ...draft, ...change })
  const parts = Object.entries(draft).filter(([, part]) => part.length > 0)
  const next = parts.length > 0 && withValue(filter, id, Object.fromEntries(parts))
  const kind = kindOf(id)
  const { field } = words.filter.conditions[id]
  const who = kind === 'stay' ? 'status' : 'by'
  const chosen = new Set(draft[who])
  const toggle = (one: string) => {
    if (!chosen.delete(one)) chosen.add(one)
    set({ [who]: [...chosen] })
  }
  return (
    <form
      className={css.form}
      onSubmit={submitting(() => {
        if (!next) return
        onChange(next)
        onDone()
      })}
    >
      {kind === 'noted' && (
        <Select
          isBare
          label={words.filter.value}
          value={draft.kind?.[0] ?? ''}
          options={[
            ['', words.filter.anyKind],
            ...noteKinds.map((name) => [name, words.notes.kinds[name]] as const),
          ]}
          onValue={(kind) => set({ kind: noteKinds.filter((name) => name === kind) })}
        />
      )}
      <Options
        isFramed
        label={
          kind === 'stay'
            ? words.fields.find(words.filter.conditions.status.field)
            : words.bulk.findMember
        }
        options={relations[kind === 'stay' ? 'status' : 'owners'].options(records)}
        chosen={chosen}
        onPick={toggle}
      />
      <div className={css.two}>
        <WhenField
          kind="day"
          label={words.filter.from(field)}
          value={draft.after ?? ''}
          isPast
          onValue={(after) => set({ after })}
        />
        {kind !== 'changed' && (
          <WhenField
            kind="day"
            label={words.filter.to(field)}
            value={draft.before ? addDays(draft.before, -1) : ''}
            isPast
            onValue={(last) => set({ before: last && addDays(last, 1) })}
          />
        )}
      </div>
      <p className={css.hint}>{next ? <Matches filter={next} /> : words.filter.incomplete}</p>
      <Button type="submit" disabled={!next}>
        {words.filter.apply}
      </Button>
    </form>
  )
}
