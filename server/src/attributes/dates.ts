// How dates of custom attributes are kept: as text that sorts by time.
/** Returns the text if it is a date, such as "2026-01-31", that exists. */
export function toDate(text: string): string | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return undefined
  const time = Date.parse(`${text}T00:00:00Z`)
  return Number.isNaN(time) || !new Date(time).toISOString().startsWith(text) ? undefined : text
}

const dateTime = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d):(\d\d)(:(\d\d)([.,]\d+)?)?([Zz]|[+-]\d\d:?\d\d)?$/

/** Converts an ISO date-time to the form "2026-01-31T09:30:00.000Z". Without a zone it is read as UTC. */
export function toTimestamp(text: string): string | undefined {
  const parts = dateTime.exec(text)
  if (!parts || toDate(parts[1] ?? '') === undefined) return undefined
  const [, day, hour, minute, , second = '00', fraction = '', zone = 'Z'] = parts
  const offset = zone.replace(/^([+-]\d\d):?(\d\d)$/, '$1:$2').toUpperCase()
  const time = Date.parse(
    `${day}T${hour}:${minute}:${second}${fraction.replace(',', '.')}${offset}`,
  )
  if (Number.isNaN(time)) return undefined
  const iso = new Date(time).toISOString()
  // The offset can move the time to a year without four digits, which would not sort as text.
  return iso.length === 24 ? iso : undefined
}
