// What a workbook says of itself: its sheets, where its texts are, and the formats of its cells.
import { type Archive, notXlsx } from './archive.ts'
import { ImportError } from './errors.ts'
import type { DateStyles } from './xlsx-values.ts'
import { readWholeXml } from './xml.ts'

/** Parts that only describe the others are small. */
const maxBytes = 64 * 1024 * 1024
const maxSheets = 1_000
const maxRelations = 10_000
/** Excel has as many. */
const maxFormats = 65_536
/** Codes are shorter; what is longer shows no date. */
const longestFormat = 255

export interface Sheet {
  name: string
  part: string
  isHidden: boolean
}

export interface Book {
  sheets: Sheet[]
  texts: string | undefined
  styles: DateStyles
}

export async function readBook(archive: Archive, signal?: AbortSignal): Promise<Book> {
  const options = { maxBytes, signal }
  const [main] = [...(await relations('')).values()].filter(({ type }) =>
    type.endsWith('/officeDocument'),
  )
  if (!main) throw notXlsx()
  const targets = await relations(main.part)
  const sheets: Sheet[] = []
  let from1904 = false
  await readWholeXml(archive, main.part, options, {
    open(name, attributes) {
      if (name === 'workbookPr') from1904 = /^(1|true)$/.test(attributes.date1904 ?? '')
      if (name !== 'sheet') return
      const relation = targets.get(attributes['r:id'] ?? '')
      if (!relation?.type.endsWith('/worksheet')) return
      if (sheets.length === maxSheets) throw tooMany('1,000 sheets')
      const isHidden = (attributes.state ?? 'visible') !== 'visible'
      sheets.push({ name: attributes.name ?? '', part: relation.part, isHidden })
    },
  })
  const partOf = (type: string) =>
    [...targets.values()].find((relation) => relation.type.endsWith(type))?.part
  const formats = await readFormats(partOf('/styles'))
  return { sheets, texts: partOf('/sharedStrings'), styles: { from1904, formats } }

  /** What a part refers to: id → part. */
  async function relations(part: string) {
    const found = new Map<string, { type: string; part: string }>()
    const folder = part.slice(0, part.lastIndexOf('/') + 1)
    const name = `${folder}_rels/${part.slice(folder.length)}.rels`
    if (!archive.has(name)) throw notXlsx()
    await readWholeXml(archive, name, options, {
      open(tag, { Id, Type = '', Target = '' }) {
        if (tag !== 'Relationship' || Id === undefined) return
        if (found.size === maxRelations) throw tooMany('10,000 parts')
        const base = `zip:///${folder}`
        // Links to other places may be anything.
        if (!URL.canParse(Target, base)) return
        found.set(Id, { type: Type, part: new URL(Target, base).pathname.slice(1) })
      },
    })
    return found
  }

  /** The format of each style: its code, or the number of a built-in one. */
  async function readFormats(part: string | undefined): Promise<string[]> {
    const codes = new Map<string, string>()
    const formats: string[] = []
    let isInCells = false
    if (part === undefined) return formats
    await readWholeXml(archive, part, options, {
      open(name, { numFmtId = '0', formatCode = '' }) {
        if (codes.size === maxFormats || formats.length === maxFormats)
          throw tooMany('65,536 formats')
        if (name === 'numFmt' && formatCode.length <= longestFormat) codes.set(numFmtId, formatCode)
        if (name === 'cellXfs') isInCells = true
        if (name === 'xf' && isInCells) formats.push(codes.get(numFmtId) ?? numFmtId)
      },
      close(name) {
        if (name === 'cellXfs') isInCells = false
      },
    })
    return formats
  }
}

const tooMany = (what: string) =>
  new ImportError(`The workbook has more than ${what}. Save the sheet as CSV.`)

/** An error names some of the sheets. */
const shownSheets = 20
const shownLength = 100

/** The sheet that is wanted, or the first visible one. */
export function chooseSheet(sheets: Sheet[], wanted: string | undefined): Sheet {
  const same = (name: string) => name.trim().toLowerCase() === wanted?.trim().toLowerCase()
  const found =
    wanted === undefined
      ? (sheets.find(({ isHidden }) => !isHidden) ?? sheets[0])
      : sheets.find(({ name }) => same(name))
  if (found) return { ...found, name: found.name.slice(0, shownLength) }
  if (wanted === undefined) throw new ImportError('The file has no sheet.')
  const names = sheets.slice(0, shownSheets).map(({ name }) => name.slice(0, shownLength))
  const more = sheets.length > shownSheets ? ', …' : ''
  throw new ImportError(
    (name) =>
      `No sheet "${wanted}". The file has: ${names.join(', ')}${more}. Choose one: ${name('sheet', 'NAME')}.`,
  )
}
