// The web page, built by web/ and served from the same origin as the interface. All of it is read at the start,
// about 2 MB: a build of a newer version beside the running service changes nothing for it.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { notFound } from '@rapport/contract/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { root } from '../root.ts'

const built = fileURLToPath(new URL('web/dist/', root))

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

const headers = {
  'Content-Security-Policy':
    "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  // The service itself needs it: see isOwnPage. Others learn nothing.
  'Referrer-Policy': 'same-origin',
  Vary: 'Accept-Encoding',
}

interface File {
  /** By encoding, the smallest first. The build writes a .br and a .gz next to each file. */
  contents: [encoding: string, content: Buffer][]
  headers: Record<string, string>
}

const notBuilt =
  'The page is missing or incomplete (web/dist). In a checkout, run "npm run build"; otherwise, install Rapport again. Then restart it. The API works without the page.'

/** Returns what answers with the page itself, for its addresses that are no files. */
export function serveWeb(app: FastifyInstance, folder = built) {
  const names = existsSync(folder) ? (readdirSync(folder, { recursive: true }) as string[]) : []
  const files = new Map(
    names
      .filter((name) => extname(name) in types)
      .map((name) => [`/${name.replaceAll(sep, '/')}`, readFile(folder, name)]),
  )
  const page = files.get('/index.html')
  if (!page || !isWhole(page, files)) {
    app.log.error(notBuilt)
    return (_request: FastifyRequest, reply: FastifyReply) =>
      reply.code(503).type('text/plain; charset=utf-8').send(`${notBuilt}\n`)
  }
  for (const [url, file] of files) {
    if (url.startsWith('/assets/')) continue
    const handler = (request: FastifyRequest, reply: FastifyReply) => send(request, reply, file)
    app.route({ method: ['GET', 'HEAD'], url: url === '/index.html' ? '/' : url, handler })
  }
  // One route for all of them: some hundred would take a sixth of a start.
  app.route<{ Params: { '*': string } }>({
    method: ['GET', 'HEAD'],
    url: '/assets/*',
    handler(request, reply) {
      const file = files.get(`/assets/${request.params['*']}`)
      if (!file) throw notFound()
      return send(request, reply, file)
    },
  })
  return (request: FastifyRequest, reply: FastifyReply) => send(request, reply, page)
}

/** Whether the files that the page begins with are there: a copy of it may have been cut off. */
function isWhole({ contents }: File, files: Map<string, File>): boolean {
  const html = String(contents.at(-1)?.[1])
  const needed = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, url = '']) => url)
  return needed.length > 0 && needed.every((url) => files.has(url))
}

function readFile(folder: string, name: string): File {
  const content = readFileSync(folder + name)
  const contents: File['contents'] = [['identity', content]]
  for (const [encoding, ending] of [
    ['gzip', '.gz'],
    ['br', '.br'],
  ] as const) {
    const file = folder + name + ending
    if (existsSync(file)) contents.unshift([encoding, readFileSync(file)])
  }
  // The build puts a hash of the content into the names of assets.
  const isHashed = name.startsWith('assets')
  return {
    contents,
    headers: {
      ...headers,
      'Content-Type': types[extname(name)] ?? '',
      'Cache-Control': isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
      ETag: `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`,
    },
  }
}

function send(request: FastifyRequest, reply: FastifyReply, file: File): FastifyReply {
  reply.headers(file.headers)
  if (request.headers['if-none-match'] === file.headers.ETag) return reply.code(304).send()
  const accepted = (request.headers['accept-encoding'] ?? '')
    .split(',')
    .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
    .map((part) => part.split(';', 1)[0]?.trim())
  const [encoding, content] = file.contents.find(
    ([name]) => name === 'identity' || accepted.includes(name),
  ) as File['contents'][number]
  if (encoding !== 'identity') reply.header('Content-Encoding', encoding)
  return reply.send(content)
}

/** Paths of programs. A browser that asks for one of them gets the error body, as everybody does. */
const ofPrograms =
  /^\/(rest|session|calendar|docs|assets|healthz?|readyz?|metrics|openapi\.json)(\/|$)/

/** A browser that opens an address of the page, such as /leads or a link to a lead. */
export function wantsPage({ method, url, headers }: FastifyRequest): boolean {
  const [path = ''] = url.split('?', 1)
  return (
    method === 'GET' && headers.accept?.includes('text/html') === true && !ofPrograms.test(path)
  )
}
