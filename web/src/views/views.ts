// Saved views: a filter, an order and columns under a name. Own ones, and those that others share.
import type { LeadFilter } from '@rapport/contract/leads/filter'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { send } from '../api/call.ts'
import { client } from '../api/client.ts'
import { Fault } from '../api/fault.ts'
import type { Order } from '../api/leads.ts'
import type { Column } from '../grid/columns.ts'

export interface SavedView {
  id: string
  name: string
  filter: LeadFilter
  order: Order[]
  columns: Column[]
  isShared: boolean
  owner: string
}

/** A view as the service has it. */
interface ViewRecord {
  id: string
  name: string
  filter: LeadFilter
  orderBy: { field: string; type?: 'asc' | 'desc' }[]
  columns: { field: string; width?: number; pinned?: boolean }[]
  mode: 'grid' | 'board'
  shared: boolean
  id_member: string
}

const viewsQuery = queryOptions({
  queryKey: ['views'],
  queryFn: async ({ signal }) => {
    try {
      const records = await send<ViewRecord[]>('GET /views', { signal })
      return records.filter(({ mode }) => mode === 'grid').map(fromRecord)
    } catch (error) {
      if (error instanceof Fault && error.status === 404) return []
      throw error
    }
  },
  staleTime: 60_000,
})

const none: SavedView[] = []

export function useViews(): { views: SavedView[]; isReady: boolean } {
  const { data, isFetched } = useQuery(viewsQuery)
  return { views: data ?? none, isReady: isFetched }
}

const attributePrefix = 'attribute:'

/**
 * The service knows plain fields only, so the column with the whole name is kept as that of the first name.
 * A view with a column of the first name alone shows the whole name.
 */
const nameIn = { page: 'name', service: 'first_name' }

function toPage(field: string): string {
  if (field === nameIn.service) return nameIn.page
  return /^[0-9a-f-]{36}$/.test(field) ? attributePrefix + field : field
}

function toService(id: string): string {
  return id === nameIn.page ? nameIn.service : id.replace(attributePrefix, '')
}

function fromRecord({
  id,
  name,
  filter,
  orderBy,
  columns,
  shared,
  id_member,
}: ViewRecord): SavedView {
  return {
    id,
    name,
    filter,
    order: orderBy.map(({ field, type = 'asc' }) => ({ field, type })),
    columns: columns.map(({ field, width, pinned }) => ({
      id: toPage(field),
      ...(width && { width }),
      ...(pinned && { isPinned: true }),
    })),
    isShared: shared,
    owner: id_member,
  }
}

const withoutTwice = (columns: readonly Column[]) =>
  columns.some(({ id }) => id === nameIn.page)
    ? columns.filter(({ id }) => id !== nameIn.service)
    : columns

type Definition = Partial<Pick<SavedView, 'name' | 'filter' | 'order' | 'columns' | 'isShared'>>

function toRecord({ name, filter, order, columns, isShared }: Definition) {
  return {
    ...(name !== undefined && { name }),
    ...(filter && { filter }),
    ...(order && { orderBy: order }),
    ...(columns && {
      columns: withoutTwice(columns).map(({ id, width, isPinned }) => ({
        field: toService(id),
        ...(width && { width: Math.round(width) }),
        ...(isPinned && { pinned: true }),
      })),
    }),
    ...(isShared !== undefined && { shared: isShared }),
  }
}

export async function createView(definition: Definition): Promise<SavedView> {
  const view = fromRecord(await send<ViewRecord>('POST /views', { body: toRecord(definition) }))
  client.setQueryData<SavedView[]>(['views'], (views = []) => [...views, view])
  return view
}

export async function changeView(id: string, definition: Definition): Promise<SavedView> {
  const view = fromRecord(
    await send<ViewRecord>('PATCH /views/{id}', { id, body: toRecord(definition) }),
  )
  client.setQueryData<SavedView[]>(['views'], (views = []) =>
    views.map((old) => (old.id === id ? view : old)),
  )
  return view
}

export async function deleteView(id: string): Promise<void> {
  await send('DELETE /views/{id}', { id })
  client.setQueryData<SavedView[]>(['views'], (views = []) =>
    views.filter((view) => view.id !== id),
  )
}
