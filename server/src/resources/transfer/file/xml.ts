// Reads XML as a stream. Documents of office files are shallow and have short names and no DTD: anything
// else is rejected before it fills the memory.
import sax from 'sax'
import { Pace } from '../../../pace.ts'
import { type Archive, notXlsx } from './archive.ts'

const maxDepth = 64
const maxAttributes = 64

export type Attributes = Record<string, string>

export interface Handlers {
  open?(name: string, attributes: Attributes): void
  text?(text: string): void
  close?(name: string): void
}

export interface ReadOptions {
  /** How many bytes the part may have when it is inflated. */
  maxBytes: number
  signal?: AbortSignal | undefined
}

/** Reads a part of an archive. Stops wherever the caller does; it yields after each piece. */
export async function* readXml(
  archive: Archive,
  part: string,
  { maxBytes, signal }: ReadOptions,
  handlers: Handlers,
): AsyncGenerator<void> {
  // It counts the position, because only then it refuses endless names and values.
  const parser = sax.parser(true, { position: true })
  let depth = 0
  let attributes = 0
  const local = (tag: string) => tag.slice(tag.indexOf(':') + 1)
  parser.onattribute = () => {
    if (++attributes > maxAttributes) throw notXlsx()
  }
  parser.onopentag = (tag) => {
    attributes = 0
    if (++depth > maxDepth) throw notXlsx()
    handlers.open?.(local(tag.name), tag.attributes as Attributes)
  }
  parser.onclosetag = (tag) => {
    depth--
    handlers.close?.(local(tag))
  }
  parser.ontext = (text) => handlers.text?.(text)
  parser.oncdata = (text) => handlers.text?.(text)
  parser.ondoctype = () => {
    throw notXlsx()
  }
  parser.onerror = () => {
    throw notXlsx()
  }
  const decoder = new TextDecoder()
  const pace = new Pace(signal)
  for await (const chunk of archive.read(part, maxBytes)) {
    parser.write(decoder.decode(chunk, { stream: true }))
    yield
    if (pace.isDue) await pace.rest()
  }
  parser.close()
}

export async function readWholeXml(
  archive: Archive,
  part: string,
  options: ReadOptions,
  handlers: Handlers,
): Promise<void> {
  for await (const _ of readXml(archive, part, options, handlers));
}
