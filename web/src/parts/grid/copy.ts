// Copying out of the grid: a cell as text, rows as a table that spreadsheets take.
import type { Lead } from '../../api/lead.ts'
import type { Records } from '../../api/records.ts'
import type { ShownColumn } from '../../kinds/columns.ts'
import type { Field } from '../../kinds/field.ts'
import { textOf } from '../../kinds/kinds.tsx'
import { orTell } from '../../ui/attempt.ts'
import { copyText } from '../../ui/copy-text.ts'
import { tell } from '../../ui/toast.tsx'
import { words } from '../../words/index.ts'

export async function copyCell(field: Field, lead: Lead, records: Records): Promise<void> {
  await copy(textOf(field, lead, records), words.grid.copiedCell)
}

export async function copyRows(
  columns: readonly ShownColumn[],
  leads: readonly Lead[],
  records: Records,
): Promise<void> {
  const plain = (text: string) => text.replaceAll(/[\t\r\n]+/g, ' ')
  const lines = [
    columns.map(({ field }) => plain(field.label)),
    ...leads.map((lead) => columns.map(({ field }) => plain(textOf(field, lead, records)))),
  ]
  await copy(lines.map((cells) => cells.join('\t')).join('\n'), words.grid.copiedRows(leads.length))
}

/** The leads with these ids, as far as they are loaded. */
export function loadedOf(
  ids: ReadonlySet<string>,
  first: number,
  end: number,
  leadAt: (row: number) => Lead | undefined,
): Lead[] {
  // Selected rows of the pages in view: a page reaches further than what is drawn.
  const reach = 100
  const from = Math.max(0, first - reach)
  return Array.from({ length: end + reach - from }, (_, at) => leadAt(from + at)).filter(
    (lead) => lead !== undefined && ids.has(lead.id),
  ) as Lead[]
}

async function copy(text: string, said: string): Promise<void> {
  if (await orTell(words.faults.other, () => copyText(text))) tell(said)
}
