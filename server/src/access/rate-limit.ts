// An optional limit on requests per minute for each key and each session.

import { ApiError } from '@rapport/contract/errors'
import type { FastifyInstance } from 'fastify'

const windowMs = 60_000

export function limitRate(app: FastifyInstance, limit: number, clock: () => Date): void {
  let windowEnd = 0
  const used = new Map<string, number>()
  app.addHook('onRequest', async ({ principal }, reply) => {
    if (!principal) return
    // RAPPORT_API_KEY has no id.
    const key = principal.key ?? ''
    const now = clock().getTime()
    if (now >= windowEnd) {
      windowEnd = now + windowMs
      used.clear()
    }
    const count = (used.get(key) ?? 0) + 1
    used.set(key, count)
    reply.header('X-RateLimit-Limit', limit)
    reply.header('X-RateLimit-Remaining', Math.max(0, limit - count))
    reply.header('X-RateLimit-Reset', Math.ceil(windowEnd / 1000))
    if (count > limit) throw new ApiError('TOO_MANY_REQUESTS')
  })
}
