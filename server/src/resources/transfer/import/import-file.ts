// The import of a file from the command line: the rejected rows are written to a file beside it.
import { createReadStream } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Db, Pool } from '../../../db/driver.ts'
import { ImportError } from '../file/errors.ts'
import { rejectedName } from '../file/names.ts'
import type { Source } from '../file/row-source.ts'
import { type Input, type Spool, spool } from '../file/spool.ts'
import { formOfSheets, sheetToCsv } from '../file/xlsx.ts'
import type { ImportOptions, Opened } from './import-leads.ts'
import { importOnce, type OnceResult, type Rejects } from './import-once.ts'
import type { RejectedRow } from './plan-batch.ts'
import { rejectedHeader, rejectedLines } from './rejected-rows.ts'

export interface FileOptions {
  file: string
  /** Also when it was imported before. */
  again: boolean
  /** It is a workbook; the sheet is the first one when it has no name here. */
  workbook?: { sheet: string | undefined } | undefined
  /** Told how many bytes are read. */
  onProgress?(bytes: number): void
  /** Told the row behind which it goes on. */
  onResume?(row: number): void
  /** Told what is in the file, before anything is written. */
  onOpened?(opened: Opened): void
  onRejected?(rows: RejectedRow[]): void
}

export type FileResult = OnceResult & { rejectedFile: string }

const chunkBytes = 256 * 1024

export async function importFile(
  pool: Pool,
  options: ImportOptions,
  fileOptions: FileOptions,
): Promise<FileResult> {
  const { file, workbook } = fileOptions
  if (!workbook) {
    return importInput(
      pool,
      { open: () => readChunks(file, fileOptions.onProgress) },
      options,
      fileOptions,
    )
  }
  const input = await spoolSheet(file, workbook.sheet)
  try {
    return await importInput(pool, input, { ...options, ...formOfSheets }, fileOptions)
  } finally {
    await input.close()
  }
}

async function spoolSheet(file: string, sheet: string | undefined): Promise<Spool> {
  const handle = await open(file, 'r')
  try {
    return await spool(sheetToCsv(handle, sheet))
  } finally {
    await handle.close()
  }
}

async function importInput(
  pool: Pool,
  input: Input,
  options: ImportOptions,
  { file, again, onResume, onOpened, onRejected }: FileOptions,
): Promise<FileResult> {
  const rejectedFile = rejectedName(file, options.format)
  const result = await importOnce(pool, input, options, {
    file: basename(file),
    again,
    rejects: (bytes) => new RejectedFile(rejectedFile, bytes),
    ...(onResume && { onResume }),
    ...(onOpened && { onOpened }),
    onBatch: (_state, rejected) => onRejected?.(rejected),
  })
  return { ...result, rejectedFile }
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
    throw new ImportError(`${file} cannot be read: ${(error as Error).message}`)
  }
}

/** Written before the batch commits, at an offset that is stored with the batch, so that a retry overwrites the same bytes. */
class RejectedFile implements Rejects {
  readonly #name: string
  #source: Source | undefined
  #handle: FileHandle | undefined
  #bytes: number
  #next: number

  constructor(name: string, bytes: number) {
    this.#name = name
    this.#bytes = bytes
    this.#next = bytes
  }

  async open(source: Source, _id: string, isFresh: boolean): Promise<void> {
    this.#source = source
    if (isFresh) await rm(this.#name, { force: true })
  }

  async write(_tx: Db, rejected: RejectedRow[]): Promise<number> {
    this.#next = this.#bytes
    if (rejected.length === 0) return this.#bytes
    this.#handle ??= await this.#openFile()
    const source = this.#source as Source
    const lines = rejectedLines(source, rejected)
    const content = this.#bytes === 0 ? Buffer.concat([rejectedHeader(source), lines]) : lines
    await this.#handle.truncate(this.#bytes)
    await this.#handle.write(content, 0, content.length, this.#bytes)
    await this.#handle.sync()
    this.#next = this.#bytes + content.length
    return this.#next
  }

  keep(): number {
    this.#bytes = this.#next
    return this.#bytes
  }

  /** Only its owner may read it, also when it was there before. */
  async #openFile(): Promise<FileHandle> {
    const handle = await open(this.#name, this.#bytes > 0 ? 'r+' : 'w', 0o600)
    await handle.chmod(0o600)
    return handle
  }

  async close(): Promise<void> {
    await this.#handle?.close()
  }
}
