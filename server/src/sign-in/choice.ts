// Someone who has several workspaces comes back from the provider and chooses one. Until then the browser
// keeps what the provider has said, signed, so that every process of the service can read it.
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { readCookie, setCookie } from '../access/cookie.ts'
import type { OpenidSettings } from '../config.ts'
import type { Account } from './places.ts'

const cookie = 'rapport-choice'
/** How long a person may take to choose, in seconds. */
const maxAge = 600

type Settings = Pick<OpenidSettings, 'issuer' | 'clientSecret'>

export function rememberAccount(
  request: FastifyRequest,
  reply: FastifyReply,
  account: Account,
  settings: Settings,
  now: Date,
): void {
  const until = now.getTime() + maxAge * 1000
  const text = Buffer.from(JSON.stringify({ account, until })).toString('base64url')
  const value = `${text}.${sign(text, settings).toString('base64url')}`
  setCookie(request, reply, cookie, value, { sameSite: 'Strict', maxAge })
}

export function forgetAccount(request: FastifyRequest, reply: FastifyReply): void {
  setCookie(request, reply, cookie, '', { sameSite: 'Strict', maxAge: 0 })
}

/** Undefined: there is none, it was changed, or its time is over. */
export function readAccount(
  request: FastifyRequest,
  settings: Settings,
  now: Date,
): Account | undefined {
  const [text = '', signature = ''] = (readCookie(request, cookie) ?? '').split('.')
  const wanted = sign(text, settings)
  const sent = Buffer.from(signature, 'base64url')
  if (wanted.length !== sent.length || !timingSafeEqual(wanted, sent)) return undefined
  const { account, until } = JSON.parse(Buffer.from(text, 'base64url').toString())
  return account.issuer === settings.issuer && now.getTime() < until ? account : undefined
}

function sign(text: string, { clientSecret }: Settings): Buffer {
  return createHmac('sha256', clientSecret).update(`rapport choice ${text}`).digest()
}
