// The form of a calendar file (RFC 5545): lines of at most 75 octets that end with CR LF.

export type Property = [name: string, value: string]

/** The lines of a part, such as VEVENT. */
export function component(name: string, properties: Property[], ...inner: string[][]): string[] {
  return [
    `BEGIN:${name}`,
    ...properties.map(([key, value]) => `${key}:${value}`),
    ...inner.flat(),
    `END:${name}`,
  ]
}

export const written = (lines: string[]) => `${lines.map(folded).join('\r\n')}\r\n`

/** A text as a value. */
export function text(value: string): string {
  return value
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n?|\n/g, '\\n')
    .replace(/\p{Cc}/gu, '')
}

/** 20260302T090000Z */
export function utc(time: number | string): string {
  return `${clockText(new Date(time).toISOString())}Z`
}

/** 20260302T090000 from 2026-03-02T09:00:00 */
export function clockText(iso: string): string {
  return iso.slice(0, 19).replace(/[-:]/g, '')
}

const maxOctets = 75

/** A line that is too long continues on the next one, after a space. No character is cut in two. */
function folded(line: string): string {
  const pieces: string[] = []
  let piece = ''
  let octets = 0
  for (const character of line) {
    const length = Buffer.byteLength(character)
    if (octets + length > maxOctets) {
      pieces.push(piece)
      piece = ' '
      octets = 1
    }
    piece += character
    octets += length
  }
  return [...pieces, piece].join('\r\n')
}
