// A key is not a person: programs hold keys, and keys leak. What could hand over a workspace requires
// someone who has recently signed in or confirmed their identity.
import type { Way } from '@rapport/contract/actor'
import { ApiError } from '@rapport/contract/errors'
import { confirmedMinutes } from '@rapport/contract/sign-in'

export interface Caller {
  way: Way
  /** When the person behind a session last proved who they are. */
  confirmedAt?: number | undefined
}

/** Refuses a key, and a session whose user has not recently proved who they are. */
export function requirePerson({ way, confirmedAt }: Caller, now: Date): void {
  if (way !== 'web') {
    const message = 'An API key cannot do this. Sign in to the web app or use the command line.'
    throw new ApiError('FORBIDDEN', [{ path: [], code: 'needs_person', message }])
  }
  const age = Math.abs(now.getTime() - (confirmedAt ?? 0))
  if (age <= confirmedMinutes * 60_000) return
  const message = `Confirm that it’s you. Your last sign-in was more than ${confirmedMinutes} minutes ago.`
  throw new ApiError('FORBIDDEN', [{ path: [], code: 'sign_in_again', message }])
}
