// Numbers as people type them, in the format of the browser's locale.
import { words } from '../words/index.ts'
import type { Field } from './field.ts'

export type Parsed = { value: unknown } | { fault: string }

const [group = ',', decimal = '.'] = new Intl.NumberFormat()
  .formatToParts(12_345.6)
  .filter(({ type }) => type === 'group' || type === 'decimal')
  .map(({ value }) => value)

/** A number of an attribute may have decimals. */
export function parseNumber(text: string, { attribute }: Pick<Field, 'attribute'>): Parsed {
  const plain = text
    .replaceAll(/[\s'’]/g, '')
    .replaceAll(group, '')
    .replace(decimal, '.')
  const number = /^-?\d+(\.\d+)?$/.test(plain) ? Number(plain) : Number.NaN
  if (Number.isNaN(number)) return { fault: words.fields.notNumber }
  if (!attribute && !Number.isSafeInteger(number)) return { fault: words.fields.notWhole }
  return { value: number }
}

/** A number as the text that an input starts with. */
export const plainNumber = (value: number) => String(value).replace('.', decimal)
