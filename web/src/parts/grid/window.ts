// Which rows of very many are in view. Browsers cannot make an element higher than about 16 million px, so
// the space to scroll in is capped. Small moves (the wheel, the arrow keys) scroll 1:1; large ones (the
// scrollbar) are mapped in proportion. So every row can be reached, and scrolling feels normal.
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

const maxSpace = 15_000_000
const overscan = 6
/** After this time without scrolling, the scrollbar is put where the position is. */
const settleMs = 160

export interface View {
  first: number
  /** Behind the last one. */
  end: number
  /** Row n is drawn at `base + topOf(n)`. */
  base: number
  /** How many rows are drawn, if there are so many: the same wherever it is scrolled. */
  size: number
}

export interface GridWindow {
  view: View
  /** The height of the space to scroll in. */
  space: number
  onScroll: () => void
  /** Brings a row into view, with as little movement as possible, or to the top. */
  show: (row: number, where?: 'near' | 'top') => void
  /** How many whole rows fit. */
  rowsInView: () => number
  /** Changes heights. What is at the top of the view stays there. */
  resize: (change: () => boolean) => void
}

/** Where rows begin that are not all of one height. */
export interface Rows {
  topOf: (row: number) => number
  rowAt: (top: number) => number
}

interface Options {
  scroller: RefObject<HTMLElement | null>
  count: number
  /** Of all rows, or of the highest. */
  rowHeight: number
  rows?: Rows
  /** What covers the top of the scroller: the sticky header. */
  headerHeight: number
}

const isSame = (a: View, b: View) =>
  a.first === b.first && a.end === b.end && a.base === b.base && a.size === b.size

export function useWindow({ scroller, count, rowHeight, rows, headerHeight }: Options): GridWindow {
  const topOf = useCallback((row: number) => rows?.topOf(row) ?? row * rowHeight, [rows, rowHeight])
  const rowAt = useCallback(
    (top: number) => rows?.rowAt(top) ?? Math.floor(top / rowHeight),
    [rows, rowHeight],
  )
  const [, draw] = useState(0)
  const [view, setView] = useState<View>({ first: 0, end: 0, base: 0, size: 1 })
  /** `top` is the position among all rows in px; `scroll` is the scrollTop that belongs to it. */
  const place = useRef({ top: 0, scroll: 0 })
  const settle = useRef<ReturnType<typeof setTimeout>>(undefined)
  const full = topOf(count)
  const space = Math.min(full, maxSpace)

  /** Asking the element while it scrolls would force the browser to lay everything out at once. */
  const outerHeight = useRef(0)
  const measure = useCallback(() => {
    const height = Math.max(0, outerHeight.current - headerHeight)
    return { height, maxTop: Math.max(0, full - height), maxScroll: Math.max(0, space - height) }
  }, [headerHeight, full, space])

  const update = useCallback(() => {
    const { height, maxTop } = measure()
    const { top: wanted, scroll } = place.current
    const top = Math.min(wanted, maxTop)
    const first = Math.max(0, rowAt(top) - overscan)
    const size = Math.ceil(height / rowHeight) + 1 + 2 * overscan
    const end = Math.min(count, Math.max(first + size, rowAt(top + height) + overscan))
    const base = Math.round(scroll - top)
    const next = { first, end, base, size }
    setView((old) => (isSame(old, next) ? old : next))
  }, [measure, rowAt, rowHeight, count])

  /** Puts the scrollbar where the position is. The rows do not move on the screen. */
  const align = useCallback(() => {
    const element = scroller.current
    const { maxTop, maxScroll } = measure()
    if (!element || maxTop === 0) return
    const wanted = Math.round((place.current.top / maxTop) * maxScroll)
    if (Math.abs(wanted - element.scrollTop) > 1) element.scrollTop = wanted
    place.current.scroll = element.scrollTop
    update()
  }, [scroller, measure, update])

  const onScroll = useCallback(() => {
    const element = scroller.current
    if (!element) return
    const { height, maxTop, maxScroll } = measure()
    const scroll = element.scrollTop
    const moved = scroll - place.current.scroll
    if (moved === 0) return
    const isSmall = Math.abs(moved) <= height * 1.5
    const top = isSmall ? place.current.top + moved : (scroll / (maxScroll || 1)) * maxTop
    place.current = { top: Math.round(Math.max(0, Math.min(maxTop, top))), scroll }
    if (space === full) place.current.top = Math.max(0, Math.min(maxTop, scroll))
    clearTimeout(settle.current)
    const isAtEdge = scroll <= 0 || scroll >= maxScroll - 1
    if (space < full && isAtEdge) align()
    else if (space < full) settle.current = setTimeout(align, settleMs)
    update()
  }, [scroller, measure, update, align, full, space])

  const show = useCallback(
    (row: number, where: 'near' | 'top' = 'near') => {
      const element = scroller.current
      if (!element) return
      const { height, maxTop, maxScroll } = measure()
      const { top, scroll } = place.current
      const start = topOf(row)
      const bottom = topOf(row + 1)
      const isAbove = start < top
      const isBelow = bottom > top + height
      if (where === 'near' && !isAbove && !isBelow) return
      const isFar = where === 'top' || Math.abs(start - top) > 2 * height
      const target = isFar
        ? start - (where === 'top' ? 0 : Math.floor(height / 3))
        : isAbove
          ? start
          : bottom - height
      const next = Math.max(0, Math.min(maxTop, target))
      const moved = scroll + next - top
      const canMove = !isFar && moved >= 0 && moved <= maxScroll
      element.scrollTop = canMove ? moved : (next / (maxTop || 1)) * maxScroll
      place.current = { top: next, scroll: element.scrollTop }
      clearTimeout(settle.current)
      if (space < full) settle.current = setTimeout(align, settleMs)
      update()
    },
    [scroller, measure, topOf, update, align, full, space],
  )

  const rowsInView = useCallback(
    () => Math.max(1, Math.floor(measure().height / rowHeight)),
    [measure, rowHeight],
  )

  const resize = useCallback(
    (change: () => boolean) => {
      const { top } = place.current
      const row = rowAt(top)
      const offset = top - topOf(row)
      if (!change()) return
      place.current.top = topOf(row) + offset
      draw((times) => times + 1)
    },
    [rowAt, topOf],
  )
  // The space has changed below what is in view.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only then
  useLayoutEffect(() => {
    if (rows) align()
  }, [full])

  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    const fit = () => {
      outerHeight.current = element.clientHeight
      update()
    }
    fit()
    const observer = new ResizeObserver(fit)
    observer.observe(element)
    return () => observer.disconnect()
  }, [scroller, update])
  useEffect(() => () => clearTimeout(settle.current), [])

  return { view, space, onScroll, show, rowsInView, resize }
}

/** Whether the columns are wider than the grid: then pinned ones must stay in place while the others scroll. */
export function useIsWide(scroller: RefObject<HTMLElement | null>, columns: readonly unknown[]) {
  const [isWide, setWide] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: other columns have another width
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    const measure = () => setWide(element.scrollWidth > element.clientWidth)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [columns])
  return isWide
}
