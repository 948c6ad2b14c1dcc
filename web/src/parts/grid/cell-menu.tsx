// The menu of a cell of the grid.
import { Copy, ListFilter } from 'lucide-react'
import type { Lead } from '../../api/lead.ts'
import type { Records } from '../../api/records.ts'
import type { Field } from '../../kinds/field.ts'
import { Menu } from '../../ui/menu.tsx'
import { words } from '../../words/index.ts'
import { copyCell } from './copy.ts'

interface Props {
  cell: Element
  field: Field
  lead: Lead
  records: Records
  /** There is a filter for leads with the same value. */
  isFilterable: boolean
  onFilter: (field: Field, lead: Lead) => void
  onClose: () => void
}

export function CellMenu({ cell, field, lead, records, isFilterable, onFilter, onClose }: Props) {
  return (
    <Menu
      label={words.grid.cellMenu(field.label)}
      anchor={cell}
      onClose={onClose}
      groups={[
        [
          {
            id: 'same',
            label: words.grid.filterSame,
            icon: <ListFilter />,
            keys: 'Shift+F',
            isDisabled: !isFilterable,
            onPick: () => onFilter(field, lead),
          },
        ],
        [
          {
            id: 'copy',
            label: words.grid.copy,
            icon: <Copy />,
            keys: 'Mod+C',
            onPick: () => void copyCell(field, lead, records),
          },
        ],
      ]}
    />
  )
}
