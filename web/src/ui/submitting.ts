import type { FormEvent } from 'react'

/** Lets the page send the form, not the browser; and of a form in a dialog, not the one behind it too. */
export const submitting = (send: () => unknown) => (event: FormEvent) => {
  event.preventDefault()
  event.stopPropagation()
  send()
}
