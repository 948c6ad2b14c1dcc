import { Columns3 } from 'lucide-react'
import type { Column } from '../../api/views.ts'
import { defaultColumns } from '../../kinds/columns.ts'
import type { Field } from '../../kinds/field.ts'
import { Button } from '../../ui/button.tsx'
import { Options } from '../../ui/options.tsx'
import { Popover } from '../../ui/popover.tsx'
import { words } from '../../words/index.ts'

/** Which fields are columns. The header of the grid moves, pins and resizes them. */
export default function ColumnChooser({
  columns,
  fields,
  onColumns,
}: {
  columns: readonly Column[]
  fields: readonly Field[]
  onColumns: (columns: Column[]) => void
}) {
  const chosen = new Set(columns.map(({ id }) => id))
  const toggle = (id: string) => {
    const next = chosen.has(id)
      ? columns.filter((column) => column.id !== id)
      : [...columns, { id }]
    if (next.length > 0) onColumns([...next])
  }
  return (
    <Popover
      label={words.grid.columns}
      align="end"
      wide
      trigger={
        <Button>
          <Columns3 size={15} /> {words.grid.columns}
        </Button>
      }
    >
      <Options
        label={words.grid.findColumn}
        options={fields.map(({ id, label, group }) => ({
          id,
          label,
          group: words.grid.columnGroups[group],
        }))}
        chosen={chosen}
        onPick={toggle}
        footer={
          <div>
            <Button look="quiet" onClick={() => onColumns(defaultColumns)}>
              {words.grid.reset}
            </Button>
          </div>
        }
      />
    </Popover>
  )
}
