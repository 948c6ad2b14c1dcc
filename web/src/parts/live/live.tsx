// Keeps the page up to date with what others change, and tells when a reminder is due.
import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { client } from '../../api/client.ts'
import { useMayWrite, useMe } from '../../api/session.ts'
import { tellDue } from './due.ts'
import { refreshFor } from './refresh.ts'
import { followFeed } from './stream.ts'

export default function Live() {
  const { id } = useMe()
  const mayWrite = useMayWrite()
  const [, navigate] = useLocation()
  useEffect(
    () =>
      followFeed({
        onEvent(event) {
          refreshFor(event)
          if (event.type === 'reminder.due') tellDue(event, { member: id, mayWrite, navigate })
        },
        onAgain: () =>
          void client.refetchQueries({
            type: 'active',
            predicate: ({ state }) => state.status === 'error',
          }),
        onGap: () => void client.invalidateQueries(),
      }),
    [id, mayWrite, navigate],
  )
  return null
}
