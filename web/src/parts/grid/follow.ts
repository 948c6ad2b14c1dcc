// Others add and remove leads while someone works: the mark and the editor stay with their lead.
import { useEffect, useRef } from 'react'
import type { Lead } from '../../api/lead.ts'

type LeadAt = (row: number) => Lead | undefined

/** The row of a lead that was at `row`, among those that are loaded around the ones in view. */
export function findRow(
  id: string,
  row: number,
  leadAt: LeadAt,
  first: number,
  end: number,
): number | undefined {
  if (leadAt(row)?.id === id) return row
  const reach = 100
  for (let at = Math.max(0, first - reach); at < end + reach; at++) {
    if (leadAt(at)?.id === id) return at
  }
  return undefined
}

/** Calls `onMoved` when the lead of the marked row is at another one. */
export function useFollow(
  row: number,
  leadAt: LeadAt,
  first: number,
  end: number,
  onMoved: (row: number) => void,
): void {
  const last = useRef<{ row: number; id: string | undefined }>({ row: -1, id: undefined })
  useEffect(() => {
    const id = leadAt(row)?.id
    const before = last.current
    last.current = { row, id }
    // Another row was marked, or its page is not loaded.
    if (before.row !== row || !before.id || !id || before.id === id) return
    const moved = findRow(before.id, row, leadAt, first, end)
    if (moved === undefined) return
    last.current = { row: moved, id: before.id }
    onMoved(moved)
  })
}
