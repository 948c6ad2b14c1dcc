// Rows of a file as drafts of leads, and the columns that were met.
import type { AttributeRow } from '../../references/attributes.ts'
import type { Source, SourceRow } from '../file/row-source.ts'
import { AttributeNames } from './attribute-names.ts'
import type { Column, Mapping } from './columns.ts'
import type { Catalogue } from './known-records.ts'
import { type Draft, type JsonColumns, readCsvRow, readJsonRow } from './read-row.ts'

export class RowReader {
  /** In the order in which they are read: of several for one field, the best first. */
  readonly columns: Column[]
  readonly #source: Source
  readonly #mapping: Mapping
  readonly #json: JsonColumns
  readonly #names: AttributeNames

  constructor(source: Source, mapping: Mapping, attributes: AttributeRow[]) {
    this.#source = source
    this.columns = inOrder(mapping.columns)
    this.#mapping = { ...mapping, columns: this.columns }
    this.#names = new AttributeNames([...attributes, ...mapping.toMake])
    const byKey = new Map(mapping.columns.map((column) => [column.header, column]))
    this.#json = {
      columnOf: (key) => byKey.get(key),
      system: mapping.system,
      names: this.#names,
    }
  }

  /** Attributes that rows may have values of. */
  get attributes(): string[] {
    // A line of NDJSON may have any.
    if (this.#source.format === 'ndjson') return this.#names.ids
    return this.columns.flatMap(({ target, more }) => [
      ...(target.kind === 'attribute' ? [target.id] : []),
      ...(more ? [more.id] : []),
    ])
  }

  /** Attributes as they will be, for a dry run. */
  get unmade(): AttributeRow[] {
    return [...this.#mapping.toMake, ...this.#mapping.toExtend]
  }

  read(row: SourceRow, { attributes }: Catalogue): Draft | undefined {
    if (this.#source.format === 'csv') {
      return readCsvRow(this.#source, row, this.#mapping, attributes)
    }
    return readJsonRow(this.#source, row, this.#json, attributes)
  }
}

/** Own names say more than "Name", and the best column of a field comes first. */
function inOrder(columns: Column[]): Column[] {
  return columns.toSorted((a, b) => a.rank - b.rank || a.index - b.index)
}
