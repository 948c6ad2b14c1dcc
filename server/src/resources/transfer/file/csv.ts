// CSV as people and programs write it: any line end, quoted cells with line ends and doubled quotes in
// them. It is read as a stream. By hand, because after a broken row it goes on at the next line, and it
// keeps the bytes of every row for the file of rejected rows.

export interface CsvRecord {
  cells: string[]
  /** The text of the record as it stands in the file, without its line end. */
  raw: string
  /** Why it cannot be read. */
  fault?: string
}

/** Quotes that make no sense. */
export const quoteFaults = {
  open: 'A quote is opened and never closed',
  behind: 'There is text behind a closing quote',
}

/** A record that is larger is a quote that was never closed. */
const maxRecord = 16 * 1024 * 1024

export class CsvReader {
  readonly separator: string
  readonly #hasQuotes: boolean
  #text = ''
  #at = 0
  #final = false
  #skipLine = false
  // Where the next one of each stands, so that none is looked for twice.
  #nextQuote = -1
  #nextLf = -1
  #nextCr = -1

  /** Without quotes a line is a line, whatever is in it. */
  constructor(separator: string, { quotes = true } = {}) {
    this.separator = separator
    this.#hasQuotes = quotes
  }

  /** The records that are complete now. */
  push(text: string): CsvRecord[] {
    this.#text = this.#text.slice(this.#at) + text
    this.#at = 0
    this.#nextQuote = this.#nextLf = this.#nextCr = -1
    return this.#read()
  }

  /** The last record needs no line end. */
  end(): CsvRecord[] {
    this.#final = true
    return this.#read()
  }

  #read(): CsvRecord[] {
    const records: CsvRecord[] = []
    while (this.#at < this.#text.length) {
      const isRest = this.#skipLine
      const record = this.#next()
      if (!record) break
      if (isRest) this.#skipLine = false
      else records.push(record)
    }
    return records
  }

  #next(): CsvRecord | undefined {
    const start = this.#at
    const lineEnd = this.#lineEnd(start)
    if (lineEnd === undefined) return this.#overlong(start)
    this.#nextQuote = this.#find('"', start, this.#nextQuote)
    if (this.#nextQuote >= lineEnd || this.#skipLine || !this.#hasQuotes) {
      const raw = this.#text.slice(start, lineEnd)
      this.#at = this.#afterLineEnd(lineEnd)
      return { cells: raw.split(this.separator), raw }
    }
    const record = this.#quoted(start)
    if (record === 'incomplete') {
      if (!this.#final && this.#text.length - start <= maxRecord) return undefined
      return this.#fault(start, lineEnd, quoteFaults.open)
    }
    return record ?? this.#fault(start, lineEnd, quoteFaults.behind)
  }

  /** Only the first line is given up: what follows is read as if nothing had been. */
  #fault(start: number, lineEnd: number, fault: string): CsvRecord {
    const raw = this.#text.slice(start, lineEnd)
    this.#at = this.#afterLineEnd(lineEnd)
    return { cells: raw.split(this.separator), raw, fault }
  }

  #overlong(start: number): CsvRecord | undefined {
    if (this.#text.length - start <= maxRecord) return undefined
    const raw = this.#text.slice(start, start + 1000)
    const isRest = this.#skipLine
    this.#at = this.#text.length
    this.#skipLine = true
    return isRest ? undefined : { cells: [raw], raw, fault: 'The row is larger than 16 MiB' }
  }

  /** A record with a quote in it; undefined when its quotes make no sense. */
  #quoted(start: number): CsvRecord | 'incomplete' | undefined {
    const text = this.#text
    const cells: string[] = []
    for (let at = start; ; ) {
      let end: number
      if (text[at] === '"') {
        const close = this.#closingQuote(at + 1)
        if (close === undefined) return 'incomplete'
        cells.push(text.slice(at + 1, close).replaceAll('""', '"'))
        end = close + 1
      } else {
        const lineEnd = this.#lineEnd(at)
        if (lineEnd === undefined) return 'incomplete'
        const separator = text.indexOf(this.separator, at)
        end = separator < 0 || separator > lineEnd ? lineEnd : separator
        cells.push(text.slice(at, end))
      }
      if (text.startsWith(this.separator, end)) {
        at = end + this.separator.length
        continue
      }
      if (end < text.length && text[end] !== '\n' && text[end] !== '\r') return undefined
      if (this.#lineEnd(end) === undefined) return 'incomplete'
      this.#at = this.#afterLineEnd(end)
      return { cells, raw: text.slice(start, end) }
    }
  }

  #closingQuote(from: number): number | undefined {
    for (let at = from; ; at += 2) {
      at = this.#text.indexOf('"', at)
      if (at < 0) return undefined
      // The next character tells whether it closes the cell or stands for a quote.
      if (at + 1 === this.#text.length) return this.#final ? at : undefined
      if (this.#text[at + 1] !== '"') return at
    }
  }

  /** Where the line ends that `from` is in; undefined when that is not known yet. */
  #lineEnd(from: number): number | undefined {
    this.#nextLf = this.#find('\n', from, this.#nextLf)
    this.#nextCr = this.#find('\r', from, this.#nextCr)
    const end = Math.min(this.#nextLf, this.#nextCr)
    // A carriage return at the very end may be the first half of a line end.
    const isKnown = end < this.#text.length - 1 || this.#text[end] === '\n'
    return isKnown || this.#final ? end : undefined
  }

  #afterLineEnd(end: number): number {
    return end + (this.#text.startsWith('\r\n', end) ? 2 : 1)
  }

  /** The place of the character; the length of the text when there is none. */
  #find(character: string, from: number, known: number): number {
    if (known >= from) return known
    const found = this.#text.indexOf(character, from)
    return found < 0 ? this.#text.length : found
  }
}

const mustQuote = /^[ \t]|[ \t]$|["\r\n,;\t]/

/** One record, without its line end. */
export function csvLine(cells: string[], separator = ','): string {
  return cells
    .map((cell) => (mustQuote.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
    .join(separator)
}

/** The separator that the lines are made with: the one that most of them have equally often. */
export function findSeparator(lines: string[]): string {
  const plain = lines.map((line) => line.replace(/"([^"]|"")*"/g, ''))
  const weight = (separator: string): number => {
    const counts = new Map<number, number>()
    for (const line of plain) {
      const count = line.split(separator).length - 1
      if (count > 0) counts.set(count, (counts.get(count) ?? 0) + 1)
    }
    return Math.max(0, ...[...counts].map(([count, times]) => count * times))
  }
  return [',', ';', '\t', '|'].reduce((best, next) => (weight(next) > weight(best) ? next : best))
}
