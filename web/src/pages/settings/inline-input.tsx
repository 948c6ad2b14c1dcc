// A value of a row that is changed in place: Enter or leaving saves it, Escape undoes it. What was typed
// stays when the service refuses it.
import { type InputHTMLAttributes, useEffect, useRef, useState } from 'react'
import { classes } from '../../ui/classes.ts'
import css from './settings.module.css'

interface Props extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange'> {
  label: string
  value: string
  /** Returns whether it was saved. */
  onSave: (value: string) => Promise<boolean>
  mayBeEmpty?: boolean
}

export function InlineInput({ label, value, onSave, mayBeEmpty, className, ...rest }: Props) {
  const [text, setText] = useState(value)
  const [isRefused, setRefused] = useState(false)
  // What someone types is not replaced when the records are read again.
  const isTyped = useRef(false)
  const show = (value: string) => {
    isTyped.current = false
    setText(value)
    setRefused(false)
  }
  useEffect(() => {
    if (isTyped.current) return
    setText(value)
    setRefused(false)
  }, [value])
  const save = async () => {
    const next = text.trim()
    if (next === value) return show(value)
    if (!next && !mayBeEmpty) return setRefused(true)
    const isSaved = await onSave(next)
    if (isSaved) isTyped.current = false
    setRefused(!isSaved)
  }
  return (
    <input
      {...rest}
      className={classes(css.inline, className)}
      aria-label={label}
      aria-invalid={isRefused || undefined}
      autoComplete="off"
      value={text}
      onChange={(event) => {
        isTyped.current = true
        setText(event.target.value)
      }}
      onBlur={() => void save()}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur()
        if (event.key === 'Escape') show(value)
      }}
    />
  )
}

/** A color, shown as the dot that the record has everywhere. */
export function ColorInput({
  label,
  value,
  onSave,
}: {
  label: string
  value: string
  onSave: (value: string) => void
}) {
  const known = /^#[0-9a-f]{6}$/i.test(value) ? value : '#8b929b'
  const [color, setColor] = useState(known)
  useEffect(() => setColor(known), [known])
  const input = useRef<HTMLInputElement>(null)
  const latest = useRef(onSave)
  latest.current = onSave
  // React's onChange is told of every step in the chooser. The browser's own event comes at the end.
  useEffect(() => {
    const chosen = input.current
    const save = () => chosen && latest.current(chosen.value)
    chosen?.addEventListener('change', save)
    return () => chosen?.removeEventListener('change', save)
  }, [])
  return (
    <span className={css.color} style={{ background: color }}>
      <input
        ref={input}
        type="color"
        aria-label={label}
        value={color}
        onChange={(event) => setColor(event.target.value)}
      />
    </span>
  )
}
