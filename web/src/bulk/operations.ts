// Changes of many leads: look first, then do, then undo.
import type { LeadFilter } from '@rapport/contract/leads/filter'
import { queryOptions } from '@tanstack/react-query'
import { send } from '../api/call.ts'
import { client } from '../api/client.ts'
import { Fault } from '../api/fault.ts'
import { refreshLeads } from '../api/leads.ts'
import { tell, tellFault } from '../ui/toast.tsx'
import { words } from '../words.ts'

export type OperationKind = 'update' | 'track' | 'add-list' | 'remove-leads' | 'delete'

export interface Wanted {
  kind: OperationKind
  filter: LeadFilter
  data: Record<string, unknown>
}

export interface Preview {
  /** Leads that the filter selects, and those that would really change. */
  count: number
  changed: number
  sample: { id: string; before: Record<string, unknown>; after: Record<string, unknown> }[]
  confirm: string
}

export interface Operation {
  id: string
  kind: string
  state: 'running' | 'done' | 'failed' | string
  count: number
  changed: number
  created_at: string
  done_at: string | null
  undoable_until: string | null
  undo_of: string | null
  undone?: number
  kept?: number
}

export const previewOperation = (wanted: Wanted, signal?: AbortSignal) =>
  send<Preview>('POST /operations/preview', { body: wanted, signal })

export const operationsQuery = queryOptions({
  queryKey: ['operations'],
  queryFn: async ({ signal }) => {
    try {
      const answer = await send<Operation[] | { data: Operation[] }>('GET /operations', { signal })
      return Array.isArray(answer) ? answer : answer.data
    } catch (error) {
      if (error instanceof Fault && error.status === 404) return []
      throw error
    }
  },
  staleTime: 0,
})

function put(operation: Operation): void {
  client.setQueryData<Operation[]>(operationsQuery.queryKey, (old = []) => [
    operation,
    ...old.filter(({ id }) => id !== operation.id),
  ])
}

/** Starts the change. The service goes on with it when the page is left. */
export async function startOperation(wanted: Wanted, confirm: string): Promise<Operation> {
  const operation = await send<Operation>('POST /operations', {
    body: { ...wanted, confirm, wait: false },
  })
  put(operation)
  if (operation.state !== 'running') refreshLeads()
  return operation
}

export async function undoOperation(id: string): Promise<Operation> {
  const operation = await send<Operation>('POST /operations/{id}/undo', { id, body: {} })
  put(operation)
  refreshLeads()
  return operation
}

/** A small change that needs no look before, with a notice that can undo it. */
export async function runOperation(wanted: Wanted, said: string): Promise<void> {
  const { confirm } = await previewOperation(wanted)
  const { id } = await send<Operation>('POST /operations', {
    body: { ...wanted, confirm, wait: true },
  })
  refreshLeads()
  tell(said, {
    action: {
      label: words.actions.undo,
      run: () => undoOperation(id).catch((error) => tellFault(words.bulk.undoFailed, error)),
    },
  })
}
