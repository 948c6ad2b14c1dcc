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

export interface FilterHandle {
  /** Opens the editor of a new condition. */
  add: (id: Addable['id']) => void
}

interface Props {
  ref?: Ref<FilterHandle>
  filter: LeadFilter
  records: Records
  /** `isNext`: it continues the last change, so Back goes over both. */
  onChange: (filter: LeadFilter, isNext: boolean) => void
  children?: ReactNode
}

export function FilterBar({ ref, filter, records, onChange, children }: Props) {
  const [open, setOpen] = useState<ConditionId>()
  const [adding, setAdding] = useState(false)
  const [added, setAdded] = useState<ConditionId | NewFieldId>()
  const hasChanged = useRef(false)
  /** The filter when the editor was opened. */
  const before = useRef(filter)
  const addButton = useRef<HTMLButtonElement>(null)
  const change = (next: LeadFilter) => {
    onChange(next, hasChanged.current)
    hasChanged.current = true
  }
  const begin = () => {
    hasChanged.current = false
    before.current = filter
  }
  /** Most editors apply what is chosen at once. Escape takes it back. */
  const undoOnEscape = ({ key }: KeyboardEvent) => {
    if (key === 'Escape' && hasChanged.current) onChange(before.current, true)
  }
  const openAdd = (isOpen: boolean, id?: ConditionId) => {
    begin()
    setAdded(id)
    setAdding(isOpen)
  }
  const add = (id: string) => {
    const attribute = records.attributes.find((entry) => id === `new ${entry.id}`)
    if (!attribute) return setAdded(id as ConditionId)
    const index = filter.attributes?.length ?? 0
    change(withEntry(filter, 'attributes', index, newAttributeCondition(attribute)))
    setAdded(`attributes ${index}`)
  }
  useImperativeHandle(ref, () => ({
    add: (id) => {
      openAdd(true)
      add(id)
    },
  }))
  const { commands } = words
  useCommands([
    {
      id: 'filter',
      title: commands.addFilter,
      group: commands.groups.leads,
      keys: 'F',
      run: () => openAdd(true),
    },
    {
      id: 'find',
      title: commands.find,
      group: commands.groups.leads,
      keys: '/',
      run: () => openAdd(true, 'search'),
    },
  ])

  return (
    <div className={css.bar}>
      <div className={css.chips} role="group" aria-label={words.filter.label}>
        {conditionsOf(filter).map((id) => (
          <Chip
            key={id}
            id={id}
            filter={filter}
            records={records}
            isOpen={open === id}
            onOpen={(isOpen) => {
              begin()
              setOpen(isOpen ? id : undefined)
            }}
            onChange={change}
            onEscape={undoOnEscape}
            onRemove={() => onChange(without(filter, id), false)}
          />
        ))}
        <Popover
          label={words.filter.add}
          open={adding}
          onOpenChange={(isOpen) => openAdd(isOpen)}
          wide
          trigger={
            <Button className={css.add ?? ''} ref={addButton}>
              <Plus size={15} /> {words.filter.add}
            </Button>
          }
        >
          {added ? (
            <div role="presentation" onKeyDownCapture={undoOnEscape}>
              <Suspense fallback={null}>
                <ConditionEditor
                  id={added}
                  filter={filter}
                  records={records}
                  onChange={change}
                  onDone={() => openAdd(false)}
                />
              </Suspense>
            </div>
          ) : (
            <Options label={words.filter.find} options={addable(records.attributes)} onPick={add} />
          )}
        </Popover>
      </div>
      {children}
    </div>
  )
}

/** Made by a link of the overview or by a selection, and only shown. */
const fixedKinds: ConditionKind[] = ['leads', 'changed', 'filters']

interface ChipProps {
  id: ConditionId
  filter: LeadFilter
  records: Records
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
  onChange: (filter: LeadFilter) => void
  onEscape: (event: KeyboardEvent) => void
  onRemove: () => void
}

function Chip({ id, filter, records, isOpen, onOpen, onChange, onEscape, onRemove }: ChipProps) {
  const { field, operator, value } = describe(id, filter, records)
  const isFixed = isKey(id) && fixedKinds.includes(kindOf(id))
  const parts = (
    <>
      <span className={css.field}>{field}</span>
      <span>{operator}</span>
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
          <div role="presentation" onKeyDownCapture={onEscape}>
            <Suspense fallback={null}>
              <ConditionEditor
                id={editedAs(id)}
                filter={filter}
                records={records}
                onChange={onChange}
                onDone={() => onOpen(false)}
              />
            </Suspense>
          </div>
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
