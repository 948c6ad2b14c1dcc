// Passwords are hashed with scrypt, which makes guessing slow even for someone who has the hashes.
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { badRequest } from '@rapport/contract/errors'
import { longestPassword, shortestPassword } from '@rapport/contract/sign-in'
import { createFairSemaphore } from '../http/semaphore.ts'
import { isCommon } from './common-passwords.ts'

export interface PasswordCost {
  log2: number
  r: number
  p: number
}

/** 32 MiB and about a third of a second for each password. The hash contains them, so they can change. */
export const passwordCost: PasswordCost = { log2: 15, r: 8, p: 3 }
const hashBytes = 32

/**
 * Two at a time: each takes a thread of Node's pool of four, which other work needs too. A flood of
 * attempts waits here or is refused with 503.
 */
const everybody = { space: '', key: '' }
const inTurn = createFairSemaphore({ slots: 2, maxWaiting: 50, waitLimitMs: 10_000 })

function derive(password: string, salt: Buffer, { log2, r, p }: PasswordCost): Promise<Buffer> {
  const options = { N: 2 ** log2, r, p, maxmem: 2 ** log2 * r * 256 }
  // Keyboards differ in how they compose a letter with an accent.
  const text = password.normalize('NFKC')
  return inTurn(
    everybody,
    () =>
      new Promise((resolve, reject) => {
        scrypt(text, salt, hashBytes, options, (error, key) =>
          error ? reject(error) : resolve(key),
        )
      }),
  )
}

/** scrypt$15$8$3$salt$hash */
export async function hashPassword(password: string, cost: PasswordCost): Promise<string> {
  const salt = randomBytes(16)
  const key = await derive(password, salt, cost)
  const { log2, r, p } = cost
  return ['scrypt', log2, r, p, salt.toString('base64url'), key.toString('base64url')].join('$')
}

export async function isPassword(password: string, stored: string): Promise<boolean> {
  const [, log2, r, p, salt = '', key = ''] = stored.split('$')
  const wanted = Buffer.from(key, 'base64url')
  const used = { log2: Number(log2), r: Number(r), p: Number(p) }
  const found = await derive(password, Buffer.from(salt, 'base64url'), used)
  return wanted.length === found.length && timingSafeEqual(wanted, found)
}

/** The same work as isPassword, where there is nothing to compare with. */
export async function wastePassword(password: string, cost: PasswordCost): Promise<void> {
  await derive(password, Buffer.alloc(16), cost)
}

/** Throws a BAD_REQUEST that says what is wrong with a new password. */
export function requireGoodPassword(password: string, email: string): void {
  const message = faultOf(password.normalize('NFKC'), email)
  if (message) throw badRequest({ path: ['password'], code: 'password', message })
}

function faultOf(password: string, email: string): string | undefined {
  const length = [...password].length
  if (length < shortestPassword) return `Must be at least ${shortestPassword} characters long`
  if (length > longestPassword) return `Must be at most ${longestPassword} characters long`
  if (isCommon(password, email)) return 'Too easy to guess. Choose another password.'
  return undefined
}
