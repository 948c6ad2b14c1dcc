// An import reads its input twice: once to see what the columns hold, once to import the rows. A file
// can be read again. What comes as a stream is kept in the meantime: in memory while it is small, then in a
// temporary file.
import { createWriteStream } from 'node:fs'
import { type FileHandle, mkdtemp, open, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

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
    for await (const chunk of inBlocks(chunks)) {
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
    for await (const chunk of inBlocks(chunks)) await file.write([chunk])
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

const blockBytes = 64 * 1024

/** A client may send its bytes one by one: they must not be an object each. */
async function* inBlocks(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let block = Buffer.allocUnsafe(blockBytes)
  let used = 0
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; ) {
      const copied = chunk.copy(block, used, at)
      at += copied
      used += copied
      if (used < blockBytes) continue
      yield block
      block = Buffer.allocUnsafe(blockBytes)
      used = 0
    }
  }
  if (used > 0) yield block.subarray(0, used)
}

async function* fromMemory(chunks: Buffer[]): AsyncGenerator<Buffer> {
  yield* chunks
}

/** What the folders of these files begin with; the id of the process follows. */
const prefix = 'rapport-upload-'

/**
 * A file without a name: it is removed from its folder as soon as it is open, so that its space is free
 * when the process ends, however it ends.
 */
export class TemporaryFile {
  readonly handle: FileHandle

  private constructor(handle: FileHandle) {
    this.handle = handle
  }

  static async create(): Promise<TemporaryFile> {
    const folder = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`))
    try {
      return new TemporaryFile(await open(join(folder, 'content'), 'wx+', 0o600))
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  async write(chunks: Buffer[]): Promise<void> {
    if (chunks.length > 0) await this.handle.writev(chunks)
  }

  async *read(): AsyncGenerator<Buffer> {
    for (let at = 0; ; ) {
      const { buffer, bytesRead } = await this.handle.read({
        buffer: Buffer.allocUnsafe(chunkBytes),
        position: at,
      })
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
      at += bytesRead
    }
  }

  close(): Promise<void> {
    return this.handle.close()
  }
}

/** For readers that want the name of a file: it is there as long as `use` works. */
export async function withFileOf<T>(
  chunks: AsyncIterable<Buffer>,
  name: string,
  use: (file: string) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`))
  try {
    const file = join(folder, name)
    await pipeline(chunks, createWriteStream(file, { mode: 0o600 }), { signal })
    return await use(file)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const dayMs = 86_400_000

/**
 * Removes what processes have left that ended while they made such a file, and the files of earlier
 * versions, which had names as long as they were in use. Other processes may be at work.
 */
export async function removeLeftUploads(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const folder = join(tmpdir(), name)
    const owner = /^rapport-upload-(\d+)-\w{6}$/.exec(name)?.[1]
    const isLeft = owner
      ? Number(owner) === process.pid || !isRunning(Number(owner))
      : /^rapport-import-\w{6}$/.test(name) && (await isOldUpload(folder))
    // It may be another account's.
    if (isLeft) await rm(folder, { recursive: true, force: true }).catch(() => {})
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

async function isOldUpload(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => [])
  if (names.join() !== 'content') return false
  const { mtimeMs, atimeMs } = await stat(join(folder, 'content'))
  return Date.now() - Math.max(mtimeMs, atimeMs) > dayMs
}
