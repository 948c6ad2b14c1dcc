// The title of a page about one list; a click chooses another one.
import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import type { Records } from '../api/records.ts'
import { formatNumber } from '../ui/format.ts'
import { type Option, Options } from '../ui/options.tsx'
import { Popover } from '../ui/popover.tsx'
import { Dot } from '../ui/small.tsx'
import { words } from '../words/index.ts'
import css from './list-picker.module.css'
import { allLists, colorOf, noList, titleOf, useListCounts } from './lists.ts'

interface Props {
  /** Undefined until it is known. */
  list: string | undefined
  records: Records
  /** All lists together can be chosen too. */
  hasAll?: boolean
  onList: (list: string) => void
}

/** An option needs a name of its own. */
const none = 'none'

export function ListPicker({ list, records, hasAll, onList }: Props) {
  const [isOpen, setOpen] = useState(false)
  const counts = useListCounts()
  const { pipeline } = words
  const lists = records.lists.map((record): Option => {
    const count = counts?.get(record.id)
    return {
      id: record.id,
      label: record.name,
      content: (
        <span className={css.list}>
          <Dot color={colorOf(record, records.lists)} />
          {titleOf(record)}
        </span>
      ),
      hint: count === undefined ? undefined : formatNumber(count),
      group: pipeline.lists,
    }
  })
  const options: Option[] = [
    ...(hasAll ? [{ id: allLists, label: pipeline.all }] : []),
    ...lists,
    { id: none, label: pipeline.none, hint: pipeline.noneHint, group: pipeline.others },
  ]
  const shown = records.lists.find(({ id }) => id === list)
  return (
    <Popover
      label={pipeline.choose}
      open={isOpen}
      onOpenChange={setOpen}
      wide
      trigger={
        <button type="button" className={css.picker}>
          {shown && <Dot color={colorOf(shown, records.lists)} />}
          <span dir="auto" className="cut">
            {listName(list, records)}
          </span>
          <ChevronDown size={14} aria-hidden="true" />
        </button>
      }
    >
      <Options
        label={pipeline.find}
        options={options}
        chosen={new Set(list === undefined ? [] : [list || none])}
        onPick={(id) => {
          setOpen(false)
          onList(id === none ? noList : id)
        }}
      />
    </Popover>
  )
}

export function listName(list: string | undefined, records: Records): string {
  if (list === undefined) return '…'
  if (list === noList) return words.pipeline.none
  if (list === allLists) return words.pipeline.all
  const found = records.lists.find(({ id }) => id === list)
  if (found) return titleOf(found)
  return records.isReady ? words.pipeline.gone : '…'
}
