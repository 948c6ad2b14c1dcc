// Workbooks: the rows of one sheet as CSV, as a stream. Everything after it reads CSV. The file format
// is a ZIP archive of XML parts. By hand, from a ZIP and an XML reader: the readers of whole workbooks
// that are maintained hold a whole sheet or its texts as objects (over 600 MB for 100,000 rows).

import type { FileHandle } from 'node:fs/promises'
import { maxFileBytes } from '@rapport/contract/transfer.values'
import { counted, limitInBytes } from '../../../words.ts'
import { Archive, notXlsx } from './archive.ts'
import { csvLine } from './csv.ts'
import { ImportError } from './errors.ts'
import { maxColumns, maxRowBytes } from './limits.ts'
import { SharedTexts, TextReader } from './shared-texts.ts'
import { type Book, chooseSheet, readBook, type Sheet } from './xlsx-book.ts'
import { serialText } from './xlsx-values.ts'
import { readXml } from './xml.ts'

/** How the CSV is written. */
export const formOfSheets = { encoding: 'utf-8', separator: ',', isRagged: true } as const

/** The end of a sheet in every spreadsheet program. */
const lastRow = 1_048_576
const lastColumn = 16_384
const maxSheetBytes = 1024 * 1024 * 1024
/** Texts of many cells may be one text of the file: as CSV they are no longer. */
const maxCsvBytes = maxFileBytes

/**
 * The rows of the sheet, or of the first visible one. Rows without anything in them are empty lines, so
 * that the others keep their number, and empty cells at the end of a row are omitted.
 */
export async function* sheetToCsv(
  file: FileHandle,
  wanted: string | undefined,
  signal?: AbortSignal,
): AsyncGenerator<Buffer> {
  const archive = await Archive.open(file)
  const book = await readBook(archive, signal)
  const sheet = chooseSheet(book.sheets, wanted)
  const texts = await SharedTexts.read(archive, book.texts, signal)
  const reader = new RowReader(sheet, texts, book.styles)
  let number = 0
  let bytes = 0
  for await (const _ of readXml(archive, sheet.part, { maxBytes: maxSheetBytes, signal }, reader)) {
    let text = ''
    for (const row of reader.take()) {
      text += `${'\n'.repeat(row.number - number - 1)}${csvLine(row.cells, formOfSheets.separator)}\n`
      number = row.number
    }
    const chunk = Buffer.from(text)
    bytes += chunk.length
    if (bytes > maxCsvBytes) {
      throw new ImportError(
        `Sheet "${sheet.name}", row ${number}: so far, the sheet is larger than ${limitInBytes(maxCsvBytes)} as CSV. Split it.`,
      )
    }
    if (chunk.length > 0) yield chunk
    if (reader.isDone) return
  }
}

interface Row {
  number: number
  cells: string[]
  /** Also those without anything in them. */
  count: number
  size: number
}

/** Takes the rows out of the XML of a sheet. */
class RowReader {
  /** The end of the rows: what follows is only formatting. */
  isDone = false
  readonly #sheet: Sheet
  readonly #texts: SharedTexts
  readonly #styles: Book['styles']
  readonly #inline: TextReader
  #rows: Row[] = []
  #row: Row | undefined
  #number = 0
  #column = -1
  #type = 'n'
  #style = 0
  #value = ''
  #isValue = false

  constructor(sheet: Sheet, texts: SharedTexts, styles: Book['styles']) {
    this.#sheet = sheet
    this.#texts = texts
    this.#styles = styles
    this.#inline = new TextReader((limit) =>
      this.#fault(`The cell has more than ${limit} of text.`),
    )
  }

  /** The rows that are complete and have something in them. */
  take(): Row[] {
    const rows = this.#rows
    this.#rows = []
    return rows
  }

  open(name: string, { r, t = 'n', s = '0' }: Record<string, string>): void {
    if (name === 'row') this.#openRow(r)
    else if (name === 'c') {
      this.#openCell(r)
      this.#type = t
      this.#style = Number(s)
      this.#value = ''
    } else if (name === 'v') this.#isValue = true
    else this.#inline.open(name)
  }

  text(text: string): void {
    if (this.#isValue) this.#value += text
    else this.#inline.add(text)
    if (this.#value.length > maxRowBytes)
      throw this.#fault(`The cell is larger than ${limitInBytes(maxRowBytes)}.`)
  }

  close(name: string): void {
    if (name === 'v') this.#isValue = false
    else if (name === 'c') this.#put(this.#shown())
    else if (name === 'row') {
      if (this.#row && this.#row.cells.length > 0) this.#rows.push(this.#row)
      this.#row = undefined
    } else if (name === 'sheetData') this.isDone = true
    else this.#inline.close(name)
  }

  #openRow(reference: string | undefined): void {
    if (this.#row) throw notXlsx()
    const number = reference === undefined ? this.#number + 1 : Number(reference)
    const before = this.#number
    this.#number = number
    this.#column = -1
    if (!/^\d{1,7}$/.test(reference ?? '1') || number < 1 || number > lastRow) {
      this.#number = before
      const shown = (reference ?? String(number)).slice(0, 20)
      throw new ImportError(
        `Sheet "${this.#sheet.name}": row ${JSON.stringify(shown)} follows row ${before}, but a sheet has rows 1 to 1,048,576. ${saveAgain}`,
      )
    }
    if (number <= before) {
      throw new ImportError(
        `Sheet "${this.#sheet.name}": row ${number} comes after row ${before}. ${saveAgain}`,
      )
    }
    this.#row = { number, cells: [], count: 0, size: 0 }
  }

  #openCell(reference: string | undefined): void {
    if (!this.#row) throw notXlsx()
    const column = reference === undefined ? this.#column + 1 : columnOf(reference)
    if (column === undefined) {
      const shown = JSON.stringify((reference ?? '').slice(0, 20))
      throw this.#fault(`${shown} is not a cell of a sheet. ${saveAgain}`)
    }
    this.#column = column
    if (column >= lastColumn || ++this.#row.count > lastColumn) {
      throw this.#fault(`A row has at most ${lastColumn.toLocaleString('en')} cells. ${saveAgain}`)
    }
  }

  #put(text: string): void {
    if (text === '' || !this.#row) return
    const { cells } = this.#row
    if (this.#column >= maxColumns) {
      throw this.#fault(
        `A file may have up to ${counted(maxColumns, 'column')}. Delete those you do not need, or move this one to the left.`,
      )
    }
    while (cells.length < this.#column) cells.push('')
    cells[this.#column] = text
    this.#row.size += text.length
    if (this.#row.size > maxRowBytes)
      throw this.#fault(`So far, the row is larger than ${limitInBytes(maxRowBytes)}.`)
  }

  /** The cell as text. */
  #shown(): string {
    const raw = this.#value
    switch (this.#type) {
      case 'inlineStr':
        return this.#inline.take()
      case 's':
        return raw === '' ? '' : this.#texts.get(Number(raw))
      case 'b':
        return raw === '1' ? 'true' : 'false'
      case 'e':
        return ''
      case 'n':
        return raw === '' ? '' : serialText(Number(raw), this.#style, this.#styles)
      default:
        return raw
    }
  }

  /** Names the place. */
  #fault(message: string): ImportError {
    const column = nameOf(Math.max(0, this.#column))
    return new ImportError(
      `Sheet "${this.#sheet.name}", row ${this.#number}, column ${column}: ${message}`,
    )
  }
}

const saveAgain = 'Open the file in a spreadsheet program and save it again, or save it as CSV.'

/** The column of a cell: "AB12" is in column 27, counted from 0. Undefined when it is none. */
function columnOf(reference: string): number | undefined {
  const letters = /^([A-Z]{1,3})\d{0,7}$/.exec(reference)?.[1]
  if (letters === undefined) return undefined
  let column = 0
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}

/** A, B, … Z, AA, AB, … */
function nameOf(column: number): string {
  const letter = String.fromCharCode(65 + (column % 26))
  return column < 26 ? letter : nameOf(Math.floor(column / 26) - 1) + letter
}
