// The rules for second factors: the first one comes with recovery codes, the last one cannot be removed while the
// workspace requires one, and nothing that is guessed or copied counts twice.
import { badRequest, notFound } from '@rapport/contract/errors'
import type { FactorRule } from '@rapport/contract/sign-in'
import type { Db } from '../db/driver.ts'
import { audit } from '../feed/audit.sql.ts'
import type { Author } from '../feed/author.ts'
import type { Secrets } from '../secrets.ts'
import type { Member } from './access.sql.ts'
import {
  deletePasskeys,
  deleteRecoveryCodes,
  deleteTotp,
  lockMember,
  type Owner,
  replaceRecoveryCodes,
  selectFactorRule,
  selectFactorState,
  selectTotp,
  selectTotpOwners,
  takeRecoveryCode,
  takeStep,
  updateFactorRule,
} from './factors.sql.ts'
import { deletePendingOf } from './pending.sql.ts'
import { hashRecoveryCode, newRecoveryCodes, plainCode } from './recovery-codes.ts'
import { endOtherSessions, ownerOf } from './sessions.ts'
import { findStep } from './totp.ts'

/** Binds a secret to its member: moved to another member, it cannot be read. */
export const totpContext = ({ id_space, id }: Owner) => `totp ${id_space} ${id}`

export type FactorKind = 'passkey' | 'app'

/**
 * Adds a factor. The first one ends the other sessions, which began without it, and comes with recovery
 * codes, which are returned.
 */
export async function addFactor(
  tx: Db,
  author: Author,
  about: { kind: FactorKind; name?: string },
  store: () => Promise<void>,
): Promise<string[] | null> {
  const owner = ownerOf(author)
  const { hasFactor } = await lockedState(tx, owner)
  await store()
  await audit(tx, author, 'factor.added', about)
  if (hasFactor) return null
  await endOtherSessions(tx, author)
  return renewRecoveryCodes(tx, author)
}

/** The state of a member, for a transaction that changes it: others wait for its end. */
export async function lockedState(tx: Db, owner: Owner) {
  await lockMember(tx, owner)
  const state = await selectFactorState(tx, owner)
  if (!state) throw notFound()
  return state
}

export async function renewRecoveryCodes(tx: Db, author: Author): Promise<string[]> {
  const codes = newRecoveryCodes()
  await replaceRecoveryCodes(tx, ownerOf(author), codes.map(hashRecoveryCode), author.now)
  await audit(tx, author, 'recovery_codes.created', {})
  return codes
}

/** Call it after a factor was deleted, in the same transaction. */
export async function afterRemoval(
  tx: Db,
  author: Author,
  about: { kind: FactorKind; name?: string },
): Promise<void> {
  const owner = ownerOf(author)
  await audit(tx, author, 'factor.removed', about)
  const { hasFactor, isRequired } = await lockedState(tx, owner)
  if (hasFactor) return
  if (isRequired) {
    const message = 'Your workspace requires a second factor. Add another one first.'
    throw badRequest({ path: [], code: 'factor_required', message })
  }
  await deleteRecoveryCodes(tx, owner)
}

/** Removes all second factors of a member who has lost them. Sign-ins in progress start over. */
export async function resetFactors(tx: Db, author: Author, member: Member): Promise<void> {
  await deletePasskeys(tx, member)
  await deleteTotp(tx, member)
  await deleteRecoveryCodes(tx, member)
  await deletePendingOf(tx, member)
  await audit(tx, author, 'factor.reset', { id: member.id, name: member.name })
}

/** Call it in a transaction that has locked the workspace. */
export async function changeFactorRule(
  tx: Db,
  author: Author,
  required: FactorRule,
): Promise<void> {
  if ((await selectFactorRule(tx, author.space)) === required) return
  const state = await selectFactorState(tx, ownerOf(author))
  if (required !== 'optional' && !state?.hasFactor) {
    const message = 'Set up your own second factor first. Otherwise you would be locked out.'
    throw badRequest({ path: ['required'], code: 'own_factor', message })
  }
  await updateFactorRule(tx, author.space, required)
  await audit(tx, author, 'factor.required', { required })
}

/** Uses up a code of the authenticator app or a recovery code. Undefined: it is wrong. */
export async function takeCode(
  db: Db,
  secrets: Secrets | undefined,
  author: Author,
  code: string,
): Promise<'app' | 'recovery_code' | undefined> {
  const owner = ownerOf(author)
  const plain = plainCode(code)
  if (/^\d{6}$/.test(plain)) {
    return (await takeAppCode(db, secrets, owner, plain, author.now)) ? 'app' : undefined
  }
  if (!(await takeRecoveryCode(db, owner, hashRecoveryCode(code)))) return undefined
  await audit(db, author, 'recovery_code.used', {})
  return 'recovery_code'
}

/** The addresses of members whose app was set up with another key. Its codes cannot be checked here. */
export async function findUnreadableApps(db: Db, secrets: Secrets | undefined): Promise<string[]> {
  const owners = await selectTotpOwners(db)
  return owners
    .filter((owner) => secrets?.open(owner.secret, totpContext(owner)) === undefined)
    .map(({ email }) => email)
}

async function takeAppCode(
  db: Db,
  secrets: Secrets | undefined,
  owner: Owner,
  code: string,
  now: Date,
): Promise<boolean> {
  const totp = await selectTotp(db, owner)
  const secret = totp && secrets?.open(totp.secret, totpContext(owner))
  const step = secret && findStep(secret, code, now, totp.last_step)
  return step ? takeStep(db, owner, step, now) : false
}
