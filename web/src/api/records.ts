// The records that leads refer to. There are few of them, so they are loaded whole.
import { queryOptions, useQueries } from '@tanstack/react-query'
import { call, type Reply } from './call.ts'

export type Tag = Reply<'GET /tags'>[number]
export type ListRecord = Reply<'GET /lists'>[number]
export type StatusRecord = Reply<'GET /status'>[number]
export type MemberRecord = Reply<'GET /members'>[number]
export type AttributeRecord = Reply<'GET /attributes'>[number]

const names = ['tags', 'lists', 'status', 'members', 'attributes', 'campaigns'] as const
type Name = (typeof names)[number]
/** Some come in pages. */
type Listed<R> = R extends { data: infer Rows } ? Rows : R

export type Records = { [N in Name]: Listed<Reply<`GET /${N}`>> } & {
  /** Everything is there, so an id that is not found was deleted. */
  isReady: boolean
}

function recordQuery<N extends Name>(name: N) {
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

export function useRecords(): Records {
  return useQueries({ queries: names.map((name) => recordQueries[name]), combine })
}

// A function of its own, so that the result is the same object while the responses are.
function combine(answers: { data: object | undefined }[]): Records {
  const rows = answers.map(({ data = [] }) => ('data' in data ? data.data : data))
  return {
    ...Object.fromEntries(names.map((name, at) => [name, rows[at]])),
    isReady: answers.every(({ data }) => data),
  } as Records
}
