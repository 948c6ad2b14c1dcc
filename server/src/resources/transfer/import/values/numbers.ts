// Numbers and amounts in the ways people write them: 1,234.56 and 1.234,56, with or without a currency.
import { currencies } from '@rapport/contract/money.values'

export type Decimal = '.' | ','

export interface ReadNumber {
  value: number
  /** The code of the currency that is next to it; '' for one that the service does not know. */
  currency?: string
}

const signs: Record<string, string> = {
  '€': 'EUR',
  $: 'USD',
  US$: 'USD',
  '£': 'GBP',
  '¥': 'JPY',
  '₹': 'INR',
  zł: 'PLN',
  A$: 'AUD',
  CA$: 'CAD',
  'Fr.': 'CHF',
  kr: '',
}

const money =
  /^([-+(]?)\s*([A-Z]{0,3}\p{Sc}|[A-Z]{3}|Fr\.|kr)?\s*([-+]?)([\d.,'’ \u00a0\u202f]*\d|\d)\s*([A-Z]{0,3}\p{Sc}|[A-Z]{3}|zł|kr|Fr\.)?\)?$/u
const scientific = /^[+-]?\d+(\.\d+)?e[+-]?\d+$/i
const simple = /^[+-]?\d{1,15}$/

/** Which sign the text uses for decimals; 'either' when it can be both; undefined when it has none. */
export function decimalOf(text: string): Decimal | 'either' | undefined {
  if (simple.test(text) || text.length > 100) return undefined
  const digits = money.exec(text.trim())?.[4]
  return digits === undefined ? undefined : decimalIn(digits)
}

function decimalIn(digits: string): Decimal | 'either' | undefined {
  const point = digits.lastIndexOf('.')
  const comma = digits.lastIndexOf(',')
  if (point >= 0 && comma >= 0) return point > comma ? '.' : ','
  if (point < 0 && comma < 0) return undefined
  const sign = point >= 0 ? '.' : ','
  const other = sign === '.' ? ',' : '.'
  if (digits.indexOf(sign) !== Math.max(point, comma)) return other
  const [before = '', after = ''] = digits.split(sign)
  if (
    after.length !== 3 ||
    before.length > 3 ||
    /^0|['’ \u00a0\u202f]/.test(before) ||
    before === ''
  ) {
    return sign
  }
  return 'either'
}

/** The number, or undefined when it is none. `decimal` is the sign of the column. */
export function readNumber(cell: string, decimal: Decimal | undefined): ReadNumber | undefined {
  const text = cell.trim()
  // Numbers are shorter, and the pattern would take long for long texts.
  if (text.length > 100) return undefined
  if (simple.test(text)) return { value: Number(text) }
  if (scientific.test(text)) return { value: Number(text) }
  const parts = money.exec(text)
  if (!parts) return undefined
  const [, outer = '', before, inner = '', digits = '', after] = parts
  const own = decimalIn(digits)
  const sign = own === 'either' ? decimal : own
  if (own === 'either' && sign === undefined) return undefined
  const whole = sign ? digits.slice(0, digits.lastIndexOf(sign)) : digits
  const hasFraction = sign !== undefined && digits.includes(sign)
  const fraction = hasFraction ? digits.slice(digits.lastIndexOf(sign) + 1) : ''
  const integer = hasFraction ? whole : digits
  // Groups have three digits: "1,2,3" is a list and no number. In India the later ones have two.
  if (
    !/^\d*$/.test(integer) &&
    !/^\d{1,3}([.,'’ \u00a0\u202f]\d{2,3})*[.,'’ \u00a0\u202f]\d{3}$/.test(integer)
  ) {
    return undefined
  }
  if (!/^\d*$/.test(fraction)) return undefined
  const value = Number(`${integer.replace(/\D/g, '') || '0'}.${fraction || '0'}`)
  const isNegative = outer === '(' || outer === '-' || inner === '-'
  const currency = before ?? after
  return {
    value: isNegative ? -value : value,
    ...(currency !== undefined && { currency: codeOf(currency) }),
  }
}

function codeOf(text: string): string {
  const code = signs[text] ?? text
  return currencies.some((known) => known === code) ? code : ''
}
