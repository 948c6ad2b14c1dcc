// Cookies of the page: its session, and for some minutes what a sign-in in progress has to remember.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { pageAddress } from '../http/origin.ts'

interface CookieOptions {
  /** Lax: also sent when another site sends the browser here. */
  sameSite: 'Strict' | 'Lax'
  maxAge: number
}

/**
 * Cookies ignore ports, so the name has the port: two services on one machine would overwrite each
 * other's. The prefix __Host- makes the browser refuse a cookie that a neighboring host sets.
 */
function nameOf(base: string, { host }: FastifyRequest, isSecure: boolean): string {
  const [port] = /(?<=:)\d+$/.exec(host) ?? []
  return `${isSecure ? '__Host-' : ''}${base}${port ? `-${port}` : ''}`
}

export function readCookie(request: FastifyRequest, base: string): string | undefined {
  const cookies = (request.headers.cookie ?? '').split(';').map((text) => text.trim())
  const find = (isSecure: boolean) => {
    const start = `${nameOf(base, request, isSecure)}=`
    const [found, ...others] = cookies.filter((text) => text.startsWith(start))
    // Ours occurs once. A second one comes from another service on this host, and may come first.
    return others.length > 0 ? undefined : found?.slice(start.length)
  }
  const safe = find(true)
  // Over TLS the plain name is not ours.
  return safe || request.protocol === 'https' ? safe : find(false)
}

export function setCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  base: string,
  value: string,
  { sameSite, maxAge }: CookieOptions,
): void {
  const isSecure = pageAddress(request).startsWith('https:')
  const parts = [
    `${nameOf(base, request, isSecure)}=${value}`,
    'Path=/',
    'HttpOnly',
    `SameSite=${sameSite}`,
    `Max-Age=${maxAge}`,
    ...(isSecure ? ['Secure'] : []),
  ]
  reply.header('Set-Cookie', parts.join('; '))
}

const session = 'rapport'
/**
 * The longest that browsers keep a cookie: the service decides when a session ends, and the cookie must
 * not end before it.
 */
const longestMaxAge = 400 * 24 * 60 * 60

export function readSessionCookie(request: FastifyRequest): string | undefined {
  return readCookie(request, session)
}

export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
): void {
  setCookie(request, reply, session, token, { sameSite: 'Strict', maxAge: longestMaxAge })
}

export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply): void {
  setCookie(request, reply, session, '', { sameSite: 'Strict', maxAge: 0 })
}

const pending = 'rapport-step'

/** A sign-in that needs its second step. It opens nothing else. */
export function readPendingCookie(request: FastifyRequest): string | undefined {
  return readCookie(request, pending)
}

/** A `maxAge` of 0 removes it. */
export function setPendingCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
  maxAge: number,
): void {
  setCookie(request, reply, pending, token, { sameSite: 'Strict', maxAge })
}
