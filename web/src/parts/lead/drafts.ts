// Texts that are not saved yet. They survive closing the lead and going to another one.
import { useState } from 'react'

const drafts = new Map<string, string>()

export function useDraft(place: string): [text: string, set: (text: string) => void] {
  const [text, setText] = useState(() => drafts.get(place) ?? '')
  const set = (next: string) => {
    if (next) drafts.set(place, next)
    else drafts.delete(place)
    setText(next)
  }
  return [text, set]
}
