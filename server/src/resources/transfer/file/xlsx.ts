// Workbooks: the rows of one sheet as CSV, as a stream. Everything behind it reads CSV. The file format
// is a ZIP archive of XML parts. By hand, from a ZIP and an XML reader: the readers of whole workbooks
// that are kept up hold all of a sheet or of its texts as objects (over 600 MB for 100,000 rows).
import sax from 'sax'
import yauzl from 'yauzl'
import { csvLine } from './csv.ts'
import { ImportError } from './errors.ts'
import { type DateStyles, serialText } from './xlsx-values.ts'

/** Parts that are held in memory must not fill it. */
const maxTexts = 256 * 1024 * 1024

export const separatorOfSheets = ','

/** The rows of the sheet, or of the first visible one. */
export async function* sheetToCsv(path: string, sheet: string | undefined): AsyncGenerator<Buffer> {
  const archive = await openArchive(path)
  try {
    const book = await readBook(archive)
    const part = choose(book.sheets, sheet)
    const texts = book.texts ? await readTexts(archive, book.texts) : []
    let width = 0
    let number = 0
    for await (const rows of readRows(archive, part, { texts, styles: book.styles })) {
      const lines: string[] = []
      for (const row of rows) {
        // Rows without anything in them are not in the file: the others keep their number.
        for (number++; number < row.number; number++) lines.push('')
        width = Math.max(width, row.cells.length)
        lines.push(line(row.cells, width))
      }
      if (lines.length > 0) yield Buffer.from(`${lines.join('\n')}\n`)
    }
  } finally {
    archive.close()
  }
}

/** Cells at the end that are empty are not in the file either. */
function line(cells: string[], width: number): string {
  const all = Array.from({ length: width }, (_, index) => cells[index] ?? '')
  return all.every((cell) => cell === '') ? '' : csvLine(all, separatorOfSheets)
}

interface Archive {
  has(name: string): boolean
  read(name: string): Promise<AsyncIterable<Buffer>>
  close(): void
}

async function openArchive(path: string): Promise<Archive> {
  const zip = await new Promise<yauzl.ZipFile>((resolve, reject) =>
    yauzl.open(path, { lazyEntries: true, autoClose: false }, (error, file) =>
      error ? reject(notXlsx()) : resolve(file),
    ),
  )
  const entries = new Map<string, yauzl.Entry>()
  await new Promise<void>((resolve, reject) => {
    zip.on('entry', (entry: yauzl.Entry) => {
      entries.set(entry.fileName.toLowerCase(), entry)
      zip.readEntry()
    })
    zip.on('end', resolve)
    zip.on('error', () => reject(notXlsx()))
    zip.readEntry()
  }).catch((error) => {
    zip.close()
    throw error
  })
  return {
    has: (name) => entries.has(name.toLowerCase()),
    read: (name) =>
      new Promise((resolve, reject) => {
        const entry = entries.get(name.toLowerCase())
        if (!entry) return reject(notXlsx())
        zip.openReadStream(entry, (error, stream) => (error ? reject(notXlsx()) : resolve(stream)))
      }),
    close: () => zip.close(),
  }
}

const notXlsx = () =>
  new ImportError(
    'This is no XLSX file that can be read. Is it protected by a password, or of an older kind? Save it as XLSX or CSV.',
  )

type Attributes = Record<string, string>

interface Handlers {
  open?(name: string, attributes: Attributes): void
  text?(text: string): void
  close?(name: string): void
}

/** Reads an XML part. Stops wherever the caller does; what it yields are the pieces that were read. */
async function* parse(archive: Archive, name: string, handlers: Handlers): AsyncGenerator<void> {
  const parser = sax.parser(true, { position: false })
  const local = (tag: string) => tag.slice(tag.indexOf(':') + 1)
  parser.onopentag = ({ name: tag, attributes }) =>
    handlers.open?.(local(tag), attributes as Attributes)
  parser.ontext = (text) => handlers.text?.(text)
  parser.oncdata = (text) => handlers.text?.(text)
  parser.onclosetag = (tag) => handlers.close?.(local(tag))
  parser.onerror = () => {
    throw notXlsx()
  }
  const decoder = new TextDecoder()
  for await (const chunk of await archive.read(name)) {
    parser.write(decoder.decode(chunk, { stream: true }))
    yield
  }
  parser.close()
}

async function parseAll(archive: Archive, name: string, handlers: Handlers): Promise<void> {
  for await (const _ of parse(archive, name, handlers));
}

interface Sheet {
  name: string
  part: string
  isHidden: boolean
}

interface Book {
  sheets: Sheet[]
  texts: string | undefined
  styles: DateStyles
}

async function readBook(archive: Archive): Promise<Book> {
  const [main] = [...(await relations(archive, '')).values()].filter(({ type }) =>
    type.endsWith('/officeDocument'),
  )
  if (!main) throw notXlsx()
  const targets = await relations(archive, main.part)
  const sheets: Sheet[] = []
  let from1904 = false
  await parseAll(archive, main.part, {
    open(name, attributes) {
      if (name === 'workbookPr') from1904 = /^(1|true)$/.test(attributes.date1904 ?? '')
      if (name !== 'sheet') return
      const relation = targets.get(attributes['r:id'] ?? '')
      if (!relation?.type.endsWith('/worksheet')) return
      const isHidden = (attributes.state ?? 'visible') !== 'visible'
      sheets.push({ name: attributes.name ?? '', part: relation.part, isHidden })
    },
  })
  const partOf = (type: string) =>
    [...targets.values()].find((relation) => relation.type.endsWith(type))?.part
  return {
    sheets,
    texts: partOf('/sharedStrings'),
    styles: { from1904, formats: await readFormats(archive, partOf('/styles')) },
  }
}

/** What a part refers to: id → part. */
async function relations(archive: Archive, part: string) {
  const found = new Map<string, { type: string; part: string }>()
  const folder = part.slice(0, part.lastIndexOf('/') + 1)
  const name = `${folder}_rels/${part.slice(folder.length)}.rels`
  if (!archive.has(name)) throw notXlsx()
  await parseAll(archive, name, {
    open(tag, { Id, Type = '', Target = '' }) {
      if (tag !== 'Relationship' || Id === undefined) return
      found.set(Id, { type: Type, part: new URL(Target, `zip:///${folder}`).pathname.slice(1) })
    },
  })
  return found
}

/** The format of each style: its code, or the number of a built-in one. */
async function readFormats(archive: Archive, part: string | undefined): Promise<string[]> {
  const codes = new Map<string, string>()
  const formats: string[] = []
  let isInCells = false
  if (part === undefined) return formats
  await parseAll(archive, part, {
    open(name, { numFmtId = '0', formatCode = '' }) {
      if (name === 'numFmt') codes.set(numFmtId, formatCode)
      if (name === 'cellXfs') isInCells = true
      if (name === 'xf' && isInCells) formats.push(codes.get(numFmtId) ?? numFmtId)
    },
    close(name) {
      if (name === 'cellXfs') isInCells = false
    },
  })
  return formats
}

function choose(sheets: Sheet[], wanted: string | undefined): string {
  const same = (name: string) => name.trim().toLowerCase() === wanted?.trim().toLowerCase()
  const found =
    wanted === undefined
      ? (sheets.find(({ isHidden }) => !isHidden) ?? sheets[0])
      : sheets.find(({ name }) => same(name))
  if (found) return found.part
  const names = sheets.map(({ name }) => name).join(', ')
  throw new ImportError(
    wanted === undefined
      ? 'The file has no sheet.'
      : `There is no sheet "${wanted}". The file has: ${names}. Choose one: --sheet NAME.`,
  )
}

/** Texts are kept once for all cells. */
async function readTexts(archive: Archive, part: string): Promise<string[]> {
  const texts: string[] = []
  const reader = new TextReader()
  let size = 0
  await parseAll(archive, part, {
    open: (name) => reader.open(name),
    text: (text) => reader.add(text),
    close(name) {
      reader.close(name)
      if (name !== 'si') return
      const text = reader.take()
      size += text.length
      if (size > maxTexts) {
        throw new ImportError(
          'The texts of the file take more than 256 MiB. Save the sheet as CSV.',
        )
      }
      texts.push(text)
    },
  })
  return texts
}

/** Text with formats in it stands in pieces; how Japanese is read stands beside them. */
class TextReader {
  #text = ''
  #isText = false
  #isPhonetic = false

  open(name: string): void {
    if (name === 'rPh') this.#isPhonetic = true
    if (name === 't') this.#isText = !this.#isPhonetic
  }

  add(text: string): void {
    if (this.#isText) this.#text += text
  }

  close(name: string): void {
    if (name === 'rPh') this.#isPhonetic = false
    if (name === 't') this.#isText = false
  }

  take(): string {
    const text = this.#text
    this.#text = ''
    // Characters that XML cannot hold are written as _x000D_.
    return text.includes('_x')
      ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code) =>
          String.fromCharCode(Number.parseInt(code, 16)),
        )
      : text
  }
}

interface Row {
  number: number
  cells: string[]
}

/** The column of a cell: "AB12" is in column 27, counted from 0. */
function columnOf(reference: string): number {
  let column = 0
  for (const letter of reference) {
    const value = letter.charCodeAt(0) - 64
    if (value < 1 || value > 26) break
    column = column * 26 + value
  }
  return column - 1
}

/** A sheet has no more columns. */
const maxColumns = 16_384

async function* readRows(
  archive: Archive,
  part: string,
  { texts, styles }: { texts: string[]; styles: DateStyles },
): AsyncGenerator<Row[]> {
  let rows: Row[] = []
  let row: Row = { number: 0, cells: [] }
  let cell = { column: -1, type: 'n', style: 0 }
  let value = ''
  let isValue = false
  const inline = new TextReader()
  const pieces = parse(archive, part, {
    open(name, attributes) {
      if (name === 'row') row = { number: Number(attributes.r ?? row.number + 1), cells: [] }
      else if (name === 'c') {
        const column = attributes.r ? columnOf(attributes.r) : cell.column + 1
        cell = { column, type: attributes.t ?? 'n', style: Number(attributes.s ?? 0) }
        value = ''
      } else if (name === 'v') isValue = true
      else inline.open(name)
    },
    text(text) {
      if (isValue) value += text
      else inline.add(text)
    },
    close(name) {
      if (name === 'v') isValue = false
      else if (name === 'c') {
        const text = cell.type === 'inlineStr' ? inline.take() : shown(cell, value)
        if (text !== '' && cell.column < maxColumns) put(row.cells, cell.column, text)
      } else if (name === 'row') {
        rows.push(row)
        cell = { column: -1, type: 'n', style: 0 }
      } else inline.close(name)
    },
  })
  const shown = ({ type, style }: typeof cell, raw: string): string => {
    if (type === 's') return texts[Number(raw)] ?? ''
    if (type === 'b') return raw === '1' ? 'true' : 'false'
    if (type === 'e' || raw === '') return ''
    return type === 'n' ? serialText(Number(raw), style, styles) : raw
  }
  for await (const _ of pieces) {
    if (rows.length === 0) continue
    yield rows
    rows = []
  }
  if (rows.length > 0) yield rows
}

function put(cells: string[], column: number, text: string): void {
  while (cells.length < column) cells.push('')
  cells[column] = text
}
