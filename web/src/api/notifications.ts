// What the person is notified of. The feed says when there is something new: see parts/live.
import { queryOptions } from '@tanstack/react-query'
import { call, type Reply } from './call.ts'
import { client } from './client.ts'

export type NotificationPage = Reply<'GET /notifications'>
export type Told = NotificationPage['notifications'][number]

/** The newest that are not read, and how many there are. */
export const unreadQuery = queryOptions({
  queryKey: ['notification', 'unread'],
  queryFn: ({ signal }) =>
    call('GET /notifications', { signal, query: { unread: 'true', limit: '20' } }),
})

/** Those with these ids, or all up to one. The page shows it when the service has done it. */
export async function markRead(which: { ids: string[] } | { up_to: string }): Promise<void> {
  await call('POST /notifications/read', { body: which })
  await client.invalidateQueries({ queryKey: ['notification'] })
}
