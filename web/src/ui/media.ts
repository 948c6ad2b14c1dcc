import { useSyncExternalStore } from 'react'

const narrow = window.matchMedia('(max-width: 700px)')

/** The screen of a phone. */
export function useNarrow(): boolean {
  return useSyncExternalStore(
    (listener) => {
      narrow.addEventListener('change', listener)
      return () => narrow.removeEventListener('change', listener)
    },
    () => narrow.matches,
  )
}
