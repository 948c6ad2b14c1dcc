// The records that leads refer to. There are few of them, so they are loaded whole.
import { queryOptions, useQueries } from '@tanstack/react-query'
import { call, type Reply } from './call.ts'

export type Tag = Reply<'GET /tags'>[number]
export type ListRecord = Reply<'GET /lists'>[number]
export type StatusRecord = Reply<'GET /status'>[number]
export type MemberRecord = Reply<'GET /members'>[number]
export type AttributeRecord = Reply<'GET /attributes'>[number]

export interface Records {
  tags: Tag[]
  lists: ListRecord[]
  status: StatusRecord[]
  members: MemberRecord[]
  attributes: AttributeRecord[]
  campaigns: { id: string; name: string }[]
  /** Everything is there, so an id that is not found was deleted. */
  isReady: boolean
}

const common = { staleTime: 60_000 }
export const recordQueries = {
  tags: queryOptions({
    ...common,
    queryKey: ['records', 'tags'],
    queryFn: ({ signal }) => call('GET /tags', { signal }),
  }),
  lists: queryOptions({
    ...common,
    queryKey: ['records', 'lists'],
    queryFn: ({ signal }) => call('GET /lists', { signal }),
  }),
  status: queryOptions({
    ...common,
    queryKey: ['records', 'status'],
    queryFn: ({ signal }) => call('GET /status', { signal }),
  }),
  members: queryOptions({
    ...common,
    queryKey: ['records', 'members'],
    queryFn: ({ signal }) => call('GET /members', { signal }),
  }),
  attributes: queryOptions({
    ...common,
    queryKey: ['records', 'attributes'],
    queryFn: ({ signal }) => call('GET /attributes', { signal }),
  }),
  campaigns: queryOptions({
    ...common,
    queryKey: ['records', 'campaigns'],
    queryFn: ({ signal }) => call('GET /campaigns', { signal }),
  }),
}

export function useRecords(): Records {
  return useQueries({
    queries: [
      recordQueries.tags,
      recordQueries.lists,
      recordQueries.status,
      recordQueries.members,
      recordQueries.attributes,
      recordQueries.campaigns,
    ],
    combine,
  })
}

interface Answer<T> {
  data: T | undefined
}

// A function of its own, so that the result is the same object while the answers are.
function combine([tags, lists, status, members, attributes, campaigns]: [
  Answer<Tag[]>,
  Answer<ListRecord[]>,
  Answer<StatusRecord[]>,
  Answer<MemberRecord[]>,
  Answer<AttributeRecord[]>,
  Answer<{ data: { id: string; name: string }[] }>,
]): Records {
  return {
    tags: tags.data ?? [],
    lists: lists.data ?? [],
    status: status.data ?? [],
    members: members.data ?? [],
    attributes: attributes.data ?? [],
    campaigns: campaigns.data?.data ?? [],
    isReady: Boolean(
      tags.data && lists.data && status.data && members.data && attributes.data && campaigns.data,
    ),
  }
}
