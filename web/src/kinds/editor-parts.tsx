// What the editors of values in place share.
import type { KeyboardEvent } from 'react'
import type { Lead } from '../api/lead.ts'
import type { Records } from '../api/records.ts'
import { classes } from '../ui/classes.ts'
import type { Hint } from '../ui/when-text.ts'
import css from './editor.module.css'
import type { Field } from './field.ts'
import type { Leave } from './picker.tsx'

export interface EditorProps {
  field: Field
  lead: Lead
  records: Records
  anchor: Element | null
  onDone: (leave: Leave) => void
}

export function leaveOf(event: KeyboardEvent): Leave | undefined {
  if (event.nativeEvent.isComposing) return undefined
  if (event.key === 'Enter' && !event.shiftKey) return 'stay'
  if (event.key === 'Tab') return event.shiftKey ? 'previous' : 'next'
  return undefined
}

/** What an input says of its fault. */
export const faulty = (fault: string) => ({
  'aria-invalid': fault !== '' || undefined,
  'aria-errormessage': fault ? 'field-fault' : undefined,
})

export function InputFault({ text }: { text: string }) {
  if (!text) return null
  return (
    <span className={css.fault} id="field-fault" role="alert">
      {text}
    </span>
  )
}

/** Under the input, while someone types. */
export function InputHint({ hint }: { hint: Hint | undefined }) {
  if (!hint) return null
  return (
    <span
      className={classes(css.hint, hint.isWarning && css.warning)}
      id="field-hint"
      aria-live="polite"
    >
      {hint.text}
    </span>
  )
}

/** Under the input: others changed the value while it is being edited. Saving asks whose stays. */
export function Meanwhile({ text }: { text: string | undefined }) {
  if (!text) return null
  return (
    <span className={css.meanwhile} role="status">
      {text}
    </span>
  )
}
