// Editing a value in place: in a cell of the grid and on the lead page. Enter saves, Escape gives up,
// Tab saves and continues. A wrong text stays, with the reason.
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { classes } from '../ui/classes.ts'
import { Popover } from '../ui/popover.tsx'
import { WhenPicker } from '../ui/when-picker.tsx'
import { readWhen, showWhen } from '../ui/when-text.ts'
import { words } from '../words/index.ts'
import { AmountInput } from './amount-input.tsx'
import css from './editor.module.css'
import {
  faulty,
  InputFault,
  InputHint,
  leaveOf,
  Meanwhile,
  type EditorProps as Props,
} from './editor-parts.tsx'
import { editOf, type Typing } from './edits.tsx'
import { isEmpty } from './kinds.tsx'
import { useMeanwhile } from './meanwhile.ts'
import { LeadPicker, type Leave, Picker } from './picker.tsx'
import { saveField } from './save.ts'
import { TextInputs } from './text-inputs.tsx'

export default function FieldEditor(props: Props) {
  const edit = editOf(props.field.kind)
  switch (edit.by) {
    case 'naming':
      return <NameInput {...props} />
    case 'pricing':
      return <AmountInput {...props} />
    case 'typing':
      return <TextInput {...props} edit={edit} />
    case 'picking':
      return (
        <PickerPopover {...props}>
          <Picker {...props} edit={edit} />
        </PickerPopover>
      )
    case 'finding a lead':
      return (
        <PickerPopover {...props}>
          <LeadPicker {...props} />
        </PickerPopover>
      )
    case 'toggling':
    case 'nothing':
      return null
  }
}

function PickerPopover({ field, anchor, onDone, children }: Props & { children: ReactNode }) {
  return (
    <Popover
      open
      anchor={anchor}
      label={field.label}
      onOpenChange={(open) => open || onDone('stay')}
      keepsFocus
    >
      {children}
    </Popover>
  )
}

function TextInput({ field, lead, records, edit, onDone }: Props & { edit: Typing<unknown> }) {
  const isLong = edit.input === 'long'
  // The lead may be loaded again while someone types: what others change then must not pass for the start.
  const [before] = useState(lead)
  const [start] = useState(() => {
    const value = field.read(before)
    return isEmpty(value) ? '' : edit.start(value)
  })
  const [text, setText] = useState(start)
  const [fault, setFault] = useState('')
  const meanwhile = useMeanwhile(field, before, lead, records)
  const isDone = useRef(false)
  const isPicking = useRef(false)
  const box = useRef<HTMLSpanElement>(null)
  const input = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  useEffect(() => {
    input.current?.focus()
    if (!isLong) input.current?.select?.()
  }, [isLong])

  const finish = (leave: Leave, entered = text) => {
    if (isDone.current) return
    if (entered !== start) {
      const trimmed = entered.trim()
      const parsed = trimmed === '' ? { value: null } : edit.parse(trimmed, field)
      if ('fault' in parsed) {
        setFault(parsed.fault)
        return
      }
      void saveField(field, before, parsed.value)
    }
    isDone.current = true
    onDone(leave)
  }
  // Only for typed values: existing ones need no warning.
  const hint = text.trim() && text !== start ? edit.hint?.(text.trim()) : undefined
  const common = {
    ref: input,
    className: css.input,
    'aria-label': field.label,
    ...faulty(fault),
    'aria-describedby': hint ? 'field-hint' : undefined,
    value: text,
    onChange: (event: { target: { value: string } }) => {
      setText(event.target.value)
      setFault('')
    },
    onKeyDown: (event: KeyboardEvent) => {
      event.stopPropagation()
      if (event.key === 'Escape') {
        isDone.current = true
        event.preventDefault()
        onDone('stay')
      }
      const leave = leaveOf(event)
      if (!leave) return
      event.preventDefault()
      finish(leave)
    },
  }
  const { when } = edit
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it watches focus leaving the input and its calendar
    <span
      ref={box}
      className={classes(css.box, isLong && css.tall, when && css.picking)}
      onBlur={({ relatedTarget }) => {
        if (!isPicking.current && !box.current?.contains(relatedTarget)) finish('stay')
      }}
    >
      {isLong ? (
        <textarea {...common} rows={4} />
      ) : (
        // The texts of leads may be anything, so the browser checks nothing.
        <input {...common} type={edit.input} autoComplete="off" />
      )}
      {when && (
        <WhenPicker
          className={css.pick}
          kind={when}
          value={readWhen(text, when) ?? ''}
          onValue={(value) => setText(showWhen(value, when))}
          onDone={(value) => finish('stay', showWhen(value, when))}
          onOpen={(isOpen) => {
            isPicking.current = isOpen
          }}
        />
      )}
      <InputHint hint={fault ? undefined : hint} />
      <InputFault text={fault} />
      <Meanwhile text={meanwhile} />
    </span>
  )
}

function NameInput({ field, lead, records, onDone }: Props) {
  const [before] = useState(lead)
  const meanwhile = useMeanwhile(field, before, lead, records)
  const names = before.is_company ? (['company'] as const) : (['first_name', 'last_name'] as const)
  const labels = {
    company: words.leads.company,
    first_name: words.fields.firstName,
    last_name: words.fields.lastName,
  }
  const save = (texts: string[]) => {
    const changed = names.flatMap((name, at) => {
      const text = texts[at] || null
      return text === (before[name] ?? null) ? [] : [[name, text]]
    })
    if (changed.length > 0) void saveField(field, before, Object.fromEntries(changed))
  }
  return (
    <TextInputs
      inputs={names.map((name) => ({ label: labels[name], start: before[name] ?? '' }))}
      onSave={save}
      onDone={onDone}
    >
      <Meanwhile text={meanwhile} />
    </TextInputs>
  )
}
