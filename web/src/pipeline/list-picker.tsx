// The title of a page about one list, or about the whole workspace; a click chooses another one.
import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import type { Records } from '../api/records.ts'
import { relations } from '../kinds/relations.tsx'
import { Options } from '../ui/options.tsx'
import { Popover } from '../ui/popover.tsx'
import { words } from '../words/index.ts'
import css from './list-picker.module.css'

interface Props {
  list: string | undefined
  records: Records
  onList: (list: string | undefined) => void
}

const whole = 'whole'

export function ListPicker({ list, records, onList }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover
      label={words.pipeline.choose}
      open={isOpen}
      onOpenChange={setOpen}
      wide
      trigger={
        <button type="button" className={css.picker}>
          <span dir="auto" className={css.name}>
            {listName(list, records)}
          </span>
          <ChevronDown size={14} aria-hidden="true" />
        </button>
      }
    >
      <Options
        label={words.pipeline.find}
        options={[
          { id: whole, label: words.pipeline.whole },
          ...relations.lists.options(records).map((option) => ({
            ...option,
            group: words.pipeline.lists,
          })),
        ]}
        chosen={new Set([list ?? whole])}
        onPick={(id) => {
          setOpen(false)
          onList(id === whole ? undefined : id)
        }}
      />
    </Popover>
  )
}

export function listName(list: string | undefined, records: Records): string {
  if (list === undefined) return words.pipeline.whole
  const found = records.lists.find(({ id }) => id === list)
  if (found) return `${found.emoji} ${found.name}`.trim()
  return records.isReady ? words.pipeline.gone : '…'
}
