// The setting of a PostgreSQL of your own.
import { ConfigError } from './config-error.ts'
import { readTls, tlsModes } from './database-tls.ts'

export function databaseUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  // Several servers, of which one takes writes, are host:port,host:port.
  const withOneHost = text.replace(/^(\w+:\/\/(?:[^@/?]*@)?[^/?,]*),[^/?]*/, '$1')
  const url = URL.canParse(withOneHost) ? new URL(withOneHost) : undefined
  if (url?.protocol !== 'postgres:' && url?.protocol !== 'postgresql:') {
    // The message does not repeat the value, which may contain a password.
    throw new ConfigError(
      'DATABASE_URL must look like postgres://user:password@host:5432/database; this one does not.',
    )
  }
  const own = ['sslcert', 'sslkey', 'sslcrl'].find((name) => url.searchParams.has(name))
  if (own)
    throw new ConfigError(
      `DATABASE_URL must not have ${own}: Rapport does not support client certificates.`,
    )
  const mode = url.searchParams.get('sslmode')
  if (mode !== null && !tlsModes.some((known) => known === mode)) {
    throw new ConfigError(`DATABASE_URL must have an sslmode of ${tlsModes.join(', ')}.`)
  }
  try {
    readTls(text)
  } catch (error) {
    throw new ConfigError(
      `DATABASE_URL has an sslrootcert that cannot be read: ${(error as Error).message}`,
    )
  }
  return text
}
