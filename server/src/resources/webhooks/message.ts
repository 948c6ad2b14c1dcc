// One message to an endpoint: signed, sent, and what came back.
import { newId } from '../../ids.ts'
import type { Answer, Line } from '../../outgoing/post.ts'
import { type Message, signedHeaders } from '../../outgoing/sign.ts'
import type { Secrets } from '../../secrets.ts'
import type { AttemptRow, WebhookRow } from './webhooks.sql.ts'

/** Binds the secret to its webhook: moved to another one, it cannot be read. */
export const secretContext = (space: string, id: string) => `webhook ${space} ${id}`

type Sealed = Pick<WebhookRow, 'id' | 'secret' | 'old_secret' | 'old_secret_until'>

/** Those that sign now, the newest first. None: the key that they were sealed with is not that of this server. */
export function openSecrets(
  secrets: Secrets | undefined,
  space: string,
  { id, secret, old_secret, old_secret_until }: Sealed,
  now: Date,
): string[] {
  const isOldValid = old_secret_until !== null && Date.parse(old_secret_until) > now.getTime()
  const sealed = [secret, ...(old_secret && isOldValid ? [old_secret] : [])]
  const opened = sealed.map((text) => secrets?.open(text, secretContext(space, id)))
  return opened[0] === undefined ? [] : opened.filter((text) => text !== undefined)
}

export interface Delivery {
  url: string
  secrets: string[]
  message: Message
  signal?: AbortSignal
}

export function postMessage(line: Line, { url, secrets, message, signal }: Delivery) {
  const headers = {
    ...{ 'Content-Type': 'application/json', 'User-Agent': 'Rapport-Webhooks' },
    ...signedHeaders(secrets, message),
  }
  return line.post({ url, headers, body: message.body, ...(signal && { signal }) })
}

/** What the audit log says of a webhook. The path of its address may be a secret. */
export const aboutWebhook = ({ id, name, url }: Pick<WebhookRow, 'id' | 'name' | 'url'>) => ({
  ...{ id, name, origin: new URL(url).origin },
})

export function attemptOf(
  { status, error, text, tookMs }: Answer,
  { seq, type, at }: { seq: number | null; type: string; at: Date },
): AttemptRow {
  const answer = { took_ms: tookMs, status, error, answer: text }
  return { id: newId(), seq, type, at: at.toISOString(), ...answer }
}
