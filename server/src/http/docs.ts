// The OpenAPI document and the reference page. The page is served entirely from this machine, so that it
// works without internet.
import { createReadStream } from 'node:fs'
import { type ExampleKind, exampleIds } from '@rapport/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Rapport API</title>
    <link rel="icon" href="data:,">
    <style>
      form { display: flex; gap: 8px; align-items: center; padding: 8px 16px; font: 14px system-ui }
      input { flex: 0 1 30em; font: inherit; padding: 4px 8px }
      button { font: inherit; padding: 4px 8px }
    </style>
  </head>
  <body>
    <form>
      <label for="key">API key</label>
      <input id="key" type="password" autocomplete="off" required>
      <button>Show my records in the examples</button>
      <output></output>
    </form>
    <div id="reference"></div>
    <script src="/docs/reference.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`

const start = `const options = {
  theme: 'default',
  // Nothing on this page may reach beyond this server.
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  mcp: { disabled: true },
  agent: { disabled: true },
  persistAuth: true,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
}
const form = document.querySelector('form')
let reference

// With a key the document has ids of the caller's own records in its examples.
async function show(key) {
  const response = await fetch('/openapi.json', { headers: key ? { 'X-API-KEY': key } : {} })
  form.querySelector('output').value =
    response.ok ? '' : response.status === 401 ? 'This key is not valid.' : 'Please try again.'
  if (!response.ok) return false
  const authentication = {
    preferredSecurityScheme: 'key',
    ...(key && { securitySchemes: { key: { value: key } } }),
  }
  reference?.destroy()
  const content = await response.json()
  reference = Scalar.createApiReference('#reference', { ...options, authentication, content })
  return true
}

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const { value } = form.elements.key
  if (await show(value.trim())) sessionStorage.setItem('key', value.trim())
})

const kept = sessionStorage.getItem('key') ?? ''
form.elements.key.value = kept
show(kept).then((shown) => shown || show(''))
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

/** Needs no key. With one, the examples have ids of the caller's own records, if there are any. */
export function serveDocument(
  app: FastifyInstance,
  makeDocument: () => object,
  ownIds: (request: FastifyRequest) => Promise<OwnIds>,
): void {
  // Made at the first request, because it takes longer than most of a start.
  let made: string | undefined
  const config = { role: 'read', keyIsOptional: true } as const
  app.get('/openapi.json', { config }, async (request, reply) => {
    reply.type('application/json')
    made ??= JSON.stringify(makeDocument())
    const json = made
    const { principal } = request
    if (!principal || principal.scopes?.includes('read') === false) return reply.send(json)
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
