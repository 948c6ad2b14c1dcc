// Changes of the records of the workspace: they show immediately, and are reverted, with the reason, if refused.
import type { QueryKey } from '@tanstack/react-query'
import { client } from '../../api/client.ts'
import { tellFault } from '../../ui/toast.tsx'
import { words } from '../../words/index.ts'

interface Change<T> {
  /** The records in the cache. */
  key: QueryKey
  /** The message when it fails. */
  what: string
  /** The records as they will be. Not for what is being typed: it stays in its input. */
  shown?: (records: T[]) => T[]
  work: () => Promise<unknown>
}

/** How many changes of these records are under way. The records are read again after the last one. */
const underWay = new Map<string, number>()
/** The last change of these records. The next one is sent after it: otherwise the service may get it first. */
const lastSent = new Map<string, Promise<unknown>>()

export async function change<T>({ key, what, shown, work }: Change<T>): Promise<boolean> {
  const name = JSON.stringify(key)
  const count = (by: number) => {
    const next = (underWay.get(name) ?? 0) + by
    underWay.set(name, next)
    return next
  }
  count(1)
  // A response that is on its way does not know of this change.
  void client.cancelQueries({ queryKey: key })
  const before = client.getQueryData<T[]>(key)
  if (shown && before) client.setQueryData(key, shown(before))
  let isDone = true
  const sent = (lastSent.get(name) ?? Promise.resolve()).then(work)
  lastSent.set(
    name,
    sent.catch(() => {}),
  )
  try {
    await sent
  } catch (error) {
    isDone = false
    if (before) client.setQueryData(key, before)
    tellFault(words.faults.notSaved(what), error)
  }
  if (count(-1) === 0 && isDone) await readAgain(key)
  return isDone
}

export async function readAgain(key: QueryKey): Promise<void> {
  await client.invalidateQueries({ queryKey: key })
  // Leads show the names and colors of records.
  void client.invalidateQueries({ queryKey: ['leads'] })
}

export interface Ordered {
  id: string
  order: number
}

/** The number that puts a record to this place among the others. */
export function orderAt<T extends Ordered>(records: readonly T[], moved: T, to: number): number {
  const others = records.filter(({ id }) => id !== moved.id)
  const before = others[to - 1]?.order
  const after = others[to]?.order
  if (before === undefined) return (after ?? 1) - 1
  return after === undefined ? before + 1 : (before + after) / 2
}

/** The records with one of them changed, in their order. */
export function replaced<T extends Ordered>(records: T[], next: T): T[] {
  return records
    .map((record) => (record.id === next.id ? next : record))
    .sort((a, b) => a.order - b.order)
}
