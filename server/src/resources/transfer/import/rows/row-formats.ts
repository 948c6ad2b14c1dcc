// What is special about each form of rows. Whatever else an import does is the same for all of them.
import type { Format } from '@rapport/contract/transfer'
import type { Pace } from '../../../../pace.ts'
import type { Source, SourceRow } from '../../file/row-source.ts'
import type { AttributeNames } from '../columns/attribute-names.ts'
import type { Mapping } from '../columns/column.ts'
import { csvRows } from './csv-rows.ts'
import { ndjsonRows } from './ndjson-rows.ts'
import type { Found, ReadRow } from './read-row.ts'

interface RowFormat {
  /** The first reading. A column that is `mapped` may hold anything. */
  survey(source: Source, pace: Pace, mapped: ReadonlySet<string>): Promise<Found>
  reader(source: Source, mapping: Mapping, names: AttributeNames): ReadRow
  /** Rejected rows as lines of a file that people correct and import again, and what they begin with. */
  rejectedHeader(source: Source): Buffer
  rejectedLine(source: Source, row: SourceRow, reason: string): Buffer
}

export const rowFormats: Record<Format, RowFormat> = { csv: csvRows, ndjson: ndjsonRows }
