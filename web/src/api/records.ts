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

function recordQuery<
  N extends 'tags' | 'lists' | 'status' | 'members' | 'attributes' | 'campaigns',
>(name: N) {
  return queryOptions({
    staleTime: 60_000,
    queryKey: ['records', name],
    queryFn: ({ signal }) => call(`GET /${name}`, { signal }),
  })
}

export const recordQueries = {
  tags: recordQuery('tags'),
  lists: recordQuery('lists'),
  status: recordQuery('status'),
  members: recordQuery('members'),
  attributes: recordQuery('attributes'),
  campaigns: recordQuery('campaigns'),
}
const { tags, lists, status, members, attributes, campaigns } = recordQueries

export function useRecords(): Records {
  return useQueries({ queries: [tags, lists, status, members, attributes, campaigns], combine })
}

interface Answer<T> {
  data: T | undefined
}

// A function of its own, so that the result is the same object while the responses are.
function combine([tags, lists, status, members, attributes, campaigns]: [
  Answer<Tag[]>,
  Answer<ListRecord[]>,
  Answer<StatusRecord[]>,
  Answer<MemberRecord[]>,
  Answer<AttributeRecord[]>,
  Answer<{ data: { id: string; name: string }[] }>,
]): Records {
  const all = [tags, lists, status, members, attributes, campaigns]
  return {
    tags: tags.data ?? [],
    lists: lists.data ?? [],
    status: status.data ?? [],
    members: members.data ?? [],
    attributes: attributes.data ?? [],
    campaigns: campaigns.data?.data ?? [],
    isReady: all.every(({ data }) => data),
  }
}
