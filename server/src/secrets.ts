// Encrypts secrets that the service must be able to read again, unlike passwords and keys, which are only
// compared. The key is not in the database and not in its backups: a copy of either reveals nothing.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from './config.ts'

export interface Secrets {
  /** `context` says whose secret it is. Moved to another place, it cannot be opened. */
  seal(text: string, context: string): string
  /** Undefined when it was sealed with another key or for another context. */
  open(sealed: string, context: string): string | undefined
}

/** Why there is no key to keep secrets with. `what` needs one. */
export const secretKeyMissing = (what: string) =>
  `${what} require SECRET_KEY, with the same value for every process, because DATABASE_URL is set`

const algorithm = 'aes-256-gcm'
const version = 'v1'
const ivBytes = 12

export function createSecrets(secretKey: string): Secrets {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'rapport secrets', 32))
  return {
    seal(text, context) {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv(algorithm, key, iv).setAAD(Buffer.from(context))
      const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      const parts = [iv, cipher.getAuthTag(), content].map((part) => part.toString('base64url'))
      return [version, ...parts].join('.')
    },

    open(sealed, context) {
      const [, iv = '', tag = '', content = ''] = sealed.split('.')
      try {
        const decipher = createDecipheriv(algorithm, key, Buffer.from(iv, 'base64url'), {
          authTagLength: 16,
        })
        decipher.setAAD(Buffer.from(context)).setAuthTag(Buffer.from(tag, 'base64url'))
        const text = decipher.update(Buffer.from(content, 'base64url'))
        return Buffer.concat([text, decipher.final()]).toString()
      } catch {
        return undefined
      }
    },
  }
}

/**
 * Without SECRET_KEY the key is a file in the data folder. Several processes on one DATABASE_URL have no
 * folder in common, so there it is undefined.
 */
export async function openSecrets({
  secretKey,
  databaseUrl,
  dataDir,
}: Pick<Config, 'secretKey' | 'databaseUrl' | 'dataDir'>): Promise<Secrets | undefined> {
  if (secretKey) return createSecrets(secretKey)
  return databaseUrl === undefined ? createSecrets(await readSecretKey(dataDir)) : undefined
}

const fileName = 'secret.key'

/** The key in the data folder. The first start creates it. */
async function readSecretKey(dataDir: string): Promise<string> {
  const file = join(dataDir, fileName)
  const known = await readIfThere(file)
  if (known) return known
  // Written completely under another name first: readers see all of it, and the first file wins.
  const draft = `${file}.${process.pid}`
  await writeFile(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 })
  await link(draft, file).catch((error) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(draft)
  return (await readIfThere(file)) as string
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
