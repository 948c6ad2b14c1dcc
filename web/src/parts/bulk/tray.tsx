// Bulk changes that are under way or were just made. It survives leaving the page: the service has
// the operations, this tab remembers which of them it follows.
import { useQuery } from '@tanstack/react-query'
import { Check, LoaderCircle, TriangleAlert, Undo2, X } from 'lucide-react'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { Link, useLocation } from 'wouter'
import { refreshLeads } from '../../api/leads.ts'
import { remember } from '../../api/undo.ts'
import { orTell } from '../../ui/attempt.ts'
import { Button } from '../../ui/button.tsx'
import { coverAsTray } from '../../ui/cover.ts'
import { formatNumber } from '../../ui/format.ts'
import { imports } from '../../words/imports.ts'
import { words } from '../../words/index.ts'
import css from './bulk.module.css'
import { type Importing, useImporting } from './importing.ts'
import {
  importedOf,
  type Operation,
  operationsQuery,
  resultOf,
  undoIn,
  undoOperation,
} from './operations.ts'

/** What a change is called. */
export interface Said {
  change: keyof typeof words.bulk.changes
  /** The tag, the list, the member. */
  name: string
}

interface Followed extends Said {
  id: string
  /** How many leads it changes, as the preview says. */
  count: number
}

const place = 'operations'
const listeners = new Set<() => void>()

function read(): Followed[] {
  try {
    const kept = JSON.parse(sessionStorage.getItem(place) ?? '[]') as Followed[]
    // An older page may have called a change otherwise.
    return kept.filter(({ change }) => change in words.bulk.changes)
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
export function follow(operation: Followed): void {
  set([...followed.filter(({ id }) => id !== operation.id).slice(-3), operation])
  const { id, change, count, name } = operation
  // An import is looked at before it is undone.
  if (change === 'import') return
  const label = words.bulk.changes[change].did(count, name)
  remember({ id, label, undo: () => undoOutside(id) })
}

export const isFollowed = (operation: string | null) => followed.some(({ id }) => id === operation)

/** The listener is called when the tray shows another operation, or one less. */
export function onFollowed(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const unfollow = (id: string) => set(followed.filter((entry) => entry.id !== id))

/** For code that reports the result itself, so that the tray does not. */
export async function undoOutside(id: string): Promise<Operation> {
  const undo = await undoOperation(id)
  unfollow(id)
  return undo
}

const pollMs = 700
/** Long enough to read it and to undo it. Recent changes can be undone later too. */
const shownMs = 20_000

export default function Tray() {
  const shown = useSyncExternalStore(onFollowed, () => followed)
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
    const undo = undoIn(operations, entry.id)
    return operation ? [{ ...entry, operation, undo }] : []
  })
  const [path] = useLocation()
  const importing = useImporting()
  // The import page shows it itself.
  const shownImport = path === '/import' ? undefined : importing
  if (entries.length === 0 && !shownImport) return null
  return (
    <section ref={coverAsTray} className={css.tray} aria-label={words.bulk.tray} aria-live="polite">
      {shownImport && <ImportEntry importing={shownImport} />}
      {entries.map((entry) => (
        <Entry key={entry.id} {...entry} onClose={() => unfollow(entry.id)} />
      ))}
    </section>
  )
}

function ImportEntry({ importing }: { importing: Importing }) {
  const { file, phase, rows, done, stop } = importing
  return (
    <div className={css.entry}>
      <span className={css.entryIcon} aria-hidden="true">
        <LoaderCircle size={15} className={css.spin} />
      </span>
      <div className="block">
        <div>
          {imports.phases[phase]} <bdi>{file}</bdi>
        </div>
        <div className={css.entryState}>
          {rows > 0 && imports.ofRows(formatNumber(done), formatNumber(rows))}
        </div>
      </div>
      <Link href="/import" className="link">
        {imports.trayOpen}
      </Link>
      <Button look="link" onClick={stop}>
        {imports.stop}
      </Button>
    </div>
  )
}

interface EntryProps extends Followed {
  operation: Operation
  undo: Operation | undefined
  onClose: () => void
}

function Entry({ id, change, name, count, operation, undo, onClose }: EntryProps) {
  const [isUndoing, setUndoing] = useState(false)
  const { state, undoable_until } = operation
  // The service says a time only as long as it can be undone. The clock of this machine may be wrong.
  const isOver = state === 'done' || state === 'stopped'
  const canUndo = isOver && !undo && undoable_until !== null
  const start = async () => {
    setUndoing(true)
    await orTell(words.bulk.undoFailed, () => undoOperation(id))
    setUndoing(false)
  }
  const says = words.bulk.changes[change][isOver ? 'did' : 'doing']
  const about = isOver ? operation.changed : count
  const isBusy = state === 'running' || isUndoing || undo?.state === 'running'
  const [isHeld, setHeld] = useState(false)
  const hold = { onPointerEnter: () => setHeld(true), onPointerLeave: () => setHeld(false) }
  // What went well goes away, unless somebody is at it.
  const isGoing = isOver && !isBusy && !isHeld
  const latest = useRef(onClose)
  latest.current = onClose
  useEffect(() => {
    if (!isGoing) return
    const timer = setTimeout(() => latest.current(), shownMs)
    return () => clearTimeout(timer)
  }, [isGoing])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only waits while somebody is at it
    <div
      className={css.entry}
      {...hold}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span className={css.entryIcon} aria-hidden="true">
        {isBusy ? (
          <LoaderCircle size={15} className={css.spin} />
        ) : state === 'failed' || (undo && resultOf(undo).isNothing) ? (
          <TriangleAlert size={15} className="bad" />
        ) : undo ? (
          <Undo2 size={15} />
        ) : (
          <Check size={15} className={css.ok} />
        )}
      </span>
      <div className="block">
        <div>{change === 'import' ? `${name}: ${importedOf(operation)}` : says(about, name)}</div>
        <div className={css.entryState}>{stateOf(operation, undo, isUndoing)}</div>
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
  { state, error }: Operation,
  undo: Operation | undefined,
  isUndoing: boolean,
): string {
  const { bulk } = words
  if (isUndoing || undo?.state === 'running') return bulk.undoing
  if (undo) {
    const { said, details } = resultOf(undo)
    return [said, ...details].join('. ')
  }
  if (state === 'running') return bulk.running
  if (state === 'stopped') return bulk.stopped
  return state === 'failed' ? (error ?? bulk.failed) : bulk.done
}
