// Which addresses the service may send to. The people who choose them need not be those who run the service: without
// this, an admin of a workspace could reach what only this machine can, such as its metadata service.
import { promises as dns } from 'node:dns'
import { isIP } from 'node:net'
import { networksOf } from '../networks.ts'

export interface Address {
  address: string
  family: 4 | 6
}

/** All addresses of a name; none if there is no such name. */
export type Resolve = (name: string) => Promise<Address[]>

/** Private, loopback, link-local, shared, documentation, benchmark, multicast and reserved networks. */
const privateV4 = networksOf([
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15'],
  ...['198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
])

/** Addresses of version 6 are refused, unless they are global, which mapped ones and those of NAT64 are not. */
const globalV6 = networksOf(['2000::/3'])
/** Those that stand for other addresses (Teredo, 6to4), and examples. */
const specialV6 = networksOf(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'])

/** `allow`: networks that may be reached although they are private, such as 10.0.0.0/8. */
export function createGuard(allow: string[]) {
  const allowed = networksOf(allow)
  const isAllowed = ({ address, family }: Address) =>
    allowed.check(address, family === 4 ? 'ipv4' : 'ipv6')
  const isPublic = ({ address, family }: Address) =>
    family === 4
      ? !privateV4.check(address, 'ipv4')
      : globalV6.check(address, 'ipv6') && !specialV6.check(address, 'ipv6')
  return {
    /** Whether any address is allowed beside the public ones. */
    hasAllowed: allow.length > 0,
    isAllowed,
    mayReach: (address: Address) => isPublic(address) || isAllowed(address),
  }
}
export type Guard = ReturnType<typeof createGuard>

/** The address, if the host of a URL is one. URL has made one of every way to write it: 0x7f.1, 2130706433. */
export function addressOf(host: string): Address | undefined {
  const address = host.replace(/^\[(.*)\]$/, '$1')
  const family = isIP(address)
  return family === 4 || family === 6 ? { address, family } : undefined
}

/** Name servers that do not respond must not delay others. */
const resolver = new dns.Resolver({ timeout: 2_000, tries: 2 })

/**
 * Asks the name servers. Only a name that they do not know is looked up as other programs do it, with the hosts file:
 * that takes a thread, of which the process has four.
 */
export const resolveName: Resolve = async (name) => {
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const found = answers.flatMap((answer, index) =>
    answer.status === 'rejected'
      ? []
      : answer.value.map((address) => ({ address, family: index === 0 ? 4 : 6 }) as const),
  )
  if (found.length > 0) return found
  const isUnknown = answers.every(
    (answer) =>
      answer.status === 'rejected' && ['ENOTFOUND', 'ENODATA'].includes(answer.reason.code),
  )
  if (!isUnknown) return []
  const local = await dns.lookup(name, { all: true }).catch(() => [])
  return local.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }))
}
