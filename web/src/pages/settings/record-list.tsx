// Records with a name that people put into an order.
import type { UseQueryResult } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { type Ordered, orderAt } from '../../parts/records/change.ts'
import { Button } from '../../ui/button.tsx'
import { Sortable } from '../../ui/sortable.tsx'
import { submitting } from '../../ui/submitting.ts'
import { words } from '../../words/index.ts'
import { settings } from '../../words/settings.ts'
import { PartState } from './part-state.tsx'
import css from './settings.module.css'

type Said = typeof settings

/** The parts whose words say what to add, and that there is nothing yet. */
type ListId = keyof {
  [K in keyof Said & keyof Said['parts'] as Said[K] extends { add: string; none: string }
    ? K
    : never]: K
}

interface Props<T> {
  id: ListId
  query: Pick<UseQueryResult<T[]>, 'data' | 'error' | 'refetch'>
  onOrder: (record: T, order: number) => void
  onAdd: (name: string) => Promise<boolean>
  /** What a row has besides its handle. */
  children: (record: T) => ReactNode
}

export function RecordList<T extends Ordered & { name: string }>(props: Props<T>) {
  const { id, query, onOrder, onAdd, children } = props
  const { parts, [id]: said } = settings
  return (
    <>
      <PartState query={query} none={said.none}>
        {(records) => (
          <Sortable
            label={parts[id]}
            rows={records}
            onMove={(record, to) => onOrder(record, orderAt(records, record, to))}
          >
            {children}
          </Sortable>
        )}
      </PartState>
      <NewRecord label={said.add} onAdd={onAdd} />
    </>
  )
}

/** Adds a record by its name. What was typed stays when it is refused. */
export function NewRecord({
  label,
  onAdd,
  isFirst,
  isPart,
}: {
  label: string
  onAdd: (name: string) => Promise<boolean>
  isFirst?: boolean
  /** For something that is being edited: moving on adds it, Escape does not. */
  isPart?: boolean
}) {
  const [name, setName] = useState('')
  const add = async () => {
    const added = name.trim()
    if (!added) return
    // The next name can be typed while this one is saved.
    setName('')
    if (!(await onAdd(added))) setName((next) => next || added)
  }
  return (
    <form
      className={css.add}
      onSubmit={submitting(add)}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (isPart && !currentTarget.contains(relatedTarget)) void add()
      }}
    >
      <input
        className={css.input}
        aria-label={label}
        placeholder={label}
        autoComplete="off"
        value={name}
        autoFocus={isFirst}
        onChange={(event) => setName(event.target.value)}
        onKeyDown={({ key }) => isPart && key === 'Escape' && setName('')}
      />
      <Button type="submit" disabled={!name.trim()}>
        <Plus size={14} /> {words.actions.add}
      </Button>
    </form>
  )
}
