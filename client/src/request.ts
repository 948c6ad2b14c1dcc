// One call of a route: sends it, again if that may help, and reads the answer.
import { addressOf } from './address.ts'
import { ConnectionError, errorOf, type RapportError, TimeoutError } from './errors.ts'
import type { FileBody, Options, Settings } from './options.ts'

/** What is sent: the same for all tries. */
export interface Sent {
  id?: string | undefined
  file?: FileBody | undefined
  body?: unknown
  query?: object | undefined
}

const minute = 60_000
/** A longer timer would end at once. */
const longestTimer = 2 ** 31 - 1

/**
 * `POST /lead bk` with its arguments. The letters say what the arguments are, in this order: `f` a file, `b` a body or
 * `q` a query; and of the answer: `r` a response as it is. `k`: takes an Idempotency-Key. `s`: may be sent twice. `l`:
 * takes long.
 */
export async function call(settings: Settings, route: string, args: unknown[]): Promise<unknown> {
  const [method = '', path = '', letters = ''] = route.split(' ')
  const rest = [...args]
  const is = (letter: string) => letters.includes(letter)
  const sent: Sent = {}
  if (path.includes('{id}')) {
    sent.id = rest.shift() as string
    if (typeof sent.id !== 'string' || sent.id === '') throw new TypeError('The id is missing')
  }
  if (is('f')) sent.file = rest.shift() as FileBody
  if (is('b')) sent.body = rest.shift() ?? {}
  if (is('q')) sent.query = (rest.shift() ?? {}) as object
  const options = (rest[0] ?? {}) as Options
  const { key } = settings
  const content = contentOf(sent)
  const isFile = is('f') || is('r')
  // A value that no header can have is refused here, before any try.
  const headers = new Headers({
    ...(key && { 'X-API-KEY': key }),
    ...(content !== undefined && { 'Content-Type': typeOf(sent) }),
    ...(is('k') && { 'Idempotency-Key': options.idempotencyKey ?? crypto.randomUUID() }),
  })
  for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, value)
  const init = {
    method,
    headers,
    // Following it would make a GET of a write, and send the key wherever it leads.
    redirect: 'manual' as const,
    ...(content !== undefined && { body: content, duplex: 'half' }),
  }
  const place = settings.url.replace(/(\/rest)?\/*$/, '/rest')
  const url = addressOf(place, path, sent.id, sent.query)
  const {
    timeout = settings.timeout ??
      (isFile ? Number.POSITIVE_INFINITY : is('l') ? 10 * minute : minute),
  } = options
  const limit = limited(options.signal, timeout)
  const fetchIt = settings.fetch ?? fetch

  type Failed = { error: RapportError; ms: number }
  const lost = (cause: unknown): Failed => {
    if (limit.signal.aborted) throw cause
    const why = (cause as { cause?: Error }).cause?.message ?? String(cause)
    const error = new ConnectionError(`No answer from ${url}: ${why}`, undefined, cause)
    return { error, ms: 0 }
  }
  /** The answer, or an error with the time to wait before another try. */
  const tryOnce = async (): Promise<{ answer: unknown } | Failed> => {
    limit.signal.throwIfAborted()
    const response = await fetchIt(url, { ...init, signal: limit.signal }).catch(lost)
    if ('ms' in response) return response
    options.onResponse?.(response)
    if (response.ok && is('r')) return { answer: response }
    const text = await response.text().catch(lost)
    if (typeof text !== 'string') return text
    if (!response.ok) return { error: errorOf(response, text), ms: waitOf(response) }
    try {
      return { answer: JSON.parse(text) }
    } catch (cause) {
      // A proxy has cut it, or it is none of ours.
      if (response.headers.get('content-type')?.includes('json')) return lost(cause)
      throw errorOf(
        response,
        '{"message":"The answer is not JSON. Is this the address of Rapport?"}',
      )
    }
  }
  const mayHelp = (error: RapportError) => {
    const { status, issues } = error
    if (sent.file instanceof ReadableStream) return false
    if (status === 429) return true
    // A retry that came while the first try is still being worked on. Other conflicts have an issue.
    if (status === 409) return is('k') && issues.length === 0
    return (error instanceof ConnectionError || status > 501) && (is('k') || is('s'))
  }

  let last: RapportError | undefined
  try {
    for (let tries = 0; ; tries++) {
      const got = await tryOnce()
      if ('answer' in got) {
        if (is('r')) limit.keep()
        return got.answer
      }
      last = got.error
      const ms = pause(tries, got.ms)
      if (!mayHelp(last) || ms >= limit.leftMs()) throw last
      await sleep(ms, limit.signal)
    }
  } catch (error) {
    if (!limit.signal.aborted || error === last) throw error
    if (options.signal?.aborted) throw options.signal.reason
    throw new TimeoutError(`No answer from ${url} within ${timeout} ms`, undefined, last)
  } finally {
    limit.end()
  }
}

/** What the server asks for, in seconds or as a date of its own clock. */
function waitOf({ headers }: Response): number {
  const text = headers.get('retry-after') ?? ''
  const now = Date.parse(headers.get('date') ?? '') || Date.now()
  return Math.max(0, Number(text) * 1000 || Date.parse(text) - now || 0)
}

/** At least as long as the server asks for, longer each time, and not for all clients the same. */
function pause(tries: number, atLeastMs: number): number {
  const ms = Math.min(4_000, 200 * 2 ** tries)
  return atLeastMs + ms * (0.5 + Math.random() / 2)
}

export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    if (signal?.aborted) return reject(signal.reason)
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', stop)
        resolve()
      },
      Math.min(ms, longestTimer),
    )
    signal?.addEventListener('abort', stop, { once: true })
  })
}

/** A signal that also aborts when the time is over. */
function limited(signal: AbortSignal | undefined, ms: number) {
  const controller = new AbortController()
  const stop = () => controller.abort(signal?.reason)
  if (signal?.aborted) stop()
  signal?.addEventListener('abort', stop)
  const until = Date.now() + ms
  const timer = ms <= longestTimer ? setTimeout(() => controller.abort(), ms) : undefined
  let isKept = false
  return {
    signal: controller.signal,
    leftMs: () => until - Date.now(),
    /** The body of the answer is still read: the caller's signal ends that too. */
    keep() {
      isKept = true
    },
    end() {
      clearTimeout(timer)
      if (!isKept) signal?.removeEventListener('abort', stop)
    },
  }
}

function contentOf({ file, body }: Sent): BodyInit | undefined {
  return file ?? (body === undefined ? undefined : JSON.stringify(body))
}

const typeOf = ({ file }: Sent): string => {
  if (file === undefined) return 'application/json'
  return (file instanceof Blob && file.type) || 'text/csv'
}
