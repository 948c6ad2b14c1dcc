// Rows of a file as drafts of leads, and the columns that were met.
import { Pace } from '../../../../pace.ts'
import type { AttributeRow } from '../../../../references/attributes.ts'
import { RowFault } from '../../file/errors.ts'
import type { Source, SourceRow } from '../../file/row-source.ts'
import { AttributeNames } from '../columns/attribute-names.ts'
import type { Column, Mapping } from '../columns/column.ts'
import { isBare } from './finish-row.ts'
import type { Attributes, Draft, ReadRow } from './read-row.ts'
import { rowFormats } from './row-formats.ts'
import { UnknownValues } from './unknown-values.ts'

export class RowReader {
  /** In the order in which they are read: of several for one field, the best first. */
  readonly columns: Column[]
  /** Attributes that rows may have values of. */
  readonly attributes: string[]
  /** Attributes as they will be, for a dry run. */
  readonly unmade: AttributeRow[]
  readonly #read: ReadRow

  constructor(source: Source, mapping: Mapping, attributes: AttributeRow[]) {
    this.columns = mapping.columns.toSorted((a, b) => a.rank - b.rank || a.index - b.index)
    this.unmade = [...mapping.toMake, ...mapping.toExtend]
    const names = new AttributeNames([...attributes, ...mapping.toMake])
    this.#read = rowFormats[source.format].reader(
      source,
      { ...mapping, columns: this.columns },
      names,
    )
    // A row may name any of them where it has an object of attributes.
    const isAny = this.columns.some(({ target }) => target.kind === 'attributes')
    this.attributes = isAny
      ? names.ids
      : this.columns.flatMap(({ target, more }) => [
          ...(target.kind === 'attribute' ? [target.id] : []),
          ...(more && 'id' in more ? [more.id] : []),
        ])
  }

  /** `attributes` are those that the values are checked against. */
  async read(rows: SourceRow[], attributes: Attributes): Promise<ReadRows> {
    const read: ReadRows = { drafts: [], rejected: [], bare: 0, unknown: new UnknownValues() }
    const records = { attributes, unknown: read.unknown }
    const pace = new Pace()
    for (const row of rows) {
      if (pace.isDue) await pace.rest()
      try {
        const draft = this.#read(row, records)
        if (draft && isBare(draft)) read.bare++
        else if (draft) read.drafts.push(draft)
      } catch (error) {
        if (!(error instanceof RowFault)) throw error
        read.rejected.push({ row, reasons: error.reasons })
      }
    }
    return read
  }
}

export interface ReadRows {
  drafts: Draft[]
  rejected: { row: SourceRow; reasons: string[] }[]
  /** Rows that say nothing of a lead. */
  bare: number
  unknown: UnknownValues
}
