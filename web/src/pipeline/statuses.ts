// The statuses of a list, or those of the whole workspace, in their order.
import type { StatusRecord } from '../api/records.ts'

/** Without a list: the statuses that belong to no list. */
export function statusesOf(status: readonly StatusRecord[], list: string | undefined) {
  return status.filter(({ id_list }) => (id_list || undefined) === list)
}

/** Neither won nor lost. */
export const isOpen = ({ type }: StatusRecord) => type === null
