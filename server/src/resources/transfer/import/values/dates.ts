// Dates in the ways people write them. "3/4/2025" means nothing by itself: the whole column says
// whether days or months come first.
import { fold } from '@rapport/contract/fold'
import type { DateOrder } from '@rapport/contract/transfer'
import { toDate, toTimestamp } from '../../../../attributes/dates.ts'

export type { DateOrder }

export interface ReadDate {
  /** "2026-01-31" */
  day: string
  /** "2026-01-31T09:30:00.000Z", when the cell says a time. */
  time?: string
  /** The cell has no time zone. */
  isLocal?: boolean
}

/** Of the other languages only what differs. Three letters tell months apart, save June and July. */
const months = new Map(
  [
    'jan gen ene',
    'feb fev',
    'mar mrt mae mrz',
    'apr avr abr',
    'may mai mag mei',
    'jun juin giu',
    'jul juil lug',
    'aug aou ago',
    'sep set',
    'oct okt ott out',
    'nov',
    'dec dez dic',
  ].flatMap((names, index) => names.split(' ').map((name): [string, number] => [name, index + 1])),
)

function monthOf(word: string): number | undefined {
  const name = fold(word)
  return months.get(name.slice(0, 4)) ?? months.get(name.slice(0, 3))
}

const tail =
  /[T\s,]+(?:(?:at|um|à|às|a las)\s+)?(\d{1,2})[:.h](\d{2})(?::(\d{2})(?:[.,](\d+))?)?\s*([ap]\.?\s?m\.?)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?$/i
const yearFirst = /^(\d{4})([-/.])\s?(\d{1,2})\2\s?(\d{1,2})\.?$/
const numeric = /^(\d{1,2})([-/.])\s?(\d{1,2})\2\s?(\d{4}|\d{2})\.?$/
const dayFirst =
  /^(\d{1,2})(?:st|nd|rd|th|er|\.|º)?[\s-]*(?:de |of )?(\p{L}+)\.?[\s,-]+(?:de |of )?(\d{4}|\d{2})$/u
const monthFirst = /^(\p{L}+)\.?[\s-]+(\d{1,2})(?:st|nd|rd|th)?,?[\s-]+(\d{4})$/u
const hasZone = /(Z|[+-]\d\d:?\d\d)$/i
const weekday = /^\p{L}{2,}\.?,\s+/u
const nothing = /^0{1,4}([-/.])0{1,2}\1(?:0{1,4})(\s.*)?$/

/** "0/0/00" is how some systems write that there is no date. */
export const isNoDate = (text: string) => nothing.test(text)

const looksLikeDate = /^['\p{L}\d]/u

/** Which orders of day and month the text allows; undefined when it says it otherwise or is not a date. */
export function ordersOf(text: string): 'both' | 'dmy' | 'mdy' | undefined {
  const first = text.charCodeAt(0)
  if (first < 48 || first > 57 || text.length < 6 || text.length > 40) return undefined
  // Most dates begin with the year.
  if (/^\d{4}[-/.]/.test(text)) return undefined
  const parts = numeric.exec(dayPart(text))
  if (!parts || isNoDate(text)) return undefined
  const [a, b] = [Number(parts[1]), Number(parts[3])]
  if (a > 31 || b > 31 || (a > 12 && b > 12)) return undefined
  if (a > 12) return 'dmy'
  if (b > 12) return 'mdy'
  // The same either way; and with points days come first everywhere.
  if (a === b) return undefined
  return parts[2] === '.' ? 'dmy' : 'both'
}

const dayPart = (text: string) => text.replace(tail, '').trim()

/** The date, or undefined when it is none. `order` is that of the column. */
export function readDate(cell: string, order: DateOrder | undefined): ReadDate | undefined {
  const text = cell.trim().replace(/^'/, '')
  if (!looksLikeDate.test(text) || text.length > 60) return undefined
  const iso = toTimestamp(text)
  if (iso) return { day: iso.slice(0, 10), time: iso, isLocal: !hasZone.test(text) }
  if (toDate(text)) return { day: text, isLocal: true }
  if (/^\d+([.,]\d+)?$/.test(text)) return fromCount(text)
  const clock = tail.exec(text)
  const day = readDay(dayPart(text).replace(weekday, ''), order)
  if (!day) return undefined
  if (!clock) return { day, isLocal: true }
  const [, hours = '', minutes = '', seconds = '00', fraction = '', half = '', zone] = clock
  const hour = half ? (Number(hours) % 12) + (/^p/i.test(half) ? 12 : 0) : Number(hours)
  const offset = zone && /^[+-]/.test(zone) ? zone : 'Z'
  const time = toTimestamp(
    `${day}T${String(hour).padStart(2, '0')}:${minutes}:${seconds}${fraction && `.${fraction}`}${offset}`,
  )
  return time ? { day: time.slice(0, 10), time, isLocal: zone === undefined } : undefined
}

function readDay(text: string, order: DateOrder | undefined): string | undefined {
  const first = yearFirst.exec(text)
  if (first) return day(first[1], first[3], first[4])
  const parts = numeric.exec(text)
  if (parts) {
    const [, a, sign, b, c] = parts
    if (order === 'ymd') return c?.length === 2 ? day(a, b, c) : undefined
    const own = Number(a) > 12 ? 'dmy' : Number(b) > 12 ? 'mdy' : undefined
    const used = own ?? order ?? (sign === '.' || a === b ? 'dmy' : undefined)
    // A day that the column's order does not allow is a mistake, not another order.
    if (!used || (order && own && own !== order && sign !== '.')) return undefined
    return used === 'dmy' ? day(c, b, a) : day(c, a, b)
  }
  const named = dayFirst.exec(text)
  if (named) return day(named[3], monthOf(named[2] ?? ''), named[1])
  const american = monthFirst.exec(text)
  if (american) return day(american[3], monthOf(american[1] ?? ''), american[2])
  return undefined
}

function day(
  year: string | undefined,
  month: string | number | undefined,
  date: string | undefined,
): string | undefined {
  if (!year || month === undefined || !date) return undefined
  const full = year.length === 4 ? year : String(Number(year) + (Number(year) < 70 ? 2000 : 1900))
  return toDate(`${full}-${String(month).padStart(2, '0')}-${date.padStart(2, '0')}`)
}

const dayMs = 86_400_000

/** Programs count too: days since 1900 (spreadsheets), seconds or milliseconds since 1970. */
function fromCount(text: string): ReadDate | undefined {
  const count = Number(text.replace(',', '.'))
  const whole = text.replace(/[.,].*/, '')
  if (whole.length === 8 && whole === text) {
    return readDate(text.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3'), undefined)
  }
  const ms =
    whole.length === 13
      ? count
      : whole.length === 10
        ? count * 1000
        : whole.length === 5
          ? Math.round((count - 25_569) * dayMs)
          : undefined
  if (ms === undefined) return undefined
  const time = new Date(ms).toISOString()
  const day = time.slice(0, 10)
  return ms % dayMs === 0 ? { day, isLocal: true } : { day, time, isLocal: whole.length === 5 }
}
