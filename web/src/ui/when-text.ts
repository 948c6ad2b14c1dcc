// Dates and times in words: how they are read, shown and explained.
import { words } from '../words/index.ts'
import { formatExact, formatPlainDay, formatTimeOfDay } from './format.ts'
import { parseWhen } from './when.ts'
import { fieldsOf, timeAt } from './zone.ts'

/** day: "2026-12-24". time: "2026-12-24T18:00", in the zone of the person. clock: "18:00". */
export type WhenKind = 'day' | 'time' | 'clock'

/** Undefined: it is not understood. */
export function readWhen(text: string, kind: WhenKind, isPast = false): string | undefined {
  // "9" says enough where only the time of day is asked for.
  const found =
    parseWhen(text, { isPast }) ?? (kind === 'clock' ? parseWhen(`today ${text}`) : undefined)
  const read = found && fieldsOf(found)
  return { day: read?.slice(0, 10), time: read, clock: read?.slice(11) }[kind]
}

export function showWhen(value: string, kind: WhenKind): string {
  if (kind === 'day') return formatPlainDay(value)
  if (kind === 'time') return formatExact(timeAt(value))
  const [hour = 0, minute = 0] = value.split(':').map(Number)
  return formatTimeOfDay(hour, minute)
}

export interface Hint {
  text: string
  isWarning: boolean
}

/** The hint while a person types. */
export function whenHint(text: string, kind: WhenKind, isPast = false): Hint {
  const value = readWhen(text, kind, isPast)
  return { text: value ? showWhen(value, kind) : words.fields.whenUnknown, isWarning: !value }
}
