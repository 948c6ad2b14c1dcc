/** Whether this version of Node knows the time zone. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** What a clock in the time zone shows, as if it were the time in UTC. */
export function clockAt(time: number, timeZone: string): number {
  let format = formats.get(timeZone)
  if (!format) {
    // Swedish times are written as ISO 8601 has them.
    format = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
    formats.set(timeZone, format)
  }
  return Date.parse(`${format.format(time).replace(' ', 'T')}Z`) + (time % 1000)
}

/** When a clock in the time zone shows this. `clock` is written as the same time in UTC. */
export function timeAt(clock: string, timeZone: string): string {
  if (timeZone === 'UTC') return clock
  const shown = Date.parse(clock)
  let time = shown
  // The second time for a change of the clock in between.
  for (let round = 0; round < 2; round++) time += shown - clockAt(time, timeZone)
  const iso = Number.isNaN(time) ? '' : new Date(time).toISOString()
  return iso.length === clock.length ? iso : clock
}
