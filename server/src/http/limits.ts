// What a request may look like before anybody reads it, and how long it may take to arrive.
import type { IncomingMessage } from 'node:http'
import { type ApiError, requestFault } from '@rapport/contract/errors'

/** All headers together, with the line of the method and the address. Node refuses more: 431. */
export const maxHeaderBytes = 16_384
/** Beyond any address that a client of the interface has to send, long imports included. */
const maxUrlLength = 8_192
const maxHeaders = 100

export interface TimeLimits {
  /** From the first byte to the last header. */
  headersMs: number
  /** For a whole body; one that is read as it comes may pause this long. */
  bodyMs: number
  /** An answer that is sent as it is made may wait this long for its reader to take some. */
  readerMs: number
  /** How often Node looks for connections whose headers are late. */
  checkMs: number
}

export const timeLimits: TimeLimits = {
  headersMs: 20_000,
  bodyMs: 60_000,
  readerMs: 60_000,
  checkMs: 5_000,
}

export function headerFault(request: IncomingMessage): ApiError | undefined {
  const { url = '', rawHeaders, httpVersion, headers } = request
  if (httpVersion === '1.1' && headers.host === undefined) {
    return requestFault('malformed', 'The request names no host')
  }
  if (url.length > maxUrlLength) return requestFault('too_large', 'The address is too long', 414)
  // Names and values take turns.
  if (rawHeaders.length > 2 * maxHeaders) {
    return requestFault('too_large', `There are more than ${maxHeaders} headers`, 431)
  }
  return undefined
}
