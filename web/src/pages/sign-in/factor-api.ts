// Second factors: the member's own, and those of someone who is signing in.
import type { Added, AppSetup, Factors, SignInStep } from '@rapport/contract/second-factor'
import { send } from '../../api/call.ts'
import { createPasskey, getPasskey } from './passkey.ts'
import type { SignedIn } from './session-api.ts'

type Options = Record<string, unknown>

/** How a factor is added: by someone who is signed in, or as the second step of signing in. */
const adding = (place: '/session/factors' | '/session/step') => ({
  async addPasskey(): Promise<Added> {
    const options = await send<Options>(`POST ${place}/passkeys/options`)
    return send<Added>(`POST ${place}/passkeys`, {
      body: { credential: await createPasskey(options) },
    })
  },
  beginApp: () => send<AppSetup>(`POST ${place}/app/setup`),
  addApp: (body: { ticket: string; code: string }) => send<Added>(`POST ${place}/app`, { body }),
})
export type Adding = ReturnType<typeof adding>

async function signed(place: string): Promise<{ credential: Options }> {
  return { credential: await getPasskey(await send<Options>(`POST ${place}/options`)) }
}

export const ownFactors = {
  ...adding('/session/factors'),
  get: () => send<Factors>('GET /session/factors'),
  renamePasskey: (id: string, name: string) =>
    send<string>('PATCH /session/factors/passkeys/{id}', { id, body: { name } }),
  removePasskey: (id: string) => send<string>('DELETE /session/factors/passkeys/{id}', { id }),
  removeApp: () => send<string>('DELETE /session/factors/app'),
  renewCodes: () => send<Added>('POST /session/factors/recovery-codes'),
}

export const secondStep = {
  ...adding('/session/step'),
  get: () => send<SignInStep>('GET /session/step'),
  leave: () => send<string>('DELETE /session/step'),
  withCode: (code: string) => send<string>('POST /session/step/code', { body: { code } }),
  withPasskey: async () =>
    send<string>('POST /session/step/passkey', { body: await signed('/session/step/passkey') }),
}

export const signInWithPasskey = async () =>
  send<SignedIn>('POST /session/passkey', { body: await signed('/session/passkey') })

export const confirmWithPasskey = async () =>
  send<string>('POST /session/confirm', { body: await signed('/session/confirm/passkey') })

export const factorsQuery = { queryKey: ['factors'], queryFn: ownFactors.get }
