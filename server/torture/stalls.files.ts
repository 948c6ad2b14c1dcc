// Files for imports that are as large, as wide or as misleading as they may be.
import { type Cell, type Parts, workbook, workbookParts, zip } from '../test/workbook.ts'

const csv = 'text/csv'
const ndjson = 'application/x-ndjson'
const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

export interface BadFile {
  type: string
  make(): string | Buffer
}

/** The most that an import takes. */
const maxColumns = 1_000

export function worstFiles(bytes: number): Record<string, BadFile> {
  const ofCsv = (make: () => string): BadFile => ({ type: csv, make })
  const ofJson = (make: () => string): BadFile => ({ type: ndjson, make })
  const ofXlsx = (make: () => Buffer): BadFile => ({ type: xlsx, make })
  const table = (columns: number, rows: number) => () =>
    `${numbered('Column number', columns).join()}\n${`${numbered('value', columns).join()}\n`.repeat(rows)}`
  const short = 'first_name,email\n'
  const half = Math.floor(bytes / 2)
  return {
    'widest CSV': ofCsv(table(maxColumns, Math.floor(bytes / (maxColumns * 10)))),
    'CSV of 20,000 columns': ofCsv(table(20_000, 3)),
    'CSV with a row of 400,000 cells': ofCsv(() => `${short}${'x,'.repeat(400_000)}\n`),
    'CSV with one long cell': ofCsv(() => `${short}"${'x'.repeat(bytes)}",a@x.example\n`),
    'CSV with an open quote': ofCsv(
      () => `${short}"${`${'x'.repeat(999)}\n`.repeat(bytes / 1000)}`,
    ),
    'CSV of quotes': ofCsv(() => `${short}"${'""'.repeat(half)}"\n`),
    'CSV of empty lines': ofCsv(() => short + '\n'.repeat(bytes)),
    'CSV of short rows': ofCsv(() => short + 'x,\n'.repeat(Math.floor(bytes / 100))),
    'NDJSON with one long line': ofJson(() => `{"first_name":"${'x'.repeat(bytes)}"}\n`),
    'NDJSON with many fields': ofJson(() =>
      `${JSON.stringify(Object.fromEntries(numbered('f', 90_000).map((name) => [name, 1])))}\n`.repeat(
        3,
      ),
    ),
    'NDJSON of brackets': ofJson(() => `${'['.repeat(bytes)}\n`),
    'widest XLSX': ofXlsx(() =>
      workbook({ Wide: Array<Cell[]>(50).fill(numbered('Name', maxColumns)) }),
    ),
    'XLSX with a far row': ofXlsx(() => sheet('<row r="200000000"><c r="A200000000"/></row>')),
    'XLSX with cells in the last column': ofXlsx(() =>
      sheet(
        numbered('', 5_000)
          .map((_, row) => lastCell(row + 3))
          .join(''),
      ),
    ),
    'XLSX with a row of 400,000 cells': ofXlsx(() =>
      sheet(`<row r="3">${'<c t="inlineStr"><is><t>x</t></is></c>'.repeat(400_000)}</row>`),
    ),
    'XLSX that is no archive': ofXlsx(() => Buffer.alloc(Math.min(bytes, 1_000_000), 'PK')),
  }
}

function numbered(word: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${word} ${index}`)
}

const lastCell = (row: number) => `<row r="${row}"><c r="XFD${row}"><v>1</v></c></row>`

/** A workbook whose sheet holds this XML. */
function sheet(rows: string): Buffer {
  const parts = workbookParts({ Sheet: [['Email'], ['a@x.example']] })
  const changed = parts.map(([name, xml]) => [
    name,
    xml.replace('</sheetData>', `${rows}</sheetData>`),
  ])
  return zip(changed as Parts, { deflate: true })
}
