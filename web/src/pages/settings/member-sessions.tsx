// Where a member is signed in, for admins.
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { client } from '../../api/client.ts'
import type { MemberRecord } from '../../api/records.ts'
import { useMe } from '../../api/session.ts'
import { orTell } from '../../ui/attempt.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { reasonOf } from '../../ui/reason.ts'
import { words } from '../../words/index.ts'
import { settings } from '../../words/settings.ts'
import { SessionRows } from '../sign-in/sessions.tsx'
import css from './settings.module.css'

const { members: said } = settings

export function MemberSessions({ member, onClose }: { member: MemberRecord; onClose: () => void }) {
  const me = useMe()
  const { id, name, email } = member
  const key = ['member-sessions', id]
  const { data, error } = useQuery({
    queryKey: key,
    queryFn: () => call('GET /members/{id}/sessions', { id }),
    retry: false,
    // It may ask the person to confirm that it is them: once, not again with every return to the window.
    refetchOnWindowFocus: false,
    staleTime: 0,
  })
  const end = async (session: string) => {
    await orTell(words.signIn.endFailed, () => call('DELETE /sessions/{id}', { id: session }))
    await client.invalidateQueries({ queryKey: key })
  }
  return (
    <Dialog title={said.sessionsOf(name || email)} onClose={onClose}>
      {error && <p role="alert">{reasonOf(error)}</p>}
      {data?.length === 0 && <p className={css.hint}>{said.noSessions}</p>}
      {data && (
        <SessionRows
          sessions={data.map((one) => ({ ...one, is_current: one.id === me.session?.id }))}
          onEnd={(session) => void end(session)}
        />
      )}
    </Dialog>
  )
}
