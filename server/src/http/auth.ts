// The X-API-KEY header: who calls, and whether the route is theirs to call.
import type { FastifyInstance } from 'fastify'
import { allows, type Keyring, type Principal } from '../access/keyring.ts'
import { ApiError } from './errors.ts'
import type { Role } from './route.ts'

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | undefined
  }
  interface FastifyContextConfig {
    /** The role a route needs; routes without one (unknown paths) ask for no key. */
    role?: Role
  }
}

export function requireKeys(app: FastifyInstance, keyring: Keyring): void {
  app.decorateRequest('principal', undefined)
  app.addHook('onRequest', async (request) => {
    const needs = request.routeOptions.config.role
    if (!needs) return
    const key = request.headers['x-api-key']
    const principal = typeof key === 'string' && key ? await keyring.find(key) : undefined
    if (!principal) throw new ApiError('UNAUTHORIZED')
    request.principal = principal
    if (!allows(principal.role, needs)) throw new ApiError('FORBIDDEN')
  })
}
