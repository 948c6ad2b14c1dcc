// Signatures as Standard Webhooks describes them.
import { createHmac, timingSafeEqual } from 'node:crypto'

const maxAgeMs = 5 * 60_000

/** Rapport has sent this, and not long ago. */
export function isSigned(
  body: Buffer,
  headers: Record<string, unknown>,
  secret: string,
  now: number,
): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const time = String(headers['webhook-timestamp'])
  // NaN is not within the age.
  if (key.length === 0 || !(Math.abs(now - Number(time) * 1000) <= maxAgeMs)) return false
  const expected = createHmac('sha256', key)
    .update(`${headers['webhook-id']}.${time}.`)
    .update(body)
    .digest()
  const signatures = String(headers['webhook-signature']).split(' ')
  return signatures.some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ''), 'base64')
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}
