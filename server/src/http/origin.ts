// Where a request comes from: the page of this service or another one, and under which address the
// service was reached.
import type { FastifyRequest } from 'fastify'

/**
 * Whether the page that this service serves has sent the request. Only a browser's word counts, which a
 * page cannot change: Sec-Fetch-Site, or in browsers and on connections without it, Origin.
 */
export function isOwnPage({ headers, host }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  return hostOf(headers.origin) === host
}

/**
 * The address of the page, as its user sees it: https://crm.example.com. A proxy that ends TLS may not
 * say so, but the browser does.
 */
export function pageAddress({ headers, host, protocol }: FastifyRequest): string {
  const { origin } = headers
  if (origin && hostOf(origin) === host) return new URL(origin).origin
  return `${protocol}://${host}`
}

function hostOf(origin: string | undefined): string | undefined {
  return origin && URL.canParse(origin) ? new URL(origin).host : undefined
}
