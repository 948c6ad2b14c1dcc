import { ArrowDown, ArrowDownUp, ArrowUp } from 'lucide-react'
import { useState } from 'react'
import type { Order } from '../../api/lead-pages.ts'
import frame from '../../frame/page-frame.module.css'
import type { Field } from '../../kinds/field.ts'
import { kinds } from '../../kinds/kinds.tsx'
import { Button } from '../../ui/button.tsx'
import { type Option, Options } from '../../ui/options.tsx'
import { Popover } from '../../ui/popover.tsx'
import { words } from '../../words/index.ts'
import css from './tools.module.css'

interface Level {
  field: Field
  type: Order['type']
}

/** By what the rows are sorted, and then by what. Any field that can be sorted can be chosen, also one that is not a column. */
export default function OrderMenu({
  order,
  fields,
  onOrder,
}: {
  order: readonly Order[]
  fields: readonly Field[]
  onOrder: (order: Order[]) => void
}) {
  const [isOpen, setOpen] = useState(false)
  /** Which of the two is chosen. */
  const [at, setAt] = useState(0)
  const levels = levelsOf(order, fields)
  const [first, second] = levels
  const current = levels[at]
  const set = (next: Level[]) =>
    onOrder(
      next.flatMap(({ field, type }) => (field.order ?? []).map((name) => ({ field: name, type }))),
    )
  const turn = (level: number) =>
    set(
      levels.map(({ field, type }, one) => ({
        field,
        type: one !== level ? type : type === 'asc' ? 'desc' : 'asc',
      })),
    )
  const pick = (id: string) => {
    const field = fields.find((one) => one.id === id)
    if (field) {
      const type = field === current?.field ? current.type : startOf(field)
      set([...levels.slice(0, at), { field, type }])
    } else set(levels.slice(0, at))
    setOpen(false)
  }
  const said = levels.map(({ field }) => field.label).join(words.grid.thenBy)
  const none: Option[] = at > 0 ? [{ id: '', label: words.grid.noSecond }] : []
  return (
    <Popover
      label={words.grid.order}
      open={isOpen}
      onOpenChange={(open) => {
        setAt(0)
        setOpen(open)
      }}
      align="end"
      wide
      trigger={
        <Button aria-label={`${words.grid.order}: ${said}`}>
          <ArrowDownUp size={15} />
          <span className={frame.wideOnly}>{said || words.grid.order}</span>
        </Button>
      }
    >
      <div className={css.levels} role="group" aria-label={words.grid.order}>
        {[first, second].map((level, one) => (
          <div key={words.grid.levels[one]} className={css.level}>
            <Button
              look="quiet"
              aria-pressed={at === one}
              disabled={one > 0 && !first}
              onClick={() => setAt(one)}
            >
              {words.grid.levels[one]} <b>{level?.field.label ?? words.grid.noSecond}</b>
            </Button>
            {level && (
              <Button look="quiet" onClick={() => turn(one)}>
                {level.type === 'asc' ? <ArrowUp size={14} /> : <ArrowDown size={14} />}{' '}
                {level.type === 'asc' ? words.grid.ascending : words.grid.descending}
              </Button>
            )}
          </div>
        ))}
      </div>
      <Options
        key={at}
        label={words.filter.find}
        options={[
          ...none,
          ...fields
            .filter((field) => field.order && (at === 0 || field !== first?.field))
            .map((field) => ({
              id: field.id,
              label: field.label,
              group: words.grid.columnGroups[field.group],
            })),
        ]}
        chosen={new Set(current ? [current.field.id] : [])}
        onPick={pick}
      />
    </Popover>
  )
}

/** The latest and the largest come first; texts, stages and owners in their own order. */
const startOf = ({ kind }: Field): Order['type'] =>
  kinds[kind].isNumeric || kind === 'day' || kind === 'time' ? 'desc' : 'asc'

/** The fields behind the names that the service sorts by: a person's name is two of them. */
function levelsOf(order: readonly Order[], fields: readonly Field[]): Level[] {
  const [next] = order
  const field = next && fields.find((one) => one.order?.[0] === next.field)
  if (!field) return []
  return [{ field, type: next.type }, ...levelsOf(order.slice(field.order?.length), fields)]
}
