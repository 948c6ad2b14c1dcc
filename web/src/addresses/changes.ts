// The state of the page of recent changes is its address: of which time, by whom, of which kind.
import { type ChangeKind, changeKinds } from '@rapport/contract/changes.values'

export const shownPeriods = ['today', 'this_week', 'all'] as const
export type ShownPeriod = (typeof shownPeriods)[number]

export interface ChangesState {
  period: ShownPeriod
  member: string | undefined
  kind: ChangeKind | undefined
}

const usual: ShownPeriod = 'this_week'

export function readChanges(search: string): ChangesState {
  const query = new URLSearchParams(search)
  return {
    period: shownPeriods.find((name) => name === query.get('period')) ?? usual,
    member: query.get('member') || undefined,
    kind: changeKinds.find((name) => name === query.get('kind')),
  }
}

export function changesHref({ period, member, kind }: ChangesState): string {
  const query = new URLSearchParams()
  if (period !== usual) query.set('period', period)
  if (member) query.set('member', member)
  if (kind) query.set('kind', kind)
  return query.size > 0 ? `/changes?${query}` : '/changes'
}
