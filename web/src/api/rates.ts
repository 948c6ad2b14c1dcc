// Exchange rates, to every base.
import { queryOptions } from '@tanstack/react-query'
import { call, type Reply } from './call.ts'

export type Rate = Reply<'GET /rates'>[number]

export const ratesQuery = queryOptions({
  queryKey: ['rate'],
  queryFn: ({ signal }) => call('GET /rates', { signal }),
})
