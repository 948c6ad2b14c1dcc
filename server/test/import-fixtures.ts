// Files as other systems export them, written from public descriptions of the exports. Beside each stands
// what is expected of it.
import { isUtf8 } from 'node:buffer'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CsvReader, type CsvRecord, findSeparator } from '../src/resources/transfer/file/csv.ts'
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
