// The statuses of a list, of none, or of all, in their order.
import type { StatusRecord } from '../api/records.ts'
import { allLists } from './lists.ts'

export function statusesOf(status: readonly StatusRecord[], list: string) {
  return list === allLists ? [...status] : status.filter(({ id_list }) => id_list === list)
}

/** Neither won nor lost. */
export const isOpen = ({ type }: StatusRecord) => type === null
