// The import that runs in this tab, for the import page and for the tray. It continues while the person is on
// other pages.
import type { ImportProgress } from '@rapport/contract/transfer.values'
import { useSyncExternalStore } from 'react'

export interface Importing extends ImportProgress {
  file: string
  /** Sending the file, reading it, checking or importing its rows, waiting for the connection. */
  phase: 'sending' | 'reading' | 'checking' | 'importing' | 'waiting'
  /** How much of the phase is done, from 0 to 1. */
  share: number
  /** Rows in a second. */
  rate: number | undefined
  stop: () => void
}

let importing: Importing | undefined
const listeners = new Set<() => void>()

export function setImporting(next: Importing | undefined): void {
  importing = next
  for (const listener of listeners) listener()
}

export function useImporting(): Importing | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => importing,
  )
}
