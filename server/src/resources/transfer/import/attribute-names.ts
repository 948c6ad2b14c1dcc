// Attributes of the workspace, found by what a file calls them.
import type { AttributeRow } from '../../references/attributes.ts'
import { plain } from './headers.ts'

const attributePrefix = /^attributes?\s*[:.]\s*/i

/** Attributes are found by what they are called. */
export class AttributeNames {
  readonly #attributes: AttributeRow[]

  constructor(attributes: AttributeRow[]) {
    this.#attributes = attributes
  }

  get ids(): string[] {
    return this.#attributes.map(({ id }) => id)
  }

  /** `attribute:NAME`. */
  prefixed(header: string): AttributeRow | undefined {
    return attributePrefix.test(header) ? this.find(header.replace(attributePrefix, '')) : undefined
  }

  find(name: string): AttributeRow | undefined {
    const by = (test: (row: AttributeRow) => boolean) => this.#attributes.find(test)
    return (
      by(({ slug }) => slug === name) ??
      by(({ id }) => id === name.toLowerCase()) ??
      by((row) => row.name === name) ??
      by((row) => plain(row.name) !== '' && plain(row.name) === plain(name))
    )
  }
}
