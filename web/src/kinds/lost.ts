// The lead that has just been lost: the page asks why.
import { useSyncExternalStore } from 'react'
import type { Lead } from '../api/lead.ts'

let asked: Lead | undefined
const listeners = new Set<() => void>()

function ask(lead: Lead | undefined): void {
  asked = lead
  for (const listener of listeners) listener()
}

export const stopAsking = () => ask(undefined)

/** Asks if the change has brought the lead into a stage of type Lost. */
export function askIfLost(before: Lead, after: Lead): void {
  const isLost = after.status.some(
    ({ id, type }) => type === 'DEAL_LOST' && !before.status.some((other) => other.id === id),
  )
  if (isLost) ask(after)
}

export const useJustLost = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => asked,
  )
