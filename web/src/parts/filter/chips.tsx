// The conditions as chips, and the button that adds one.
import type { LeadFilter } from '@rapport/contract/leads/filter'
import type { ConditionKind } from '@rapport/contract/leads/filter.values'
import { Plus, X } from 'lucide-react'
import {
  type KeyboardEvent,
  lazy,
  type ReactNode,
  type Ref,
  Suspense,
  useImperativeHandle,
  useRef,
  useState,
} from 'react'
import type { Records } from '../../api/records.ts'
import { useCommands } from '../../frame/commands.ts'
import {
  type Addable,
  addable,
  type ConditionId,
  conditionsOf,
  editedAs,
  isKey,
  kindOf,
  type NewFieldId,
  newAttributeCondition,
  type newException,
  withEntry,
  without,
} from '../../kinds/conditions.ts'
import { Button } from '../../ui/button.tsx'
import { Options } from '../../ui/options.tsx'
import { Popover } from '../../ui/popover.tsx'
import { words } from '../../words/index.ts'
import { describe } from './describe.tsx'
import css from './filter.module.css'

const ConditionEditor = lazy(async () => ({
  default: (await import('./editor.tsx')).ConditionEditor,
}))

type Added = ConditionId | NewFieldId | typeof newException

export interface FilterHandle {
  /** Opens the editor of a condition, or of a new one. */
  add: (id: Addable['id']) => void
}

interface Props {
  ref?: Ref<FilterHandle>
  filter: LeadFilter
  records: Records
  /** `isNext`: it continues the last change, so Back goes over both. */
  onChange: (filter: LeadFilter, isNext: boolean) => void
  /** Before the conditions. */
  start?: ReactNode
  children?: ReactNode
}

export function FilterBar({ ref, start, children, ...props }: Props) {
  const chips = useRef<ChipsHandle>(null)
  useImperativeHandle(ref, () => ({ add: (id) => chips.current?.add(id) }))
  const { commands } = words
  useCommands([
    {
      id: 'filter',
      title: commands.addFilter,
      group: commands.groups.leads,
      keys: 'F',
      run: () => chips.current?.open(),
    },
    {
      id: 'find',
      title: commands.find,
      group: commands.groups.leads,
      keys: '/',
      run: () => chips.current?.add('search'),
    },
  ])
  return (
    <div className={css.bar}>
      {start}
      <Chips ref={chips} {...props} depth={0} />
      {children}
    </div>
  )
}

interface ChipsHandle extends FilterHandle {
  /** Opens the menu of conditions. */
  open: () => void
}

interface ChipsProps extends Omit<Props, 'ref' | 'start' | 'children'> {
  ref?: Ref<ChipsHandle>
  /** In how many others the filter is. */
  depth: number
}

function Chips({ ref, filter, records, onChange, depth }: ChipsProps) {
  const [open, setOpen] = useState<ConditionId>()
  const [adding, setAdding] = useState(false)
  const [added, setAdded] = useState<Added>()
  const hasChanged = useRef(false)
  /** The filter when the editor was opened. */
  const before = useRef(filter)
  const change = (next: LeadFilter) => {
    onChange(next, hasChanged.current)
    hasChanged.current = true
  }
  const begin = () => {
    hasChanged.current = false
    before.current = filter
  }
  /** Most editors apply a choice at once. Escape reverts it; Ctrl+Enter closes the editor. */
  const onKey = (event: KeyboardEvent, onDone: () => void) => {
    const { key, currentTarget, target } = event
    // An editor within this one has its own keys.
    if (!(target instanceof Element && currentTarget.contains(target))) return
    if (key === 'Escape' && hasChanged.current) onChange(before.current, true)
    if (key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    event.stopPropagation()
    const form = target.closest('form')
    if (form) form.requestSubmit()
    else onDone()
  }
  const openAdd = (isOpen: boolean) => {
    begin()
    setAdded(undefined)
    setAdding(isOpen)
  }
  const openChip = (id: ConditionId | undefined) => {
    begin()
    setOpen(id)
  }
  const add = (id: string) => {
    const attribute = records.attributes.find((entry) => id === `new ${entry.id}`)
    if (!attribute) return setAdded(id as Added)
    const index = filter.attributes?.length ?? 0
    change(withEntry(filter, 'attributes', index, newAttributeCondition(attribute)))
    setAdded(`attributes ${index}`)
  }
  useImperativeHandle(ref, () => ({
    open: () => openAdd(true),
    add: (id) => {
      if (isKey(id) && filter[id] !== undefined) return openChip(id)
      openAdd(true)
      add(id)
    },
  }))
  const editor = (id: Added, onDone: () => void, isNew = false) => (
    <div role="presentation" onKeyDownCapture={(event) => onKey(event, onDone)}>
      <Suspense fallback={null}>
        <ConditionEditor
          id={id}
          isNew={isNew}
          filter={filter}
          records={records}
          onChange={change}
          onDone={onDone}
          chips={(part, onPart) => (
            <Chips filter={part} records={records} onChange={onPart} depth={depth + 1} />
          )}
        />
      </Suspense>
    </div>
  )

  return (
    <div className={css.chips} role="group" aria-label={words.filter.label}>
      {conditionsOf(filter).map((id) => (
        <Chip
          key={id}
          id={id}
          filter={filter}
          records={records}
          isOpen={open === id}
          onOpen={(isOpen) => openChip(isOpen ? id : undefined)}
          editor={() => editor(editedAs(id), () => openChip(undefined))}
          onRemove={() => onChange(without(filter, id), false)}
        />
      ))}
      <Popover
        label={words.filter.add}
        open={adding}
        onOpenChange={openAdd}
        wide
        trigger={
          <Button className={css.add ?? ''}>
            <Plus size={15} /> {words.filter.add}
          </Button>
        }
      >
        {added ? (
          editor(added, () => openAdd(false), true)
        ) : (
          <Options
            label={words.filter.find}
            options={addable(records.attributes, depth)}
            onPick={add}
          />
        )}
      </Popover>
    </div>
  )
}

/** Made by a selection, an operation or a group of duplicates, and only shown. */
const fixedKinds: ConditionKind[] = ['leads', 'operation', 'key']

interface ChipProps {
  id: ConditionId
  filter: LeadFilter
  records: Records
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
  editor: () => ReactNode
  onRemove: () => void
}

function Chip({ id, filter, records, isOpen, onOpen, editor, onRemove }: ChipProps) {
  const { field, operator, value } = describe(id, filter, records)
  const isFixed = isKey(id) && fixedKinds.includes(kindOf(id))
  const parts = (
    <>
      <span className={css.field}>{field}</span>
      {operator !== '' && <span>{operator}</span>}
      {value !== '' && <span className={css.value}>{value}</span>}
    </>
  )
  return (
    <div className={css.chip}>
      {isFixed ? (
        <div className={css.parts}>{parts}</div>
      ) : (
        <Popover
          label={words.filter.change(field)}
          open={isOpen}
          onOpenChange={onOpen}
          wide
          trigger={
            <button type="button" className={css.parts}>
              {parts}
            </button>
          }
        >
          {isOpen && editor()}
        </Popover>
      )}
      <button
        type="button"
        className={css.remove}
        aria-label={words.filter.remove(field)}
        onClick={onRemove}
      >
        <X size={14} />
      </button>
    </div>
  )
}
