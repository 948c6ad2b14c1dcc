// Where a request comes from (the page of this service or another one), the address under which the service was
// reached, and where its links lead.
import { isIP } from 'node:net'
import { requestFault } from '@rapport/contract/errors'
import type { FastifyInstance, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyInstance {
    place: Place
  }
}

/** Where the service is, as its settings say. */
export interface Place {
  /** PUBLIC_URL: the address of the page for its users, without a slash at the end. */
  publicUrl: string | undefined
  /** HOST: the address at which the service listens. */
  host: string
  /** A proxy is in front of it. */
  isProxied: boolean
}

export function setPlace(app: FastifyInstance, place: Place): void {
  app.decorate('place', place)
}

/**
 * The origin of links that leave the service. A link holds a secret, so headers of
 * the request, which its sender chooses, must not affect it. Throws a BAD_REQUEST if the service cannot know its address.
 */
export function linkAddress({ server, socket }: FastifyRequest): string {
  const { publicUrl, host, isProxied } = server.place
  if (publicUrl) return publicUrl
  if (isLoopback(host) && !isProxied) return httpAddress(host, socket.localPort ?? 0)
  throw requestFault(
    'public_url',
    'Set PUBLIC_URL to the address of the web app, for example https://crm.example.com, and restart Rapport. It accepts connections from other machines, so it cannot know which address to use in links.',
  )
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d+){3}$/.test(host)
}

export function httpAddress(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/**
 * Whether the page that this service serves has sent the request. Only a browser's word counts, which a
 * page cannot change: Sec-Fetch-Site. Old browsers, and all browsers on connections without TLS, do not send
 * it. There it is Origin, and for what is only read, which has no Origin, Referer.
 */
export function isOwnPage(request: FastifyRequest): boolean {
  const { 'sec-fetch-site': site, origin, referer } = request.headers
  if (site !== undefined) return site === 'same-origin'
  return isOurs(origin ?? referer, request)
}

/**
 * The same, under an address that cannot be somebody else's: any site can let one of its names lead here, and its pages
 * are then of the same origin. So a name counts only if PUBLIC_URL has it.
 */
export function isOwnPageByAddress(request: FastifyRequest): boolean {
  const name = request.hostname.replace(/^\[|\]$/g, '')
  const isKnown = request.headers.origin === request.server.place.publicUrl
  return isOwnPage(request) && (isKnown || isIP(name) !== 0 || name === 'localhost')
}

/**
 * The address of the page, as its user sees it: https://crm.example.com. A proxy that ends TLS may not
 * say so, but the browser does. Not for links: see linkAddress.
 */
export function pageAddress(request: FastifyRequest): string {
  const { origin } = request.headers
  if (origin && isOurs(origin, request)) return new URL(origin).origin
  return `${request.protocol}://${request.host}`
}

/** Whether this address has the host of the request. A proxy may not pass it on: then it is that of PUBLIC_URL. */
function isOurs(address: string | undefined, { host, server }: FastifyRequest): boolean {
  const named = hostOf(address)
  return named !== undefined && (named === host || named === hostOf(server.place.publicUrl))
}

function hostOf(address: string | undefined): string | undefined {
  return address && URL.canParse(address) ? new URL(address).host : undefined
}
