// A client of the stream of events: reads the blocks of text/event-stream, one at a time.

export interface Block {
  /** The lines of the block, as they came. */
  lines: string[]
  id: string | undefined
  /** The value of its data; undefined for a comment. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events freely and check what they find
  event: any
}

export interface OpenStream {
  status: number
  headers: Headers
  /** The next block; undefined at the end of the stream. */
  next(): Promise<Block | undefined>
  /** The next block that is an event. */
  nextEvent(): Promise<Block>
  close(): void
}

export async function openStream(
  url: string,
  key: string,
  query = '',
  headers: Record<string, string> = {},
): Promise<OpenStream> {
  const leaving = new AbortController()
  const response = await fetch(`${url}/rest/events/stream${query}`, {
    headers: { 'X-API-KEY': key, ...headers },
    signal: leaving.signal,
  })
  // Taken at once: fetch cancels a body that nobody reads when its response is garbage-collected.
  const blocks = read((response.body as ReadableStream<Uint8Array>).values())
  const next = async () => (await blocks.next()).value ?? undefined
  return {
    status: response.status,
    headers: response.headers,
    next,
    async nextEvent() {
      for (;;) {
        const block = await next()
        if (!block) throw new Error('The stream has ended')
        if (block.event !== undefined) return block
      }
    },
    close: () => leaving.abort(),
  }
}

async function* read(body: AsyncIterable<Uint8Array>): AsyncGenerator<Block, undefined> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const piece of body) {
    text += decoder.decode(piece, { stream: true })
    const parts = text.split('\n\n')
    text = parts.pop() ?? ''
    yield* parts.map(blockOf)
  }
  return undefined
}

function blockOf(text: string): Block {
  const lines = text.split('\n')
  const field = (name: string) =>
    lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
  const data = field('data')
  return { lines, id: field('id'), event: data === undefined ? undefined : JSON.parse(data) }
}
