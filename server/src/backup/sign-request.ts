// Signs requests to an object storage: AWS Signature Version 4, which all that are S3-compatible take.
import { createHash, createHmac } from 'node:crypto'

export interface S3Account {
  region: string
  keyId: string
  secret: string
}

export interface S3Request {
  method: string
  host: string
  /** Parts of the path: the bucket, and what its key consists of. */
  path: string[]
  query?: Record<string, string>
  headers?: Record<string, string>
  /** Of the body, in hex. */
  sha256: string
}

export const emptySha256 = createHash('sha256').digest('hex')

/** The path with its query, and the headers to send. */
export function signRequest(
  request: S3Request,
  { region, keyId, secret }: S3Account,
  now: Date,
): { path: string; headers: Record<string, string> } {
  const time = now.toISOString().replace(/[-:]|\.\d+/g, '')
  const scope = [time.slice(0, 8), region, 's3', 'aws4_request']
  const headers: Record<string, string> = {
    ...request.headers,
    host: request.host,
    'x-amz-content-sha256': request.sha256,
    'x-amz-date': time,
  }
  const names = Object.keys(headers).sort()
  const path = `/${request.path.map(encode).join('/')}`
  const query = Object.entries(request.query ?? {})
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&')
  const signedNames = names.join(';')
  const canonical = [
    request.method,
    path,
    query,
    ...names.map((name) => `${name}:${headers[name]?.trim()}`),
    '',
    signedNames,
    request.sha256,
  ].join('\n')
  const hash = createHash('sha256').update(canonical).digest('hex')
  const text = ['AWS4-HMAC-SHA256', time, scope.join('/'), hash].join('\n')
  const hmac = (key: string | Buffer, part: string) =>
    createHmac('sha256', key).update(part).digest()
  const key = scope.reduce<string | Buffer>(hmac, `AWS4${secret}`)
  const signature = hmac(key, text).toString('hex')
  const credential = [keyId, ...scope].join('/')
  headers.authorization = `AWS4-HMAC-SHA256 Credential=${credential},SignedHeaders=${signedNames},Signature=${signature}`
  return { path: query ? `${path}?${query}` : path, headers }
}

const encode = (text: string) =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
