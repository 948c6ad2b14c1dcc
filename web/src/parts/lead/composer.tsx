// Where notes are written, and calls and meetings are logged. What was entered stays until the service has it.
import { type NoteKind, noteKinds, noteOutcomes } from '@rapport/contract/notes.values'
import { type KeyboardEvent, useRef, useState } from 'react'
import type { Body } from '../../api/call.ts'
import { Button } from '../../ui/button.tsx'
import { Toggle } from '../../ui/choice.tsx'
import { Field } from '../../ui/form.tsx'
import { Select } from '../../ui/select.tsx'
import { submitting } from '../../ui/submitting.ts'
import { WhenField } from '../../ui/when-input.tsx'
import { localTime, timeAt } from '../../ui/zone.ts'
import { words } from '../../words/index.ts'
import css from './composer.module.css'
import { useDraft } from './drafts.ts'
import { MentionText } from './mention-text.tsx'
import { type Member, toStored, toTyped } from './mentions.ts'
import { noteIcons } from './note.tsx'
import type { Note } from './queries.ts'

export type Written = Pick<
  Body<'PATCH /notes/{id}'>,
  'content' | 'kind' | 'happened_at' | 'duration' | 'outcome'
>
type Outcome = Exclude<Written['outcome'], undefined | null>

interface Props {
  place: string
  members: readonly Member[]
  /** The note to change. Without it, a new one is written. */
  note?: Note
  /** A reply is a plain note. */
  isReply?: boolean
  onSave: (written: Written) => Promise<boolean>
  onCancel?: () => void
}

interface Entry {
  text: string
  kind: NoteKind
  /** In local time. Empty: now. */
  when: string
  minutes: string
  outcome: Outcome | ''
}

const untouched: Partial<Entry> = {}

export function Composer({ place, members, note, isReply, onSave, onCancel }: Props) {
  const [draft, setDraft] = useDraft(place, untouched)
  const latest = useRef(draft)
  latest.current = draft
  const [isSaving, setSaving] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const start = entryOf(note, members)
  const [first] = useState(start.text)
  const entry = { ...start, ...draft }
  const { text, kind } = entry
  const change = (part: Partial<Entry>) => {
    const next = { ...draft, ...part }
    const names = Object.keys(next) as (keyof Entry)[]
    setDraft(names.every((name) => next[name] === start[name]) ? untouched : next)
  }
  const choose = (kind: NoteKind) => {
    change({ kind, outcome: '' })
    // People go on to write. On the button, their letters would be shortcuts.
    form.current?.querySelector('textarea')?.focus()
  }
  const isInFuture = kind !== 'note' && Date.parse(entry.when) > Date.now()
  const canSave = (text.trim() || kind !== 'note') && !isInFuture && !isSaving
  const save = async () => {
    if (!canSave) return
    setSaving(true)
    const isSaved = await onSave(writtenOf(entry, draft, note, members))
    setSaving(false)
    // What was typed meanwhile stays too.
    if (!isSaved || latest.current !== draft) return
    // What has the focus may go now. Not the text, for which a phone shows its keyboard.
    if (!(document.activeElement instanceof HTMLTextAreaElement)) form.current?.focus()
    setDraft(untouched)
    onCancel?.()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save()
    else if (event.key === 'Escape' && onCancel) onCancel()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const label = isReply ? words.notes.replyTo : note ? words.notes.edit : words.notes.write[kind]
  return (
    <form
      ref={form}
      className={css.composer}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      onSubmit={submitting(save)}
    >
      {!isReply && <Kinds chosen={kind} onChoose={choose} />}
      <MentionText
        aria-label={label}
        placeholder={words.notes.write[kind]}
        rows={text ? Math.min(10, text.split('\n').length + 1) : 2}
        value={text}
        members={members}
        autoFocus={Boolean(onCancel)}
        onText={(text) => change({ text })}
      />
      {kind !== 'note' && <Details entry={entry} isInFuture={isInFuture} onChange={change} />}
      {draft.text !== undefined && start.text !== first && (
        <p className={css.meanwhile} role="status">
          {words.live.meanwhile(words.faults.somebody, start.text)}
        </p>
      )}
      {(text || kind !== 'note' || onCancel) && (
        <div className={css.actions}>
          <span className={css.hint}>{words.notes.hint}</span>
          {onCancel && (
            <Button look="quiet" onClick={onCancel}>
              {words.actions.cancel}
            </Button>
          )}
          <Button look="go" type="submit" disabled={!canSave}>
            {isReply ? words.notes.saveReply : note ? words.actions.save : words.notes.save[kind]}
          </Button>
        </div>
      )}
    </form>
  )
}

function Kinds({ chosen, onChoose }: { chosen: NoteKind; onChoose: (kind: NoteKind) => void }) {
  const options = noteKinds.map((kind) => {
    const Icon = noteIcons[kind]
    const label = (
      <>
        <Icon size={13} aria-hidden="true" /> {words.notes.kinds[kind]}
      </>
    )
    return [kind, label] as const
  })
  return (
    <div className={css.kinds}>
      <Toggle label={words.notes.kind} chosen={chosen} options={options} onChoose={onChoose} />
    </div>
  )
}

function Details({
  entry: { kind, when, minutes, outcome },
  isInFuture,
  onChange,
}: {
  entry: Entry
  isInFuture: boolean
  onChange: (part: Partial<Entry>) => void
}) {
  const outcomes = noteOutcomes[kind].map((id) => [id, words.notes.outcomes[id]] as const)
  return (
    <div className={css.details}>
      <WhenField
        label={words.notes.when}
        kind="time"
        isPast
        value={when || localTime(new Date())}
        fault={isInFuture ? words.notes.future : undefined}
        onValue={(when) => onChange({ when })}
      />
      <Field
        label={words.notes.duration}
        inputMode="numeric"
        value={minutes}
        onValue={(minutes) => onChange({ minutes: minutes.replaceAll(/\D/g, '').slice(0, 4) })}
      />
      <Select
        label={words.notes.outcome}
        value={outcome}
        options={[['', words.notes.noOutcome], ...outcomes]}
        onValue={(outcome) => onChange({ outcome: outcome as Outcome | '' })}
      />
    </div>
  )
}

function entryOf(note: Note | undefined, members: readonly Member[]): Entry {
  return {
    text: toTyped(note?.content ?? '', members),
    kind: note?.kind ?? 'note',
    when: note?.happened_at ? localTime(new Date(note.happened_at)) : '',
    minutes: note?.duration?.toString() ?? '',
    outcome: note?.outcome ?? '',
  }
}

/** Only what differs: new content marks a note as edited, and a time that was not touched has seconds. */
function writtenOf(
  { text, kind, minutes, outcome }: Entry,
  { when }: Partial<Entry>,
  note: Note | undefined,
  members: readonly Member[],
): Written {
  const content = toStored(text.trim(), members)
  return {
    ...(content !== (note?.content ?? '') && { content }),
    kind,
    ...(kind !== 'note' && {
      ...(when && { happened_at: timeAt(when).toISOString() }),
      duration: minutes ? Number(minutes) : null,
      outcome: outcome || null,
    }),
  }
}
