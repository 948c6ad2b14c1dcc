// The first reading of a file: where its header and its rows are, and what its columns hold.
import { type FieldSpec, leadFields } from '@rapport/contract/leads/fields'
import { ImportError, RowFault } from '../file/errors.ts'
import { maxColumns } from '../file/limits.ts'
import { Pace } from '../file/pace.ts'
import { Source, type SourceOptions, type SourceRow } from '../file/row-source.ts'
import type { Input } from '../file/spool.ts'
import type { Surveyed } from './columns.ts'
import { fieldOf, plain } from './headers.ts'
import { ColumnProfile, type Promised } from './profile.ts'
import { parseJson } from './read-values.ts'
import { systems } from './systems.ts'

export interface Survey {
  columns: Surveyed[]
  headerRow: number
  /** The last row of data: lines of text may follow. */
  lastRow: number
  /** Lines of text before the header and behind the rows. */
  otherLines: number
  rows: number
  encoding: SourceOptions['encoding']
  separator: string | undefined
}

/** Our own exports need no look into every cell. */
const ownRows = 1_000

export async function survey(
  input: Input,
  options: SourceOptions & { map: [header: string, field: string][] },
): Promise<Survey> {
  const mapped = new Set(options.map.map(([header]) => plain(header)))
  const pace = new Pace(options.signal)
  const source = new Source(input.open(), options)
  try {
    await source.open({ countNames })
    const found =
      source.format === 'csv'
        ? await surveyCsv(source, mapped, pace)
        : await surveyNdjson(source, pace)
    if (found.columns.length === 0) throw new ImportError('The file is empty.')
    if (found.rows === 0) {
      throw new ImportError('The file has a header and no rows: there is nothing to import.')
    }
    return {
      ...found,
      headerRow: source.headerRow,
      encoding: source.encoding,
      separator: source.format === 'csv' ? source.separator : undefined,
    }
  } finally {
    await source.close()
  }
}

/** Names that only headers have: of fields, and those that give a system away. */
const signs = new Set(
  systems.flatMap(({ when, ids = '' }) =>
    [...when.split(/ [|+] /), ...ids.split(', ')]
      .filter((name) => name !== '' && !/[@!*]/.test(name))
      .map((name) => plain(name)),
  ),
)

function countNames(cells: string[]): number {
  return cells.filter((cell) => cell.length < 100 && (fieldOf(cell) || signs.has(plain(cell))))
    .length
}

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

async function surveyCsv(source: Source, mapped: ReadonlySet<string>, pace: Pace) {
  const { header } = source
  const columns: Surveyed[] = []
  for (const name of header) {
    columns.push({ header: name, profile: new ColumnProfile(promisedBy(name, mapped)) })
    if (pace.isDue) await pace.rest()
  }
  const isOurs = ['created_at', 'is_company', 'contract_value'].every((name) =>
    header.includes(name),
  )
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
  return { columns, rows: rows - lines, lastRow, otherLines: before + lines }
}

/** What reports say at their end. A spreadsheet gives such a line as many cells as every row. */
const reportWords = /copyright|all rights reserved|salesforce\.com|confidential|grand total/i

/**
 * Lines of text behind the rows, as reports have them: one cell each, behind an empty line. A row
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

async function surveyNdjson(source: Source, pace: Pace) {
  const columns = new Map<string, ColumnProfile>()
  let rows = 0
  let lastRow = 0
  for await (const batch of source.rows()) {
    for (const row of batch) {
      if (pace.isDue) await pace.rest()
      rows++
      lastRow = row.number
      const entries = entriesOf(source.decode(row.raw))
      // The row is refused when it is read for good.
      if (entries.length > maxColumns) continue
      for (const [key, value] of entries) {
        let profile = columns.get(key)
        if (!profile) {
          if (columns.size === maxColumns) throw tooManyKeys(row.number)
          profile = new ColumnProfile()
          columns.set(key, profile)
        }
        const isScalar = typeof value === 'string' || typeof value === 'number'
        if (isScalar && String(value).trim() !== '') profile.add(String(value).trim())
      }
    }
  }
  const surveyed = [...columns].map(([header, profile]): Surveyed => ({ header, profile }))
  return { columns: surveyed, rows, lastRow, otherLines: 0 }
}

function tooManyKeys(line: number): ImportError {
  return new ImportError(
    `Line ${line}: up to here the lines have more than 1,000 different keys. Leave out those that you do not need, or split the file.`,
  )
}

function entriesOf(line: string | undefined): [string, unknown][] {
  try {
    const value = parseJson(line ?? '')
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value)
      : []
  } catch (error) {
    if (!(error instanceof RowFault)) throw error
    // The row is refused when it is read for good.
    return []
  }
}
