// Whether a value certainly fits into its cell. Such a cell is not clipped: hundreds of clips are most of
// what a browser does in a frame while one scrolls. Widths are estimated, rather too wide than too narrow:
// measuring would cost more than it saves.
import type { Lead } from '../../api/lead.ts'
import type { Records } from '../../api/records.ts'
import type { Field } from '../../kinds/fields.ts'
import { textOf } from '../../kinds/text.ts'

/** What stands beside the text, in px: the sign of a person, the frame of each tag. */
const beside: Partial<Record<Field['kind'], number>> = { name: 32 }
const framed = new Set<Field['kind']>(['status', 'tags', 'option', 'options'])
const frame = 26

export function fits(field: Field, lead: Lead, records: Records, room: number): boolean {
  if (field.kind === 'flag') return true
  // Drawn as "3 months ago", at most.
  if (field.kind === 'time') return room >= 120
  // Its name comes later.
  if (field.kind === 'lead') return false
  const value = field.read(lead)
  const items = framed.has(field.kind) && Array.isArray(value) ? value.length : 1
  const frames = framed.has(field.kind) ? items * frame : 0
  const extra = (beside[field.kind] ?? 0) + frames
  return extra + widthOf(textOf(field, lead, records), room - extra) <= room
}

/** Stops when it is wider than `enough`. */
function widthOf(text: string, enough: number): number {
  let width = 0
  for (let at = 0; at < text.length && width <= enough; at++) {
    const code = text.charCodeAt(at)
    width += code > 0x24f ? 16 : isWide(code) ? 12.5 : 7.8
  }
  return width
}

/** Capitals, m, w, @ and %. */
const isWide = (code: number) =>
  (code >= 65 && code <= 90) || code === 109 || code === 119 || code === 64 || code === 37
