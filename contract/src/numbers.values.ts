// Numbers and amounts in the ways people write them: 1,234.56 and 1.234,56, 37.9k, with or without a currency.
// The import reads them in files, the page in what people type.
import { currencies } from './money.values.ts'

export type Decimal = '.' | ','

export interface ReadNumber {
  value: number
  /** The same with a point and all the decimals that were written: "1250.50". */
  plain: string
  /** The currency as it is written next to it. */
  sign?: string
  /** The code of that currency; '' for one that the service does not know. */
  currency?: string
  /** It was written in thousands or millions. */
  isShort?: true
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

/** Other currencies never have three decimals. */
const withThreeDecimals = ['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND']

const money =
  /^([-+(]?)\s*([A-Z]{0,3}\p{Sc}|[A-Z]{3}|Fr\.|kr)?\s*([-+]?)([\d.,'’ \u00a0\u202f]*\d|\d)(?:\s*([kKmM])(?!\p{L}))?\s*([A-Z]{0,3}\p{Sc}|[A-Z]{3}|zł|kr|Fr\.)?\)?$/u
const scientific = /^[+-]?\d+(\.\d+)?e[+-]?\d+$/i
const simple = /^[+-]?\d{1,15}$/
/** Numbers are shorter, and the pattern would take long for long texts. */
const longest = 100
/** How many digits are left out. */
const shortened = new Map([
  ['k', 3],
  ['m', 6],
])

/** Which sign the text uses for decimals; 'either' when it can be both; undefined when it has none. */
export function decimalOf(text: string): Decimal | 'either' | undefined {
  if (simple.test(text) || text.length > longest) return undefined
  const parts = money.exec(text.trim())
  return parts ? decimalIn(parts) : undefined
}

function decimalIn(parts: RegExpExecArray): Decimal | 'either' | undefined {
  const [, , before, , digits = '', short, after] = parts
  const point = digits.lastIndexOf('.')
  const comma = digits.lastIndexOf(',')
  if (point >= 0 && comma >= 0) return point > comma ? '.' : ','
  if (point < 0 && comma < 0) return undefined
  const sign = point >= 0 ? '.' : ','
  const other = sign === '.' ? ',' : '.'
  if (digits.indexOf(sign) !== Math.max(point, comma)) return other
  const [whole = '', fraction = ''] = digits.split(sign)
  if (
    fraction.length !== 3 ||
    whole.length > 3 ||
    /^0|['’ \u00a0\u202f]/.test(whole) ||
    whole === ''
  ) {
    return sign
  }
  const currency = before ?? after
  const code = currency === undefined ? '' : codeOf(currency)
  return code === '' || short || withThreeDecimals.includes(code) ? 'either' : other
}

/** The number, or undefined when it is none. `decimal` decides where the text does not. */
export function readNumber(cell: string, decimal: Decimal | undefined): ReadNumber | undefined {
  const text = cell.trim()
  if (text.length > longest) return undefined
  if (simple.test(text)) return { value: Number(text), plain: text }
  if (scientific.test(text)) return { value: Number(text), plain: String(Number(text)) }
  const parts = money.exec(text)
  if (!parts) return undefined
  const [, outer = '', before, inner = '', digits = '', short = '', after] = parts
  const own = decimalIn(parts)
  const sign = own === 'either' ? decimal : own
  if (own === 'either' && sign === undefined) return undefined
  const at = sign === undefined ? -1 : digits.lastIndexOf(sign)
  const integer = at < 0 ? digits : digits.slice(0, at)
  const fraction = at < 0 ? '' : digits.slice(at + 1)
  // Groups have three digits: "1,2,3" is a list and no number. In India the later ones have two.
  if (
    !/^\d*$/.test(integer) &&
    !/^\d{1,3}([.,'’ \u00a0\u202f]\d{2,3})*[.,'’ \u00a0\u202f]\d{3}$/.test(integer)
  ) {
    return undefined
  }
  if (!/^\d*$/.test(fraction)) return undefined
  const left = shortened.get(short.toLowerCase()) ?? 0
  const decimals = fraction.padEnd(left, '0')
  const whole = `${integer.replace(/\D/g, '')}${decimals.slice(0, left)}` || '0'
  const rest = decimals.slice(left)
  const isNegative = outer === '(' || outer === '-' || inner === '-'
  const plain = `${isNegative ? '-' : ''}${whole}${rest && `.${rest}`}`
  const currency = before ?? after
  return {
    ...{ value: Number(plain), plain },
    ...(currency !== undefined && { sign: currency, currency: codeOf(currency) }),
    ...(short && { isShort: true }),
  }
}

function codeOf(text: string): string {
  const code = signs[text] ?? text
  return currencies.some((known) => known === code) ? code : ''
}
