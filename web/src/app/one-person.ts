// All tabs of a browser share one session. Someone who goes to another workspace in one tab, or signs in as someone
// else, does so in all of them: the others must neither show nor change what they still have of the one before.
import { useEffect, useRef } from 'react'
import type { Me } from '../api/session.ts'
import { leave } from './workspaces.ts'

export function useOnePerson(me: Me | undefined): void {
  // A key belongs to its page alone.
  const id = me?.way === 'web' ? me.id : undefined
  const before = useRef(id)
  useEffect(() => {
    if (!id) return
    if (before.current && before.current !== id) return leave('/')
    before.current = id
    const others = new BroadcastChannel('person')
    others.onmessage = ({ data }) => {
      if (data !== id) leave('/')
    }
    others.postMessage(id)
    return () => others.close()
  }, [id])
}
