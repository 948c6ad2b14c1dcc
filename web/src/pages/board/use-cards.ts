// What can be done with the cards of the board: going from one to the other, opening, moving.
import type { LeadFilter } from '@rapport/contract/leads/filter'
import { useCallback, useMemo, useRef, useState } from 'react'
import type { BoardAddress } from '../../addresses/board.ts'
import { call } from '../../api/call.ts'
import { client } from '../../api/client.ts'
import { nameOf } from '../../api/lead.ts'
import type { LeadsQuery } from '../../api/lead-pages.ts'
import { formatNumber } from '../../ui/format.ts'
import { tellFault } from '../../ui/toast.tsx'
import { words } from '../../words/index.ts'
import type { Dragged } from './card.tsx'
import type { ColumnHandle } from './column.tsx'
import { columnQuery, leadAtRow, noStageQuery, rowIn } from './column-cache.ts'
import { moveCard } from './move.ts'
import type { PlaceName } from './move-dialog.tsx'
import { type ColumnRecord, isNoStage } from './no-stage.ts'

interface Options {
  address: BoardAddress
  /** The columns. */
  statuses: readonly ColumnRecord[]
  /** Selects the leads of the column without a stage. */
  unstaged: LeadFilter
  mayWrite: boolean
}

export type Cards = ReturnType<typeof useCards>

export function useCards({ address, statuses, unstaged, mayWrite }: Options) {
  const { state, go } = address
  const handles = useRef(new Map<string, ColumnHandle>())
  /** The card that had the focus last, or was clicked. */
  const current = useRef<{ status: string; row: number }>(undefined)
  const [moving, setMoving] = useState<Dragged>()
  const [said, setSaid] = useState('')

  const filterKey = JSON.stringify(state.filter)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same filter is the same
  const queries = useMemo(
    () =>
      new Map(
        statuses.map(({ id }) => [
          id,
          isNoStage(id) ? noStageQuery(unstaged) : columnQuery(state.filter, id),
        ]),
      ),
    [statuses, filterKey],
  )
  const queryOf = (status: string) => queries.get(status) as LeadsQuery

  const onFocus = useCallback((status: string, row: number) => {
    current.current = { status, row }
  }, [])
  const register = useCallback((status: string, handle: ColumnHandle | null) => {
    if (handle) handles.current.set(status, handle)
    else handles.current.delete(status)
  }, [])

  const focus = (status: string, row: number, lead?: string) => {
    current.current = { status, row }
    handles.current.get(status)?.focus(row, lead)
  }
  /** The card with the focus, or else the first one of the board. */
  const here = () => {
    const known = current.current
    if (known && handles.current.has(known.status)) return known
    const first = statuses.find(({ id }) => handles.current.get(id)?.count)
    return first && { status: first.id, row: -1 }
  }

  const step = (by: number) => {
    const from = here()
    const column = from && handles.current.get(from.status)
    if (!column) return
    const row = Math.max(0, Math.min(column.count - 1, from.row + by))
    focus(from.status, row)
    const lead = column.leadAt(row)
    if (state.lead && lead) go({ lead: lead.id }, { replace: true })
  }

  const close = () => {
    go({ lead: undefined })
    const from = current.current
    if (from) requestAnimationFrame(() => focus(from.status, from.row))
  }

  /** Where a card is now: others may have moved it since it was taken. */
  const placeOf = (dragged: Dragged) => {
    for (const [status, query] of queries) {
      const row = rowIn(query, dragged.lead.id)
      if (row !== undefined) return { status, row }
    }
    return dragged
  }

  /** Puts a card in front of the one at this row, as the rows are now. */
  const put = async (dragged: Dragged, status: string, row: number, withFocus: boolean) => {
    const { lead } = dragged
    const { status: source, row: from } = placeOf(dragged)
    const isSame = status === source
    // Those without a stage have no places.
    if (isSame && (isNoStage(status) || row === from || row === from + 1)) return
    const count = handles.current.get(status)?.count ?? Number.POSITIVE_INFINITY
    const first = isNoStage(status) ? 0 : row
    const next = first < count ? await leadAtRow(queryOf(status), first) : undefined
    const behind = handles.current.get(source)?.leadAt(from + 1)
    const moved = moveCard({
      lead,
      from: { status: source, query: queryOf(source), before: behind?.id ?? null },
      to: { status, query: queryOf(status), before: next?.id ?? null },
    })
    const target = isSame && row > from ? row - 1 : first
    current.current = { status, row: target }
    if (withFocus) focus(status, target, lead.id)
    const name = nameOf(lead)
    const column = statuses.find(({ id }) => id === status)?.name ?? ''
    // The length of a column that is not drawn is not known.
    const place = Number.isFinite(target) ? formatNumber(target + 1) : undefined
    setSaid(words.board.moved(name, column, place))
    if (await moved) return
    setSaid('')
    current.current = { status: source, row: from }
    if (withFocus) focus(source, from, lead.id)
  }
  const drop = (dragged: Dragged, status: string, row: number, withFocus = false) => {
    put(dragged, status, row, withFocus).catch((error) =>
      tellFault(words.board.notMoved(nameOf(dragged.lead)), error),
    )
  }

  const currentCard = (): Dragged | undefined => {
    const from = here()
    const row = from && Math.max(0, from.row)
    const lead = from && handles.current.get(from.status)?.leadAt(row ?? 0)
    return lead && { lead, status: from.status, row: row ?? 0 }
  }

  /** Arrow keys that leave the column, and with Shift move the card. */
  const onKey = (
    event: { key: string; shiftKey: boolean; preventDefault: () => void },
    status: string,
    row: number,
  ) => {
    const at = statuses.findIndex(({ id }) => id === status)
    const side = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    const up = { ArrowUp: -1, ArrowDown: 2 }[event.key]
    if (event.shiftKey) {
      const lead = handles.current.get(status)?.leadAt(row)
      const target = side === undefined ? status : statuses[at + side]?.id
      if (!mayWrite || !lead || !target || (side === undefined && up === undefined)) return
      event.preventDefault()
      const { count = 0 } = handles.current.get(target) ?? {}
      const wanted = Math.max(0, Math.min(count, row + (up ?? 0)))
      drop({ lead, status, row }, target, wanted, true)
    } else if (side) {
      event.preventDefault()
      const others = side > 0 ? statuses.slice(at + 1) : statuses.slice(0, at).reverse()
      const next = others.find(({ id }) => handles.current.get(id)?.count)
      const handle = next && handles.current.get(next.id)
      if (handle) focus(next.id, Math.min(row, handle.count - 1))
    }
  }

  /** From the dialog. On a phone the other columns are not drawn, so their length is asked for. */
  const moveTo = (status: string, place: PlaceName) => {
    if (!moving) return
    const { row } = moving
    const end = handles.current.get(status)?.count ?? Number.POSITIVE_INFINITY
    const wanted = { top: 0, bottom: end, up: Math.max(0, row - 1), down: Math.min(end, row + 2) }
    // After the dialog has given the focus back.
    requestAnimationFrame(() => drop(moving, status, wanted[place], true))
  }

  /** A new lead goes to the top of the first column. */
  const add = (id: string) => {
    const first = statuses.find(({ id }) => !isNoStage(id))
    if (!first) return
    const place = async () => {
      const before = await leadAtRow(queryOf(first.id), 0)
      const body = { id_lead: id, before: before?.id ?? null }
      await call('POST /status/{id}/place', { id: first.id, body })
      await client.invalidateQueries({ queryKey: ['leads'] })
      go({ lead: id })
    }
    place().catch((error) => tellFault(words.board.notMoved(words.leads.newLead), error))
  }

  const open = current.current
  const shown = open && handles.current.get(open.status)
  const isAt = shown?.leadAt(open?.row ?? -1)?.id === state.lead
  return {
    queryOf,
    register,
    onFocus,
    onKey,
    drop,
    step,
    close,
    add,
    moving,
    moveTo,
    said,
    startMoving: setMoving,
    stopMoving: () => setMoving(undefined),
    moveCurrent: () => setMoving(currentCard()),
    position: shown && open && isAt ? { row: open.row, total: shown.count } : undefined,
  }
}
