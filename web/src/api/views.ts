// Saved views under a name: a filter, with an order and columns as a grid, or with a list as a board. Own
// ones, and those that others share.
import type { LeadFilter } from '@rapport/contract/leads/filter'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call, type Reply } from './call.ts'
import { client } from './client.ts'
import type { Order } from './lead-pages.ts'

export interface Column {
  id: string
  width?: number | undefined
  isPinned?: boolean | undefined
}

export interface SavedView {
  id: string
  name: string
  filter: LeadFilter
  order: Order[]
  columns: Column[]
  mode: 'grid' | 'board'
  /** The list of a board. "": the statuses without a list. */
  list: string
  isShared: boolean
  /** Of the person who is signed in. */
  isFavorite: boolean
  owner: string
}

/** A view as the service has it. */
type ViewRecord = Reply<'GET /views'>[number]

const viewsQuery = queryOptions({
  queryKey: ['view'],
  queryFn: async ({ signal }) => {
    const records = await call('GET /views', { signal })
    return records.map(fromRecord)
  },
  staleTime: 60_000,
})

const none: SavedView[] = []

/** `known`: undefined while they are not there, or if they cannot be read. */
export function useViews(): {
  views: SavedView[]
  known: SavedView[] | undefined
  isReady: boolean
} {
  const { data, isFetched } = useQuery(viewsQuery)
  return { views: data ?? none, known: data, isReady: isFetched }
}

const attributePrefix = 'attribute:'

const toPage = (field: string) => (/^[0-9a-f-]{36}$/.test(field) ? attributePrefix + field : field)

const toService = (id: string) => id.replace(attributePrefix, '')

function fromRecord({
  id,
  name,
  filter,
  orderBy,
  columns,
  mode,
  id_list,
  shared,
  favorite,
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
    mode,
    list: id_list,
    isShared: shared,
    isFavorite: favorite,
    owner: id_member,
  }
}

/** Where the view is shown. */
export const viewHref = ({ id, mode }: Pick<SavedView, 'id' | 'mode'>) =>
  `${mode === 'board' ? '/board' : '/leads'}?view=${id}`

export type ViewDefinition = Partial<
  Pick<
    SavedView,
    'name' | 'filter' | 'order' | 'columns' | 'mode' | 'list' | 'isShared' | 'isFavorite'
  >
>

function toRecord(definition: ViewDefinition) {
  const { name, filter, order, columns, mode, list, isShared, isFavorite } = definition
  return {
    ...(name !== undefined && { name }),
    ...(filter && { filter }),
    ...(order && { orderBy: order }),
    ...(columns && {
      columns: columns.map(({ id, width, isPinned }) => ({
        field: toService(id),
        ...(width && { width: Math.round(width) }),
        ...(isPinned && { pinned: true }),
      })),
    }),
    ...(mode && { mode, id_list: list || null }),
    ...(isShared !== undefined && { shared: isShared }),
    ...(isFavorite !== undefined && { favorite: isFavorite }),
  }
}

export async function createView(
  definition: ViewDefinition & Pick<SavedView, 'name'>,
): Promise<SavedView> {
  const view = fromRecord(
    await call('POST /views', { body: { ...toRecord(definition), name: definition.name } }),
  )
  client.setQueryData<SavedView[]>(viewsQuery.queryKey, (views = []) => [...views, view])
  return view
}

export async function changeView(id: string, definition: ViewDefinition): Promise<SavedView> {
  const view = fromRecord(await call('PATCH /views/{id}', { id, body: toRecord(definition) }))
  client.setQueryData<SavedView[]>(viewsQuery.queryKey, (views = []) =>
    views.map((old) => (old.id === id ? view : old)),
  )
  return view
}

export async function deleteView(id: string): Promise<void> {
  await call('DELETE /views/{id}', { id })
  client.setQueryData<SavedView[]>(viewsQuery.queryKey, (views = []) =>
    views.filter((view) => view.id !== id),
  )
}
