// Addresses and networks as people write them: 10.0.0.7, 192.168.0.0/16, 2001:db8::/32.
import { BlockList, isIP } from 'node:net'

interface Network {
  address: string
  family: 'ipv4' | 'ipv6'
  /** How many bits all of its addresses share. */
  bits: number
}

/** Undefined if it is not written like one. */
export function readNetwork(text: string): Network | undefined {
  const [address = '', bits, ...more] = text.split('/')
  const version = isIP(address)
  const all = version === 4 ? 32 : 128
  if (version === 0 || more.length > 0) return undefined
  if (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= all)) return undefined
  return {
    address,
    family: version === 4 ? 'ipv4' : 'ipv6',
    bits: bits === undefined ? all : Number(bits),
  }
}

/** All of them must be networks. */
export function networksOf(texts: readonly string[]): BlockList {
  const list = new BlockList()
  for (const text of texts) {
    const network = readNetwork(text)
    if (network) list.addSubnet(network.address, network.bits, network.family)
  }
  return list
}

/** Whether an address, or a whole network, is in one of the networks. */
export function isWithin(text: string, networks: readonly string[]): boolean {
  const inner = readNetwork(text)
  return networks.some((each) => {
    const outer = readNetwork(each)
    if (!inner || !outer || prefixOf(outer) > prefixOf(inner)) return false
    return networksOf([each]).check(inner.address, inner.family)
  })
}

/** In bits of IPv6, where IPv4 is ::ffff:0:0/96. */
const prefixOf = ({ family, bits }: Network) => (family === 'ipv4' ? bits + 96 : bits)
