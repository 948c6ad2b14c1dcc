// Rows of a file as drafts of leads, and the columns that were met.
import type { AttributeRow } from '../../../../references/attributes.ts'
import type { Source, SourceRow } from '../../file/row-source.ts'
import { AttributeNames } from '../columns/attribute-names.ts'
import type { Column, Mapping } from '../columns/column.ts'
import type { Catalog } from './known-records.ts'
import type { Draft, ReadRow } from './read-row.ts'
import { rowFormats } from './row-formats.ts'

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

  read(row: SourceRow, catalog: Catalog): Draft | undefined {
    return this.#read(row, catalog)
  }
}
