// The import of a file: it goes on where it was interrupted, says when it is done already, and puts
// the rows it refuses into a file beside it.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import type { Pool } from '../../../db/driver.ts'
import { newId } from '../../../ids.ts'
import { csvLine } from '../file/csv.ts'
import { ImportError } from '../file/errors.ts'
import type { Source } from '../file/row-source.ts'
import {
  type ImportOptions,
  type ImportResult,
  type ImportState,
  importLeads,
} from './import-leads.ts'
import type { RejectedRow } from './plan-batch.ts'
import {
  forgetProgress,
  openProgress,
  type ProgressRow,
  saveProgress,
  selectProgress,
} from './progress.sql.ts'

export interface FileOptions {
  file: string
  /** Also when it was imported before. */
  again: boolean
  /** Told how many bytes are read. */
  onProgress?(bytes: number): void
  /** Told the row behind which it goes on. */
  onResume?(row: number): void
  onRejected?(rows: RejectedRow[]): void
}

export type FileResult =
  | { isDone: true; before: ProgressRow }
  | { isDone: false; result: ImportResult; rejectedFile: string }

const chunkBytes = 256 * 1024

export async function importFile(
  pool: Pool,
  options: ImportOptions,
  fileOptions: FileOptions,
): Promise<FileResult> {
  const { file } = fileOptions
  const { space, now } = options
  const fingerprint = await fingerprintOf(file, options)
  const before = fileOptions.again ? [] : await selectProgress(pool, space, fingerprint)
  const [known] = before
  if (known?.finished_at) return { isDone: true, before: known }
  const rejectedFile = rejectedName(file, options.format)
  const chunks = () => readChunks(file, fileOptions.onProgress)
  if (options.dryRun) {
    const result = await importLeads(pool, chunks(), options, {
      done: (_state, rejected) => fileOptions.onRejected?.(rejected),
    })
    return { isDone: false, result, rejectedFile }
  }

  // Made when the header is known to be good: a file that cannot be imported leaves nothing behind.
  let progress = known
  const rejects = new RejectedFile(rejectedFile, known?.rejected_bytes ?? 0)
  if (known && known.row_number > 0) fileOptions.onResume?.(known.row_number)
  try {
    const result = await importLeads(pool, chunks(), options, {
      ...(known && { start: { ...known, row: known.row_number } }),
      async opened(source) {
        rejects.source = source
        if (fileOptions.again) await forgetProgress(pool, space, fingerprint)
        const entry = { id: newId(), fingerprint, file: basename(file) }
        progress ??= await openProgress(pool, space, entry, now())
        if (progress.row_number === 0) await rm(rejectedFile, { force: true })
      },
      async keep(tx, after, rejected, before) {
        const bytes = await rejects.write(rejected)
        const row = progressRow(progress as ProgressRow, after, bytes, null)
        if (!(await saveProgress(tx, space, row, before.row, now()))) throw anotherProcess()
      },
      done(_state, rejected) {
        rejects.keep()
        fileOptions.onRejected?.(rejected)
      },
      async finish(tx, state) {
        const row = progressRow(progress as ProgressRow, state, rejects.bytes, now().toISOString())
        if (!(await saveProgress(tx, space, row, state.row, now()))) throw anotherProcess()
      },
    })
    return { isDone: false, result, rejectedFile }
  } finally {
    await rejects.close()
  }
}

function anotherProcess(): ImportError {
  return new ImportError('Another process is importing this file.')
}

function progressRow(
  { id }: ProgressRow,
  { row, created, updated, skipped, rejected }: ImportState,
  rejected_bytes: number,
  finished_at: string | null,
) {
  return { id, row_number: row, created, updated, skipped, rejected, rejected_bytes, finished_at }
}

/** The content of the file and what is asked for: the same once more is the same import. */
async function fingerprintOf(file: string, options: ImportOptions): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of readChunks(file)) hash.update(chunk)
  const { format, encoding, separator, map, upsertBy, lists, tags, createCompanies } = options
  const asked = { format, encoding, separator, map, upsertBy, lists, tags, createCompanies }
  return hash.update(JSON.stringify(asked)).digest('hex')
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

/** leads.csv → leads.rejected.csv */
function rejectedName(file: string, format: string): string {
  return `${file.slice(0, file.length - extname(file).length)}.rejected.${format}`
}

/** Written before a batch is kept, at a place that the batch decides: done twice, it is there once. */
class RejectedFile {
  source: Source | undefined
  bytes: number
  readonly #name: string
  #handle: FileHandle | undefined
  #next: number

  constructor(name: string, bytes: number) {
    this.#name = name
    this.bytes = bytes
    this.#next = bytes
  }

  /** Answers how long the file is then. */
  async write(rejected: RejectedRow[]): Promise<number> {
    this.#next = this.bytes
    if (rejected.length === 0) return this.bytes
    this.#handle ??= await open(this.#name, this.bytes > 0 ? 'r+' : 'w')
    const lines = rejected.map((entry) => this.#line(entry))
    if (this.bytes === 0 && this.source?.format === 'csv') lines.unshift(this.#header())
    const content = Buffer.from(lines.join(''), 'latin1')
    await this.#handle.truncate(this.bytes)
    await this.#handle.write(content, 0, content.length, this.bytes)
    await this.#handle.sync()
    this.#next = this.bytes + content.length
    return this.#next
  }

  /** The batch is in. */
  keep(): void {
    this.bytes = this.#next
  }

  async close(): Promise<void> {
    await this.#handle?.close()
  }

  #header(): string {
    const { rawHeader, separator } = this.source as Source
    return `${rawHeader}${separator}reason\n`
  }

  /** As it stands in the file, byte by byte, and the reason behind it. */
  #line({ row, reason }: RejectedRow): string {
    const { format, header, separator } = this.source as Source
    const bytes = Buffer.from(reason).toString('latin1')
    if (format === 'csv') {
      const missing = Math.max(0, header.length - row.cells.length)
      return `${row.raw}${separator.repeat(missing + 1)}${csvLine([bytes])}\n`
    }
    const end = row.raw.trimEnd()
    const isObject = /^\s*\{.*\}$/s.test(end) && reason !== 'Not a JSON object'
    const comma = /^\s*\{\s*\}$/.test(end) ? '' : ','
    const said = `"reason":${Buffer.from(JSON.stringify(reason)).toString('latin1')}}\n`
    return isObject
      ? `${end.slice(0, -1)}${comma}${said}`
      : `{"text":${Buffer.from(JSON.stringify(row.raw)).toString('latin1')},${said}`
  }
}
