// The web page, built by web/ and served from the same origin as the interface.
import { fileURLToPath } from 'node:url'
import serveFiles from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { root } from '../root.ts'

const folder = fileURLToPath(new URL('web/dist/', root))

const headers = {
  'Content-Security-Policy':
    "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  // The service itself is told: see isOwnPage. Others learn nothing.
  'Referrer-Policy': 'same-origin',
}

export function serveWeb(app: FastifyInstance): void {
  app.register(serveFiles, {
    root: folder,
    wildcard: false,
    cacheControl: false,
    // The build writes a .br and a .gz next to each file. They need no URLs of their own.
    preCompressed: true,
    globIgnore: ['**/*.{br,gz}'],
    setHeaders(reply, path) {
      // The build puts a hash of the content into the names of assets.
      const isHashed = path.startsWith(`${folder}assets`)
      reply.headers({
        ...headers,
        Vary: 'Accept-Encoding',
        'Cache-Control': isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
      })
    },
  })
}

/** Paths of programs. A browser that asks for one of them gets the error body, as everybody does. */
const ofPrograms = /^\/(rest|session|docs|assets|healthz?|readyz?|openapi\.json)(\/|$)/

/** A browser that opens an address of the page, such as /leads or a link to a lead. */
export function wantsPage({ method, url, headers }: FastifyRequest): boolean {
  const [path = ''] = url.split('?', 1)
  return (
    method === 'GET' && headers.accept?.includes('text/html') === true && !ofPrograms.test(path)
  )
}
