// Damages a valid request: its values, its text, its path or its headers.
import { newId } from '../src/ids.ts'
import type { Random } from '../src/random.ts'
import { type HttpRequest, restRequest } from '../test/http-client.ts'
import type { Draft } from './fuzz.requests.ts'
import {
  numberTokens,
  oddText,
  oddValue,
  pollutionOf,
  prototypeKeys,
  withKey,
} from './fuzz.values.ts'

/** The request as it goes over the wire. */
export function toRequest({ operation, id, query, type, body }: Draft, key: string): HttpRequest {
  const search = new URLSearchParams(query).toString()
  const path = operation.path.replace('{id}', id)
  return restRequest(key, operation.method, `${path}${search && `?${search}`}`, body, type)
}

type Damage = (sent: HttpRequest, random: Random, draft: Draft) => HttpRequest

/** Replaces, adds or removes a value somewhere in the body. */
const otherValue: Damage = (sent, random, { body }) => {
  if (typeof sent.body !== 'string') return { ...sent, body: JSON.stringify(oddValue(random)) }
  const damaged = random.chance(0.05) ? oddValue(random) : changed(body, random)
  return { ...sent, body: JSON.stringify(damaged) }
}

/** The value with another one somewhere inside. */
export function changed(value: unknown, random: Random): unknown {
  if (value === null || typeof value !== 'object') return oddValue(random)
  const keys = Object.keys(value)
  if (random.chance(0.15)) {
    const key = random.chance(0.5) ? random.pick(prototypeKeys) : oddText(random)
    return Array.isArray(value)
      ? [...value, oddValue(random)]
      : withKey(value, key, oddValue(random))
  }
  if (random.chance(0.1) && !Array.isArray(value))
    return { ...value, ...Object(pollutionOf(random)) }
  const at = random.pick(keys)
  if (at === undefined) return oddValue(random)
  if (Array.isArray(value)) return value.with(Number(at), changed(value[Number(at)], random))
  const { [at]: inner, ...rest } = value as Record<string, unknown>
  if (random.chance(0.2)) return rest
  return { ...rest, [at]: random.chance(0.5) ? changed(inner, random) : oddValue(random) }
}

/** Written as text: JSON.stringify would overflow the stack at such a depth. */
const deep = (levels: number) => `{"custom_fields":${'['.repeat(levels)}${']'.repeat(levels)}}`

/** A text that is barely JSON, or no JSON at all. */
const otherText: Damage = (sent, random) => {
  const text = typeof sent.body === 'string' ? sent.body : '{"a":[1,2,"x"]}'
  const bytes = Buffer.from(text)
  const at = random.between(0, bytes.length)
  const spliced = (middle: string | Buffer) =>
    Buffer.concat([bytes.subarray(0, at), Buffer.from(middle), bytes.subarray(at)])
  const body = random.pick<() => string | Buffer>([
    () => bytes.subarray(0, at),
    () => spliced(Buffer.from([0xc3, 0x28])),
    () => spliced(Buffer.from([0xed, 0xa0, 0x80])),
    () => spliced('\0'),
    () => spliced('\\'),
    () => spliced(random.pick(['\\u0000', '\\ud800', '\\u', '"', '{', ']', ',', '/**/'])),
    () => `\ufeff${text}`,
    () => `${text}${text}`,
    () => text.replace(/-?\d+(\.\d+)?/, random.pick(numberTokens)),
    () => `{"cursor":${random.pick(numberTokens)},"filter":{},"data":{}}`,
    () => deep(random.pick([100, 499, 500, 501, 5_000, 100_000])),
    () => text.replace('{', '{"name":"first","name":"second",'),
    () => random.pick(['', ' ', 'null', '0', '"x"', '[]', 'true', 'undefined', "{'a':1}"]),
  ])()
  return { ...sent, body }
}

const oddIds = [
  ...'% %zz %00 %c0%af %ff .. %2e%2e ..%2f..%2fetc a%2fb ; null undefined 0 -1 * %20 %0a'.split(
    ' ',
  ),
  ...'__proto__ constructor %7b%7d %F0%9F%98%80 %ed%a0%80'.split(' '),
  'x'.repeat(3_000),
]

/** Another path, or an unusual id in it. */
const otherPath: Damage = (sent, random, { id }) => {
  const [path = '', search = ''] = sent.path.split('?')
  const newPath = random.pick<() => string>([
    () => path.replace(id, random.pick(oddIds)),
    () => path.replace(id, id.toUpperCase()),
    () => path.replace(id, newId()),
    () => path.replace(id, `${id}%00`),
    () => `${path}/`,
    () => `${path}/${random.pick(oddIds)}`,
    () => path.replace('/rest', '/rest/'),
    () =>
      path.replace('/rest', random.pick(['', '//rest', '/REST', '/rest/%2e%2e/rest', '/./rest'])),
    () => path.replace(/[a-z]/, (letter) => letter.toUpperCase()),
    () => path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
    () => `/${random.pick(oddIds)}`,
  ])()
  return { ...sent, path: `${newPath}${search && `?${search}`}` }
}

const oddQueries = [
  ...'page=0 page=-1 page=1e9 page=99999999999999999999 page=%00 page=%zz page= page&page page=1&page=2'.split(
    ' ',
  ),
  ...'page[]=1 page[a]=1 __proto__[name]=x __proto__=x constructor=x %=% &&& = ? # dry_run=yes'.split(
    ' ',
  ),
  ...'list=%00 tag=%ff encoding=latin7 separator=%00 separator=abc separator=%22 map== map=%3d'.split(
    ' ',
  ),
  ...'map=x map=a=b=c map=first_name=id upsert_by=__proto__ upsert_by=id&upsert_by=email'.split(
    ' ',
  ),
  `page=${'1'.repeat(5_000)}`,
]

const otherQuery: Damage = (sent, random, { operation }) => {
  const [path = ''] = sent.path.split('?')
  const named = operation.query.map(({ name }) => `${name}=${encodeURIComponent(oddText(random))}`)
  return { ...sent, path: `${path}?${random.pick([...oddQueries, ...named])}` }
}

const contentTypes = [
  ...'text/plain text/csv application/xml multipart/form-data application/x-www-form-urlencoded'.split(
    ' ',
  ),
  ...'application/json;charset=latin1 application/json,text/html APPLICATION/JSON json / ; */*'.split(
    ' ',
  ),
  ...'application/x-ndjson text/csv;charset=utf-16 application/jsonx application/json;'.split(' '),
  'x'.repeat(2_000),
]

/** Wrong, missing or repeated headers. */
const otherHeaders: Damage = (sent, random) => {
  const { 'X-API-KEY': key = '', 'Content-Type': type = 'application/json', ...rest } = sent.headers
  const headers = random.pick<() => HttpRequest['headers']>([
    () => ({ ...rest, 'Content-Type': type }),
    () => ({
      ...sent.headers,
      'X-API-KEY': random.pick(['', ' ', 'rk_', 'x'.repeat(5_000), '\u00ff', "' or 1=1"]),
    }),
    () => ({ ...sent.headers, 'X-API-KEY': [String(key), String(key)] }),
    () => ({ ...sent.headers, 'X-API-KEY': [String(key), 'other'] }),
    () => ({ ...sent.headers, 'Content-Type': random.pick(contentTypes) }),
    () => ({ ...sent.headers, 'Content-Type': [String(type), 'text/plain'] }),
    () => ({ ...rest, 'X-API-KEY': key }),
    () => ({ ...sent.headers, 'Content-Encoding': random.pick(['gzip', 'br', 'identity', 'x']) }),
    () => ({
      ...sent.headers,
      'X-Request-Id': random.pick(['\u00ff', 'x'.repeat(3_000), '$(x)', 'ok-1']),
    }),
    () => ({
      ...sent.headers,
      Accept: random.pick(['text/html', 'x', '*/*;q=0']),
      Range: 'bytes=0-1',
    }),
    () => ({ ...sent.headers, 'X-HTTP-Method-Override': 'DELETE', 'If-None-Match': '*' }),
    () => ({ ...sent.headers, Host: random.pick(['', 'evil', '[::1', 'a,b', '\u00e9']) }),
    () => ({ ...sent.headers, ...Object.fromEntries(prototypeKeys.map((name) => [name, 'x'])) }),
    () => ({ ...sent.headers, 'Transfer-Encoding': 'chunked' }),
  ])()
  return { ...sent, headers }
}

const otherMethod: Damage = (sent, random) => ({
  ...sent,
  method: random.pick([
    'GET',
    'POST',
    'PATCH',
    'DELETE',
    'PUT',
    'OPTIONS',
    'PROPFIND',
    'SEARCH',
    'TRACE',
  ]),
})

/** A body larger than the limit. */
const tooLarge: Damage = (sent) => ({ ...sent, body: Buffer.alloc(16 * 1024 * 1024 + 1, ' ') })

/** A kind that is listed more often is chosen more often. Too large bodies are slow, so they are rare. */
export function damage(sent: HttpRequest, random: Random, draft: Draft): HttpRequest {
  if (random.chance(0.0003)) return tooLarge(sent, random, draft)
  const kinds = [otherValue, otherValue, otherValue, otherText, otherPath, otherQuery, otherHeaders]
  return random.pick(random.chance(0.04) ? [otherMethod] : kinds)(sent, random, draft)
}
