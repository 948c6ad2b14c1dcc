// Tells the person once after each sign-in that others have tried to get in.
import { useEffect } from 'react'
import type { Me } from '../../api/session.ts'
import { formatExact } from '../../ui/format.ts'
import { tell } from '../../ui/toast.tsx'
import { words } from '../../words/index.ts'

const storageKey = 'told-refused'

/** Whether this browser has already shown it. From now on, it has. */
function isTold(session: string): boolean {
  try {
    const told = localStorage.getItem(storageKey) === session
    localStorage.setItem(storageKey, session)
    return told
  } catch {
    // The browser keeps nothing for this page.
    return false
  }
}

export function useTellRefused(me: Me | undefined): void {
  const session = me?.session
  useEffect(() => {
    if (!session?.refused || isTold(session.id)) return
    const { count, last_at, address } = session.refused
    tell(words.signIn.refused(count), {
      detail: words.signIn.refusedLast(address, formatExact(last_at)),
      isLasting: true,
    })
  }, [session])
}
