// A key is not a person: programs hold keys, and keys leak. What could give a workspace away needs
// somebody who has signed in, or confirmed it, a short time ago.
import type { Way } from '@rapport/contract/actor'
import { ApiError } from '@rapport/contract/errors'
import { confirmedMinutes } from '@rapport/contract/sign-in'

export interface Caller {
  way: Way
  /** When the person behind a session last proved who they are. */
  confirmedAt?: number | undefined
}

/** Refuses a key, and a session whose person has proved nothing for a while. */
export function requirePerson({ way, confirmedAt }: Caller, now: Date): void {
  if (way !== 'web') {
    const message = 'A key cannot do this: sign in to the page, or use the command line'
    throw new ApiError('FORBIDDEN', [{ path: [], code: 'needs_person', message }])
  }
  const age = Math.abs(now.getTime() - (confirmedAt ?? 0))
  if (age <= confirmedMinutes * 60_000) return
  const message = `Confirm that it is you: the last sign-in is more than ${confirmedMinutes} minutes ago`
  throw new ApiError('FORBIDDEN', [{ path: [], code: 'sign_in_again', message }])
}
