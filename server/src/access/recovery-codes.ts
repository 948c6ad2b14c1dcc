// Recovery codes to keep on paper in case the phone is lost. Each works once.
import { randomBytes } from 'node:crypto'
import { hashKey } from './keys.ts'
import { base32 } from './totp.ts'

const count = 10

/** 80 random bits each: too many to guess even for someone who has the hashes, so a fast hash will do. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: count }, () => {
    const text = base32(randomBytes(10)).toLowerCase()
    return (text.match(/.{4}/g) ?? []).join('-')
  })
}

/** Spaces, dashes and case do not matter: people type these from paper. */
export function hashRecoveryCode(code: string): string {
  return hashKey(plainCode(code).toLowerCase())
}

export function plainCode(code: string): string {
  return code.replaceAll(/[\s-]/g, '')
}
