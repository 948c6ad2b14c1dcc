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

  /** The nth attribute with exactly this name: of the nth column that has it. */
  nth(name: string, nth: number): AttributeRow | undefined {
    return this.#attributes.filter((row) => row.name === name)[nth - 1]
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
