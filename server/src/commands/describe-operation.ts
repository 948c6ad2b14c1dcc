// An operation in words: what was done, how it stands, and what an undo of it has done.
import type { Operation, OperationKind } from '@rapport/contract/operations'
import { counted, listed, printable } from './words.ts'

const inWords: Record<OperationKind, string> = {
  update: 'changed',
  track: 'tracked',
  'add-list': 'added to a list',
  'move-leads': 'moved to another list',
  'remove-leads': 'removed from a list',
  delete: 'deleted',
  erase: 'erased for good',
  import: 'imported',
  undo: 'undone',
}

/** More fields are only counted. */
const maxFields = 4

/** What was done to the leads: "changed: city and tags". */
export function whatWasDone({ kind, data }: Operation): string {
  if (kind === 'track' && data?.remove_tracking) return 'no longer tracked'
  const names = Object.keys(data ?? {}).map(printable)
  if (kind !== 'update' || names.length === 0) return inWords[kind]
  const more = names.length - maxFields
  const named = more > 0 ? [...names.slice(0, maxFields), `${more} more`] : names
  return `${inWords.update}: ${listed(named)}`
}

/** An operation that was undone is still done; people want to know the rest. */
export const stateInWords = ({ state, undone_by }: Operation) => (undone_by ? 'undone' : state)

/** What an undo of it will do. */
export function effectOfUndo({ kind, changed }: Operation): string {
  const leads = counted(changed, 'lead')
  const but = 'What was changed since stays as it is.'
  if (kind === 'import') {
    return `Undo deletes the leads that it created and gives the others their values back: ${leads} at most. ${but}`
  }
  if (kind === 'delete') return `Undo brings ${leads} back.`
  return `Undo gives ${leads} their values back. ${but}`
}

/** What an undo has done: "Undone: 3 leads. Kept: 1 lead (changed since: 1)." */
export function resultOfUndo({ undone = 0, kept = 0, kept_reasons = [] }: Operation): string {
  const result = `Undone: ${counted(undone, 'lead')}.`
  if (kept === 0) return result
  const reasons = kept_reasons.map(({ reason, leads }) => `${reason}: ${leads}`)
  return `${result} Kept: ${counted(kept, 'lead')} (${reasons.join(', ')}).`
}
