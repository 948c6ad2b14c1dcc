// Asks the person at the page to prove that it is them, before something that could give the workspace away.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { useMe } from '../../api/session.ts'
import { useAttempt } from '../../ui/attempt.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field } from '../../ui/form.tsx'
import { submitting } from '../../ui/submitting.ts'
import { words } from '../../words/index.ts'
import { Elsewhere } from './elsewhere.tsx'
import { confirmWithPasskey, factorsQuery } from './factor-api.ts'
import { FactorForm } from './factor-form.tsx'
import { refusalOf } from './session-api.ts'
import css from './sign-in.module.css'

const said = words.signIn.confirm

export default function ConfirmPerson({ onAnswer }: { onAnswer: (isConfirmed: boolean) => void }) {
  const { has_password } = useMe()
  const { data: factors } = useQuery({ ...factorsQuery, staleTime: 0 })
  if (!factors) return null
  const { passkeys, app } = factors
  const hasPasskey = passkeys.some(({ host }) => host === window.location.hostname)
  const Ask = has_password ? WithPassword : WithLink
  return (
    <Dialog title={said.title} onClose={() => onAnswer(false)}>
      <p className={css.text}>{said.text}</p>
      {passkeys.length > 0 || app ? (
        <FactorForm
          hasPasskey={hasPasskey}
          hasApp={app !== null}
          withPasskey={confirmWithPasskey}
          withCode={(code) => call('POST /session/confirm', { body: { code } })}
          onDone={() => onAnswer(true)}
        />
      ) : (
        <Ask onAnswer={onAnswer} />
      )}
    </Dialog>
  )
}

function WithPassword({ onAnswer }: { onAnswer: (isConfirmed: boolean) => void }) {
  const { email } = useMe()
  const [password, setPassword] = useState('')
  const { fault, isBusy, attempt } = useAttempt(refusalOf)
  const submit = () =>
    attempt(async () => {
      await call('POST /session/confirm', { body: { password } })
      onAnswer(true)
    })
  return (
    <form onSubmit={submitting(submit)}>
      {/* For password managers, which look for the account next to the password. */}
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <Field
        label={words.signIn.password}
        type="password"
        autoComplete="current-password"
        value={password}
        onValue={setPassword}
        fault={fault}
        isFirst
        isRequired
      />
      <DialogActions>
        <Button onClick={() => onAnswer(false)}>{words.actions.cancel}</Button>
        <Button type="submit" look="go" disabled={isBusy}>
          {said.submit}
        </Button>
      </DialogActions>
    </form>
  )
}

/** Signs in again beside the page, whose session is the new one then. */
function WithLink({ onAnswer }: { onAnswer: (isConfirmed: boolean) => void }) {
  return (
    <>
      <Elsewhere />
      <DialogActions>
        <Button onClick={() => onAnswer(false)}>{words.actions.cancel}</Button>
        <Button look="go" onClick={() => onAnswer(true)}>
          {words.signIn.continue}
        </Button>
      </DialogActions>
    </>
  )
}
