// The import of a file from the command line: the rejected rows are written to a file beside it.
import { createReadStream } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { basename } from 'node:path'
import type { FileFormat } from '@rapport/contract/transfer'
import type { Pool } from '../../../../db/driver.ts'
import { ImportError } from '../../file/errors.ts'
import { rejectedName } from '../../file/names.ts'
import { readers } from '../../file/readers.ts'
import { type Spool, spool } from '../../file/spool.ts'
import type { ImportOptions } from './import-leads.ts'
import { importOnce, type OnceOptions, type OnceResult, type Rejects } from './import-once.ts'

export interface FileOptions extends Pick<OnceOptions, 'again' | 'opened' | 'done' | 'onResume'> {
  file: string
  format: FileFormat
  /** Of a workbook; the first one when it has no name here. */
  sheet?: string | undefined
  /** Told how many bytes are read. */
  onProgress?(bytes: number): void
}

export type FileResult = OnceResult & { rejectedFile: string }

const chunkBytes = 256 * 1024

export async function importFile(
  pool: Pool,
  given: Omit<ImportOptions, 'format'>,
  { file, format, sheet, onProgress, ...told }: FileOptions,
): Promise<FileResult> {
  const { rows, text } = readers[format]
  const options = { ...given, format: rows, ...text?.form }
  const rejectedFile = rejectedName(file, rows)
  const input = text
    ? await spoolText(file, (handle) => text.read(handle, sheet))
    : { open: () => readChunks(file, onProgress), close: async () => {} }
  try {
    const result = await importOnce(pool, input, options, {
      ...told,
      file: basename(file),
      rejects: rejectsTo(rejectedFile),
    })
    return { ...result, rejectedFile }
  } finally {
    await input.close()
  }
}

async function spoolText(
  file: string,
  read: (handle: FileHandle) => AsyncIterable<Buffer>,
): Promise<Spool> {
  const handle = await open(file, 'r')
  try {
    return await spool(read(handle))
  } finally {
    await handle.close()
  }
}

async function* readChunks(
  file: string,
  onProgress?: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  let bytes = 0
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: chunkBytes })) {
      yield chunk
      bytes += chunk.length
      onProgress?.(bytes)
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error
    throw new ImportError(`Cannot read ${file}: ${(error as Error).message}`)
  }
}

/** A retry overwrites the same bytes. */
function rejectsTo(name: string): Rejects {
  let first: Buffer
  let handle: FileHandle | undefined
  return {
    async open(_id, header, isFresh) {
      first = header
      if (isFresh) await rm(name, { force: true })
    },
    async write(_tx, _id, lines, _row, bytes) {
      handle ??= await openOwn(name, bytes > 0 ? 'r+' : 'w')
      const content = bytes === 0 ? Buffer.concat([first, lines]) : lines
      await handle.truncate(bytes)
      await handle.write(content, 0, content.length, bytes)
      await handle.sync()
      return content.length
    },
    close: async () => handle?.close(),
  }
}

/** Only its owner may read it, even when it was there before. */
async function openOwn(name: string, flags: string): Promise<FileHandle> {
  const handle = await open(name, flags, 0o600)
  await handle.chmod(0o600)
  return handle
}
