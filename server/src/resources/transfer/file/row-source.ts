// The rows of a file or of a request's body, as a stream. Rows and cells are split as bytes: in every
// encoding that is read here, separators, quotes and line ends are the same bytes. The text of a cell is
// decoded when it is needed.
import { isUtf8 } from 'node:buffer'
import type { Encoding, Format } from '@rapport/contract/transfer'
import { CsvReader, findSeparator } from './csv.ts'
import { ImportError } from './errors.ts'

export interface SourceRow {
  /** As a spreadsheet counts: the header is row 1. Of NDJSON, the line. */
  number: number
  /** One for each column; of NDJSON the line. */
  cells: string[]
  raw: string
  fault?: string
}

export interface SourceOptions {
  format: Format
  encoding?: Encoding | undefined
  separator?: string | undefined
}

export interface HeaderOptions {
  /** The row of the header, when it is known already. */
  headerRow?: number
  /** How many of the cells are names of columns. Some systems write lines of text before the header. */
  countNames?(cells: string[]): number
}

/** The header is one of the first lines. */
const headLines = 20
const headBytes = 64 * 1024

const nonAscii = /[\x80-\xff]/

/** Windows-1252 where it is more than Latin-1: from 0x80 on. Not every Node's TextDecoder knows it. */
const windowsSigns = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'
export const fromWindows = (text: string) =>
  text.replace(/[\x80-\x9f]/g, (sign) => windowsSigns[sign.charCodeAt(0) - 0x80] ?? sign)

/** Some spreadsheets say the separator in a line of its own. */
const separatorLine = /^"?sep=([^\w\s"]|\t)"?$/i
const isSeparatorLine = (raw: string) => separatorLine.test(raw)

export class Source {
  readonly format: Format
  /** Of CSV; empty for NDJSON. */
  header: string[] = []
  /** The header as it stands in the file, and which row it is. */
  rawHeader = ''
  headerRow = 0
  separator: string
  /** Undefined until a character shows it. */
  encoding: Encoding | undefined
  readonly #chunks: AsyncIterator<Buffer>
  readonly #givenSeparator: boolean
  #rows: AsyncGenerator<SourceRow[]>
  #first: SourceRow[] = []

  constructor(chunks: AsyncIterable<Buffer>, options: SourceOptions) {
    this.format = options.format
    this.encoding = options.encoding
    this.#givenSeparator = options.separator !== undefined
    this.separator = options.separator ?? ','
    this.#chunks = chunks[Symbol.asyncIterator]()
    this.#rows = this.#read()
  }

  /** Reads the header. */
  async open({ headerRow, countNames }: HeaderOptions = {}): Promise<void> {
    if (this.format === 'ndjson') return
    const rows: SourceRow[] = []
    while (rows.length < headLines) {
      // By hand: leaving a loop over the generator would end it.
      const { value, done } = await this.#rows.next()
      if (done) break
      rows.push(...value.filter(({ raw }) => !isSeparatorLine(raw)))
    }
    if (rows.length === 0) throw new ImportError('The file is empty.')
    const first = rows.slice(0, headLines)
    const header =
      first.find(({ number }) => number === headerRow) ?? this.#findHeader(first, countNames)
    if (header.fault) throw new ImportError(`The header cannot be read: ${header.fault}.`)
    this.header = this.#names(header)
    if (this.header.some((name) => name.includes('\0'))) {
      throw new ImportError('The header holds NUL bytes: this is no CSV file.')
    }
    this.rawHeader = header.raw
    this.headerRow = header.number
    this.#first = rows.filter(({ number }) => number > header.number)
  }

  #names({ cells }: SourceRow): string[] {
    return cells.map((cell) => this.decode(cell)?.trim() ?? '')
  }

  /** The row with the most names of columns; where there are none, the first one as wide as most. */
  #findHeader(rows: SourceRow[], countNames: (cells: string[]) => number = () => 0): SourceRow {
    const named = rows.map((row) => countNames(this.#names(row)))
    const most = Math.max(...named)
    if (most > 0) return rows[named.indexOf(most)] as SourceRow
    const times = (width: number) => rows.filter(({ cells }) => cells.length === width).length
    const usual = rows
      .map(({ cells }) => cells.length)
      .reduce((best, width) => (times(width) > times(best) ? width : best))
    return rows.find(({ cells }) => cells.length === usual) as SourceRow
  }

  /** The rows behind the header, some at a time. Rows without anything in them are left out. */
  async *rows(): AsyncGenerator<SourceRow[]> {
    if (this.#first.length > 0) yield this.#first
    for await (const rows of this.#rows) yield rows
  }

  /** What a cell says; undefined when it is not in the encoding of the file. */
  decode(text: string): string | undefined {
    if (!nonAscii.test(text)) return text
    if (this.encoding === 'latin1') return fromWindows(text)
    const bytes = Buffer.from(text, 'latin1')
    return isUtf8(bytes) ? bytes.toString() : undefined
  }

  async *#read(): AsyncGenerator<SourceRow[]> {
    let reader: CsvReader | undefined
    let number = 0
    const toRows = (records: { cells: string[]; raw: string; fault?: string }[]) => {
      const rows: SourceRow[] = []
      for (const record of records) {
        number++
        if (record.raw === '') continue
        this.#recogniseEncoding(record.raw)
        rows.push({ number, ...record })
      }
      return rows
    }
    let head = ''
    for await (const text of this.#texts()) {
      if (!reader) {
        head += text
        reader = this.#openReader(head, false)
        if (reader) yield toRows(reader.push(head))
      } else {
        const rows = toRows(reader.push(text))
        if (rows.length > 0) yield rows
      }
    }
    if (!reader) {
      reader = this.#openReader(head, true) as CsvReader
      yield toRows(reader.push(head))
    }
    yield toRows(reader.end())
  }

  /** Once the first lines are there. */
  #openReader(head: string, isAll: boolean): CsvReader | undefined {
    if (this.format === 'ndjson') return new CsvReader('\n', { quotes: false })
    const lines = head.split(/[\r\n]+/).filter((line) => line !== '')
    if (!isAll && head.length < headBytes && lines.length <= headLines) return undefined
    if (!isAll && lines.length < 2 && head.length < 1024 * 1024) return undefined
    if (!this.#givenSeparator) {
      const said = separatorLine.exec(lines[0] ?? '')?.[1]
      this.separator = said ?? findSeparator(lines.slice(0, headLines))
    }
    return new CsvReader(this.separator)
  }

  /** The first character beyond ASCII decides: in Latin-1 it makes no sense as UTF-8. */
  #recogniseEncoding(raw: string): void {
    if (this.encoding !== undefined || !nonAscii.test(raw)) return
    const bytes = Buffer.from(raw.slice(raw.search(nonAscii)), 'latin1')
    const length = [2, 3, 4].find((size) => isUtf8(bytes.subarray(0, size)))
    this.encoding = length === undefined ? 'latin1' : 'utf-8'
  }

  /** Bytes as text of one character each, without byte order mark; UTF-16 as UTF-8. */
  async *#texts(): AsyncGenerator<string> {
    let start: Buffer = Buffer.alloc(0)
    let decoder: InstanceType<typeof TextDecoder> | undefined
    const toText = (chunk: Buffer, isLast = false): string => {
      if (!decoder) return chunk.toString('latin1')
      return Buffer.from(decoder.decode(chunk, { stream: !isLast })).toString('latin1')
    }
    let isOpen = false
    const open = (bytes: Buffer): string => {
      isOpen = true
      const mark = bytes.toString('hex', 0, 3)
      if (this.encoding === 'utf-16' || mark.startsWith('fffe') || mark.startsWith('feff')) {
        decoder = new TextDecoder(mark.startsWith('feff') ? 'utf-16be' : 'utf-16le')
        this.encoding = 'utf-16'
      } else if (mark === 'efbbbf') {
        this.encoding = 'utf-8'
        return toText(bytes.subarray(3))
      }
      return toText(bytes)
    }
    for (;;) {
      const { value, done } = await this.#chunks.next()
      if (done) break
      if (isOpen) {
        yield toText(value)
        continue
      }
      start = Buffer.concat([start, value])
      if (start.length >= 3) yield open(start)
    }
    if (!isOpen) yield open(start)
    if (decoder) yield toText(Buffer.alloc(0), true)
  }

  /** Closes the file. */
  async close(): Promise<void> {
    await this.#chunks.return?.()
  }
}
