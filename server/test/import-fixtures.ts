// Files as other systems export them, written from public descriptions of the exports. Beside each stands
// what is expected of it.
import { isUtf8 } from 'node:buffer'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import {
  CsvReader,
  type CsvRecord,
  csvLine,
  findSeparator,
} from '../src/resources/transfer/file/csv.ts'
import { fromWindows } from '../src/resources/transfer/file/row-source.ts'

const folder = join(import.meta.dirname, 'fixtures/imports')

export const importFixtures = readdirSync(folder)
  .filter((name) => name.endsWith('.csv'))
  .map((name) => name.slice(0, -4))

export interface Expected {
  [field: string]: unknown
  status?: string
  tags?: string[]
  lists?: string[]
  owners?: string[]
  notes?: string[]
  foreign_id?: { system: string; id: string }
  attributes?: Record<string, string>
}

export const contentOf = (name: string) => readFileSync(join(folder, `${name}.csv`))

/** The lead of each row, in the order of the file. */
export const expectedOf = (name: string): Expected[] =>
  JSON.parse(readFileSync(join(folder, `${name}.expected.json`), 'utf8'))

export const textOf = (bytes: Buffer) =>
  isUtf8(bytes) ? new TextDecoder().decode(bytes) : fromWindows(bytes.toString('latin1'))

export function recordsOf(text: string): { separator: string; records: CsvRecord[] } {
  const separator = findSeparator(text.split(/\r?\n/).slice(0, 20))
  const reader = new CsvReader(separator)
  const found = [...reader.push(text), ...reader.end()].flat()
  const byNumber = new Map(found.map((record) => [record.number, record]))
  // The reader omits empty lines.
  const records = Array.from(
    { length: found.at(-1)?.number ?? 0 },
    (_, index): CsvRecord => byNumber.get(index + 1) ?? { number: index + 1, cells: [''], raw: '' },
  )
  return { separator, records }
}

/**
 * The file with three rows more behind its first one, as they come out of careless hands: cut off, with a
 * cell too many, with a quote that is never closed. `whole` is how they ought to be.
 */
export function withAwkwardRows(name: string) {
  const bytes = contentOf(name)
  // As bytes: what is added has the encoding of the file.
  const text = bytes.toString('latin1')
  const { separator, records } = recordsOf(text)
  const width = Math.max(...records.map(({ cells }) => cells.length))
  const first = records.findIndex(({ cells }) => cells.length === width) + 1
  const [header, row] = [records[first - 1], records[first]]
  if (!header || !row) throw new Error(`${name} has no rows`)
  const end = text.includes('\r\n') ? '\r\n' : '\n'
  const at = text.indexOf(row.raw) + row.raw.length
  const awkward = [
    row.cells.slice(0, 2).join(separator),
    `${row.raw}${separator}one too many`,
    `"open${separator}${row.raw.replace(/["\r\n]+/g, '')}`,
  ]
  const lines = awkward.map((line) => end + line).join('')
  return {
    content: Buffer.from(text.slice(0, at) + lines + text.slice(at), 'latin1'),
    columns: header.cells.length,
    separator,
    whole: recordsOf(textOf(bytes)).records[first]?.cells ?? [],
  }
}

/** The file of the rows that were refused, each as it ought to be. It says why they were. */
export function mendRows(
  file: string,
  { columns, separator, whole }: Omit<ReturnType<typeof withAwkwardRows>, 'content'>,
): string {
  const [head, ...refused] = recordsOf(file).records
  expect(refused.map(({ cells }) => cells[0])).toEqual([
    `Has 2 cells instead of ${columns}`,
    `Has ${columns + 1} cells instead of ${columns}`,
    expect.stringMatching(/quote/),
  ])
  const mended = [head?.cells ?? [], ...refused.map(() => ['corrected', ...whole])]
  return mended.map((cells) => csvLine(cells, separator)).join('\n')
}
