// What is not saved yet. It survives closing the lead and going to another one; the browser asks before it is lost.
import { useState } from 'react'
import { askToStay } from '../../api/keep-open.ts'

const drafts = new Map<string, unknown>()
let leave: (() => void) | undefined

export function useDraft<T>(place: string, empty: T): [value: T, set: (value: T) => void] {
  const [value, setValue] = useState(() => (drafts.has(place) ? (drafts.get(place) as T) : empty))
  const set = (next: T) => {
    if (next === empty) drafts.delete(place)
    else drafts.set(place, next)
    if (drafts.size > 0) leave ??= askToStay()
    else {
      leave?.()
      leave = undefined
    }
    setValue(next)
  }
  return [value, set]
}
