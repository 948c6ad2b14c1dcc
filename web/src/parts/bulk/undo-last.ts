// Undoes what was done in this tab and redoes what was undone, one thing after the other, and tells it.
import { call } from '../../api/call.ts'
import { Fault } from '../../api/fault.ts'
import { refreshLeads } from '../../api/leads.ts'
import {
  type Done,
  forget,
  forgetUndone,
  lastDone,
  lastUndone,
  remember,
  rememberUndone,
  type Undone,
} from '../../api/undo.ts'
import { orTell } from '../../ui/attempt.ts'
import { type Action, tell, tellFault } from '../../ui/toast.tsx'
import { words } from '../../words/index.ts'
import {
  type Operation,
  previewOperation,
  type Result,
  resultOf,
  undoOperation,
  type Wanted,
} from './operations.ts'

/** One undo or redo at a time: the next one may be about the same value. */
let last: Promise<void> = Promise.resolve()

export function undoLast(): void {
  const done = lastDone()
  if (done) undo(done)
  else tell(words.undo.nothing)
}

export function undo(done: Done): void {
  forget(done.id)
  last = last.then(() => undoNow(done))
}

async function undoNow(done: Done): Promise<void> {
  const { label } = done
  try {
    const operation = await done.undo()
    if (!operation) return tell(words.undo.done(words.bulk.undo.done, label))
    if (done.isUndo) return tellRedone(operation, operation.count, label)
    const undone = { undo: operation, label }
    rememberUndone(undone)
    tellResult(resultOf(operation), label, { label: words.undo.redo, run: () => redo(undone) })
  } catch (error) {
    if (mayWorkLater(error)) remember(done)
    tellFault(words.undo[done.isUndo ? 'notRedone' : 'failed'](label), error)
  }
}

function tellResult({ said, details, isNothing }: Result, label: string, action?: Action): void {
  const text = words.undo.done(said, label)
  const detail = details.join('. ')
  if (isNothing) tellFault(text, new Error(detail))
  else tell(text, { detail, ...(action && { action }) })
}

/** The service is away, or the operation still runs. */
const mayWorkLater = (error: unknown) =>
  error instanceof Fault && (error.isPassing || error.issues.some(({ code }) => code === 'running'))

export function redoLast(): void {
  // The undo may still be under way.
  last = last.then(() => {
    const undone = lastUndone()
    if (undone) redo(undone)
    else tell(words.undo.nothingToRedo)
  })
}

function redo(undone: Undone): void {
  forgetUndone(undone)
  last = last.then(() => redoNow(undone))
}

async function redoNow({ undo, label }: Undone): Promise<void> {
  await orTell(words.undo.notRedone(label), async () =>
    tellRedone(await undoOperation(undo.id), undo.count, label),
  )
}

function tellRedone(operation: Operation, of: number, label: string): void {
  const { id } = operation
  remember({ id, label, isRedo: true, undo: () => undoOperation(id) })
  tellResult(resultOf(operation, of), label)
}

/** A small change that needs no look before, with a notice that can undo it. */
export async function runOperation(wanted: Wanted, label: string): Promise<void> {
  const { confirm } = await previewOperation(wanted)
  const { id } = await call('POST /operations', {
    body: { ...wanted, confirm, wait: true },
  })
  refreshLeads()
  const done = { id, label, undo: () => undoOperation(id) }
  remember(done)
  tell(label, { action: { label: words.actions.undo, run: () => undo(done) } })
}
