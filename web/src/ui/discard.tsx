// A form that is left before it is saved: Escape or a click elsewhere asks first when something was entered.
import { type ReactNode, useState } from 'react'
import { words } from '../words/index.ts'
import { Confirm } from './confirm.tsx'

export interface Discard {
  /** For the form. */
  onInput: () => void
  leave: () => void
  /** Beside the form, not inside: it has keys of its own. */
  question: ReactNode
}

export function useDiscard(onClose: () => void): Discard {
  const [isFilled, setFilled] = useState(false)
  const [isAsking, setAsking] = useState(false)
  return {
    onInput: () => setFilled(true),
    leave: () => (isFilled ? setAsking(true) : onClose()),
    question: isAsking && (
      <Confirm
        title={words.actions.discardTitle}
        action={words.actions.discard}
        onConfirm={async () => onClose()}
        onClose={() => setAsking(false)}
      >
        {words.actions.discardText}
      </Confirm>
    ),
  }
}
