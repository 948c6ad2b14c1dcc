// API keys: 256 random bits behind a prefix that makes a leaked one easy to recognise.
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

export function newKey(): string {
  return `rk_${randomBytes(32).toString('base64url')}`
}

/**
 * What is kept of a key. A slow hash protects what people make up, which can be guessed. Of 256
 * random bits there is nothing to guess, so a fast one is as safe, and a flood of keys costs little.
 */
export function hashKey(key: string): string {
  return hash('sha256', key)
}

/** In the same time wherever they differ. */
export function isSameHash(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(a), Buffer.from(b))
}

/** Enough to tell keys apart in a list, too little to use. */
export function hintOf(key: string): string {
  return `${key.slice(0, 6)}…${key.slice(-3)}`
}
