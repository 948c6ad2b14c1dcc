// The host that passkeys belong to, and the origin of the page that may use them. A setting decides it, or
// this very machine: never a header that the caller can choose.
import { isIP } from 'node:net'
import { badRequest } from '@rapport/contract/errors'
import type { FastifyRequest } from 'fastify'
import { isLoopback, pageAddress } from '../http/origin.ts'

export interface RelyingParty {
  id: string
  origin: string
}

/** The relying party, or why there is none, in words for people. */
export function findRelyingParty(request: FastifyRequest): RelyingParty | string {
  const { publicUrl, host, isProxied } = request.server.place
  const isHere = isLoopback(host) && !isProxied
  const address = publicUrl ?? pageAddress(request)
  // A caller can send any text as the host.
  const { hostname, origin, protocol, port } = new URL(
    URL.canParse(address) ? address : 'http://unknown',
  )
  if (hostname === 'localhost' && (publicUrl || isHere)) return { id: hostname, origin }
  if (isHere && !publicUrl && isLoopback(hostname.replace(/^\[|\]$/g, ''))) {
    return `Passkeys need a host name, not an IP address. Open http://localhost${port && `:${port}`} instead`
  }
  const isName = isIP(hostname) === 0 && !hostname.startsWith('[')
  if (publicUrl && protocol === 'https:' && isName) return { id: hostname, origin }
  return 'Passkeys require PUBLIC_URL to be an https:// address with a host name'
}

export function requireRelyingParty(request: FastifyRequest): RelyingParty {
  const found = findRelyingParty(request)
  if (typeof found !== 'string') return found
  throw badRequest({ path: [], code: 'no_passkeys', message: found })
}
