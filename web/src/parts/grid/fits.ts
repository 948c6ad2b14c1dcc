// Whether a value certainly fits into its cell. Such a cell is not clipped: hundreds of clips are most of
// what a browser does in a frame while scrolling. Widths are estimated, rather too wide than too narrow:
// measuring would cost more than it saves.
import type { Lead } from '../../api/lead.ts'
import type { Records } from '../../api/records.ts'
import type { Field } from '../../kinds/field.ts'
import { specOf, textOf } from '../../kinds/kinds.tsx'

export function fits(field: Field, lead: Lead, records: Records, room: number): boolean {
  const { drawn, beside = 0, frame = 0 } = specOf(field.kind)
  if (drawn !== undefined) return drawn <= room
  const value = field.read(lead)
  const extra = beside + frame * (Array.isArray(value) ? value.length : 1)
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
