// The key of a request: who calls, and whether they may call the route.
import { createHmac } from 'node:crypto'
import { ApiError } from '@rapport/contract/errors'
import type { Role } from '@rapport/contract/route'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Attempts } from '../http/attempts.ts'
import { allows, type Keyring, type Principal } from './keyring.ts'
import { hashKey } from './keys.ts'

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | undefined
    /** Whether the key is still valid: for a request that takes long. */
    isStillAllowed: () => Promise<boolean>
    /** Signs a text with the key of the request. */
    sign: (text: string) => string
  }
  interface FastifyContextConfig {
    /** The role a route needs. Routes without one (unknown paths) need no key. */
    role?: Role
    /** A request without a key is let in. One with a wrong key is not. */
    keyIsOptional?: boolean
  }
}

/** X-API-KEY, or the token that many tools send by habit: `Authorization: Bearer <key>`. */
export function sentKey({ headers }: FastifyRequest): string | undefined {
  const key = headers['x-api-key']
  if (typeof key === 'string' && key) return key
  return /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1]
}

export function requireKeys(app: FastifyInstance, keyring: Keyring, attempts: Attempts): void {
  app.decorateRequest('principal', undefined)
  app.decorateRequest('isStillAllowed', async () => false)
  app.decorateRequest('sign', () => '')
  app.addHook('onRequest', async (request) => {
    const { role: needs, keyIsOptional } = request.routeOptions.config
    if (!needs) return
    const key = sentKey(request)
    if (!key && keyIsOptional) return
    if (!key) throw new ApiError('UNAUTHORIZED')
    const principal = await keyring.find(key)
    if (!principal) {
      const wrongKeys = await attempts.failed(request.ip)
      if (wrongKeys) {
        const { ip: address, id: request_id, log } = request
        log.warn({ address, wrongKeys }, 'wrong keys: answers are slowed')
        await keyring.tellRefused(key, { address, wrongKeys, request_id }).catch((error) => {
          log.warn({ err: error }, 'the audit log could not be written')
        })
      }
      throw new ApiError('UNAUTHORIZED')
    }
    request.principal = principal
    request.sign = (text) => createHmac('sha256', hashKey(key)).update(text).digest('base64url')
    request.isStillAllowed = async () => (await keyring.find(key))?.space === principal.space
    if (!allows(principal.role, needs)) throw new ApiError('FORBIDDEN')
  })
}
