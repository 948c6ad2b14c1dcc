// On a phone one column is shown at a time; this chooses which.
import { ChevronDown, ChevronLeft, ChevronRight } from 'lucide-react'
import frame from '../../frame/page-frame.module.css'
import { groupOf, type Stats } from '../../pipeline/stats.ts'
import { Button } from '../../ui/button.tsx'
import { formatNumber } from '../../ui/format.ts'
import { Menu } from '../../ui/menu.tsx'
import { Dot } from '../../ui/small.tsx'
import { words } from '../../words/index.ts'
import css from './board.module.css'
import type { ColumnRecord } from './no-stage.ts'

interface Props {
  statuses: readonly ColumnRecord[]
  column: ColumnRecord
  stats: Stats | undefined
  onColumn: (id: string) => void
}

export function Switcher({ statuses, column, stats, onColumn }: Props) {
  const at = statuses.indexOf(column)
  const previous = statuses[at - 1]
  const next = statuses[at + 1]
  const countOf = (id: string) => formatNumber(groupOf(stats, id)?.count ?? 0)
  return (
    <div className={css.switcher} role="group" aria-label={words.board.columns}>
      <Button
        className={css.step ?? ''}
        aria-label={words.board.previousColumn}
        disabled={!previous}
        onClick={() => previous && onColumn(previous.id)}
      >
        <ChevronLeft size={16} />
      </Button>
      <Menu
        label={words.board.columns}
        trigger={
          <Button className={css.chosen ?? ''}>
            <Dot color={column.color} />
            <span className="cut" dir="auto">
              {column.name}
            </span>
            <span className={frame.total}>
              {words.lead.position(formatNumber(at + 1), formatNumber(statuses.length))}
            </span>
            <ChevronDown size={14} aria-hidden="true" />
          </Button>
        }
        groups={[
          statuses.map(({ id, name, color }) => ({
            id,
            label: stats ? `${name} · ${countOf(id)}` : name,
            icon: <Dot color={color} />,
            isChosen: id === column.id,
            onPick: () => onColumn(id),
          })),
        ]}
      />
      <Button
        className={css.step ?? ''}
        aria-label={words.board.nextColumn}
        disabled={!next}
        onClick={() => next && onColumn(next.id)}
      >
        <ChevronRight size={16} />
      </Button>
    </div>
  )
}
