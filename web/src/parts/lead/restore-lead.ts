import { orTell } from '../../ui/attempt.ts'
import { words } from '../../words/index.ts'
import { runOperation } from '../bulk/undo-last.ts'

/** Brings a deleted lead back, and tells it or why not. */
export async function restoreLead(id: string): Promise<void> {
  await orTell(words.trash.notRestored, () =>
    runOperation({ kind: 'restore', filter: { leads: [id] }, data: {} }, words.trash.restored),
  )
}
