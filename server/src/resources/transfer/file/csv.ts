// CSV as people and programs write it: any line end, quoted cells with line ends and doubled quotes in
// them. It is read as a stream. By hand, because after a broken row it continues at the next line, and it
// keeps the bytes of every row for the file of rejected rows. Nothing is read twice, however the
// text is cut into pieces, and no row is larger than the limits.
import { maxText, maxTextBytes } from '@rapport/contract/shapes'
import { counted, limitInBytes } from '../../../words.ts'
import { maxColumns, maxRowBytes } from './limits.ts'

export interface CsvRecord {
  /** As a spreadsheet counts: the first record is row 1. */
  number: number
  cells: string[]
  /** The text of the record as it is in the file, without its line end. */
  raw: string
  /** Why it cannot be read. */
  fault?: string
}

/** Unbalanced quotes. */
export const quoteFaults = {
  open: 'A quote is never closed',
  behind: 'There is text after a closing quote',
}

/** A file of rejected rows has one column more. */
export const maxCells = maxColumns + 1
export const tooManyCells = `Has more than ${counted(maxColumns, 'cell')}; the rest are omitted here`

const tooLongCell = `Has a cell with more than ${maxText}`

/** Records are passed on in batches, so that other work can run in between. */
const batchRecords = 500
const batchLength = 128 * 1024

/** A record with quotes that is not complete yet. */
interface Unfinished {
  cells: string[]
  /** Where the next cell begins. */
  at: number
  /** Up to where its closing quote has been looked for. */
  searched: number
}

/** A character that ends something, and where the next one is. */
interface Sign {
  readonly character: string
  next: number
  /** Before this place there is none but the one at `next`. */
  searched: number
}

const sign = (character: string): Sign => ({ character, next: -1, searched: 0 })

export class CsvReader {
  readonly separator: string
  readonly #hasQuotes: boolean
  #text = ''
  #at = 0
  #number = 0
  #final = false
  #skipLine = false
  #unfinished: Unfinished | undefined
  /** What must come before the record that has begun can end. */
  #lacks: RegExp | undefined
  readonly #quote = sign('"')
  readonly #lf = sign('\n')
  readonly #cr = sign('\r')
  /** The same after the cells of a record with quotes: if it turns out to be invalid, reading continues before them. */
  readonly #lfAhead = sign('\n')
  readonly #crAhead = sign('\r')

  /** Without quotes a line is a line, whatever is in it. */
  constructor(separator: string, { quotes = true } = {}) {
    this.separator = separator
    this.#hasQuotes = quotes
  }

  /** The records that are complete now. Records without anything in them are counted and omitted. */
  push(text: string): Iterable<CsvRecord[]> {
    if (this.#cannotGoOn(text)) {
      // Nothing looks at the whole, so V8 does not copy it for each piece of a long record.
      this.#text += text
      return []
    }
    const read = this.#at
    this.#text = this.#text.slice(read) + text
    this.#at = 0
    for (const one of [this.#quote, this.#lf, this.#cr, this.#lfAhead, this.#crAhead]) {
      one.next -= read
      one.searched = Math.max(0, one.searched - read)
    }
    if (this.#unfinished) {
      this.#unfinished.at -= read
      this.#unfinished.searched -= read
    }
    return this.#read()
  }

  /** Whether the current record is incomplete. */
  #cannotGoOn(text: string): boolean {
    const length = this.#text.length - this.#at
    if (length === 0 || this.#skipLine || length + text.length > maxRowBytes) return false
    return this.#lacks !== undefined && !this.#lacks.test(text)
  }

  /** The last record needs no line end. */
  end(): Generator<CsvRecord[]> {
    this.#final = true
    return this.#read()
  }

  *#read(): Generator<CsvRecord[]> {
    let records: CsvRecord[] = []
    let start = this.#at
    for (;;) {
      this.#skipBlankLines()
      if (this.#at >= this.#text.length) break
      const isRest = this.#skipLine
      const record = this.#next()
      if (!record) {
        this.#lacks = this.#missing()
        break
      }
      if (isRest) this.#skipLine = false
      else {
        this.#number++
        records.push({ number: this.#number, ...record })
      }
      if (records.length < batchRecords && this.#at - start < batchLength) continue
      yield records
      records = []
      start = this.#at
    }
    if (records.length > 0) yield records
  }

  /** Undefined when the next character decides. */
  #missing(): RegExp | undefined {
    if ('"\r'.includes(this.#text.charAt(this.#text.length - 1))) return undefined
    const { at, cells } = this.#unfinished ?? { at: -1, cells: [] }
    return this.#text[at] === '"' && cells.length < maxCells ? /"/ : /[\r\n]/
  }

  #skipBlankLines(): void {
    if (this.#skipLine || this.#unfinished) return
    const text = this.#text
    let at = this.#at
    for (;;) {
      if (text[at] === '\n') at++
      else if (text[at] === '\r' && (at + 1 < text.length || this.#final)) {
        at = this.#afterLineEnd(at)
      } else break
      this.#number++
    }
    this.#at = at
  }

  #next(): Omit<CsvRecord, 'number'> | undefined {
    const start = this.#at
    const lineEnd = this.#lineEnd(start)
    if (lineEnd === undefined) return this.#overlong(start)
    const isPlain = this.#skipLine || !this.#hasQuotes || this.#find(this.#quote, start) >= lineEnd
    if (isPlain) {
      this.#at = this.#afterLineEnd(lineEnd)
      return this.#split(start, lineEnd)
    }
    const record = this.#quoted(start)
    if (record === 'incomplete') {
      if (!this.#final && this.#text.length - start <= maxRowBytes) return undefined
      return this.#fault(start, lineEnd, quoteFaults.open)
    }
    return record ?? this.#fault(start, lineEnd, quoteFaults.behind)
  }

  /** Only the first line is skipped: what follows is read as usual. */
  #fault(start: number, lineEnd: number, fault: string) {
    this.#unfinished = undefined
    this.#at = this.#afterLineEnd(lineEnd)
    return { ...this.#split(start, lineEnd), fault }
  }

  /** A line without quotes. If there are too many cells, only the first ones are created. */
  #split(start: number, end: number): Omit<CsvRecord, 'number'> {
    const raw = this.#text.slice(start, end)
    const cells = raw.split(this.separator, maxCells + 1)
    if (cells.length <= maxCells) return this.#hasQuotes ? checked({ cells, raw }) : { cells, raw }
    cells.pop()
    const length = cells.reduce((sum, cell) => sum + cell.length + this.separator.length, 0)
    return this.#wide(cells, start, start + length, end)
  }

  /** There are more cells after those that were read. Empty ones do not matter. */
  #wide(cells: string[], start: number, rest: number, end: number): Omit<CsvRecord, 'number'> {
    const { separator } = this
    let at = rest
    while (at < end && this.#text.startsWith(separator, at)) at += separator.length
    const raw = this.#text.slice(start, rest - separator.length)
    return at >= end ? { cells, raw } : { cells, raw, fault: tooManyCells }
  }

  #overlong(start: number): Omit<CsvRecord, 'number'> | undefined {
    const { length } = this.#text
    if (this.#skipLine) {
      // Only what may be the first half of its line end is kept.
      this.#at = this.#text[length - 1] === '\r' ? length - 1 : length
      return undefined
    }
    if (length - start <= maxRowBytes) return undefined
    const raw = this.#text.slice(start, start + 1000)
    this.#unfinished = undefined
    this.#at = this.#text[length - 1] === '\r' ? length - 1 : length
    this.#skipLine = true
    return { cells: [raw], raw, fault: `The row is larger than ${limitInBytes(maxRowBytes)}` }
  }

  /** A record with a quote in it; undefined when its quotes make no sense. */
  #quoted(start: number): Omit<CsvRecord, 'number'> | 'incomplete' | undefined {
    const text = this.#text
    if (!this.#unfinished) {
      this.#unfinished = { cells: [], at: start, searched: start }
      Object.assign(this.#lfAhead, this.#lf)
      Object.assign(this.#crAhead, this.#cr)
    }
    const state = this.#unfinished
    const { cells } = state
    for (;;) {
      const { at } = state
      let end: number
      if (cells.length === maxCells || text[at] !== '"') {
        const lineEnd = this.#lineEndAhead(at)
        if (lineEnd === undefined) return 'incomplete'
        if (cells.length === maxCells) {
          this.#unfinished = undefined
          this.#at = this.#afterLineEnd(lineEnd)
          return this.#wide(cells, start, at, lineEnd)
        }
        const separator = text.indexOf(this.separator, at)
        end = separator < 0 || separator > lineEnd ? lineEnd : separator
        cells.push(text.slice(at, end))
      } else {
        const close = this.#closingQuote(state)
        if (close === undefined) return 'incomplete'
        const cell = text.slice(at + 1, close)
        cells.push(cell.length > maxTextBytes ? cell : cell.replaceAll('""', '"'))
        end = close + 1
      }
      if (text.startsWith(this.separator, end)) {
        state.at = end + this.separator.length
        continue
      }
      this.#unfinished = undefined
      if (end < text.length && text[end] !== '\n' && text[end] !== '\r') return undefined
      if (this.#lineEndAhead(end) === undefined) {
        // It may continue: the last cell is read again.
        cells.pop()
        this.#unfinished = state
        return 'incomplete'
      }
      this.#at = this.#afterLineEnd(end)
      return checked({ cells, raw: text.slice(start, end) })
    }
  }

  #closingQuote(state: Unfinished): number | undefined {
    let at = Math.max(state.at + 1, state.searched)
    for (; ; at += 2) {
      at = this.#text.indexOf('"', at)
      if (at < 0) {
        state.searched = this.#text.length
        return undefined
      }
      state.searched = at
      // The next character tells whether it closes the cell or stands for a quote.
      if (at + 1 === this.#text.length) return this.#final ? at : undefined
      if (this.#text[at + 1] !== '"') return at
    }
  }

  /** Where the line ends that `from` is in; undefined when that is not known yet. */
  #lineEnd(from: number): number | undefined {
    return this.#known(Math.min(this.#find(this.#lf, from), this.#find(this.#cr, from)))
  }

  #lineEndAhead(from: number): number | undefined {
    return this.#known(Math.min(this.#find(this.#lfAhead, from), this.#find(this.#crAhead, from)))
  }

  #known(end: number): number | undefined {
    // A carriage return at the very end may be the first half of a line end.
    const isKnown = end < this.#text.length - 1 || this.#text[end] === '\n'
    return isKnown || this.#final ? end : undefined
  }

  #afterLineEnd(end: number): number {
    return end + (this.#text.startsWith('\r\n', end) ? 2 : 1)
  }

  /** The next place of the sign; the length of the text when there is none. */
  #find(one: Sign, from: number): number {
    if (one.next >= from) return one.next
    const start = Math.max(from, one.searched)
    if (start >= this.#text.length) return this.#text.length
    const found = this.#text.indexOf(one.character, start)
    one.next = found
    one.searched = found < 0 ? this.#text.length : found + 1
    return found < 0 ? this.#text.length : found
  }
}

function checked(record: Omit<CsvRecord, 'number'>): Omit<CsvRecord, 'number'> {
  const isLong = record.raw.length > maxTextBytes
  if (!isLong || record.cells.every(({ length }) => length <= maxTextBytes)) return record
  return { ...record, fault: tooLongCell }
}

const mustQuote = /^[ \t]|[ \t]$|["\r\n,;\t]/

/** One record, without its line end. */
export function csvLine(cells: string[], separator = ','): string {
  return cells
    .map((cell) => (mustQuote.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
    .join(separator)
}

/** How much of a line is enough to detect its separator. */
const looked = 64 * 1024
const separators = [',', ';', '\t', '|']

/** The separator of the lines: the one that most of them contain equally often. */
export function findSeparator(lines: string[]): string {
  const counts = lines.map(countSigns)
  const weight = (separator: string): number => {
    const times = new Map<number, number>()
    for (const { [separator]: count = 0 } of counts) {
      if (count > 0) times.set(count, (times.get(count) ?? 0) + 1)
    }
    return Math.max(0, ...[...times].map(([count, lines]) => count * lines))
  }
  return separators.reduce((best, next) => (weight(next) > weight(best) ? next : best))
}

/** How often each separator occurs outside of quotes. */
function countSigns(line: string): Record<string, number> {
  const counts: Record<string, number> = {}
  const parts = line.slice(0, looked).split('"')
  parts.forEach((part, index) => {
    // Text after the last quote counts as quoted only if the quote is closed, here or later.
    const isOpen = index === parts.length - 1 && line.length <= looked
    if (index % 2 === 1 && !isOpen) return
    for (const separator of separators) {
      counts[separator] = (counts[separator] ?? 0) + part.split(separator).length - 1
    }
  })
  return counts
}
