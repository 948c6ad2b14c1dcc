// The time zone of the person, in which times are shown and entered: the one of their profile, or else that of the
// browser. The local fields of a Date are always those of the browser, so a "wall clock" is a Date whose local fields
// are what a clock shows in the zone of the person.

const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone
let chosen: string | null = null

export const zone = () => chosen ?? browserZone

/** Null: that of the browser. */
export function setZone(next: string | null): void {
  chosen = next
}

export function wallClock(time = new Date()): Date {
  if (zone() === browserZone) return new Date(time)
  // Swedish times are written as ISO 8601 has them.
  const format = new Intl.DateTimeFormat('sv', {
    timeZone: zone(),
    dateStyle: 'short',
    timeStyle: 'medium',
  })
  return new Date(format.format(time).replace(' ', 'T'))
}

/** When a clock in the zone of the person shows this. */
export function atWallClock(clock: Date): Date {
  let time = clock
  // The second time for a change of the clock in between.
  for (let round = 0; round < 2; round++) {
    time = new Date(time.getTime() + clock.getTime() - wallClock(time).getTime())
  }
  return time
}

/** The local fields of a Date, as inputs take them: "2026-12-24T18:00". */
export function fieldsOf(clock: Date): string {
  return new Date(clock.getTime() - clock.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

export const localTime = (time: Date) => fieldsOf(wallClock(time))
/** The time that such a text means. */
export const timeAt = (local: string) => atWallClock(new Date(local))

/** A format in the zone of the person, which is known only after this is made. */
export function zoned(locale: string, options: Intl.DateTimeFormatOptions) {
  let made: { timeZone: string; format: Intl.DateTimeFormat } | undefined
  return (time: Date | string) => {
    const timeZone = zone()
    if (made?.timeZone !== timeZone) {
      made = { timeZone, format: new Intl.DateTimeFormat(locale, { ...options, timeZone }) }
    }
    return made.format.format(new Date(time))
  }
}
