// Webhooks of Rapport are signed as Standard Webhooks says: docs/WEBHOOKS.md.
import { WebhookError } from './errors.ts'
import type { Event, LeadWithRelations } from './routes.ts'

/** What a webhook sends. */
export type WebhookEvent = Event & {
  /** Only if the webhook includes leads. Null: the lead is gone, or the event is of several or of none. */
  lead?: LeadWithRelations | null
  /** It was sent by "Send a test": nothing has happened. */
  test?: boolean
}

type Headers_ = Headers | Record<string, string | string[] | undefined>

/** A request may be older or newer than this many seconds. */
const toleranceSeconds = 300

/**
 * The event of a request, once its signature is right.
 *
 * @param body as it came, before parsing
 * @throws {WebhookError} it is not signed with this secret, or it is too old
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: Headers_,
  secret: string,
): Promise<WebhookEvent> {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const header = headersOf(headers)
  const [id, at, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(header)
  if (!id || !at || !signatures) throw new WebhookError('The headers of a webhook are missing')
  if (!(Math.abs(Date.now() / 1000 - Number(at)) <= toleranceSeconds)) {
    throw new WebhookError('The webhook is too old, or a clock is wrong')
  }
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const bytes = bytesOf(secret.replace(/^whsec_/, ''))
  const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify'])
  const signed = new TextEncoder().encode(`${id}.${at}.${text}`)
  // While a secret is being replaced there are two signatures.
  for (const signature of signatures.split(' ')) {
    const [version, sent = ''] = signature.split(',')
    if (version !== 'v1') continue
    const isRight = await crypto.subtle.verify('HMAC', key, bytesOf(sent), signed)
    if (isRight) return JSON.parse(text)
  }
  throw new WebhookError('The signature of the webhook is wrong')
}

function headersOf(headers: Headers_): (name: string) => string | undefined {
  const all = new Headers()
  // Those of another realm, or of a package, are no instance of this one.
  const entries = Symbol.iterator in headers ? headers : Object.entries(headers)
  for (const [name, value] of entries) if (value !== undefined) all.set(name, String(value))
  return (name) => all.get(name) ?? undefined
}

/** Base64; what is none has no bytes. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}
