// Numbers as people type them, in the format of the browser's locale.
import { currencies, maxDecimals, readDecimal } from '@rapport/contract/money.values'
import { digitsOf } from '../ui/currencies.ts'
import { words } from '../words/index.ts'
import type { Field } from './field.ts'

export type Parsed = { value: unknown } | { fault: string }

const [group = ',', decimal = '.'] = new Intl.NumberFormat()
  .formatToParts(12_345.6)
  .filter(({ type }) => type === 'group' || type === 'decimal')
  .map(({ value }) => value)

/** As programs write it. */
const plainText = (text: string) =>
  text
    .replaceAll(/[\s'’]/g, '')
    .replaceAll(group, '')
    .replace(decimal, '.')

/** A number of an attribute may have decimals. */
export function parseNumber(text: string, { attribute }: Pick<Field, 'attribute'>): Parsed {
  const plain = plainText(text)
  const number = /^-?\d+(\.\d+)?$/.test(plain) ? Number(plain) : Number.NaN
  if (Number.isNaN(number)) return { fault: words.fields.notNumber }
  if (!attribute && !Number.isSafeInteger(number)) return { fault: words.fields.notWhole }
  return { value: number }
}

export interface Price {
  contract_amount: number
  contract_currency: string | null
}

/**
 * An amount of money, with as many decimals as its currency has: that in the text, or else the chosen one. Null when
 * there is no text.
 */
export function readPrice(text: string, chosen: string): Price | { fault: string } | null {
  const code = /[a-z]{3}/i.exec(text)?.[0].toUpperCase()
  const plain = plainText(code ? text.replace(/[a-z]{3}/i, '') : text)
  if (plain === '' && !code) return null
  if (code && !currencies.some((known) => known === code)) {
    return { fault: words.money.unknown(code) }
  }
  const currency = code ?? chosen
  const digits = currency ? digitsOf(currency) : maxDecimals
  const contract_amount = readDecimal(plain, digits)
  if (contract_amount !== undefined) return { contract_amount, contract_currency: currency || null }
  const isNumber = readDecimal(plain, 15) !== undefined
  return { fault: isNumber ? words.money.decimals(digits, currency) : words.fields.notNumber }
}

/** A number with decimals of a condition. Undefined when it is none. */
export const readAmount = (text: string) => readDecimal(plainText(text), maxDecimals)

/** A number as the text that an input starts with. */
export const plainNumber = (value: number) => String(value).replace('.', decimal)
