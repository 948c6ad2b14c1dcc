// The second factors of a member: adds them for someone who is signed in, or about to be.
import { type ApiError, badRequest, notFound } from '@rapport/contract/errors'
import type { FastifyRequest } from 'fastify'
import { selectMember, selectSpace } from '../access/access.sql.ts'
import { deviceOf } from '../access/device.ts'
import { insertPasskey, type Owner, type PasskeyRow, storeTotp } from '../access/factors.sql.ts'
import { addFactor, totpContext } from '../access/factors.ts'
import { requireName } from '../access/names.ts'
import { plainCode } from '../access/recovery-codes.ts'
import { ownerOf } from '../access/sessions.ts'
import { findStep, newTotpSecret, totpAddress } from '../access/totp.ts'
import type { Db, Pool } from '../db/driver.ts'
import type { Author } from '../feed/author.ts'
import { type Secrets, secretKeyMissing } from '../secrets.ts'
import { type Ceremony, readNewPasskey, registrationOptions } from './passkeys.ts'

/** How long a person may take to set up the app. */
const setupMs = 30 * 60_000

export const noSecrets = secretKeyMissing('Authenticator codes')

async function aboutMember(db: Db, { id_space, id }: Owner) {
  const [member, space] = await Promise.all([
    selectMember(db, id_space, id),
    selectSpace(db, id_space),
  ])
  if (!member || !space) throw notFound()
  return { member, space }
}

export async function beginPasskey(db: Pool, owner: Owner, ceremony: Ceremony) {
  const { member, space } = await aboutMember(db, owner)
  return registrationOptions(db, ceremony, member, space.name)
}

/** Before the transaction that stores it: the challenge is used up, whatever comes of it. */
export function readPasskey(
  db: Pool,
  author: Author,
  ceremony: Ceremony,
  { credential, name }: { credential: unknown; name?: string },
  { headers }: FastifyRequest,
): Promise<PasskeyRow> {
  const called = requireName(name ?? deviceOf(headers['user-agent']))
  return readNewPasskey(db, ceremony, ownerOf(author), credential, called)
}

export function addPasskey(tx: Db, author: Author, row: PasskeyRow): Promise<string[] | null> {
  const about = { kind: 'passkey', name: row.name } as const
  return addFactor(tx, author, about, () => insertPasskey(tx, row))
}

/** The secret is stored when a code shows that the app has it. Until then the browser keeps it, sealed. */
export async function beginApp(db: Pool, secrets: Secrets | undefined, owner: Owner, now: Date) {
  const { member, space } = await aboutMember(db, owner)
  const secret = newTotpSecret()
  const until = now.getTime() + setupMs
  const ticket = requireSecrets(secrets).seal(`${secret} ${until}`, setupContext(owner))
  const address = totpAddress(secret, `Rapport ${space.name}`, member.email)
  return { secret, address, ticket }
}

export async function addApp(
  tx: Db,
  secrets: Secrets | undefined,
  author: Author,
  { ticket, code }: { ticket: string; code: string },
): Promise<string[] | null> {
  const owner = ownerOf(author)
  const { now } = author
  const opened = requireSecrets(secrets).open(ticket, setupContext(owner)) ?? ''
  const [secret = '', until] = opened.split(' ')
  if (!(Number(until) > now.getTime())) {
    const message = 'Setup took too long. Start again.'
    throw badRequest({ path: ['ticket'], code: 'expired', message })
  }
  const step = findStep(secret, plainCode(code), now)
  if (step === undefined) throw wrongCode()
  const sealed = requireSecrets(secrets).seal(secret, totpContext(owner))
  const row = { secret: sealed, last_step: step, created_at: now.toISOString() }
  return addFactor(tx, author, { kind: 'app' }, () => storeTotp(tx, owner, row))
}

export function wrongCode(): ApiError {
  const message = 'This code is wrong or has already been used'
  return badRequest({ path: ['code'], code: 'wrong', message })
}

const setupContext = ({ id_space, id }: Owner) => `totp setup ${id_space} ${id}`

function requireSecrets(secrets: Secrets | undefined): Secrets {
  if (secrets) return secrets
  throw badRequest({ path: [], code: 'no_secrets', message: noSecrets })
}
