// Signing in with a passkey alone. The passkey says itself whose it is.
import { ApiError } from '@rapport/contract/errors'
import { selectSpace } from '../access/access.sql.ts'
import { readCookie, setCookie } from '../access/cookie.ts'
import { hashKey, newKey } from '../access/keys.ts'
import { completeStep } from './complete-step.ts'
import type { SessionHandlers, Visit } from './handler.ts'
import { checkPasskey, requestOptions } from './passkeys.ts'
import { requireRelyingParty } from './relying-party.ts'
import type { StepOptions } from './second-step.ts'

/** Ties the challenge to the browser that has asked for it. */
const cookie = 'rapport-passkey'
const maxAge = 300

/** Off where people sign in with the provider only: someone who has left there must not get in here. */
export function passkeyHandlers(
  { db, slowWrong }: Pick<StepOptions, 'db' | 'slowWrong'>,
  isOff: boolean,
): Pick<SessionHandlers, 'beginPasskeySignIn' | 'signInWithPasskey'> {
  const ceremonyOf = ({ request, now }: Pick<Visit<never>, 'request' | 'now'>, key: string) => {
    if (isOff) throw new ApiError('FORBIDDEN')
    const rp = requireRelyingParty(request)
    return { rp, holder: hashKey(key), purpose: 'sign_in', now } as const
  }

  return {
    async beginPasskeySignIn(visit) {
      const key = newKey('pending')
      const options = await requestOptions(db, ceremonyOf(visit, key))
      setCookie(visit.request, visit.reply, cookie, key, { sameSite: 'Strict', maxAge })
      return options
    },

    async signInWithPasskey(visit) {
      const { request, reply, body } = visit
      const key = readCookie(request, cookie) ?? ''
      setCookie(request, reply, cookie, '', { sameSite: 'Strict', maxAge: 0 })
      const owner = await checkPasskey(db, ceremonyOf(visit, key), body.credential)
      if (!owner) {
        await slowWrong(visit)
        throw new ApiError('UNAUTHORIZED')
      }
      const next = await completeStep(db, owner, { way: 'passkey' }, visit)
      const space = await selectSpace(db, owner.id_space)
      return { ...owner, workspaces: space ? [space] : [], next }
    },
  }
}
