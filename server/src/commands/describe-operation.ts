// An operation in words: what it did, its state, and what an undo did.
import type { Operation } from '@rapport/contract/operations'
import { whatItDid } from '@rapport/contract/operations.values'
import type { MadeUndone } from '../resources/operations/undo.made.ts'
import { counted, listed, printable } from '../words.ts'

/** More fields are only counted. */
const maxFields = 4

/** What was done to the leads: "changed: city and tags". */
export function whatWasDone({ kind, data }: Operation): string {
  const names = Object.keys(data ?? {}).map(printable)
  const did = whatItDid(kind, data)
  if (kind !== 'update' || names.length === 0) return did
  const more = names.length - maxFields
  const named = more > 0 ? [...names.slice(0, maxFields), `${more} more`] : names
  return `${did}: ${listed(named)}`
}

/** An operation that was undone is still done; people want to know the rest. */
export const stateInWords = ({ state, undone_by }: Operation) => (undone_by ? 'undone' : state)

/** What an undo of it will do. */
export function effectOfUndo({ kind, changed }: Operation): string {
  const leads = counted(changed, 'lead')
  const but = 'Later changes are kept.'
  if (kind === 'import') {
    return `Undo deletes the leads it created and restores the others: ${leads} at most. ${but}`
  }
  if (kind === 'delete') return `Undo restores ${leads}.`
  return `Undo restores the values of ${leads}. ${but}`
}

/** What an undo has done: "Undone: 3 leads. Kept: 1 lead (changed since: 1)." */
export function resultOfUndo({ undone = 0, kept = 0, kept_reasons = [], data }: Operation): string {
  const { removed = [], stays = [] } = (data ?? {}) as Partial<MadeUndone>
  const named = (records: { kind: string; name: string }[]) =>
    listed(records.map(({ kind, name }) => `${kind} ${printable(name)}`))
  const reasons = kept_reasons.map(({ reason, leads }) => `${reason}: ${leads}`)
  return [
    `Undone: ${counted(undone, 'lead')}.`,
    kept > 0 && `Kept: ${counted(kept, 'lead')} (${reasons.join(', ')}).`,
    removed.length > 0 && `Removed: ${named(removed)}.`,
    stays.length > 0 && `In use, so kept: ${named(stays)}.`,
  ]
    .filter(Boolean)
    .join(' ')
}
