// Rows of NDJSON: an object on each line.
import type { Definitions } from '@rapport/contract/transfer.lines'
import type { Pace } from '../../../../pace.ts'
import { counted } from '../../../../words.ts'
import { ImportError, RowFault } from '../../file/errors.ts'
import { maxColumns } from '../../file/limits.ts'
import type { Source, SourceRow } from '../../file/row-source.ts'
import type { AttributeNames } from '../columns/attribute-names.ts'
import type { Column, Mapping, Surveyed } from '../columns/column.ts'
import type { Known } from '../columns/headers.ts'
import { ColumnProfile } from '../columns/profile.ts'
import { parseJson, shown } from '../values/read-values.ts'
import { finish } from './finish-row.ts'
import { readDefinitions } from './read-records.ts'
import {
  collect,
  type Found,
  putText,
  putTyped,
  type Reading,
  type ReadRow,
  startReading,
} from './read-row.ts'

async function survey(source: Source, pace: Pace): Promise<Found> {
  const columns = new Map<string, ColumnProfile>()
  const known = new Map<string, Known>()
  let definitions: Definitions | undefined
  let rows = 0
  let lastRow = 0
  for await (const batch of source.rows()) {
    for (const row of batch) {
      if (pace.isDue) await pace.rest()
      rows++
      lastRow = row.number
      for (const [key, value] of readableEntries(source, row)) {
        const defined = key === 'definitions' ? readDefinitions(value) : undefined
        if (defined) {
          definitions = defined
          continue
        }
        if (key === 'reminders' && Array.isArray(value)) known.set(key, { kind: 'reminders' })
        let profile = columns.get(key)
        if (!profile) {
          if (columns.size === maxColumns) throw tooManyKeys(row.number)
          profile = new ColumnProfile()
          columns.set(key, profile)
        }
        const isScalar = typeof value === 'string' || typeof value === 'number'
        if (isScalar && String(value).trim() !== '') profile.add(String(value).trim())
      }
    }
  }
  const surveyed = [...columns].map(
    ([header, profile]): Surveyed => ({ header, profile, known: known.get(header) }),
  )
  return { columns: surveyed, rows, lastRow, otherLines: 0, separator: undefined, definitions }
}

function tooManyKeys(line: number): ImportError {
  return new ImportError(
    `Line ${line}: so far, the lines have more than ${counted(maxColumns, 'different key')}. Remove those you do not need, or split the file.`,
  )
}

function readableEntries(source: Source, row: SourceRow): [string, unknown][] {
  try {
    return entriesOf(parse(source, row))
  } catch (error) {
    if (!(error instanceof RowFault)) throw error
    // The row is rejected when it is imported.
    return []
  }
}

function reader(source: Source, { columns, system }: Mapping, names: AttributeNames): ReadRow {
  const byKey = new Map(columns.map((column) => [column.header, column]))
  return (row, records) => {
    const reading = startReading(row, records, system)
    let isEmpty = true
    for (const [key, value] of entriesOf(parse(source, row))) {
      const column = byKey.get(key)
      if (!column || column.target.kind === 'ignored') continue
      isEmpty = false
      collect(reading, () => {
        if (column.target.kind === 'attributes') readAttributes(reading, column, value, names)
        else if (typeof value === 'string' && value.trim() !== '' && !system?.isOurs) {
          putText(reading, column, value.trim())
        } else putTyped(reading, column, value)
      })
    }
    if (isEmpty) throw new RowFault('Has none of the imported fields')
    return finish(reading)
  }
}

const noObject = 'Not a JSON object'

function parse(source: Source, { raw, fault }: SourceRow): object {
  if (fault) throw new RowFault(fault)
  const line = source.decode(raw)
  if (line === undefined) throw new RowFault('Not valid UTF-8')
  const value = parseJson(line)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new RowFault(noObject)
}

/** The fields of an object, which may be as many as a file may have columns. */
function entriesOf(object: object): [string, unknown][] {
  const entries = Object.entries(object)
  if (entries.length > maxColumns) throw new RowFault(`Has more than ${counted(maxColumns, 'key')}`)
  return entries
}

function readAttributes(
  reading: Reading,
  column: Column,
  value: unknown,
  names: AttributeNames,
): void {
  if (typeof value !== 'object' || value === null) throw new RowFault('attributes: not an object')
  for (const [key, item] of entriesOf(value)) {
    collect(reading, () => {
      const found = names.find(key)
      if (!found) throw new RowFault(`No attribute ${shown(key)}`)
      const { id, slug } = found
      putTyped(reading, column, item, { kind: 'attribute', id, slug })
    })
  }
}

/** The reason is the first key. A line that is no object becomes the text of one. */
function rejectedLine(source: Source, { raw }: SourceRow, reason: string): Buffer {
  const end = raw.trimEnd()
  const isObject = /^\s*\{.*\}$/s.test(end) && reason !== noObject
  const said = `"reason":${JSON.stringify(reason)}`
  if (!isObject) {
    return Buffer.from(`{${said},"text":${JSON.stringify(source.decode(raw) ?? raw)}}\n`)
  }
  const comma = /^\s*\{\s*\}$/.test(end) ? '' : ','
  return source.toUtf8(`{${said}${comma}`, end.slice(end.indexOf('{') + 1))
}

export const ndjsonRows = { survey, reader, rejectedHeader: () => Buffer.alloc(0), rejectedLine }
