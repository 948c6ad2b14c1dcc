// Attributes of the workspace, found by what a file calls them.
import type { AttributeRow } from '../../../../references/attributes.ts'
import { plain } from './headers.ts'

const attributePrefix = /^attributes?\s*[:.]\s*/i

/** Attributes are found by what they are called. The first of several wins. */
export class AttributeNames {
  readonly ids: string[]
  readonly #bySlug = new Map<string, AttributeRow>()
  readonly #byId = new Map<string, AttributeRow>()
  readonly #byName = new Map<string, AttributeRow[]>()
  readonly #byPlain = new Map<string, AttributeRow>()

  constructor(attributes: AttributeRow[]) {
    this.ids = attributes.map(({ id }) => id)
    for (const row of attributes) {
      this.#byId.set(row.id, row)
      if (!this.#bySlug.has(row.slug)) this.#bySlug.set(row.slug, row)
      const called = this.#byName.get(row.name)
      if (called) called.push(row)
      else this.#byName.set(row.name, [row])
      const name = plain(row.name)
      if (name !== '' && !this.#byPlain.has(name)) this.#byPlain.set(name, row)
    }
  }

  /** `attribute:NAME`. */
  prefixed(header: string): AttributeRow | undefined {
    return attributePrefix.test(header) ? this.find(header.replace(attributePrefix, '')) : undefined
  }

  /** The nth attribute with exactly this name: of the nth column that has it. */
  nth(name: string, nth: number): AttributeRow | undefined {
    return this.#byName.get(name)?.[nth - 1]
  }

  find(name: string): AttributeRow | undefined {
    return (
      this.#bySlug.get(name) ??
      this.#byId.get(name.toLowerCase()) ??
      this.#byName.get(name)?.[0] ??
      this.#byPlain.get(plain(name))
    )
  }
}
