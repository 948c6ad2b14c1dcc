// The import of a file: it continues where it was interrupted, says when the file was imported before,
// and writes the rejected rows to a file beside it.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import type { Pool } from '../../../db/driver.ts'
import { newId } from '../../../ids.ts'
import { csvLine } from '../file/csv.ts'
import { ImportError } from '../file/errors.ts'
import type { Source } from '../file/row-source.ts'
import { type Input, spool } from '../file/spool.ts'
import { separatorOfSheets, sheetToCsv } from '../file/xlsx.ts'
import { reasonColumn } from './columns.ts'
import {
  type ImportOptions,
  type ImportResult,
  type ImportState,
  importLeads,
  type Opened,
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

export type FileResult =
  /** The file was imported before; `isSame` says with the same options. */
  | { isDone: true; before: ProgressRow; isSame: boolean }
  | { isDone: false; result: ImportResult; rejectedFile: string }

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
  const input = await spool(sheetToCsv(file, workbook.sheet))
  const form = { encoding: 'utf-8', separator: separatorOfSheets } as const
  try {
    return await importInput(pool, input, { ...options, ...form }, fileOptions)
  } finally {
    await input.close()
  }
}

async function importInput(
  pool: Pool,
  input: Input,
  options: ImportOptions,
  fileOptions: FileOptions,
): Promise<FileResult> {
  const { file } = fileOptions
  const { space, now } = options
  const fingerprint = await fingerprintOf(input)
  const asked = askedFor(options)
  const before = fileOptions.again ? [] : await selectProgress(pool, space, fingerprint)
  const [known] = before
  const isSame = known?.options === asked
  if (known?.finished_at) return { isDone: true, before: known, isSame }
  if (known && known.row_number > 0 && !isSame && !options.dryRun) throw otherOptions(known)
  const rejectedFile = rejectedName(file, options.format)
  if (options.dryRun) {
    const result = await importLeads(pool, input, options, {
      opened: (_source, opened) => fileOptions.onOpened?.(opened),
      done: (_state, rejected) => fileOptions.onRejected?.(rejected),
    })
    return { isDone: false, result, rejectedFile }
  }

  // Made when the header is known to be good: a file that cannot be imported leaves nothing behind.
  let progress = known
  const id = known && isSame && !fileOptions.again ? known.id : newId()
  const rejects = new RejectedFile(rejectedFile, known?.rejected_bytes ?? 0)
  if (known && known.row_number > 0) fileOptions.onResume?.(known.row_number)
  try {
    const result = await importLeads(pool, input, options, {
      start: { ...(known ?? noCounts), id, row: known?.row_number ?? 0 },
      async opened(source, opened) {
        fileOptions.onOpened?.(opened)
        rejects.source = source
        if (fileOptions.again || (known && !isSame)) await forgetProgress(pool, space, fingerprint)
        const entry = { id, fingerprint, file: basename(file), options: asked }
        progress = isSame && known ? known : await openProgress(pool, space, entry, now())
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

const noCounts = { created: 0, updated: 0, skipped: 0, rejected: 0 }

function otherOptions({ row_number }: ProgressRow): ImportError {
  return new ImportError(
    `The import of this file was interrupted after row ${row_number}, and had other options. To continue it, use the same options as before. To import the whole file with these options, add --again: rows that are already imported are then imported once more.`,
  )
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

/** The same content is the same import, whatever is asked for. */
async function fingerprintOf(input: Input): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of input.open()) hash.update(chunk)
  return hash.digest('hex')
}

function askedFor(options: ImportOptions): string {
  const { format, encoding, separator, map, upsertBy, lists, tags } = options
  const { createCompanies, createAttributes, dates, decimal } = options
  return JSON.stringify({
    ...{ format, encoding, separator, map, upsertBy, lists, tags },
    ...{ createCompanies, createAttributes, dates, decimal },
  })
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

/** Written before the batch commits, at an offset that is stored with the batch, so that a retry overwrites the same bytes. */
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

  /** Returns the length of the file after it. */
  async write(rejected: RejectedRow[]): Promise<number> {
    this.#next = this.bytes
    if (rejected.length === 0) return this.bytes
    this.#handle ??= await open(this.#name, this.bytes > 0 ? 'r+' : 'w')
    const lines = rejected.map((entry) => this.#line(entry))
    if (this.bytes === 0 && this.source?.format === 'csv') lines.unshift(this.#header())
    const content = Buffer.concat(lines)
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

  #header(): Buffer {
    const { header, rawHeader, separator } = this.source as Source
    // A file of rejected rows has the column already.
    const names = header[0] === reasonColumn ? csvLine(header.slice(1), separator) : undefined
    return this.#utf8(`${reasonColumn}${separator}`, names ?? rawHeader)
  }

  /** The reason stands first: what follows may have any number of cells. */
  #line({ row, reasons }: RejectedRow): Buffer {
    const { format, header, separator } = this.source as Source
    const reason = reasons.join('; ')
    if (format === 'csv') {
      const isAgain = header[0] === reasonColumn
      // Broken quotes are written whole, so that they break nothing but their own row.
      const cells = isAgain ? row.cells.slice(1) : row.cells
      const raw = row.fault || isAgain ? csvLine(cells, separator) : row.raw
      return this.#utf8(`${csvLine([reason], separator)}${separator}`, raw)
    }
    const end = row.raw.trimEnd()
    const isObject = /^\s*\{.*\}$/s.test(end) && reason !== 'Not a JSON object'
    const said = `"reason":${JSON.stringify(reason)}`
    if (!isObject) {
      const text = JSON.stringify(this.source?.decode(row.raw) ?? row.raw)
      return Buffer.from(`{${said},"text":${text}}\n`)
    }
    const comma = /^\s*\{\s*\}$/.test(end) ? '' : ','
    const start = end.indexOf('{')
    return this.#utf8(`{${said}${comma}`, end.slice(start + 1))
  }

  /** In one encoding, whatever the file has; bytes that are not in its encoding stay as they are. */
  #utf8(start: string, raw: string): Buffer {
    const text = this.source?.decode(raw)
    const rest = text === undefined ? Buffer.from(raw, 'latin1') : Buffer.from(text)
    return Buffer.concat([Buffer.from(start), rest, Buffer.from('\n')])
  }
}
