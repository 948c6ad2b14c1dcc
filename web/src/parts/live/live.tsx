// Keeps the page up to date with what others change, and tells what is new in the inbox.
import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { client } from '../../api/client.ts'
import { useMayWrite, useMe } from '../../api/session.ts'
import { onFollowed } from '../bulk/tray.tsx'
import { tellNews } from '../notifications/tell.ts'
import { refreshFor } from './refresh.ts'
import { followFeed } from './stream.ts'

export default function Live() {
  const { id } = useMe()
  const mayWrite = useMayWrite()
  const [, navigate] = useLocation()
  useEffect(() => {
    const onInbox = () => tellNews({ member: id, mayWrite, navigate })
    const ends = [
      onFollowed(onInbox),
      followFeed({
        onEvent: refreshFor,
        onInbox,
        onAgain: () =>
          void client.refetchQueries({
            type: 'active',
            predicate: ({ state }) => state.status === 'error',
          }),
        onGap: () => void client.invalidateQueries(),
      }),
    ]
    return () => {
      for (const end of ends) end()
    }
  }, [id, mayWrite, navigate])
  return null
}
