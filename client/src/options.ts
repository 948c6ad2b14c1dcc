// What a caller can set, for all calls and for one.

export interface Settings {
  /** Where Rapport is, for example http://127.0.0.1:3000. */
  url: string
  /** An API key. In a page of Rapport itself none is needed. */
  key?: string | undefined
  /** Milliseconds for each call, with its retries. Default: a minute; ten for bulk changes; none for files. */
  timeout?: number | undefined
  /** Instead of the global one. */
  fetch?: typeof fetch | undefined
}

export interface Options {
  /** Ends the call, and the waiting for another try. */
  signal?: AbortSignal | undefined
  /** Milliseconds for this call, with its retries. */
  timeout?: number | undefined
  /** Added to those of the client, for example If-Match. */
  headers?: Record<string, string> | undefined
  /** Instead of a random one: the same write with the same key is done once, whoever sends it, within 24 hours. */
  idempotencyKey?: string | undefined
  /** Sees the answer before its body is read: its ETag or X-Operation-Id, for example. */
  onResponse?: ((response: Response) => void) | undefined
}

/** A file to import. Of a stream, nothing can be sent again. */
export type FileBody = string | Blob | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>
