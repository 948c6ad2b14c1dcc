// Rejected rows as lines of a file that people correct and import again.
import { csvLine } from '../file/csv.ts'
import type { Source } from '../file/row-source.ts'
import { reasonColumn } from './columns.ts'
import type { RejectedRow } from './plan-batch.ts'

/** The first line of a CSV file. NDJSON has none. */
export function rejectedHeader(source: Source): Buffer {
  const { format, header, rawHeader, separator } = source
  if (format !== 'csv') return Buffer.alloc(0)
  // A file of rejected rows has the column already.
  const names = header[0] === reasonColumn ? csvLine(header.slice(1), separator) : undefined
  return utf8(source, `${reasonColumn}${separator}`, names ?? rawHeader)
}

export function rejectedLines(source: Source, rejected: RejectedRow[]): Buffer {
  return Buffer.concat(rejected.map((entry) => line(source, entry)))
}

/** The reason stands first: what follows may have any number of cells. */
function line(source: Source, { row, reasons }: RejectedRow): Buffer {
  const { format, header, separator } = source
  const reason = reasons.join('; ')
  if (format === 'csv') {
    const isAgain = header[0] === reasonColumn
    // Broken quotes are written whole, so that they break nothing but their own row.
    const cells = isAgain ? row.cells.slice(1) : row.cells
    const raw = row.fault || isAgain ? csvLine(cells, separator) : row.raw
    return utf8(source, `${csvLine([reason], separator)}${separator}`, raw)
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
