// Second factors: the member's own, and those of someone who is signing in.
import { call } from '../../api/call.ts'
import { createPasskey, getPasskey } from './passkey.ts'

/** How a factor is added: by someone who is signed in, or as the second step of signing in. */
const adding = (place: '/session/factors' | '/session/step') => ({
  async addPasskey() {
    const credential = await createPasskey(await call(`POST ${place}/passkeys/options`))
    return call(`POST ${place}/passkeys`, { body: { credential } })
  },
  beginApp: () => call(`POST ${place}/app/setup`),
  addApp: (body: { ticket: string; code: string }) => call(`POST ${place}/app`, { body }),
})
export type Adding = ReturnType<typeof adding>

type Place = '/session/step/passkey' | '/session/passkey' | '/session/confirm/passkey'
const signed = async (place: Place) => ({
  credential: await getPasskey(await call(`POST ${place}/options`)),
})

export const ownFactors = adding('/session/factors')

export const secondStep = {
  ...adding('/session/step'),
  withCode: (code: string) => call('POST /session/step/code', { body: { code } }),
  withPasskey: async () =>
    call('POST /session/step/passkey', { body: await signed('/session/step/passkey') }),
}

export const signInWithPasskey = async () =>
  call('POST /session/passkey', { body: await signed('/session/passkey') })

export const confirmWithPasskey = async () =>
  call('POST /session/confirm', { body: await signed('/session/confirm/passkey') })

export const factorsQuery = { queryKey: ['factors'], queryFn: () => call('GET /session/factors') }
