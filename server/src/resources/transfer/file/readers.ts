// How each format of file is read: as rows of CSV or of NDJSON.
import type { FileHandle } from 'node:fs/promises'
import type { FileFormat, Format } from '@rapport/contract/transfer'
import type { SourceOptions } from './row-source.ts'
import { formOfSheets, sheetToCsv } from './xlsx.ts'

interface Reader {
  rows: Format
  /** The text of a file that is none, and how it is written. */
  text?: {
    read(file: FileHandle, sheet?: string, signal?: AbortSignal): AsyncIterable<Buffer>
    form: Pick<SourceOptions, 'encoding' | 'separator' | 'isRagged'>
  }
}

export const readers: Record<FileFormat, Reader> = {
  csv: { rows: 'csv' },
  ndjson: { rows: 'ndjson' },
  xlsx: { rows: 'csv', text: { read: sheetToCsv, form: formOfSheets } },
}
