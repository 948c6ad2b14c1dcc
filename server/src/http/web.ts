// The web page, built by web/ and served from the same origin as the interface.
import { fileURLToPath } from 'node:url'
import serveFiles from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { root } from '../root.ts'

const folder = fileURLToPath(new URL('web/dist/', root))

const headers = {
  'Content-Security-Policy':
    "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
}

export function serveWeb(app: FastifyInstance): void {
  app.register(serveFiles, {
    root: folder,
    wildcard: false,
    cacheControl: false,
    setHeaders(reply, path) {
      // The build puts a hash of the content into the names of assets.
      const isHashed = path.startsWith(`${folder}assets`)
      reply.headers({
        ...headers,
        'Cache-Control': isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
      })
    },
  })
}
