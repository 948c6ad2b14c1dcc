// The numbers of a workbook as text. Dates are numbers too: only the format of a cell tells.

export interface DateStyles {
  /** Days are counted from 1904, as some old files do, and not from 1900. */
  from1904: boolean
  /** The format of each style: its code, or the number of a built-in one. */
  formats: string[]
}

const builtInDates = /^(1[4-9]|2[0-2]|2[7-9]|3[0-6]|4[5-7]|5[0-8])$/

/** Whether the format shows a day or a time. What is in quotes or brackets is only shown. */
function isDateFormat(format: string): boolean {
  if (/^\d+$/.test(format)) return builtInDates.test(format)
  const code = format.replace(/"[^"]*"|\\.|_.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
  return /[dmyhs]/i.test(code) && !/general/i.test(code)
}

const known = new Map<string, boolean>()
function isDate(format: string): boolean {
  const found = known.get(format) ?? isDateFormat(format)
  if (known.size < 1_000) known.set(format, found)
  return found
}

const dayMs = 86_400_000

/** A number as it is, or the date that it stands for. */
export function serialText(value: number, style: number, styles: DateStyles): string {
  if (!Number.isFinite(value)) return ''
  if (!isDate(styles.formats[style] ?? '0') || value < 0 || value > 2_958_466) {
    return numberText(value)
  }
  // A time without a day.
  const start = Date.UTC(1899, 11, styles.from1904 ? 30 + 1462 : value < 61 ? 31 : 30)
  const time = new Date(start + Math.round(value * dayMs)).toISOString()
  if (value < 1 && !styles.from1904) return time.slice(11, 19)
  // It has no time zone.
  return Number.isInteger(value) ? time.slice(0, 10) : time.slice(0, -1)
}

/** "1.234" could be read as a thousand: with a zero after it, it cannot. */
function numberText(value: number): string {
  const text = String(value)
  return /^-?\d{1,3}\.\d{3}$/.test(text) ? `${text}0` : text
}
