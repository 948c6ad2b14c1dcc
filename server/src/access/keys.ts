// API keys: 256 random bits behind a prefix that makes a leaked one easy to recognise.
import { createHash, randomBytes } from 'node:crypto'

export function newKey(): string {
  return `rk_${randomBytes(32).toString('base64url')}`
}

/** What is kept of a key. It has too much chance in it to be guessed, so one fast hash is enough. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

/** Enough to tell keys apart in a list, too little to use. */
export function hintOf(key: string): string {
  return `${key.slice(0, 6)}…${key.slice(-3)}`
}
