// The lead that has just been lost, or leads that are about to be: the page asks why.
import { useSyncExternalStore } from 'react'
import type { Lead } from '../api/lead.ts'

/** `go` continues with a reason or, if it is empty, without one. */
export type AskedLost = Lead | { id: string; count: number; go: (reason: string) => void }

let asked: AskedLost | undefined
const listeners = new Set<() => void>()

export function askWhyLost(next: AskedLost | undefined): void {
  asked = next
  for (const listener of listeners) listener()
}

export const stopAsking = () => askWhyLost(undefined)

/** Asks if the change has brought the lead into a stage of type Lost. */
export function askIfLost(before: Lead, after: Lead): void {
  const isLost = after.status.some(
    ({ id, type }) => type === 'DEAL_LOST' && !before.status.some((other) => other.id === id),
  )
  if (isLost) askWhyLost(after)
}

export const useJustLost = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => asked,
  )
