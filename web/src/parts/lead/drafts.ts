// What is not saved yet. It survives closing the lead and going to another one.
import { useState } from 'react'

const drafts = new Map<string, unknown>()

export function useDraft<T>(place: string, empty: T): [value: T, set: (value: T) => void] {
  const [value, setValue] = useState(() => (drafts.has(place) ? (drafts.get(place) as T) : empty))
  const set = (next: T) => {
    if (next === empty) drafts.delete(place)
    else drafts.set(place, next)
    setValue(next)
  }
  return [value, set]
}
