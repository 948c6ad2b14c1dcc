// Keys, sessions and links: 256 random bits with a prefix, by which a leaked one is recognized.
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

const prefixes = {
  ...{ key: 'rk', agent: 'rk', session: 'rs', link: 'rl', pending: 'rp', calendar: 'rc' },
}

export function newKey(kind: keyof typeof prefixes = 'key'): string {
  return `${prefixes[kind]}_${randomBytes(32).toString('base64url')}`
}

/**
 * The hash that is stored instead of the key. A slow hash protects passwords, because they can be
 * guessed. 256 random bits cannot be guessed, so a fast hash is as safe, and a flood of keys costs little.
 */
export function hashKey(key: string): string {
  return hash('sha256', key)
}

/** Takes the same time wherever the hashes differ, so that the time reveals nothing about them. */
export function isSameHash(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(a), Buffer.from(b))
}

/** A short part of the key: enough to recognize it in a list, too little to use it. */
export function hintOf(key: string): string {
  return `${key.slice(0, 6)}…${key.slice(-3)}`
}
