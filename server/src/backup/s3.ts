// Keeps copies of backups in an object storage that speaks S3.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { type IncomingMessage, request as requestPlainly } from 'node:http'
import { request as requestSecurely } from 'node:https'
import { pipeline } from 'node:stream/promises'
import type { S3Settings } from '../config.ts'
import { BackupError } from './format.ts'
import { emptySha256, type S3Request, signRequest } from './sign-request.ts'

export interface Storage {
  /** Where it is, for people. */
  where: string
  /** The names of everything below the prefix. */
  list(): Promise<string[]>
  /** Returns when the storage has all bytes of the file. */
  send(name: string, file: string): Promise<void>
  remove(name: string): Promise<void>
}

/** More than that needs another protocol. */
const maxBytes = 5 * 1024 ** 3
/** A storage that does not answer for this long is gone. */
const idleMs = 60_000

export function openS3({ url, ...account }: S3Settings, signal?: AbortSignal): Storage {
  const [bucket = '', ...prefix] = url.pathname.split('/').filter(Boolean).map(decodeURIComponent)
  const request = url.protocol === 'https:' ? requestSecurely : requestPlainly
  const start = prefix.map((part) => `${part}/`).join('')

  async function ask(
    what: Pick<S3Request, 'method' | 'query' | 'headers'> & { name?: string; sha256?: string },
    file?: string,
  ): Promise<{ headers: IncomingMessage['headers']; text: string }> {
    const { name, sha256 = emptySha256, ...more } = what
    const path = name === undefined ? [bucket] : [bucket, ...prefix, name]
    const signed = signRequest({ ...more, host: url.host, path, sha256 }, account, new Date())
    const { hostname, port } = url
    const sent = request({
      hostname,
      port,
      method: what.method,
      ...signed,
      timeout: idleMs,
      signal,
    })
    sent.on('timeout', () => sent.destroy(new Error('no response')))
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      sent.on('response', resolve).on('error', reject)
    })
    try {
      // A refusal may come before all bytes are sent: it says more than the broken connection.
      if (file === undefined) sent.end()
      else pipeline(createReadStream(file), sent).catch(() => {})
      const answer = await answered
      const text = await read(answer)
      const { statusCode = 0, headers } = answer
      if (statusCode < 300) return { headers, text }
      const [code, message] = ['Code', 'Message'].map((tag) => textsIn(text, tag)[0] ?? '')
      throw new Error([statusCode, code, message].filter(Boolean).join(' '))
    } catch (error) {
      const place = [url.host, ...path].join('/')
      throw new BackupError(`${what.method} ${place}: ${(error as Error).message}`, {
        cause: error,
      })
    }
  }

  return {
    where: url.href,

    async list() {
      const names: string[] = []
      for (let token: string | undefined = ''; token !== undefined; ) {
        const page = token === '' ? {} : { 'continuation-token': token }
        const query = { 'list-type': '2', prefix: start, ...page }
        const { text } = await ask({ method: 'GET', query })
        names.push(...textsIn(text, 'Key').map((key) => key.slice(start.length)))
        token = textsIn(text, 'NextContinuationToken')[0]
      }
      return names
    },

    async send(name, file) {
      const { size } = await stat(file)
      if (size > maxBytes) {
        throw new BackupError(`${file} has more than 5 GiB, the most that can be sent at once.`)
      }
      // The storage compares it with what it gets.
      const sha256 = await hashOf(file)
      const headers = { 'content-length': String(size) }
      await ask({ method: 'PUT', name, headers, sha256 }, file)
      const kept = await ask({ method: 'HEAD', name })
      if (kept.headers['content-length'] === String(size)) return
      throw new BackupError(`The storage returned other bytes for ${name} than were sent.`)
    },

    async remove(name) {
      await ask({ method: 'DELETE', name })
    },
  }
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(file)) hash.update(piece)
  return hash.digest('hex')
}

async function read(answer: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of answer) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

const signs: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** The contents of all elements of this name. */
function textsIn(xml: string, tag: string): string[] {
  return [...xml.matchAll(new RegExp(`<${tag}>([^<]*)</${tag}>`, 'g'))].map(([, text = '']) =>
    text.replace(/&(\w+);/g, (all, name: string) => signs[name] ?? all),
  )
}
