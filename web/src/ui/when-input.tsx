// A date or a time, typed in words or picked. Under it stands what was understood.
import { useEffect, useId, useRef, useState } from 'react'
import { words } from '../words/index.ts'
import { classes } from './classes.ts'
import form from './form.module.css'
import css from './when-input.module.css'
import { WhenPicker } from './when-picker.tsx'
import { readWhen, showWhen, type WhenKind, whenHint } from './when-text.ts'

interface Props {
  kind: WhenKind
  value: string
  /** Told "" while the text is not understood. */
  onValue: (value: string) => void
  label: string
  isFirst?: boolean | undefined
  isRequired?: boolean | undefined
  /** Days without a year are the last such days. */
  isPast?: boolean | undefined
}

export function WhenInput({
  kind,
  value,
  onValue,
  label,
  isFirst,
  isRequired,
  isPast,
  id,
}: Props & { id?: string }) {
  const hintId = useId()
  const input = useRef<HTMLInputElement>(null)
  const shown = value ? showWhen(value, kind) : ''
  const [typed, setTyped] = useState({ text: shown, value })
  // A button or the calendar may have set another one.
  const text = typed.value === value ? typed.text : shown
  const change = (next: string) => {
    const read = readWhen(next, kind, isPast) ?? ''
    setTyped({ text: next, value: read })
    onValue(read)
  }
  const hint = text.trim() === '' || text === shown ? undefined : whenHint(text, kind, isPast)
  const fault = hint?.isWarning ? hint.text : ''
  // A form is not sent with a text that is not understood.
  useEffect(() => input.current?.setCustomValidity(fault), [fault])
  return (
    <span className={css.when}>
      <span className={css.row}>
        <input
          ref={input}
          id={id}
          className={css.text}
          type="text"
          aria-label={id ? undefined : label}
          aria-describedby={hint && hintId}
          aria-invalid={fault ? true : undefined}
          placeholder={
            kind === 'clock' ? undefined : words.fields[isPast ? 'pastExample' : 'whenExample']
          }
          autoComplete="off"
          spellCheck={false}
          autoFocus={isFirst}
          required={isRequired}
          value={text}
          onChange={(event) => change(event.target.value)}
        />
        <WhenPicker kind={kind} value={value} onValue={onValue} className={css.button} />
      </span>
      {hint && (
        <span
          id={hintId}
          className={classes(css.hint, hint.isWarning && css.unknown)}
          aria-live="polite"
        >
          {hint.text}
        </span>
      )}
    </span>
  )
}

export function WhenField({ fault, ...props }: Props & { fault?: string | undefined }) {
  const id = useId()
  return (
    <div className={form.field}>
      <label htmlFor={id}>{props.label}</label>
      <WhenInput {...props} id={id} />
      {fault && (
        <div className={form.fault} role="alert">
          {fault}
        </div>
      )}
    </div>
  )
}
