// A time zone as a calendar file describes it: when its clocks change, and by how much.
import { clockAt } from '../time-zone.ts'
import { clockText, component } from './ics.ts'

const dayMs = 86_400_000
const yearsBefore = 1
const yearsAfter = 5

const offsetAt = (time: number, zone: string) => clockAt(time, zone) - time

/** The times around `now` at which the clocks change. */
function changesOf(zone: string, now: number): { at: number; before: number; after: number }[] {
  const changes = []
  const end = now + yearsAfter * 366 * dayMs
  // Whole seconds: a clock shows no smaller ones.
  let time = Math.floor((now - yearsBefore * 366 * dayMs) / dayMs) * dayMs
  let before = offsetAt(time, zone)
  for (; time < end; time += dayMs) {
    const after = offsetAt(time + dayMs, zone)
    if (after === before) continue
    let [low, high] = [time, time + dayMs]
    while (high - low > 1_000) {
      const middle = Math.floor((low + high) / 2_000) * 1_000
      if (offsetAt(middle, zone) === before) low = middle
      else high = middle
    }
    changes.push({ at: high, before, after })
    before = after
  }
  return changes
}

const known = new Map<string, { day: number; lines: string[] }>()

export function zoneLines(zone: string, now: Date): string[] {
  const day = Math.floor(now.getTime() / dayMs)
  const kept = known.get(zone)
  if (kept?.day === day) return kept.lines
  const changes = changesOf(zone, now.getTime())
  const first = offsetAt(now.getTime() - yearsBefore * 366 * dayMs, zone)
  const summer = Math.max(first, ...changes.map(({ after }) => after))
  const parts = changes.map(({ at, before, after }) =>
    observance(at + before, before, after, after === summer),
  )
  // What holds before the first change, and always where clocks never change.
  const lines = component(
    'VTIMEZONE',
    [['TZID', zone]],
    observance(0, first, first, changes.length > 0 && first === summer),
    ...parts,
  )
  known.set(zone, { day, lines })
  return lines
}

/** `clock` is what the clocks show when it begins, as if it were a time in UTC. */
function observance(clock: number, from: number, to: number, isSummer: boolean): string[] {
  return component(isSummer ? 'DAYLIGHT' : 'STANDARD', [
    ['DTSTART', clockText(new Date(clock).toISOString())],
    ['TZOFFSETFROM', offsetText(from)],
    ['TZOFFSETTO', offsetText(to)],
  ])
}

/** +0200 */
function offsetText(ms: number): string {
  const minutes = Math.round(Math.abs(ms) / 60_000)
  const part = (value: number) => String(value).padStart(2, '0')
  return `${ms < 0 ? '-' : '+'}${part(Math.floor(minutes / 60))}${part(minutes % 60)}`
}
