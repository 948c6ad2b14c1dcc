// Texts side by side in one box. Enter, Tab and leaving it save, Escape gives up.
import { type HTMLInputTypeAttribute, type ReactNode, useEffect, useRef, useState } from 'react'
import { warningOf } from '../ui/checks.ts'
import css from './editor.module.css'
import { InputHint, leaveOf } from './editor-parts.tsx'
import type { Leave } from './picker.tsx'

interface Props {
  inputs: readonly { label: string; start: string; type?: HTMLInputTypeAttribute }[]
  /** The trimmed texts. */
  onSave: (texts: string[]) => void
  onDone: (leave: Leave) => void
  children?: ReactNode
}

export function TextInputs({ inputs, onSave, onDone, children }: Props) {
  const [texts, setTexts] = useState(() => inputs.map(({ start }) => start))
  const box = useRef<HTMLSpanElement>(null)
  const isDone = useRef(false)
  useEffect(() => box.current?.querySelector('input')?.select(), [])
  const finish = (leave: Leave, isSaved = true) => {
    if (isDone.current) return
    isDone.current = true
    if (isSaved) onSave(texts.map((text) => text.trim()))
    onDone(leave)
  }
  // Only for typed values: existing ones need no warning.
  const hints = inputs.map(({ type = '', start }, at) => {
    const text = texts[at] ?? ''
    return text === start ? undefined : warningOf(type, text)
  })
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it watches focus leaving all inputs
    <span
      className={css.box}
      ref={box}
      onBlur={(event) => {
        if (!box.current?.contains(event.relatedTarget)) finish('stay')
      }}
    >
      {inputs.map(({ label, type = 'text' }, at) => (
        <input
          key={label}
          className={css.input}
          type={type}
          aria-label={label}
          aria-describedby={hints[at] && 'field-hint'}
          placeholder={label}
          autoComplete="off"
          autoFocus={at === 0}
          value={texts[at]}
          onChange={(event) =>
            setTexts(texts.map((text, index) => (index === at ? event.target.value : text)))
          }
          onKeyDown={(event) => {
            event.stopPropagation()
            if (event.key === 'Escape') finish('stay', false)
            const leave = leaveOf(event)
            const isInside =
              leave === 'next' ? at < inputs.length - 1 : leave === 'previous' && at > 0
            if (!leave || isInside) return
            event.preventDefault()
            finish(leave)
          }}
        />
      ))}
      <InputHint hint={hints.find(Boolean)} />
      {children}
    </span>
  )
}
