// Headers for people that an import understands: the labels of fields and the names of attributes, where they mean
// nothing else.
import type { AttributeRow } from '../../../../references/attributes.ts'
import { AttributeNames, shownName } from './attribute-names.ts'
import { fieldOf, plain, typedBy } from './headers.ts'
import { foreignSlugs, systemHeaders } from './systems.ts'

export class HeaderLabels {
  readonly #names: AttributeNames

  constructor(attributes: AttributeRow[]) {
    this.#names = new AttributeNames(attributes)
  }

  /** Undefined if an attribute has this name. */
  ofField(label: string): string | undefined {
    return this.#names.find(label) ? undefined : label
  }

  /** Undefined if a field, another attribute or another system has this name. */
  ofAttribute(row: AttributeRow): string | undefined {
    const { slug } = row
    const name = shownName(row)
    const isField = fieldOf(name) !== undefined || typedBy(name) !== undefined
    const isForeign = foreignSlugs.has(slug) || systemHeaders.has(plain(name))
    const isFree = name.trim() !== '' && !isField && !isForeign && !this.#names.prefixed(name)
    return isFree && this.#names.find(name) === row ? name : undefined
  }
}
