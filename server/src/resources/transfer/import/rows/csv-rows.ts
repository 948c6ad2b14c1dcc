// Rows of cells below a header: of CSV, and of sheets as CSV.
import { type FieldSpec, leadFields } from '@rapport/contract/leads/fields'
import type { Pace } from '../../../../pace.ts'
import { csvLine, quoteFaults } from '../../file/csv.ts'
import { RowFault } from '../../file/errors.ts'
import { guard } from '../../file/guard.ts'
import { reasonColumn } from '../../file/names.ts'
import type { Source, SourceRow } from '../../file/row-source.ts'
import type { Mapping, Surveyed } from '../columns/column.ts'
import { fieldOf, plain } from '../columns/headers.ts'
import { ColumnProfile, type Promised } from '../columns/profile.ts'
import { ownColumns } from '../columns/systems.ts'
import { finish } from './finish-row.ts'
import { addFault, type Found, isBlank, putText, type ReadRow, startReading } from './read-row.ts'

/** Our own exports need no look into every cell. */
const ownRows = 1_000

/** What a column holds when it is called like a field. A column that is mapped may hold anything. */
function promisedBy(header: string, mapped: ReadonlySet<string>): Promised {
  const known = mapped.has(plain(header)) ? undefined : fieldOf(header)?.known
  if (!known) return undefined
  if (known.kind !== 'field') return 'text'
  const { kind }: FieldSpec = leadFields[known.name]
  if (kind === 'time') return 'time'
  if (kind === 'integer' || kind === 'amount') return 'number'
  if (known.name === 'email' || kind === 'phone') return known.name === 'email' ? 'email' : 'phone'
  return 'text'
}

async function survey(source: Source, pace: Pace, mapped: ReadonlySet<string>): Promise<Found> {
  const { header } = source
  const columns = await pace.map(header, (name): Surveyed => {
    return { header: name, profile: new ColumnProfile(promisedBy(name, mapped)) }
  })
  const isOurs =
    ownColumns.every((name) => header.includes(name)) ||
    ownColumns.every((name) => header.includes(leadFields[name].label))
  const tail = new Tail(source)
  let rows = 0
  for await (const batch of source.rows()) {
    for (const row of batch) {
      if (pace.isDue) await pace.rest()
      if (row.fault || row.cells.every((cell) => cell === '')) {
        if (row.fault) rows++
        tail.add(row, !row.fault)
        continue
      }
      rows++
      tail.add(row, false)
      if (isOurs && rows > ownRows) continue
      if (row.cells.length < header.length && !source.isRagged) continue
      for (let index = 0; index < header.length; index++) {
        const cell = row.cells[index]
        if (!cell) continue
        const profile = columns[index]?.profile
        if (profile?.isSettled) {
          profile.glance(cell)
          continue
        }
        const text = source.textOf(cell)?.trim()
        if (text) profile?.add(text)
      }
    }
  }
  const before = source.headerRow > 1 ? source.headerRow - 1 : 0
  const { lastRow, lines } = tail.end()
  const { separator } = source
  return { columns, rows: rows - lines, lastRow, otherLines: before + lines, separator }
}

/** What reports say at their end. A spreadsheet gives such a line as many cells as every row. */
const reportWords = /copyright|all rights reserved|salesforce\.com|confidential|grand total/i

/**
 * Lines of text after the rows, as in reports: one cell each, after an empty line. A row
 * with one cell anywhere else is a broken row.
 */
class Tail {
  readonly #width: number
  readonly #isRagged: boolean
  #last: number
  #previous: number
  #lines = 0
  #isPadded = false
  #isReport = false
  #isBehindGap = false

  constructor({ header, headerRow, isRagged }: Source) {
    this.#width = header.length
    this.#isRagged = isRagged
    this.#last = headerRow
    this.#previous = headerRow
  }

  add({ number, cells }: SourceRow, isBlank: boolean): void {
    const hasGap = isBlank || number > this.#previous + 1
    this.#previous = number
    if (isBlank) {
      this.#isBehindGap = true
      return
    }
    const isLine = this.#width > 2 && cells.slice(1).every((cell) => cell === '')
    if (isLine && (this.#lines > 0 || hasGap || this.#isBehindGap)) {
      this.#lines++
      this.#isPadded ||= this.#isRagged || cells.length > 1
      this.#isReport ||= reportWords.test(cells[0] ?? '')
      return
    }
    this.#last = number
    this.#lines = 0
    this.#isBehindGap = this.#isPadded = this.#isReport = false
  }

  end() {
    const isText = this.#lines > 0 && (this.#isReport || !this.#isPadded)
    return isText
      ? { lastRow: this.#last, lines: this.#lines }
      : { lastRow: this.#previous, lines: 0 }
  }
}

const reader =
  (source: Source, { columns, system }: Mapping): ReadRow =>
  (row, records) => {
    if (row.fault) throw new RowFault(row.fault)
    const { cells } = row
    if (cells.every((cell) => cell === '')) return undefined
    requireWidth(source, cells)
    requireMended(source, cells)
    if (row.raw.includes('\0'))
      throw new RowFault('Contains a NUL character, which cannot be stored')
    const reading = startReading(row, records, system)
    let isEmpty = true
    for (const column of columns) {
      const raw = cells[column.index] ?? ''
      if (raw === '' || column.target.kind === 'ignored') continue
      const decoded = source.textOf(raw)
      if (decoded === undefined) {
        reading.faults.push(`${column.header}: not valid UTF-8 (is the file in another encoding?)`)
        continue
      }
      const cell = system?.isOurs ? decoded : decoded.trim()
      if (cell === '' || (system?.isOurs && isBlank(cell, column.target, records.attributes)))
        continue
      isEmpty = false
      // Not by collect(): there are many cells, and a function for each takes time.
      try {
        putText(reading, column, cell)
      } catch (error) {
        addFault(reading, error)
      }
    }
    if (isEmpty && reading.faults.length === 0) {
      throw new RowFault('The imported columns are empty')
    }
    return finish(reading)
  }

/** In a file of rejected rows, broken quotes are text: a row that is still the same is not fixed. */
function requireMended({ header }: Source, cells: string[]): void {
  const [reason = '', ...others] = header[0] === reasonColumn ? cells : []
  const isBroken = Object.values(quoteFaults).includes(reason)
  if (isBroken && others.some((cell) => cell.startsWith('"'))) throw new RowFault(reason)
}

function requireWidth({ header, isRagged }: Source, cells: string[]): void {
  const width = header.length
  if ((cells.length < width && !isRagged) || cells.slice(width).some((cell) => cell !== '')) {
    throw new RowFault(`Has ${cells.length} cells instead of ${width}`)
  }
}

/** The first line of a file of rejected rows. */
function rejectedHeader(source: Source): Buffer {
  const { rawHeader, separator } = source
  if (!rawHeader) return Buffer.alloc(0)
  return source.toUtf8(`${reasonColumn}${separator}`, csvRow(source, rawHeader))
}

/** The reason stands first: what follows may have any number of cells. */
function rejectedLine(source: Source, row: SourceRow, reason: string): Buffer {
  const { separator } = source
  const start = `${csvLine([guard(reason)], separator)}${separator}`
  return source.toUtf8(start, csvRow(source, row))
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

export const csvRows = { survey, reader, rejectedHeader, rejectedLine }
