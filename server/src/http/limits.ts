// Limits of a request: the size of its address and headers, and the time it may take to arrive.
import type { IncomingMessage } from 'node:http'
import { type ApiError, requestFault } from '@rapport/contract/errors'
import { timeoutMs } from '../outgoing/post.ts'

/** All headers together, with the request line. Node refuses more with 431. */
export const maxHeaderBytes = 16_384
/** Longer than any address that the interface needs, even with all options of an import. */
const maxUrlLength = 8_192
const maxHeaders = 100

export interface TimeLimits {
  /** Time from the first byte to the last header. */
  headersMs: number
  /** Time for a whole body. For a streamed upload: the longest pause. */
  bodyMs: number
  /** How long a streamed response waits for its client to read some of it. */
  readerMs: number
  /** How often the key of a request that waits for events is checked. */
  lookMs: number
  /** How often an idle stream sends a comment, because proxies close silent connections. */
  commentMs: number
  /** How often Node looks for connections whose headers are late. */
  checkMs: number
  /** How long an attempt to deliver a webhook takes at most. */
  attemptMs: number
}

export const timeLimits: TimeLimits = {
  headersMs: 20_000,
  bodyMs: 60_000,
  readerMs: 60_000,
  lookMs: 1_000,
  commentMs: 15_000,
  checkMs: 5_000,
  attemptMs: timeoutMs,
}

export function headerFault(request: IncomingMessage): ApiError | undefined {
  const { url = '', rawHeaders, httpVersion, headers } = request
  if (httpVersion === '1.1' && headers.host === undefined) {
    return requestFault('malformed', 'The request has no Host header')
  }
  if (url.length > maxUrlLength) return requestFault('too_large', 'The URL is too long', 414)
  // rawHeaders holds names and values in turn, so two entries per header.
  if (rawHeaders.length > 2 * maxHeaders) {
    return requestFault('too_large', `More than ${maxHeaders} headers`, 431)
  }
  return undefined
}
