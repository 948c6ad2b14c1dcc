// Numbers as people type them, in the format of the browser's locale.
import { maxDecimals, readDecimal } from '@rapport/contract/money.values'
import { type ReadNumber, readNumber } from '@rapport/contract/numbers.values'
import { digitsOf, signOf } from '../ui/currencies.ts'
import { words } from '../words/index.ts'
import type { Field } from './field.ts'

export type Parsed = { value: unknown } | { fault: string }

const example = (1250.5).toLocaleString(undefined, { minimumFractionDigits: 2 })
const decimal = (1.5).toLocaleString().includes(',') ? ',' : '.'

/** Codes of currencies may be in lower case. */
const readTyped = (text: string) =>
  readNumber(
    text.replace(/(?<!\p{L})[a-z]{3}(?!\p{L})/iu, (code) => code.toUpperCase()),
    decimal,
  )

/** "$" is that of several countries. */
const isIn = ({ sign, currency }: ReadNumber, code: string) =>
  sign === undefined || (code !== '' && (currency === code || sign === signOf(code)))

/** A number of an attribute may have decimals, and a currency if it is for money. */
export function parseNumber(text: string, { attribute }: Pick<Field, 'attribute'>): Parsed {
  const read = readTyped(text)
  if (!read || !isIn(read, attribute?.currency ?? '')) {
    return { fault: words.fields.notNumber }
  }
  if (!attribute && !Number.isSafeInteger(read.value)) return { fault: words.fields.notWhole }
  return { value: read.value }
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
  if (text.trim() === '') return null
  const read = readTyped(text)
  if (!read) return { fault: words.money.notAmount(example) }
  const currency = isIn(read, chosen) ? chosen : (read.currency ?? '')
  if (read.sign && !currency) return { fault: words.money.unknown(read.sign) }
  const digits = currency ? digitsOf(currency) : maxDecimals
  const contract_amount = readDecimal(read.plain, digits)
  if (contract_amount !== undefined) return { contract_amount, contract_currency: currency || null }
  return { fault: words.money.decimals(digits, currency) }
}

/** A number with decimals of a condition, which knows no currency. Undefined when it is none. */
export function readAmount(text: string): number | undefined {
  const read = readTyped(text)
  return read && read.sign === undefined ? readDecimal(read.plain, maxDecimals) : undefined
}

/** A number as the text that an input starts with. */
export const plainNumber = (value: number) => String(value).replace('.', decimal)
