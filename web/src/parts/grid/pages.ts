// The leads of the rows in view, page by page. Responses that are no longer wanted are aborted: a page that
// nothing shows has no observer, and the cache then ends its request.
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Lead } from '../../api/lead.ts'
import type { LeadsQuery } from '../../api/lead-pages.ts'
import { pageSize } from '../../api/lead-pages.ts'
import { pageQuery } from '../../api/leads.ts'

/** Jumps that follow each other so quickly are a scrollbar that is dragged. It rests after some time. */
const dragMs = 150
const restMs = 40
/** Then the page says that it is still working. */
const slowMs = 1_500

export interface LeadRows {
  /** Undefined until the first response. */
  total: number | undefined
  leadAt: (row: number) => Lead | undefined
  isSlow: boolean
  error: Error | null
  retry: () => void
}

export function useLeadRows(query: LeadsQuery, first: number, end: number): LeadRows {
  const wanted = useRested(pagesOf(first, end), query)
  // The first page says how many there are, even when another part is in view.
  const start = useQuery({ ...pageQuery(query, 0), placeholderData: keepPreviousData })
  const shown = useQueries({
    queries: wanted.map((page) => pageQuery(query, page)),
  })
  const pages = new Map(wanted.map((page, at) => [page, shown[at]?.data]))
  const total = shown.find(({ data }) => data)?.data?.total ?? start.data?.total
  const failed = shown.find(({ error }) => error) ?? (start.error ? start : undefined)
  const isLoading = shown.some(({ isPending, isFetching }) => isPending && isFetching)
  return {
    total,
    leadAt: (row) => pages.get(Math.floor(row / pageSize))?.leads[row % pageSize],
    isSlow: useSlow(isLoading),
    error: failed?.error ?? null,
    retry: () => {
      void start.refetch()
      for (const { refetch, isError } of shown) if (isError) void refetch()
    },
  }
}

function pagesOf(first: number, end: number): number[] {
  const from = Math.floor(first / pageSize)
  const to = Math.floor(Math.max(first, end - 1) / pageSize)
  return Array.from({ length: to - from + 1 }, (_, at) => from + at)
}

/**
 * The pages in view. Pages next to the last ones count immediately, and so does a first jump. While the scrollbar
 * is dragged, only where it rests counts.
 */
function useRested(pages: number[], query: LeadsQuery): number[] {
  const key = pages.join()
  const [rested, setRested] = useState(key)
  const lastQuery = useRef(query)
  const lastJump = useRef(0)
  const isNear = pages.some((page) =>
    rested.split(',').some((old) => Math.abs(Number(old) - page) <= 1),
  )
  const isDragged =
    !isNear && lastQuery.current === query && performance.now() - lastJump.current < dragMs
  lastQuery.current = query
  useLayoutEffect(() => {
    if (key === rested) return
    if (!isNear) lastJump.current = performance.now()
    if (!isDragged) return setRested(key)
    const timer = setTimeout(() => setRested(key), restMs)
    return () => clearTimeout(timer)
  }, [key, rested, isNear, isDragged])
  const now = isDragged ? rested : key
  return useMemo(() => now.split(',').map(Number), [now])
}

function useSlow(isLoading: boolean): boolean {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    setSlow(false)
    if (!isLoading) return
    const timer = setTimeout(() => setSlow(true), slowMs)
    return () => clearTimeout(timer)
  }, [isLoading])
  return isSlow
}
