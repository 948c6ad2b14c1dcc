// Changes of many leads that are under way or were just made. It survives leaving the page: the service has
// the operations, this tab remembers which of them it follows.
import { useQuery } from '@tanstack/react-query'
import { Check, LoaderCircle, TriangleAlert, Undo2, X } from 'lucide-react'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { refreshLeads } from '../api/leads.ts'
import { Button } from '../ui/button.tsx'
import { formatNumber } from '../ui/format.ts'
import { tellFault } from '../ui/toast.tsx'
import { words } from '../words.ts'
import css from './bulk.module.css'
import { type Operation, operationsQuery, undoOperation } from './operations.ts'

interface Followed {
  id: string
  title: string
}

const place = 'operations'
const listeners = new Set<() => void>()

function read(): Followed[] {
  try {
    return JSON.parse(sessionStorage.getItem(place) ?? '[]') as Followed[]
  } catch {
    return []
  }
}

let followed = read()

function set(next: Followed[]): void {
  followed = next
  try {
    sessionStorage.setItem(place, JSON.stringify(next))
  } catch {
    // The tray then lasts as long as the page.
  }
  for (const listener of listeners) listener()
}

/** Shows the operation in the tray. */
export function follow(id: string, title: string): void {
  set([...followed.filter((entry) => entry.id !== id).slice(-3), { id, title }])
}

const pollMs = 700

export function Tray() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => followed,
  )
  const { data: operations = [] } = useQuery({
    ...operationsQuery,
    enabled: shown.length > 0,
    refetchInterval: ({ state }) =>
      state.data?.some(({ state }) => state === 'running') ? pollMs : false,
  })
  const running = operations.filter(({ state }) => state === 'running').length
  const before = useRef(running)
  useEffect(() => {
    if (running < before.current) refreshLeads()
    before.current = running
  }, [running])
  const entries = shown.flatMap((entry) => {
    const operation = operations.find(({ id }) => id === entry.id)
    const undo = operations.find(({ undo_of }) => undo_of === entry.id)
    return operation ? [{ ...entry, operation, undo }] : []
  })
  if (entries.length === 0) return null
  return (
    <section className={css.tray} aria-label={words.bulk.tray} aria-live="polite">
      {entries.map((entry) => (
        <Entry
          key={entry.id}
          {...entry}
          onClose={() => set(followed.filter(({ id }) => id !== entry.id))}
        />
      ))}
    </section>
  )
}

interface EntryProps {
  title: string
  operation: Operation
  undo: Operation | undefined
  onClose: () => void
}

function Entry({ title, operation, undo, onClose }: EntryProps) {
  const [isUndoing, setUndoing] = useState(false)
  const { id, state, changed, undoable_until } = operation
  const canUndo =
    state === 'done' && !undo && undoable_until !== null && Date.parse(undoable_until) > Date.now()
  const start = async () => {
    setUndoing(true)
    try {
      await undoOperation(id)
    } catch (error) {
      tellFault(words.bulk.undoFailed, error)
    }
    setUndoing(false)
  }
  const isBusy = state === 'running' || isUndoing || undo?.state === 'running'
  return (
    <div className={css.entry}>
      <span className={css.entryIcon} aria-hidden="true">
        {isBusy ? (
          <LoaderCircle size={15} className={css.spin} />
        ) : state === 'failed' ? (
          <TriangleAlert size={15} className={css.failed} />
        ) : undo ? (
          <Undo2 size={15} />
        ) : (
          <Check size={15} className={css.ok} />
        )}
      </span>
      <div className={css.entryText}>
        <div>{title}</div>
        <div className={css.entryState}>{stateOf(operation, undo, isUndoing, changed)}</div>
      </div>
      {canUndo && !isUndoing && (
        <Button look="link" onClick={() => void start()}>
          {words.actions.undo}
        </Button>
      )}
      {!isBusy && (
        <Button look="icon" aria-label={words.actions.close} onClick={onClose}>
          <X size={14} />
        </Button>
      )}
    </div>
  )
}

function stateOf(
  { state }: Operation,
  undo: Operation | undefined,
  isUndoing: boolean,
  changed: number,
): string {
  const { bulk, leads } = words
  if (isUndoing || undo?.state === 'running') return bulk.undoing
  if (undo) return undo.kept ? `${bulk.undone}, ${bulk.kept(formatNumber(undo.kept))}` : bulk.undone
  if (state === 'running') return bulk.running
  return state === 'failed' ? bulk.failed : bulk.changed(leads.count(changed))
}
