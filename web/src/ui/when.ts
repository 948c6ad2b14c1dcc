// Dates and times as people type them: "next tue 10", "in 3 weeks", "tomorrow 9am", "24 Dec", "2026-12-24 18:00".
import { wallClock } from './zone.ts'

const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const weekdayPattern = /^(sun|mon|tues?|weds?|thur?s?|fri|sat)(day|nesday|sday|urday)?$/
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const monthPattern =
  /^(jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?|aug(ust)?|sept?(ember)?|oct(ober)?|nov(ember)?|dec(ember)?)$/

const units: Record<string, [unit: 'minute' | 'hour' | 'day' | 'month', number: number]> = {
  min: ['minute', 1],
  minute: ['minute', 1],
  h: ['hour', 1],
  hour: ['hour', 1],
  d: ['day', 1],
  day: ['day', 1],
  w: ['day', 7],
  week: ['day', 7],
  m: ['month', 1],
  month: ['month', 1],
  y: ['month', 12],
  year: ['month', 12],
}

const small: Record<string, number> = { a: 1, an: 1, one: 1, two: 2, three: 3, four: 4 }

/** Whether people here write the day before the month. */
const isDayFirst =
  new Intl.DateTimeFormat()
    .formatToParts(new Date(2026, 11, 31))
    .find(({ type }) => type === 'day' || type === 'month')?.type === 'day'

interface Options {
  now?: Date
  dayFirst?: boolean
  /** The day is in the past: "Nov 1" and "mon" are the last such days, not the next. */
  isPast?: boolean
}

/** The intended wall-clock time, nine o'clock if none is given. Undefined: it is not understood. */
export function parseWhen(text: string, options: Options = {}): Date | undefined {
  const { now = wallClock(), dayFirst = isDayFirst, isPast = false } = options
  const plain = text
    .trim()
    .toLowerCase()
    .replaceAll(',', ' ')
    .replace('t', isIso(text) ? ' ' : 't')
    .replace(/\btonight\b/, 'today evening')
    .replace(/\bthis (?=morning|afternoon|evening)/, 'today ')
    .replace(/\b(the )?day after tomorrow\b/, 'in 2 days')
  const { rest, time } = takeTime(
    plain.replace(/\bat (\d{1,2})$/, (_, hour) => ` ${likelyHour(Number(hour))}:00`),
  )
  const tokens = rest
    .split(/\s+/)
    .filter((word) => word && !['at', 'on', 'the', 'of'].includes(word))
  if (tokens.length === 0) return time && nearest(now, time, isPast)
  const moved = takeSpan(tokens, now, time)
  if (moved) return moved
  const found = takeDay(tokens, { now, dayFirst, isPast })
  if (!found) return undefined
  const at = time ?? takeHour(found.rest)
  if (!time && found.rest.length > 0 && !at) return undefined
  if (time && found.rest.length > 0) return undefined
  const { hour, minute } = at ?? { hour: 9, minute: 0 }
  const { year, month, day } = found
  const date = new Date(year, month, day, hour, minute)
  // February 31 does not exist.
  return date.getMonth() === month && date.getDate() === day ? date : undefined
}

const namedHours: Record<string, number> = {
  ...{ midnight: 0, morning: 9, noon: 12, afternoon: 14, evening: 18 },
}
const namedTime = new RegExp(`\\b(${Object.keys(namedHours).join('|')})\\b`)

const isIso = (text: string) => /^\s*\d{4}-\d{2}-\d{2}t\d/i.test(text)

interface Time {
  hour: number
  minute: number
}

function takeTime(text: string): { rest: string; time: Time | undefined } {
  const named = namedTime.exec(text)
  if (named) {
    const rest = without(text, named)
    // "tomorrow evening 8pm": the exact time counts.
    const { time = { hour: namedHours[named[1] ?? ''] ?? 9, minute: 0 }, ...other } = takeTime(rest)
    return { ...other, time }
  }
  const found =
    /\b(\d{1,2})[:h](\d{2})(?::\d{2}(?:\.\d+)?)?\s*([ap])?\.?(?:m\b\.?)?/.exec(text) ??
    /\b(\d{1,2})()\s*([ap])\.?m\b\.?/.exec(text) ??
    // As in Denmark, after a day.
    /(?<=\S\s+)(\d{1,2})\.(\d{2})$/.exec(text)
  if (!found) return { rest: text, time: undefined }
  const [, hours = '', minutes = '', half] = found
  const time = { hour: toHour(Number(hours), half), minute: Number(minutes) }
  return time.hour < 24 && time.minute < 60
    ? { rest: without(text, found), time }
    : { rest: text, time: undefined }
}

const without = (text: string, { index, 0: part }: RegExpExecArray) =>
  `${text.slice(0, index)} ${text.slice(index + part.length)}`

function toHour(hour: number, half: string | undefined): number {
  if (half === undefined) return hour
  if (hour > 12 || hour === 0) return 24
  return (hour % 12) + (half === 'p' ? 12 : 0)
}

/** "10" after a day. */
function takeHour(rest: string[]): Time | undefined {
  const [word = '', ...more] = rest
  if (more.length > 0 || !/^\d{1,2}$/.test(word) || Number(word) > 23) return undefined
  return { hour: likelyHour(Number(word)), minute: 0 }
}

/** Nobody means three in the morning. */
const likelyHour = (hour: number) => (hour >= 1 && hour <= 6 ? hour + 12 : hour)

function nearest(now: Date, { hour, minute }: Time, isPast: boolean): Date {
  const date = new Date(now)
  date.setHours(hour, minute, 0, 0)
  if (isPast && date > now) date.setDate(date.getDate() - 1)
  if (!isPast && date <= now) date.setDate(date.getDate() + 1)
  return date
}

/** "in 3 weeks", "2 days ago". */
function takeSpan(tokens: string[], now: Date, time: Time | undefined): Date | undefined {
  const isAgo = tokens.at(-1) === 'ago'
  const isIn = tokens[0] === 'in'
  if (!isIn && !isAgo) return undefined
  const words = isIn ? tokens.slice(1) : tokens.slice(0, -1)
  const [, digits, glued] = /^(\d{1,4})([a-z]*)$/.exec(words.join('').replace(/s$/, '')) ?? []
  const number = digits ? Number(digits) : small[words[0] ?? '']
  const unit = units[digits ? (glued ?? '') : (words[1] ?? '').replace(/s$/, '')]
  if (number === undefined || !unit) return undefined
  const [of, size] = unit
  const steps = number * size * (isAgo ? -1 : 1)
  const date = new Date(now)
  date.setSeconds(0, 0)
  if (of === 'minute') date.setMinutes(date.getMinutes() + steps)
  else if (of === 'hour') date.setHours(date.getHours() + steps)
  else {
    if (of === 'day') date.setDate(date.getDate() + steps)
    else addMonths(date, steps)
    date.setHours(time?.hour ?? 9, time?.minute ?? 0)
  }
  return date
}

/** The last day of a shorter month. */
function addMonths(date: Date, steps: number): void {
  const day = date.getDate()
  date.setDate(1)
  date.setMonth(date.getMonth() + steps)
  date.setDate(Math.min(day, new Date(date.getFullYear(), date.getMonth() + 1, 0).getDate()))
}

interface Day {
  year: number
  month: number
  day: number
  rest: string[]
}

function takeDay(tokens: string[], options: Required<Options>): Day | undefined {
  const { now, isPast } = options
  const [first = '', second = ''] = tokens
  const after = (days: number, used: number): Day => {
    const date = new Date(now.getFullYear(), now.getMonth(), now.getDate() + days)
    const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()]
    return { year, month, day, rest: tokens.slice(used) }
  }
  const named = { today: 0, tomorrow: 1, tmr: 1, tmrw: 1, yesterday: -1 }[first]
  if (named !== undefined) return after(named, 1)
  // From Monday, the first day of a week.
  const today = (now.getDay() + 6) % 7
  const weekdayOf = (word: string) =>
    weekdayPattern.test(word) ? (weekdays.indexOf(word.slice(0, 3)) + 6) % 7 : undefined
  const weekday = weekdayOf(first)
  // "Wed, 25 Nov": the date says which one.
  const dated = weekday !== undefined && second && takeDate(tokens.slice(1), options)
  if (dated) return dated
  if (weekday !== undefined) return after(((weekday - today + 6) % 7) + (isPast ? -6 : 1), 1)
  if (first === 'next' || first === 'this' || first === 'last') {
    const weeks = { next: 1, this: 0, last: -1 }[first]
    const other = weekdayOf(second)
    if (other !== undefined) return after(7 * weeks + other - today, 2)
    if (second === 'week') return after(7 * weeks - (weeks === 0 ? 0 : today), 2)
    if (second === 'month' && weeks !== 0) {
      const date = new Date(now.getFullYear(), now.getMonth() + weeks, 1)
      return { year: date.getFullYear(), month: date.getMonth(), day: 1, rest: tokens.slice(2) }
    }
    return undefined
  }
  if (first === 'end' && second === 'month') {
    const date = new Date(now.getFullYear(), now.getMonth() + 1, 0)
    const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()]
    return { year, month, day, rest: tokens.slice(2) }
  }
  return takeDate(tokens, options)
}

function takeDate(tokens: string[], options: Required<Options>): Day | undefined {
  const [first = '', second = '', third = ''] = tokens
  const numbers = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(first)
  if (numbers) {
    const [, year, month, day] = numbers.map(Number) as [number, number, number, number]
    return { year, month: month - 1, day, rest: tokens.slice(1) }
  }
  const written = /^(\d{1,2})[./-](\d{1,2})(?:[./-](\d{4}|\d{2})?)?$/.exec(first)
  if (written) {
    const [, one, two, years] = written
    // 31.12. has the day first everywhere.
    const isDay = options.dayFirst || first.includes('.') || Number(one) > 12
    const [day, month] = (isDay ? [one, two] : [two, one]).map(Number) as [number, number]
    return withYear(options, month - 1, day, years, tokens.slice(1))
  }
  const dayOf = (word: string) =>
    Number(/^(\d{1,2})(st|nd|rd|th|\.)?$/.exec(word)?.[1] ?? Number.NaN)
  const monthOf = (word: string) =>
    monthPattern.test(word.replace(/\.$/, '')) ? months.indexOf(word.slice(0, 3)) : -1
  const isMonthFirst = monthOf(first) >= 0
  const [month, day] = isMonthFirst
    ? [monthOf(first), dayOf(second)]
    : [monthOf(second), dayOf(first)]
  if (month < 0 || Number.isNaN(day)) return undefined
  const years = /^\d{4}$/.test(third) ? third : undefined
  return withYear(options, month, day, years, tokens.slice(years ? 3 : 2))
}

/** Without a year it is the next such day, or the last one. */
function withYear(
  { now, isPast }: Required<Options>,
  month: number,
  day: number,
  years: string | undefined,
  rest: string[],
): Day {
  if (years) return { year: Number(years.length === 2 ? `20${years}` : years), month, day, rest }
  const today = new Date(now.getFullYear(), now.getMonth(), now.getDate())
  const date = new Date(now.getFullYear(), month, day)
  const others = isPast ? (date > today ? -1 : 0) : date < today ? 1 : 0
  return { year: now.getFullYear() + others, month, day, rest }
}
