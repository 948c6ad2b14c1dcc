// Malformed HTTP, sent as bytes over a socket, because no HTTP client would send it.
import type { Random } from '../src/random.ts'
import { type Answer, withBody } from '../test/http-client.ts'
import { headOf, json, openSocket } from './raw.ts'
import { Breach } from './torture.ts'

export interface Raw {
  bytes: Buffer
  /** The client disconnects after sending them, so that no response is needed. */
  leaves: boolean
}

const line = (key: string, ...headers: string[]) => headOf(key, '/lead', ...headers)

const requests: ((key: string, random: Random) => string | Buffer)[] = [
  (key) => `${line(key, json, 'Content-Length: 2', 'Content-Length: 3')}{}`,
  (key) => `${line(key, json, 'Content-Length: 2', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
  (key) => `${line(key, json, 'Content-Length: -1')}{}`,
  (key) => `${line(key, json, 'Content-Length: 1e3')}{}`,
  (key) => `${line(key, json, 'Content-Length: 99999999999999999999')}{}`,
  (key) => `${line(key, json, 'Content-Length: 17179869184')}{}`,
  (key) => `${line(key, json, 'Transfer-Encoding: chunked')}zz\r\n{}\r\n0\r\n\r\n`,
  (key) => `${line(key, json, 'Transfer-Encoding: chunked')}fffffffffffffffff\r\n{}`,
  (key) => `${line(key, json, 'Transfer-Encoding: gzip, chunked')}2\r\n{}\r\n0\r\n\r\n`,
  (key) => `${line(key, json, 'Transfer-Encoding: x')}{}`,
  (key) => line(key, `X-Long: ${'x'.repeat(20_000)}`),
  (key) => line(key, ...Array.from({ length: 3_000 }, (_, index) => `X-${index}: 1`)),
  (key) => line(key, 'No colon'),
  (key) => line(key, 'Bad\0name: 1'),
  (key) => line(key, 'Name: bad\0value'),
  (key) => line(key, 'Name: bad\u0001value'),
  (key) => line(key, ' folded: 1'),
  (key) => line(key, 'Expect: something'),
  (key) => `${line(key, json, 'Expect: 100-continue', 'Content-Length: 2', 'Connection: close')}{}`,
  (key) => line(key, 'Connection: Upgrade', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQ'),
  (key) => line(key).replace('HTTP/1.1', 'HTTP/9.9'),
  (key) => line(key).replace('HTTP/1.1', 'HTTP/1.0'),
  (key) => line(key).replace('HTTP/1.1', 'SIP/2.0'),
  (key) => line(key).replace('POST', 'NONSENSE'),
  (key) => line(key).replace('POST', 'post'),
  (key) => line(key).replace('Host: x\r\n', ''),
  (key) => line(key).replace('Host: x', 'Host: x\r\nHost: y'),
  (key) => line(key).replace('/rest/lead', '/rest/lead with blanks'),
  (key) => line(key).replace('/rest/lead', 'rest/lead'),
  (key) => line(key).replace('/rest/lead', '*'),
  (key) => line(key).replace('/rest/lead', '/rest/\u00e9\u00ff'),
  (key) => line(key).replace('/rest/lead', '//'),
  (key) => line(key).replace('/rest/lead', `/rest/lead/${'a'.repeat(15_000)}`),
  (key) => line(key).replace('/rest/lead', '/rest/lead\0'),
  (key) => line(key).replaceAll('\r\n', '\n'),
  (key) => line(key).replaceAll('\r\n', '\r'),
  () => Buffer.from('160301020001000001fc0303', 'hex'),
  () => Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  (_key, random) => Buffer.from(Array.from({ length: 200 }, () => random.between(0, 255))),
]

const partial: ((key: string) => string)[] = [
  (key) => `${line(key, json, 'Content-Length: 100')}{"first_name":"A`,
  (key) => `${line(key, json, 'Transfer-Encoding: chunked')}5\r\n{"fir`,
  (key) =>
    `${headOf(key, '/leads/import', 'Content-Type: text/csv', 'Content-Length: 100')}first_name\nA`,
  (key) => line(key).slice(0, 30),
  () => 'P',
  () => '',
]

/** Returns one of them at random. Text becomes Latin-1, so that each character is one byte. */
export function rawRequest(key: string, random: Random): Raw {
  const leaves = random.chance(0.25)
  const request = leaves ? random.pick(partial)(key) : random.pick(requests)(key, random)
  return { bytes: typeof request === 'string' ? Buffer.from(request, 'latin1') : request, leaves }
}

/** Reads until the response is complete or the service closes the connection. */
export function sendRaw(url: string, { bytes, leaves }: Raw): Promise<Answer | undefined> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = openSocket(url)
    const finish = () => {
      socket.destroy()
      const answer = readAnswer(text)
      if (answer || leaves) resolve(answer)
      else reject(new Breach(`No HTTP answer to ${shown(bytes)}: ${text.slice(0, 200)}`))
    }
    socket.setTimeout(120_000, () => {
      socket.destroy()
      reject(new Breach(`No answer within two minutes to ${shown(bytes)}`))
    })
    socket.on('data', (chunk) => {
      text += chunk
      // When the connection stays open, the response is complete with its body.
      if (readAnswer(text)) finish()
    })
    socket.on('close', finish)
    socket.write(bytes)
    if (leaves) socket.end()
  })
}

export const shown = (bytes: Buffer) => JSON.stringify(bytes.toString('latin1').slice(0, 300))

/** The response in this text; a 100 Continue before it is skipped. */
function readAnswer(text: string): Answer | undefined {
  const final = text.replace(/^HTTP\/1\.1 1\d\d[\s\S]*?\r\n\r\n/, '')
  const [, status, head = '', body = ''] =
    /^HTTP\/1\.1 (\d{3})[^\r]*\r\n([\s\S]*?)\r\n\r\n([\s\S]*)$/.exec(final) ?? []
  if (status === undefined) return undefined
  const headers = new Headers(
    head.split('\r\n').map((entry) => {
      const colon = entry.indexOf(':')
      return [entry.slice(0, colon), entry.slice(colon + 1).trim()]
    }),
  )
  const length = Number(headers.get('content-length'))
  if (Buffer.byteLength(body) < length) return undefined
  return withBody({ status: Number(status), headers, text: body })
}
