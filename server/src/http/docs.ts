// The reference page: served from this machine whole, so that it works without internet.
import { createReadStream } from 'node:fs'
import type { FastifyInstance } from 'fastify'

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

export function serveDocs(app: FastifyInstance, document: object): void {
  const bundle = new URL('./js/standalone.js', import.meta.resolve('@scalar/fastify-api-reference'))
  const json = JSON.stringify(document)
  app.get('/openapi.json', (_request, reply) => reply.type('application/json').send(json))
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
