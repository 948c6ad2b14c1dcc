// Which addresses are one client.
import { isIPv6 } from 'node:net'

/**
 * A client with IPv6 has a whole network of addresses: the first four groups. Node writes ::ffff:10.0.0.7 for
 * IPv4, which is one client.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const [, ipv4] = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address) ?? []
  if (ipv4) return ipv4
  const [head = '', tail = ''] = address.split('::')
  const groups = (text: string) => (text ? text.split(':') : [])
  const missing = 8 - groups(head).length - groups(tail).length
  return [...groups(head), ...Array(Math.max(0, missing)).fill('0')].slice(0, 4).join(':')
}
