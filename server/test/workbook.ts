// A small XLSX file for tests: texts, numbers, dates and flags.
import { crc32, deflateRawSync } from 'node:zlib'

/** A date is the number of days that a workbook counts, with the format of a date. */
export type Cell = string | number | boolean | { days: number; format?: number } | null

const types = 'http://schemas.openxmlformats.org'
const encoded = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** The name and the rows of each sheet. A sheet whose name begins with a point is hidden. */
export function workbook(sheets: Record<string, Cell[][]>): Buffer {
  return zip(workbookParts(sheets))
}

/** The parts of the archive: name and content. */
export type Parts = [name: string, content: string][]

export function workbookParts(sheets: Record<string, Cell[][]>): Parts {
  const texts: string[] = []
  const shared = (text: string) => {
    const index = texts.indexOf(text)
    return index >= 0 ? index : texts.push(text) - 1
  }
  const cellXml = (cell: Cell, reference: string): string => {
    if (cell === null) return ''
    if (typeof cell === 'string') return `<c r="${reference}" t="s"><v>${shared(cell)}</v></c>`
    if (typeof cell === 'boolean') return `<c r="${reference}" t="b"><v>${Number(cell)}</v></c>`
    if (typeof cell === 'number') return `<c r="${reference}"><v>${cell}</v></c>`
    return `<c r="${reference}" s="${cell.format ?? 1}"><v>${cell.days}</v></c>`
  }
  const names = Object.keys(sheets)
  const parts = names.map((name, index) => {
    const rows = (sheets[name] ?? []).map((cells, row) => {
      const xml = cells.map((cell, column) => cellXml(cell, `${columnName(column)}${row + 1}`))
      return cells.length > 0 ? `<row r="${row + 1}">${xml.join('')}</row>` : ''
    })
    const content = `<worksheet xmlns="${types}/spreadsheetml/2006/main"><sheetData>${rows.join('')}</sheetData></worksheet>`
    return [`xl/worksheets/sheet${index + 1}.xml`, content] as Parts[number]
  })
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${types}/officeDocument/2006/relationships/${type}" Target="${target}"/>`
  const relations = (entries: string[]) =>
    `<Relationships xmlns="${types}/package/2006/relationships">${entries.join('')}</Relationships>`
  const sheetList = names.map(
    (name, index) =>
      `<sheet name="${encoded(name)}" sheetId="${index + 1}" r:id="r${index + 1}"${name.startsWith('.') ? ' state="hidden"' : ''}/>`,
  )
  return [
    ['_rels/.rels', relations([relation('r1', 'officeDocument', 'xl/workbook.xml')])],
    [
      'xl/workbook.xml',
      `<workbook xmlns="${types}/spreadsheetml/2006/main" xmlns:r="${types}/officeDocument/2006/relationships"><sheets>${sheetList.join('')}</sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      relations([
        ...names.map((_, index) =>
          relation(`r${index + 1}`, 'worksheet', `worksheets/sheet${index + 1}.xml`),
        ),
        relation('s', 'styles', '/xl/styles.xml'),
        relation('t', 'sharedStrings', 'sharedStrings.xml'),
      ]),
    ],
    [
      'xl/styles.xml',
      `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy\\ hh:mm;@"/><numFmt numFmtId="165" formatCode="#,##0.00\\ &quot;days&quot;"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>`,
    ],
    [
      'xl/sharedStrings.xml',
      `<sst>${texts.map((text) => `<si><r><t xml:space="preserve">${encoded(text.slice(0, 1))}</t></r><r><t xml:space="preserve">${encoded(text.slice(1))}</t></r><rPh><t>kana</t></rPh></si>`).join('')}</sst>`,
    ],
    ...parts,
  ]
}

/** A, B, … Z, AA, AB, … */
function columnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26))
  return index < 26 ? letter : columnName(Math.floor(index / 26) - 1) + letter
}

export interface ZipOptions {
  deflate?: boolean
  /** The size that the archive says a part has. */
  claim?(name: string): number | undefined
}

export function zip(files: Parts, { deflate = false, claim }: ZipOptions = {}): Buffer {
  const bodies: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const [name, text] of files) {
    const plain = Buffer.from(text)
    const content = deflate ? deflateRawSync(plain) : plain
    const title = Buffer.from(name)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(deflate ? 8 : 0, 4)
    common.writeUInt32LE(crc32(plain), 10)
    common.writeUInt32LE(content.length, 14)
    common.writeUInt32LE(claim?.(name) ?? plain.length, 18)
    common.writeUInt16LE(title.length, 22)
    bodies.push(Buffer.from('PK\x03\x04', 'latin1'), common, title, content)
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(at, 10)
    directory.push(Buffer.from('PK\x01\x02\x14\0', 'latin1'), common, rest, title)
    at += 30 + title.length + content.length
  }
  const end = Buffer.alloc(18)
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  end.writeUInt16LE(files.length, 4)
  end.writeUInt16LE(files.length, 6)
  end.writeUInt32LE(size, 8)
  end.writeUInt32LE(at, 12)
  return Buffer.concat([...bodies, ...directory, Buffer.from('PK\x05\x06', 'latin1'), end])
}
