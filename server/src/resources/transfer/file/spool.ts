// An import reads its input twice: once to see what the columns hold, once to import the rows. A file
// can be read again. What comes as a stream is kept meanwhile: in memory while it is small, then in a
// temporary file.
import { createReadStream } from 'node:fs'
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Input that can be read several times. */
export interface Input {
  open(): AsyncIterable<Buffer>
}

export interface Spool extends Input {
  close(): Promise<void>
}

const inMemory = 4 * 1024 * 1024
const chunkBytes = 256 * 1024

export async function spool(chunks: AsyncIterable<Buffer>): Promise<Spool> {
  let kept: Buffer[] = []
  let bytes = 0
  let file: TemporaryFile | undefined
  try {
    for await (const chunk of chunks) {
      kept.push(chunk)
      bytes += chunk.length
      if (bytes < inMemory) continue
      file ??= await TemporaryFile.create()
      await file.write(kept)
      kept = []
      bytes = 0
    }
    if (file) await file.write(kept)
  } catch (error) {
    await file?.close()
    throw error
  }
  const content = kept
  return {
    open: () => file?.read() ?? fromMemory(content),
    close: async () => file?.close(),
  }
}

/** The same for readers that want a file. */
export async function spoolToFile(chunks: AsyncIterable<Buffer>): Promise<TemporaryFile> {
  const file = await TemporaryFile.create()
  try {
    for await (const chunk of chunks) await file.write([chunk])
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

async function* fromMemory(chunks: Buffer[]): AsyncGenerator<Buffer> {
  yield* chunks
}

export class TemporaryFile {
  readonly path: string
  readonly #folder: string
  readonly #handle: FileHandle

  private constructor(folder: string, path: string, handle: FileHandle) {
    this.#folder = folder
    this.path = path
    this.#handle = handle
  }

  static async create(): Promise<TemporaryFile> {
    const folder = await mkdtemp(join(tmpdir(), 'rapport-import-'))
    const path = join(folder, 'content')
    return new TemporaryFile(folder, path, await open(path, 'wx+', 0o600))
  }

  async write(chunks: Buffer[]): Promise<void> {
    if (chunks.length > 0) await this.#handle.writev(chunks)
  }

  read(): AsyncIterable<Buffer> {
    return createReadStream(this.path, { highWaterMark: chunkBytes })
  }

  async close(): Promise<void> {
    await this.#handle.close()
    await rm(this.#folder, { recursive: true, force: true })
  }
}
