// How a route of contract/src/session.ts is served: like those below /rest, but it may set the cookie, and
// most of them need no session yet.
import { ApiError, notFound } from '@rapport/contract/errors'
import type { BodyOf, ReplyOf } from '@rapport/contract/route'
import type { sessionRoutes } from '@rapport/contract/session'
import type { SessionRoute } from '@rapport/contract/session-route'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { actorOf } from '../access/auth.ts'
import { readPendingCookie } from '../access/cookie.ts'
import type { Principal } from '../access/keyring.ts'
import type { Author } from '../feed/author.ts'
import { isOwnPage } from '../http/origin.ts'
import { json, serialize } from '../http/serialize.ts'
import { validator } from '../http/validate.ts'
import { isId } from '../ids.ts'

/** Someone without a key may send these bodies, so they are kept small. */
const bodyLimit = 16 * 1024

export interface Visit<R extends SessionRoute> {
  body: BodyOf<R>
  /** The session that the path addresses. */
  id: string
  request: FastifyRequest
  reply: FastifyReply
  now: Date
}

type Handler<R extends SessionRoute> = (visit: Visit<R>) => Promise<ReplyOf<R>>

export type SessionHandlers = {
  [K in keyof typeof sessionRoutes]: Handler<(typeof sessionRoutes)[K]>
}

/** Another site must not sign a person in or out, with its own account or with theirs. */
export function refuseOtherSites(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    if (request.method !== 'GET' && !isOwnPage(request)) throw new ApiError('FORBIDDEN')
  })
}

function configOf({ needs }: SessionRoute) {
  if (needs === 'nothing' || needs === 'step') return {}
  return { role: 'read', needsSession: true, needsPerson: needs === 'person' } as const
}

export function addSessionRoute<R extends SessionRoute>(
  app: FastifyInstance,
  route: R,
  clock: () => Date,
  handle: Handler<R>,
): void {
  const check = route.body && validator(route.body)
  app.route({
    method: route.method,
    url: route.path.replace('{id}', ':id'),
    config: configOf(route),
    bodyLimit,
    handler: async (request, reply) => {
      if (route.needs === 'step' && !readPendingCookie(request)) throw new ApiError('UNAUTHORIZED')
      const { id = '' } = request.params as { id?: string }
      if (route.path.includes('{id}') && !isId(id)) throw notFound()
      const body = request.body ?? {}
      check?.(body)
      const answer = await handle({
        body: body as BodyOf<R>,
        id: id.toLowerCase(),
        request,
        reply,
        now: clock(),
      })
      // Sessions may have ended or changed, which must take effect immediately.
      const { principal } = request
      if (route.method !== 'GET' && principal) app.keyring.forget(principal.space)
      if (!Buffer.isBuffer(answer)) return reply.type(json).send(serialize(answer, route, reply))
      // Only the page asks for it, and it never changes.
      reply.header('Cache-Control', 'private, max-age=31536000, immutable')
      return reply.type('image/jpeg').send(answer)
    },
  })
}

/** On whose behalf a request with a session is written. */
export function authorOf({ request, now }: Pick<Visit<never>, 'request' | 'now'>): Author {
  const { space } = request.principal as Principal
  return { space, actor: actorOf(request), now }
}
