// Codes of an authenticator app (RFC 6238): six digits from a shared secret and the time.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const stepMs = 30_000
const digits = 6
/** Steps before and after the current one that count too: clocks of phones differ, and people type. */
const drift = 1
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export function newTotpSecret(): string {
  return base32(randomBytes(20))
}

/** What the QR code says. Apps show issuer and account. */
export function totpAddress(secret: string, issuer: string, account: string): string {
  // A colon separates the two, so neither may have one.
  const [shownIssuer, shownAccount] = [issuer, account].map((text) =>
    encodeURIComponent(text.replaceAll(':', ' ')),
  )
  return `otpauth://totp/${shownIssuer}:${shownAccount}?secret=${secret}&issuer=${shownIssuer}`
}

export const stepAt = (now: Date) => Math.floor(now.getTime() / stepMs)

/** The time step whose code this is. Store it: codes of this step and before must not count again. */
export function findStep(secret: string, code: string, now: Date, after = -1): number | undefined {
  const sent = Buffer.from(code)
  let found: number | undefined
  // Always the same work, so that the time reveals nothing.
  for (let step = stepAt(now) - drift; step <= stepAt(now) + drift; step++) {
    const wanted = Buffer.from(codeAt(secret, step))
    const isRight = sent.length === wanted.length && timingSafeEqual(sent, wanted)
    if (isRight && step > after) found = step
  }
  return found
}

export function codeAt(secret: string, step: number): string {
  const message = Buffer.alloc(8)
  message.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', fromBase32(secret)).update(message).digest()
  const at = mac.readUInt8(mac.length - 1) & 15
  const number = (mac.readUInt32BE(at) & 0x7fffffff) % 10 ** digits
  return String(number).padStart(digits, '0')
}

export function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => letters[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('')
}

function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0'))
  const bytes = bits.join('').match(/.{8}/g) ?? []
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)))
}
