// The cache of responses. Everything shown comes from here.
import { QueryClient } from '@tanstack/react-query'
import { Fault } from './fault.ts'

const maxTries = 4

export const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      refetchOnWindowFocus: true,
      retry: (tries, error) => error instanceof Fault && error.isPassing && tries < maxTries,
      retryDelay: (tries) => Math.min(500 * 2 ** tries, 5_000),
      // The service is often on the same machine: the browser being offline says nothing about it.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})
