// TLS as DATABASE_URL asks for it, in the words of PostgreSQL's own clients. The driver reads no files, and would
// check the host's name for verify-ca too.
import { readFileSync } from 'node:fs'

export const tlsModes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'] as const

interface Tls {
  /** Without what the driver would send to the server. */
  url: string
  ssl?: false | 'prefer' | 'require' | { ca?: string; checkServerIdentity?: () => undefined }
}

/** Throws if there is no such file. */
export function readTls(given: string): Tls {
  const [address = '', query] = given.split('?', 2)
  const options = new URLSearchParams(query)
  const file = options.get('sslrootcert')
  const mode = options.get('sslmode') ?? (file && 'verify-full')
  if (!mode) return { url: given }
  options.delete('sslmode')
  options.delete('sslrootcert')
  const url = options.size > 0 ? `${address}?${options}` : address
  if (mode === 'disable') return { url, ssl: false }
  if (mode === 'prefer' || (mode === 'require' && !file)) return { url, ssl: mode }
  const checksName = mode === 'verify-full' || file === 'system'
  return {
    url,
    ssl: {
      ...(file && file !== 'system' && { ca: readFileSync(file, 'utf8') }),
      ...(!checksName && { checkServerIdentity: () => undefined }),
    },
  }
}
