// The rows of a file or of a request's body, as a stream. Rows and cells are split as bytes: in every
// encoding that is read here, separators, quotes and line ends are the same bytes. The text of a cell is
// decoded when it is needed.
import { isUtf8 } from 'node:buffer'
import type { Encoding, Format } from '@rapport/contract/transfer'
import { Pace } from '../../../pace.ts'
import { counted, limitInBytes } from '../../../words.ts'
import { CsvReader, type CsvRecord, findSeparator, tooManyCells } from './csv.ts'
import { ImportError } from './errors.ts'
import { unguard } from './guard.ts'
import { maxColumns } from './limits.ts'
import { reasonColumn } from './names.ts'

/** Its number is that of a spreadsheet: the header is row 1. In NDJSON, a line is a row with one cell. */
export type SourceRow = CsvRecord

export interface SourceOptions {
  format: Format
  encoding?: Encoding | undefined
  separator?: string | undefined
  /** Rows end with their last cell that is not empty, like those of a sheet. */
  isRagged?: boolean | undefined
  signal?: AbortSignal | undefined
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
/** A header consists of names: anything larger is something else. */
const maxHeader = 256 * 1024

const nonAscii = /[\x80-\xff]/

/** Windows-1252 where it is more than Latin-1: from 0x80 on. Not every Node's TextDecoder knows it. */
const windowsSigns = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'
export const fromWindows = (text: string) =>
  text.replace(/[\x80-\x9f]/g, (sign) => windowsSigns[sign.charCodeAt(0) - 0x80] ?? sign)

/** Some spreadsheets name the separator in a separate line. */
const separatorLine = /^"?sep=([^\w\s"]|\t)"?$/i
const isSeparatorLine = (raw: string) => separatorLine.test(raw)

export class Source {
  readonly format: Format
  /** Of CSV; empty for NDJSON. */
  header: string[] = []
  /** The header as it is in the file, and its row number. */
  rawHeader: SourceRow | undefined
  headerRow = 0
  separator: string
  /** Undefined until a character shows it. */
  encoding: Encoding | undefined
  readonly #chunks: AsyncIterator<Buffer>
  readonly isRagged: boolean
  readonly #givenSeparator: boolean
  readonly #pace: Pace
  #rows: AsyncGenerator<SourceRow[]>
  #first: SourceRow[] = []

  constructor(chunks: AsyncIterable<Buffer>, options: SourceOptions) {
    this.format = options.format
    this.encoding = options.encoding
    this.isRagged = options.isRagged ?? false
    this.#pace = new Pace(options.signal)
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
      // Without a loop: leaving it would end the generator.
      const { value, done } = await this.#rows.next()
      if (done) break
      rows.push(...value.filter(({ raw }) => !isSeparatorLine(raw)))
    }
    if (rows.length === 0) throw new ImportError('The file is empty.')
    const first = rows.slice(0, headLines)
    const header =
      first.find(({ number }) => number === headerRow) ??
      (await this.#findHeader(first, countNames))
    this.#requireHeader(header)
    this.header = this.#names(header)
    if (this.header.some((name) => name.includes('\0'))) {
      throw new ImportError('The header contains NUL bytes, so this is not a CSV file.')
    }
    this.rawHeader = header
    this.headerRow = header.number
    this.#first = rows.filter(({ number }) => number > header.number)
  }

  #requireHeader({ number, cells, raw, fault }: SourceRow): void {
    const columns = cells[0] === reasonColumn ? cells.length - 1 : cells.length
    if (fault === tooManyCells || columns > maxColumns) {
      throw new ImportError(
        `Row ${number}, the header, has more than ${counted(maxColumns, 'column')}. Delete those you do not need, or split the file.`,
      )
    }
    if (fault) throw new ImportError(`The header cannot be read: ${fault}.`)
    if (raw.length > maxHeader) {
      throw new ImportError(
        `Row ${number} is the header but is larger than ${limitInBytes(maxHeader)}. Start the file with a row of column names.`,
      )
    }
  }

  #names({ cells }: SourceRow): string[] {
    return cells.map((cell) => this.textOf(cell)?.trim() ?? '')
  }

  /** The row with the most column names; if there are none, the first one that is as wide as most. */
  async #findHeader(
    rows: SourceRow[],
    countNames: (cells: string[]) => number = () => 0,
  ): Promise<SourceRow> {
    const named = await this.#pace.map(rows, (row) =>
      row.raw.length > maxHeader ? 0 : countNames(this.#names(row)),
    )
    const most = Math.max(...named)
    if (most > 0) return rows[named.indexOf(most)] as SourceRow
    const times = (width: number) => rows.filter(({ cells }) => cells.length === width).length
    const usual = rows
      .map(({ cells }) => cells.length)
      .reduce((best, width) => (times(width) > times(best) ? width : best))
    return rows.find(({ cells }) => cells.length === usual) as SourceRow
  }

  /** The rows after the header, some at a time. Empty rows are omitted. */
  async *rows(): AsyncGenerator<SourceRow[]> {
    if (this.#first.length > 0) yield this.#first
    for await (const rows of this.#rows) yield rows
  }

  /** The text of a cell; undefined if it is not in the encoding of the file. */
  textOf(cell: string): string | undefined {
    const text = this.decode(cell)
    return text === undefined ? undefined : unguard(text)
  }

  /** The bytes of the file as text; undefined when they are not in its encoding. */
  decode(text: string): string | undefined {
    if (!nonAscii.test(text)) return text
    if (this.encoding === 'latin1') return fromWindows(text)
    const bytes = Buffer.from(text, 'latin1')
    return isUtf8(bytes) ? bytes.toString() : undefined
  }

  /** A line in UTF-8; bytes that are not in the encoding of the file stay as they are. */
  toUtf8(start: string, raw: string): Buffer {
    const text = this.decode(raw)
    const rest = text === undefined ? Buffer.from(raw, 'latin1') : Buffer.from(text)
    return Buffer.concat([Buffer.from(start), rest, Buffer.from('\n')])
  }

  async *#read(): AsyncGenerator<SourceRow[]> {
    let reader: CsvReader | undefined
    let head = ''
    for await (const text of this.#texts()) {
      let next = text
      if (!reader) {
        head += text
        reader = this.#openReader(head, false)
        if (!reader) continue
        next = head
      }
      yield* this.#recognized(reader.push(next))
    }
    if (!reader) {
      reader = this.#openReader(head, true) as CsvReader
      yield* this.#recognized(reader.push(head))
    }
    yield* this.#recognized(reader.end())
  }

  async *#recognized(batches: Iterable<SourceRow[]>): AsyncGenerator<SourceRow[]> {
    for (const rows of batches) {
      for (const { raw } of rows) this.#recognizeEncoding(raw)
      yield rows
      if (this.#pace.isDue) await this.#pace.rest()
    }
  }

  /** Once the first lines have been read. */
  #openReader(head: string, isAll: boolean): CsvReader | undefined {
    if (this.format === 'ndjson') return new CsvReader('\n', { quotes: false })
    const lines = head.split(/[\r\n]+/).filter((line) => line !== '')
    if (!isAll && head.length < headBytes && lines.length <= headLines) return undefined
    if (!isAll && lines.length < 2 && head.length < 1024 * 1024) return undefined
    if (!this.#givenSeparator) {
      const said = separatorLine.exec(lines[0] ?? '')?.[1]
      // The last line may continue: a quote in it may be closed later.
      const whole = isAll || lines.length < 2 ? lines : lines.slice(0, -1)
      this.separator = said ?? findSeparator(whole.slice(0, headLines))
    }
    return new CsvReader(this.separator)
  }

  /** The first non-ASCII character decides: in Latin-1 it is invalid UTF-8. */
  #recognizeEncoding(raw: string): void {
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
