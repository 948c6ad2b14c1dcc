// Single workspaces of a backup: which rows are their own, and which of those stay behind.
import type { CountedTable, Table } from './format.ts'

/**
 * Sessions, one-time links and what waits for a second step end with a move, as they do with every restore. Webhooks are
 * paused, so nothing is queued.
 */
const leftBehind = ['sign_in_link', 'pending_sign_in', 'delivery_queue']

/** Whether the table has rows that move with a workspace. */
export function moves({ name, columns }: Table): boolean {
  return columns.includes('id_space') && !leftBehind.includes(name)
}

/** The same choice as a condition. `space` is an id, and so needs no quoting. */
export function ownRows({ name }: Table, space: string): string {
  return `id_space = '${space}'${name === 'api_key' ? " and kind <> 'session'" : ''}`
}

/** Of whole lines in the text format of COPY those of the workspaces. */
export async function* linesOf(
  spaces: string[],
  table: CountedTable,
  rows: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  const [own, kind] = ['id_space', 'kind'].map((name) => table.columns.indexOf(name)) as [
    number,
    number,
  ]
  const isMoved = (line: string) => {
    const cells = line.split('\t', Math.max(own, kind) + 1)
    return (
      spaces.includes(cells[own] ?? '') && (table.name !== 'api_key' || cells[kind] !== 'session')
    )
  }
  for await (const piece of rows) {
    // Each byte is a letter, so that nothing changes.
    const lines = piece.toString('latin1').split('\n').slice(0, -1).filter(isMoved)
    if (lines.length > 0) yield Buffer.from(`${lines.join('\n')}\n`, 'latin1')
  }
}
