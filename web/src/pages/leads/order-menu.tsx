import { ArrowDown, ArrowDownUp, ArrowUp } from 'lucide-react'
import { useState } from 'react'
import type { Order } from '../../api/lead-pages.ts'
import type { Field } from '../../kinds/field.ts'
import { Button } from '../../ui/button.tsx'
import { Options } from '../../ui/options.tsx'
import { Popover } from '../../ui/popover.tsx'
import { words } from '../../words/index.ts'
import css from './tools.module.css'

/** By what the rows are sorted. Any field that can be sorted can be chosen, also one that is not a column. */
export function OrderMenu({
  order,
  fields,
  onOrder,
}: {
  order: readonly Order[]
  fields: readonly Field[]
  onOrder: (order: Order[]) => void
}) {
  const [isOpen, setOpen] = useState(false)
  const first = order[0]
  const current = fields.find((field) => field.order?.[0] === first?.field)
  const type = first?.type ?? 'desc'
  const set = (field: Field | undefined, type: Order['type']) =>
    onOrder((field?.order ?? []).map((name) => ({ field: name, type })))
  const Arrow = type === 'asc' ? ArrowUp : ArrowDown
  return (
    <Popover
      label={words.grid.order}
      open={isOpen}
      onOpenChange={setOpen}
      align="end"
      wide
      trigger={
        <Button aria-label={`${words.grid.order}: ${current?.label ?? ''}`}>
          <ArrowDownUp size={15} /> {current?.label ?? words.grid.order}
        </Button>
      }
    >
      <Options
        label={words.fields.find(words.grid.order)}
        options={fields
          .filter((field) => field.order)
          .map((field) => ({
            id: field.id,
            label: field.label,
            group: words.grid.columnGroups[field.group],
          }))}
        chosen={new Set(current ? [current.id] : [])}
        onPick={(id) => {
          set(
            fields.find((field) => field.id === id),
            type,
          )
          setOpen(false)
        }}
        footer={
          <div className={css.directions}>
            <Button look="quiet" onClick={() => set(current, type === 'asc' ? 'desc' : 'asc')}>
              <Arrow size={14} /> {type === 'asc' ? words.grid.sortUp : words.grid.sortDown}
            </Button>
          </div>
        }
      />
    </Popover>
  )
}
