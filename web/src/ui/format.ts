// How values are written: in the browser's region and time zone.

import { words } from '../words/index.ts'
import { locale } from '../words/locale.ts'
import { wallClock, zoned } from './zone.ts'

const numbers = new Intl.NumberFormat()
const amounts = new Intl.NumberFormat(undefined, {
  minimumFractionDigits: 2,
  trailingZeroDisplay: 'stripIfInteger',
})
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'long' })
const plainDays = new Intl.DateTimeFormat(locale, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})
const timeOfDay = new Intl.DateTimeFormat(locale, { timeStyle: 'short' })
const currencies = new Map<string, Intl.NumberFormat>()

/** "20 min · No answer": those that are there. */
export const dotted = (...parts: (string | false | null | undefined)[]) =>
  parts.filter(Boolean).join(' · ')

export const formatNumber = (value: number) => numbers.format(value)

const percents = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 })
export const formatPercent = (share: number) => percents.format(share)

export function formatMoney(value: number, currency: string | null): string {
  if (!currency) return amounts.format(value)
  let format = currencies.get(currency)
  if (!format) {
    format = new Intl.NumberFormat(undefined, {
      ...{ style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' },
    })
    currencies.set(currency, format)
  }
  return format.format(value)
}

const shortCurrencies = new Map<string, Intl.NumberFormat>()

/** "€1.2M": where there is little room. The exact amount should be near. */
export function formatShortMoney(value: number, currency: string | null): string {
  let format = shortCurrencies.get(currency ?? '')
  if (!format) {
    format = new Intl.NumberFormat(locale, {
      notation: 'compact',
      minimumFractionDigits: 0,
      maximumFractionDigits: 1,
      ...(currency && { style: 'currency', currency }),
    })
    shortCurrencies.set(currency ?? '', format)
  }
  // "€61", not "€60.8".
  return format.format(Math.abs(value) < 1_000 ? Math.round(value) : value)
}

const steps: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

export function formatAgo(time: string, now = Date.now()): string {
  const seconds = (Date.parse(time) - now) / 1_000
  for (const [unit, length] of steps) {
    if (Math.abs(seconds) < length) continue
    // Tomorrow is the next day, not whatever is 24 to 48 hours away.
    const count = unit === 'day' ? dayOf(Date.parse(time)) - dayOf(now) : seconds / length
    return relative.format(Math.trunc(count), unit)
  }
  return words.justNow
}

/** The number of the day in the zone of the person. */
function dayOf(time: number): number {
  const clock = wallClock(new Date(time))
  return Date.UTC(clock.getFullYear(), clock.getMonth(), clock.getDate()) / 86_400_000
}

export const formatDay = zoned(locale, { day: 'numeric', month: 'short', year: 'numeric' })
export const formatExact = zoned(locale, { dateStyle: 'medium', timeStyle: 'short' })
export const formatClock = zoned(locale, { timeStyle: 'short' })

/** A time of day, such as "9:00 AM". */
export const formatTimeOfDay = (hour: number, minute = 0) =>
  timeOfDay.format(new Date(2000, 0, 1, hour, minute))
/** A date without a time, such as "2026-01-31": the same day everywhere. */
export const formatPlainDay = (date: string) =>
  plainDays.format(new Date(`${date.slice(0, 10)}T00:00:00Z`))

/** The number to dial. The zero of "+49 (0)30" is for calls within the country. */
export const dialed = (phone: string) =>
  phone.replace(/^([^\d+]*(?:\+|00).*?)\(0\)/, '$1').replaceAll(/[^+\d]/g, '')

/** The address of a link, or nothing when it could do anything else than open a page, a mail or a call. */
export function safeAddress(text: string): string | undefined {
  const candidate = /^[a-z][a-z0-9+.-]*:/i.test(text) ? text : `https://${text}`
  if (!URL.canParse(candidate)) return undefined
  return ['http:', 'https:', 'mailto:', 'tel:'].includes(new URL(candidate).protocol)
    ? candidate
    : undefined
}
