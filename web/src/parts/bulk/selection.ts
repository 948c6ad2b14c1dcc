// Which leads are selected: some by their ids, or all that match except some. "All" is never a list of ids.
import type { LeadFilter } from '@rapport/contract/leads/filter'

export type Selection =
  | { kind: 'some'; ids: ReadonlySet<string> }
  | { kind: 'all'; except: ReadonlySet<string> }

export const nothingSelected: Selection = { kind: 'some', ids: new Set() }
export const allSelected: Selection = { kind: 'all', except: new Set() }

export function isSelected(selection: Selection, id: string): boolean {
  return selection.kind === 'all' ? !selection.except.has(id) : selection.ids.has(id)
}

export function countSelected(selection: Selection, total: number): number {
  return selection.kind === 'all' ? Math.max(0, total - selection.except.size) : selection.ids.size
}

/** Selects or deselects these leads. */
export function select(selection: Selection, ids: readonly string[], isOn: boolean): Selection {
  const change = (set: ReadonlySet<string>, isAdding: boolean) => {
    const next = new Set(set)
    for (const id of ids) isAdding ? next.add(id) : next.delete(id)
    return next
  }
  return selection.kind === 'all'
    ? { kind: 'all', except: change(selection.except, !isOn) }
    : { kind: 'some', ids: change(selection.ids, isOn) }
}

/** The filter that selects exactly these leads. */
export function filterOf(selection: Selection, filter: LeadFilter): LeadFilter {
  if (selection.kind === 'some') return { leads: [...selection.ids] }
  if (selection.except.size === 0) return filter
  return { ...filter, not_leads: [...(filter.not_leads ?? []), ...selection.except] }
}
