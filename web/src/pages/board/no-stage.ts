// The leads of a list that have none of its statuses: a column of their own, without places.
import type { LeadFilter } from '@rapport/contract/leads/filter'
import type { StatusRecord } from '../../api/records.ts'
import { noList } from '../../pipeline/lists.ts'
import { words } from '../../words/index.ts'

/** What a column shows of a status. */
export type ColumnRecord = Pick<StatusRecord, 'id' | 'name' | 'color'> & {
  /** Undefined: says nothing. */
  success_rate?: number
  /** Won or lost. */
  type?: StatusRecord['type']
}

export const noStage: ColumnRecord = { id: 'none', name: words.pipeline.noStage, color: '' }

export const isNoStage = (column: string) => column === noStage.id

export function noStageFilter(filter: LeadFilter, list: string, statuses: readonly string[]) {
  const without: LeadFilter = { status: [...statuses] }
  const none = [...(filter.none ?? []), without]
  if (list === noList) return { ...filter, has_no_list: true, none }
  // If the filter asks for lists, the lead must still be in this one.
  if (filter.lists?.length) return { ...filter, none: [...none, { none: [{ lists: [list] }] }] }
  return { ...filter, lists: [list], none }
}
