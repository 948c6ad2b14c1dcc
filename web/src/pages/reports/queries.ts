// What the reports ask besides the numbers of leads by group.
import { queryOptions } from '@tanstack/react-query'
import { type Body, call, type Reply } from '../../api/call.ts'

export type StageTimes = Reply<'POST /leads/stage-times'>['stages']
export type NoteCounts = Reply<'POST /leads/note-counts'>['counts']

export const stageTimesQuery = (body: Body<'POST /leads/stage-times'>) =>
  queryOptions({
    queryKey: ['leads', 'stage-times', body],
    queryFn: async ({ signal }) => (await call('POST /leads/stage-times', { signal, body })).stages,
  })

export const noteCountsQuery = (body: Body<'POST /leads/note-counts'>) =>
  queryOptions({
    queryKey: ['leads', 'note-counts', body],
    queryFn: async ({ signal }) => (await call('POST /leads/note-counts', { signal, body })).counts,
  })
