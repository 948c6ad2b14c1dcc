// Where the member is signed in, and their password.
import { useQuery } from '@tanstack/react-query'
import { Monitor } from 'lucide-react'
import { useState } from 'react'
import { client } from '../../api/client.ts'
import { Fault } from '../../api/fault.ts'
import { meQuery, useMe } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form.tsx'
import { formatAgo } from '../../ui/format.ts'
import { reasonOf } from '../../ui/reason.ts'
import { Skeleton } from '../../ui/small.tsx'
import { submitting } from '../../ui/submitting.ts'
import { tell, tellFault } from '../../ui/toast.tsx'
import { words } from '../../words/index.ts'
import { changePassword, endSession, getWays, listSessions, type Session } from './session-api.ts'
import css from './sign-in.module.css'

const sessionsKey = ['sessions']

export function SessionList() {
  const { data: sessions, error } = useQuery({ queryKey: sessionsKey, queryFn: listSessions })
  const end = async (id: string) => {
    try {
      await endSession(id)
    } catch (error) {
      tellFault(words.signIn.endFailed, error)
    }
    await client.invalidateQueries({ queryKey: sessionsKey })
  }
  return (
    <>
      {error && (
        <p className={css.fault} role="alert">
          {reasonOf(error)}
        </p>
      )}
      {sessions && <SessionRows sessions={sessions} onEnd={(id) => void end(id)} />}
      {!sessions && !error && <Skeleton width="60%" />}
    </>
  )
}

export function Password() {
  const { data: ways } = useQuery({ queryKey: ['ways'], queryFn: getWays, staleTime: 60_000 })
  const { has_password } = useMe()
  const [isChanging, setChanging] = useState(false)
  const { changePassword: change, setPassword: choose } = words.signIn
  if (!ways || ways.openid?.only) return null
  return (
    <section aria-labelledby="password">
      <h3 id="password">{words.signIn.password}</h3>
      {isChanging ? (
        <PasswordChange onDone={() => setChanging(false)} />
      ) : (
        <Button onClick={() => setChanging(true)}>{has_password ? change : choose}</Button>
      )}
    </section>
  )
}

type Row = Omit<Session, 'is_current' | 'expires_at'> & { is_current?: boolean }

export function SessionRows({ sessions, onEnd }: { sessions: Row[]; onEnd: (id: string) => void }) {
  return (
    <ul className={css.rows}>
      {sessions.map(({ id, device, last_used_at, created_at, is_current }) => (
        <li key={id}>
          <Monitor size={16} aria-hidden="true" />
          <div className={css.what}>
            <div>
              {device || words.signIn.unknownDevice}{' '}
              {is_current && <span className={css.current}>{words.signIn.thisOne}</span>}
            </div>
            <div className={css.soft}>
              {words.signIn.lastUsed(formatAgo(last_used_at ?? created_at))}
            </div>
          </div>
          {!is_current && <Button onClick={() => onEnd(id)}>{words.signIn.end}</Button>}
        </li>
      ))}
    </ul>
  )
}

function PasswordChange({ onDone }: { onDone: () => void }) {
  const { has_password: hasPassword } = useMe()
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const [faults, setFaults] = useState<Record<string, string>>({})
  const save = async () => {
    try {
      tell(await changePassword({ password, ...(hasPassword && { current }) }))
      await Promise.all([
        client.invalidateQueries({ queryKey: sessionsKey }),
        client.invalidateQueries(meQuery),
      ])
      onDone()
    } catch (error) {
      const issues = error instanceof Fault ? error.issues : []
      setFaults(
        issues.length > 0
          ? Object.fromEntries(issues.map(({ path, message }) => [String(path[0] ?? ''), message]))
          : { password: reasonOf(error) },
      )
    }
  }
  return (
    <form className={css.change} onSubmit={submitting(save)}>
      {hasPassword && (
        <Field
          label={words.signIn.currentPassword}
          type="password"
          autoComplete="current-password"
          value={current}
          onValue={setCurrent}
          fault={faults.current}
          isFirst
          isRequired
        />
      )}
      <Field
        label={words.signIn.newPassword}
        type="password"
        autoComplete="new-password"
        value={password}
        onValue={setPassword}
        fault={faults.password}
        hint={words.signIn.passwordHint}
        isFirst={!hasPassword}
        isRequired
      />
      <Button type="submit" look="go">
        {words.signIn.setPassword}
      </Button>
    </form>
  )
}
