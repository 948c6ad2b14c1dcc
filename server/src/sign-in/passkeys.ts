// WebAuthn: makes what a passkey has to sign, and checks what it has signed.
import { randomBytes } from 'node:crypto'
import { type ApiError, badRequest } from '@rapport/contract/errors'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Member } from '../access/access.sql.ts'
import { type Owner, type PasskeyRow, selectPasskeys, touchPasskey } from '../access/factors.sql.ts'
import { type ChallengePurpose, storeChallenge, takeChallenge } from '../access/pending.sql.ts'
import type { Db } from '../db/driver.ts'
import { audit } from '../feed/audit.sql.ts'
import { authorOf } from '../feed/author.ts'
import { newId } from '../ids.ts'
import type { RelyingParty } from './relying-party.ts'

/** How long a person may take at the device. */
const validMs = 5 * 60_000
const maxPasskeys = 20

/** One signature that is asked of one browser. */
export interface Ceremony {
  rp: RelyingParty
  /** The hash of a secret that only this browser has. */
  holder: string
  purpose: ChallengePurpose
  now: Date
}

/** Loaded when it is first needed: most requests, and many services, never do. */
let loaded: Promise<typeof import('@simplewebauthn/server')> | undefined
function library() {
  loaded ??= import('@simplewebauthn/server').then((module) => {
    // Passkeys of every maker are welcome, so their certificates prove nothing to us. Without roots the
    // library does not look for their revocation on the network.
    for (const identifier of ['android-key', 'android-safetynet', 'apple'] as const) {
      module.SettingsService.setRootCertificates({ identifier, certificates: [] })
    }
    return module
  })
  return loaded
}

async function newChallenge(db: Db, { holder, purpose, now }: Ceremony) {
  const challenge = randomBytes(32)
  const expires_at = new Date(now.getTime() + validMs)
  const text = challenge.toString('base64url')
  await storeChallenge(db, { holder, purpose, challenge: text, expires_at }, now)
  return new Uint8Array(challenge)
}

async function requireChallenge(db: Db, { holder, purpose, now }: Ceremony): Promise<string> {
  const challenge = await takeChallenge(db, holder, purpose, now)
  if (challenge) return challenge
  throw badRequest({ path: [], code: 'expired', message: 'This took too long. Try again.' })
}

export async function registrationOptions(
  db: Db,
  ceremony: Ceremony,
  member: Member,
  workspace: string,
): Promise<Record<string, unknown>> {
  const known = await selectPasskeys(db, member)
  if (known.length >= maxPasskeys) {
    const message = `You already have ${maxPasskeys} passkeys. Remove one first.`
    throw badRequest({ path: [], code: 'too_many', message })
  }
  const { generateRegistrationOptions } = await library()
  const options = await generateRegistrationOptions({
    rpName: 'Rapport',
    rpID: ceremony.rp.id,
    userID: handleOf(member),
    // Someone may be a member of several workspaces, and has to tell the passkeys apart.
    userName: `${member.email} (${workspace})`,
    userDisplayName: member.name,
    challenge: await newChallenge(db, ceremony),
    timeout: validMs,
    excludeCredentials: known.map(allowed),
    authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
  })
  return options as unknown as Record<string, unknown>
}

/** Throws when the passkey was not made for this challenge, page and host. */
export async function readNewPasskey(
  db: Db,
  ceremony: Ceremony,
  { id_space, id }: Owner,
  credential: unknown,
  name: string,
): Promise<PasskeyRow> {
  const { rp, now } = ceremony
  const expectedChallenge = await requireChallenge(db, ceremony)
  const { verifyRegistrationResponse } = await library()
  const { registrationInfo: made } = await verifyRegistrationResponse({
    response: credential as RegistrationResponseJSON,
    expectedChallenge,
    expectedOrigin: rp.origin,
    expectedRPID: rp.id,
    requireUserVerification: false,
  }).catch(refuse)
  if (!made) return refuse()
  return {
    id_space,
    id: newId(),
    id_member: id,
    credential: made.credential.id,
    public_key: Buffer.from(made.credential.publicKey),
    rp_id: rp.id,
    counter: made.credential.counter,
    transports: made.credential.transports ?? [],
    backed_up: made.credentialBackedUp,
    name,
    created_at: now.toISOString(),
    last_used_at: null,
  }
}

/** Without an owner any passkey of this host will do: it says itself whose it is. */
export async function requestOptions(
  db: Db,
  ceremony: Ceremony,
  owner?: Owner,
): Promise<Record<string, unknown>> {
  const { generateAuthenticationOptions } = await library()
  const known = owner ? await selectPasskeys(db, owner) : []
  const options = await generateAuthenticationOptions({
    rpID: ceremony.rp.id,
    challenge: await newChallenge(db, ceremony),
    timeout: validMs,
    allowCredentials: known.filter(({ rp_id }) => rp_id === ceremony.rp.id).map(allowed),
    userVerification: isAlone(ceremony) ? 'required' : 'preferred',
  })
  return options as unknown as Record<string, unknown>
}

/** Returns whose passkey has signed. Undefined: an unknown passkey or an invalid signature. */
export async function checkPasskey(
  db: Db,
  ceremony: Ceremony,
  credential: unknown,
  owner?: Owner,
): Promise<Owner | undefined> {
  const { rp, now } = ceremony
  const expectedChallenge = await requireChallenge(db, ceremony)
  const response = credential as AuthenticationResponseJSON
  const named = ownerIn(response.response?.userHandle)
  const holder = owner ?? named
  if (!holder || (named && (named.id !== holder.id || named.id_space !== holder.id_space))) return
  const passkeys = await selectPasskeys(db, holder)
  const passkey = passkeys.find((one) => one.credential === response.id && one.rp_id === rp.id)
  if (!passkey) return undefined
  const { verifyAuthenticationResponse } = await library()
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedChallenge,
    expectedOrigin: rp.origin,
    expectedRPID: rp.id,
    // The count is compared below, when the signature is known to be right.
    credential: {
      id: passkey.credential,
      publicKey: new Uint8Array(passkey.public_key),
      counter: 0,
    },
    requireUserVerification: isAlone(ceremony),
  }).catch(() => ({ verified: false, authenticationInfo: undefined }))
  if (!verified || !authenticationInfo) return undefined
  const { newCounter: counter, credentialBackedUp: backed_up } = authenticationInfo
  const isCopied = (counter > 0 || passkey.counter > 0) && counter <= passkey.counter
  if (!isCopied && (await touchPasskey(db, passkey, { counter, backed_up }, now))) return holder
  const author = authorOf('web', holder.id_space, now, holder.id)
  await audit(db, author, 'passkey.copied', { id: passkey.id, name: passkey.name })
  return undefined
}

/** A passkey alone must verify a PIN or a fingerprint. With a password it need not. */
const isAlone = ({ purpose }: Ceremony) => purpose === 'sign_in'

const allowed = ({ credential, transports }: PasskeyRow) => ({ id: credential, transports })

function refuse(): never {
  throw wrongPasskey()
}

export function wrongPasskey(): ApiError {
  const message = 'This passkey cannot be used here'
  return badRequest({ path: ['credential'], code: 'passkey', message })
}

/** What the passkey says about its owner: the bytes of both ids. */
function handleOf({ id_space, id }: Owner): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from((id_space + id).replaceAll('-', ''), 'hex'))
}

function ownerIn(handle: unknown): Owner | undefined {
  const bytes = Buffer.from(typeof handle === 'string' ? handle : '', 'base64url')
  if (bytes.length !== 32) return undefined
  const [id_space = '', id = ''] = [bytes.subarray(0, 16), bytes.subarray(16)].map((part) =>
    part.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
  )
  return { id_space, id }
}
