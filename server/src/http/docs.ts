// The OpenAPI document and the reference page. The page is served from this machine whole, so that it
// works without internet.
import { createReadStream } from 'node:fs'
import { type ExampleKind, exampleIds } from '@rapport/contract/examples'
import type { FastifyInstance, FastifyRequest } from 'fastify'

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Rapport API</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <div id="reference"></div>
    <script src="/docs/reference.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`

const start = `Scalar.createApiReference('#reference', {
  url: '/openapi.json',
  theme: 'default',
  // Nothing on this page may reach beyond this server.
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  mcp: { disabled: true },
  agent: { disabled: true },
  authentication: { preferredSecurityScheme: 'key' },
  persistAuth: true,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
})
`

const headers = {
  'Content-Security-Policy':
    "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; worker-src 'self' blob:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
}

/** Records of the caller's workspace. Null where it has none of the kind. */
export type OwnIds = Record<ExampleKind, string | null>

/** Needs no key. With one, the examples have ids of the caller's own records, as far as there are some. */
export function serveDocument(
  app: FastifyInstance,
  document: object,
  ownIds: (request: FastifyRequest) => Promise<OwnIds>,
): void {
  const json = JSON.stringify(document)
  const config = { role: 'read', keyIsOptional: true } as const
  app.get('/openapi.json', { config }, async (request, reply) => {
    reply.type('application/json')
    if (!request.principal) return reply.send(json)
    const ids = await ownIds(request)
    const kinds = Object.keys(exampleIds) as ExampleKind[]
    return reply.send(
      kinds.reduce(
        (text, kind) => text.replaceAll(exampleIds[kind], ids[kind] ?? exampleIds[kind]),
        json,
      ),
    )
  })
}

export function serveDocs(app: FastifyInstance): void {
  const bundle = new URL('./js/standalone.js', import.meta.resolve('@scalar/fastify-api-reference'))
  app.get('/docs', (_request, reply) => reply.headers(headers).type('text/html').send(page))
  app.get('/docs/start.js', (_request, reply) =>
    reply.headers(headers).type('text/javascript').send(start),
  )
  app.get('/docs/reference.js', (_request, reply) =>
    reply
      .headers({ ...headers, 'Cache-Control': 'max-age=3600' })
      .type('text/javascript')
      .send(createReadStream(bundle)),
  )
}
