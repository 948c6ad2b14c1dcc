import { tellFault } from '../../ui/toast.tsx'
import { words } from '../../words/index.ts'
import { runOperation } from '../bulk/undo-last.ts'

/** Brings a deleted lead back, and tells it or why not. */
export async function restoreLead(id: string): Promise<void> {
  try {
    await runOperation({ kind: 'restore', filter: { leads: [id] }, data: {} }, words.trash.restored)
  } catch (error) {
    tellFault(words.trash.notRestored, error)
  }
}
