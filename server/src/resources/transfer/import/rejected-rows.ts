// Rejected rows as lines of a file that people correct and import again.
import { csvLine } from '../file/csv.ts'
import { guard } from '../file/guard.ts'
import { reasonColumn } from '../file/names.ts'
import type { Source, SourceRow } from '../file/row-source.ts'
import type { RejectedRow } from './plan-batch.ts'

/** The first line of a CSV file. NDJSON has none. */
export function rejectedHeader(source: Source): Buffer {
  const { format, rawHeader, separator } = source
  if (format !== 'csv' || !rawHeader) return Buffer.alloc(0)
  return utf8(source, `${reasonColumn}${separator}`, csvRow(source, rawHeader))
}

export function rejectedLines(source: Source, rejected: RejectedRow[]): Buffer {
  return Buffer.concat(rejected.map((entry) => line(source, entry)))
}

/**
 * The cells of a row. They stay as they are, save for those that a spreadsheet would run. Broken quotes
 * are written whole, so that they break nothing but their own row.
 */
function csvRow({ header, separator, isRagged }: Source, { cells, raw, fault }: SourceRow): string {
  // A file of rejected rows has the column of reasons already.
  const isAgain = header[0] === reasonColumn
  const own = isAgain ? cells.slice(1) : cells
  const safe = own.map((cell) => (cell.startsWith("'") ? cell : guard(cell)))
  const isSame = !fault && !isAgain && safe.every((cell, index) => cell === own[index])
  const missing = isRagged ? Math.max(0, header.length - cells.length) : 0
  return `${isSame ? raw : csvLine(safe, separator)}${separator.repeat(missing)}`
}

/** The reason stands first: what follows may have any number of cells. */
function line(source: Source, { row, reasons }: RejectedRow): Buffer {
  const { format, separator } = source
  const reason = reasons.join('; ')
  if (format === 'csv') {
    const start = `${csvLine([guard(reason)], separator)}${separator}`
    return utf8(source, start, csvRow(source, row))
  }
  const end = row.raw.trimEnd()
  const isObject = /^\s*\{.*\}$/s.test(end) && reason !== 'Not a JSON object'
  const said = `"reason":${JSON.stringify(reason)}`
  if (!isObject) {
    const text = JSON.stringify(source.decode(row.raw) ?? row.raw)
    return Buffer.from(`{${said},"text":${text}}\n`)
  }
  const comma = /^\s*\{\s*\}$/.test(end) ? '' : ','
  const start = end.indexOf('{')
  return utf8(source, `{${said}${comma}`, end.slice(start + 1))
}

/** In one encoding, whatever the file has; bytes that are not in its encoding stay as they are. */
function utf8(source: Source, start: string, raw: string): Buffer {
  const text = source.decode(raw)
  const rest = text === undefined ? Buffer.from(raw, 'latin1') : Buffer.from(text)
  return Buffer.concat([Buffer.from(start), rest, Buffer.from('\n')])
}
