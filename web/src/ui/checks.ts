// What people type and may have mistyped. A warning, never a wall: a lead may have any text.
import { words } from '../words/index.ts'
import type { Hint } from './when-text.ts'

type Checked = 'email' | 'tel' | 'url'

const looksRight: Record<Checked, (text: string) => boolean> = {
  email: (text) => /^[^\s@,;<>]+@[^\s@,;<>.]+(\.[^\s@,;<>.]+)+$/.test(text),
  // An extension may follow.
  tel: (text) =>
    /^[+\d(][\d\s()./-]*(\s?(ext|x)\.?\s?\d+)?$/i.test(text) && /(\D*\d){5}/.test(text),
  url: (text) => {
    const address = /^https?:\/\//i.test(text) ? text : `https://${text}`
    return !/\s/.test(text) && URL.canParse(address) && /[^.]\.[^.]/.test(new URL(address).hostname)
  },
}

export const isChecked = (input: string): input is Checked => input in looksRight

/** Undefined: nothing seems to be wrong. */
export function warningOf(input: string, text: string): Hint | undefined {
  const trimmed = text.trim()
  if (!isChecked(input) || trimmed === '' || looksRight[input](trimmed)) return undefined
  return { text: words.fields.warnings[input], isWarning: true }
}
