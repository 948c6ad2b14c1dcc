// What was done in this tab and can be undone, the last first. It is forgotten when the page is left.
import { words } from '../words/index.ts'
import { call, type Reply } from './call.ts'
import { refreshLeads } from './leads.ts'
import { historyLagMs } from './meanwhile.ts'

type Operation = Reply<'POST /lead/{id}/undo'>

export interface Done {
  /** The id of its request, or of its operation. */
  id: string
  /** What it was, for people. */
  label: string
  /** It is an undo: to undo it does again what was undone. */
  isUndo?: boolean
  /** It was undone before: what was undone together with it can still be redone. */
  isRedo?: boolean
  /** Returns the undo, if it is an operation. */
  undo: () => Promise<Operation | undefined>
}

/** An undo of this tab. To undo it does again what was undone. */
export interface Undone {
  undo: Operation
  label: string
}

const most = 100
let stack: Done[] = []
/** The last one last. A new change ends what can be redone, as people know it from other programs. */
let undone: Undone[] = []

export function remember(done: Done): void {
  stack = [...stack.slice(1 - most), done]
  if (!done.isRedo) undone = []
}

export function rememberUndone(entry: Undone): void {
  undone = [...undone.slice(1 - most), entry]
}

export function forgetUndone(entry: Undone): void {
  undone = undone.filter((other) => other !== entry)
}

export const lastUndone = (): Undone | undefined => undone.at(-1)

/** It was undone in another way. */
export function forget(id: string | null): void {
  stack = stack.filter((done) => done.id !== id)
}

export const lastDone = (): Done | undefined => stack.at(-1)

/** Undoes a change in the history of a lead, if nothing newer has happened to the same values. */
export async function undoChange(lead: string, seq: number): Promise<Operation> {
  const undo = await call('POST /lead/{id}/undo', { id: lead, body: { seq } })
  refreshLeads()
  return undo
}

const tries = 8

/** The same for what a request of this page has done. Its event is in the history a moment after the response. */
export async function undoRequest(lead: string, request: string): Promise<Operation> {
  for (let left = tries; left > 0; left--) {
    const { events } = await call('GET /lead/{id}/events', { id: lead, query: { limit: '100' } })
    const event = events.find(({ cause }) => cause.request_id === request)
    if (event) return undoChange(lead, event.seq)
    await new Promise((resolve) => setTimeout(resolve, historyLagMs))
  }
  throw new Error(words.faults.conflict)
}
