// Where the member is signed in, and their password.
import { useQuery } from '@tanstack/react-query'
import { Monitor } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { client } from '../../api/client.ts'
import { meQuery, useMe } from '../../api/session.ts'
import { orTell } from '../../ui/attempt.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form.tsx'
import { formatAgo } from '../../ui/format.ts'
import { reasonOf } from '../../ui/reason.ts'
import { Refusal, Skeleton } from '../../ui/small.tsx'
import { submitting } from '../../ui/submitting.ts'
import { tell } from '../../ui/toast.tsx'
import { words } from '../../words/index.ts'
import { refusedFields, type Session, waysQuery } from './session-api.ts'
import css from './sign-in.module.css'

const sessionsKey = ['sessions']

export function SessionList() {
  const { data: sessions, error } = useQuery({
    queryKey: sessionsKey,
    queryFn: () => call('GET /session/list'),
  })
  const end = async (id: string) => {
    await orTell(words.signIn.endFailed, () => call('DELETE /session/{id}', { id }))
    await client.invalidateQueries({ queryKey: sessionsKey })
  }
  return (
    <>
      <Refusal text={error ? reasonOf(error) : ''} />
      {sessions && <SessionRows sessions={sessions} onEnd={(id) => void end(id)} />}
      {!sessions && !error && <Skeleton width="60%" />}
    </>
  )
}

export function Password() {
  const { data: ways } = useQuery(waysQuery)
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
          <div className="block">
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
      const body = { password, ...(hasPassword && { current }) }
      tell(await call('PATCH /session/password', { body }))
      await Promise.all([
        client.invalidateQueries({ queryKey: sessionsKey }),
        client.invalidateQueries(meQuery),
      ])
      onDone()
    } catch (error) {
      setFaults(refusedFields(error, 'password'))
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
