// What to do with rows that look like existing leads: what the import gets, and what it will do.
import { type DuplicateWay, duplicateWays } from '@rapport/contract/transfer.values'
import type { ImportResult } from './send-file.ts'

/** What becomes of all of them, and of single ones. */
export interface Decided {
  duplicates: DuplicateWay
  duplicateRows: Readonly<Record<number, DuplicateWay>>
}

/** Only what differs from what becomes of all of them. */
export function sayDuplicates(
  query: URLSearchParams,
  { duplicates, duplicateRows }: Decided,
  alike: readonly number[],
): void {
  if (duplicates !== 'create') query.set('duplicates', duplicates)
  for (const way of duplicateWays.filter((way) => way !== duplicates)) {
    const spans = spansOf(alike, (row) => duplicateRows[row] === way)
    if (spans) query.append('duplicate_rows', `${way}=${spans}`)
  }
}

/** Rows that follow each other among those that look like leads are a range: 5,9-12. */
function spansOf(alike: readonly number[], isMeant: (row: number) => boolean): string {
  const spans: number[][] = []
  let span: number[] | undefined
  for (const row of alike) {
    if (!isMeant(row)) span = undefined
    else if (span) span[1] = row
    else {
      span = [row]
      spans.push(span)
    }
  }
  return spans.map((rows) => rows.join('-')).join()
}

type Checked = Pick<ImportResult, 'created' | 'updated' | 'skipped' | 'duplicates'>

/** What the import will do, given a check that takes all such rows as new leads. */
export function expectedOf(checked: Checked, { duplicates, duplicateRows }: Decided) {
  const single = Object.values(duplicateRows)
  const ways = { create: 0, update: 0, skip: 0 } satisfies Record<DuplicateWay, number>
  for (const way of single) ways[way]++
  ways[duplicates] += checked.duplicates.rows - single.length
  return {
    created: checked.created - ways.update - ways.skip,
    updated: checked.updated + ways.update,
    skipped: checked.skipped + ways.skip,
  }
}
