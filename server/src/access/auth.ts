// Who calls, by a key or by the cookie of the page, and whether they may call the route.
import { createHmac } from 'node:crypto'
import type { Actor } from '@rapport/contract/actor'
import { ApiError } from '@rapport/contract/errors'
import { allows, type Role, type Scope } from '@rapport/contract/roles'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Attempts } from '../http/attempts.ts'
import { isOwnPage } from '../http/origin.ts'
import { readSessionCookie } from './cookie.ts'
import type { Keyring, Principal } from './keyring.ts'
import { hashKey } from './keys.ts'
import { createNarrowed } from './narrowed.ts'
import { requirePerson } from './person.ts'

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | undefined
    /** Whether the key is still valid: for a request that takes long. */
    isStillAllowed: () => Promise<boolean>
    /** Signs a text with the key of the request. */
    sign: (text: string) => string
    /** Throws unless the key has this role and these scopes. */
    requireRights: (role: Role, scopes: readonly Scope[]) => Promise<void>
  }
  interface FastifyInstance {
    keyring: Keyring
  }
  interface FastifyContextConfig {
    /** The role a route needs. Routes without one (signing in, unknown paths) need no key. */
    role?: Role
    /** The scopes that a narrowed key needs. */
    scopes?: readonly Scope[]
    /** A request without a key is let in. One with a wrong key is not. */
    keyIsOptional?: boolean
    /** The route is about the session itself, so a key does not count. */
    needsSession?: boolean
    /** Only for a person who has recently signed in or confirmed their identity. */
    needsPerson?: boolean
  }
}

/** X-API-KEY, or the token that many tools send by habit: `Authorization: Bearer <key>`. */
export function sentKey({ headers }: FastifyRequest): string | undefined {
  const key = headers['x-api-key']
  if (typeof key === 'string' && key) return key
  return /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1]
}

/**
 * A key, or else the session of the page. A browser adds the cookie to every request, even to one that
 * another site has triggered. So it counts only in requests from our own page.
 */
function sentSecret(request: FastifyRequest): { secret: string; isCookie: boolean } | undefined {
  const key = sentKey(request)
  if (key) return { secret: key, isCookie: false }
  const session = readSessionCookie(request)
  return session && isOwnPage(request) ? { secret: session, isCookie: true } : undefined
}

export function requireKeys(
  app: FastifyInstance,
  keyring: Keyring,
  attempts: Attempts,
  clock: () => Date,
): void {
  app.decorate('keyring', keyring)
  app.decorateRequest('principal', undefined)
  app.decorateRequest('isStillAllowed', async () => false)
  app.decorateRequest('sign', () => '')
  app.decorateRequest('requireRights', async () => {
    throw new ApiError('UNAUTHORIZED')
  })
  const requireWithin = createNarrowed(keyring, clock)
  app.addHook('onRequest', async (request) => {
    const { config } = request.routeOptions
    const { role: needs, keyIsOptional, needsSession, needsPerson } = config
    if (!needs) return
    const sent = sentSecret(request)
    if (!sent && keyIsOptional) return
    if (!sent) throw new ApiError('UNAUTHORIZED')
    const { ip: address } = request
    const principal = await keyring.find(sent.secret, address)
    // A session counts only as a cookie, and a key only as a header.
    if (!principal || (principal.way === 'web') !== sent.isCookie) {
      // The person did not choose to send a cookie, and it may be of a session that has ended.
      if (keyIsOptional && sent.isCookie) return
      const wrongKeys = await attempts.failed(request.ip)
      if (wrongKeys) {
        reportWrongKeys(request, wrongKeys)
        const { id: request_id, log } = request
        await keyring
          .tellRefused(sent.secret, { address, wrongKeys, request_id })
          .catch((error) => {
            log.warn({ err: error }, 'cannot write the audit log')
          })
      }
      throw new ApiError('UNAUTHORIZED')
    }
    request.principal = principal
    request.sign = (text) =>
      createHmac('sha256', hashKey(sent.secret)).update(text).digest('base64url')
    request.isStillAllowed = async () =>
      (await keyring.find(sent.secret, address))?.space === principal.space
    request.requireRights = async (role, scopes) => {
      if (!allows(principal.role, role)) throw new ApiError('FORBIDDEN')
      if (!principal.scopes && !principal.allowedFrom) return
      await requireWithin(principal, scopes, request, sent.secret)
    }
    if (needsSession && principal.way !== 'web') throw new ApiError('FORBIDDEN')
    await request.requireRights(needs, config.scopes ?? [])
    if (needsPerson) requirePerson(principal, clock())
  })
}

/** Who has sent a request that needed a key or a session. */
export function actorOf({ principal, id }: FastifyRequest): Actor {
  const { user, key = null, way } = principal as Principal
  return { member: user, key, way, request_id: id }
}

/** One address has sent many wrong keys, links or passwords. */
export function reportWrongKeys({ ip, log }: FastifyRequest, wrongKeys: number): void {
  log.warn({ address: ip, wrongKeys }, 'slowing responses after wrong keys')
}
