// The workspaces of the person who is signed in, how to continue in another one, and how to leave.
import { useQuery } from '@tanstack/react-query'
import { call, type Reply } from '../api/call.ts'
import { client } from '../api/client.ts'
import { leaveUnasked, mayLeave } from '../api/keep-open.ts'
import { useMe } from '../api/session.ts'
import { orTell } from '../ui/attempt.ts'
import { words } from '../words/index.ts'

export type OwnWorkspace = Reply<'GET /session/workspaces'>[number]

/** Asked for when someone reaches for the menu, so that the first page does not wait for it. */
export function useWorkspaces(isWanted: boolean): OwnWorkspace[] {
  // A key belongs to one workspace.
  const { way } = useMe()
  const { data = [] } = useQuery({
    queryKey: ['workspaces'],
    queryFn: () => call('GET /session/workspaces'),
    enabled: isWanted && way === 'web',
    staleTime: 60_000,
    retry: false,
  })
  return data
}

export async function goToWorkspace({ id_space, name, needs_sign_in }: OwnWorkspace) {
  // Here the browser asks: the session is still that of the page.
  if (needs_sign_in) return window.location.assign(`/session/openid?space=${id_space}`)
  if (!mayLeave()) return
  await orTell(words.nav.notSwitched(name), async () => {
    const { next } = await call('POST /session/switch', { body: { id_space } })
    leaveUnasked()
    leave(next ? `/#sign-in-step=${next}` : '/')
  })
}

export async function signOut(): Promise<void> {
  if (!mayLeave() || !(await orTell(words.nav.signOut, () => call('POST /session/end')))) return
  leaveUnasked()
  leave('/')
}

/** Whoever comes next in this tab sees nothing of what was there before. */
export function leave(path: string): void {
  // Not earlier: until then, what is shown needs to know who is signed in.
  window.addEventListener('pagehide', () => client.clear())
  sessionStorage.clear()
  window.location.assign(path)
}
