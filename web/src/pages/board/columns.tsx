// The columns side by side.
import { autoScrollForElements } from '@atlaskit/pragmatic-drag-and-drop-auto-scroll/element'
import { useEffect, useRef } from 'react'
import type { BoardAddress } from '../../addresses/board.ts'
import type { Records } from '../../api/records.ts'
import { addSums, groupOf, type Stats, type StatsGroup } from '../../pipeline/stats.ts'
import { words } from '../../words/index.ts'
import css from './board.module.css'
import columnCss from './column.module.css'
import { Column, Loading } from './column.tsx'
import type { ColumnRecord } from './no-stage.ts'
import type { Cards } from './use-cards.ts'

interface Props {
  statuses: readonly ColumnRecord[]
  stats: Stats | undefined
  records: Records
  address: BoardAddress
  cards: Cards
  mayWrite: boolean
}

/** Statuses without leads are not among the groups. */
const noLeads = (key: string): StatsGroup => ({ key, count: 0, values: [], sum: addSums([]) })

export function Columns({ statuses, stats, records, address, cards, mayWrite }: Props) {
  const board = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (board.current) return autoScrollForElements({ element: board.current })
  }, [])
  const { state, href } = address
  return (
    // Without a card in view, the columns could not be scrolled by keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <div ref={board} className={css.board} role="group" tabIndex={0} aria-label={words.board.label}>
      {statuses.map((status) => (
        <Column
          key={status.id}
          ref={(handle) => cards.register(status.id, handle)}
          status={status}
          query={cards.queryOf(status.id)}
          sums={stats && (groupOf(stats, status.id) ?? noLeads(status.id))}
          records={records}
          isFiltered={Object.keys(state.filter).length > 0}
          openLead={state.lead}
          hrefOf={(lead) => href({ lead })}
          mayWrite={mayWrite}
          onFocus={cards.onFocus}
          onMove={cards.startMoving}
          onDrop={cards.drop}
          onKey={cards.onKey}
        />
      ))}
    </div>
  )
}

const loadingColumns = [0, 1, 2, 3, 4]

export function BoardSkeleton() {
  return (
    <div className={css.board} aria-hidden="true">
      {loadingColumns.map((column) => (
        <div key={column} className={columnCss.column}>
          <div className={columnCss.header} />
          <div className={columnCss.scroller}>
            <Loading />
          </div>
        </div>
      ))}
    </div>
  )
}
