// Attributes of the workspace, found by what a file calls them.
import { type Currency, currencies } from '@rapport/contract/money.values'
import type { AttributeRow } from '../../../../references/attributes.ts'
import { plain } from './headers.ts'

const attributePrefix = /^attributes?\s*[:.]\s*/i

/** As files for people have it: "Budget (EUR)". */
export const shownName = ({ name, currency }: AttributeRow) =>
  currency ? `${name} (${currency})` : name

/** What `shownName` says, if it is of an attribute for money. */
export function moneyIn(header: string): { name: string; currency: Currency } | undefined {
  const [, name, code] = /^(.*\S) \(([A-Z]{3})\)$/.exec(header.trim()) ?? []
  const currency = currencies.find((one) => one === code)
  return name && currency ? { name, currency } : undefined
}

/** It says that it is of an attribute: `attribute:NAME`. */
export const isPrefixed = (header: string) => attributePrefix.test(header)

/** Attributes are found by their names. The first of several wins. */
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
      for (const name of new Set([row.name, shownName(row)])) {
        const called = this.#byName.get(name)
        if (called) called.push(row)
        else this.#byName.set(name, [row])
        const letters = plain(name)
        if (letters !== '' && !this.#byPlain.has(letters)) this.#byPlain.set(letters, row)
      }
    }
  }

  /** `attribute:NAME`. */
  prefixed(header: string): AttributeRow | undefined {
    return isPrefixed(header) ? this.find(header.replace(attributePrefix, '')) : undefined
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
