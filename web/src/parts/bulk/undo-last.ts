// Undoes what was done last in this tab, one thing after the other, and tells it.
import { Fault } from '../../api/fault.ts'
import { type Done, forget, lastDone, remember } from '../../api/undo.ts'
import { tell, tellFault } from '../../ui/toast.tsx'
import { words } from '../../words/index.ts'
import { undoOperation } from './operations.ts'

/** One undo at a time: the next one may be about the same value. */
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
    const { id, kept } = await done.undo()
    tell(words.undo.done(label), {
      ...(kept && { detail: words.undo.partly }),
      action: { label: words.undo.redo, run: () => void redo(id, label) },
    })
  } catch (error) {
    if (mayWorkLater(error)) remember(done)
    tellFault(words.undo.failed(label), error)
  }
}

/** The service is away, or the operation still runs. */
const mayWorkLater = (error: unknown) =>
  error instanceof Fault && (error.isPassing || error.issues.some(({ code }) => code === 'running'))

async function redo(undone: string, label: string): Promise<void> {
  try {
    const { id } = await undoOperation(undone)
    remember({ id, label, undo: () => undoOperation(id) })
    tell(words.undo.redone(label))
  } catch (error) {
    tellFault(words.undo.notRedone(label), error)
  }
}
