// Asks for a link by mail: to choose a new password, or only to sign in.
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { useAttempt } from '../../ui/attempt.ts'
import { Button } from '../../ui/button.tsx'
import { mail } from '../../words/mail.ts'
import { refusalOf } from './session-api.ts'
import css from './sign-in.module.css'

const said = mail.ask

export function MailLink({ email }: { email: string }) {
  const [told, setTold] = useState('')
  const { fault, isBusy, attempt } = useAttempt(refusalOf)
  const ask = (purpose: 'sign_in' | 'reset') =>
    attempt(async () => {
      const address = email.trim()
      setTold('')
      if (!address.includes('@')) return setTold(said.needsAddress)
      await call('POST /session/link/mail', { body: { email: address, purpose } })
      setTold(said.sent(address))
    })
  return (
    <>
      <p className={css.text}>{said.text}</p>
      <div className={css.stacked}>
        <Button disabled={isBusy} onClick={() => void ask('reset')}>
          {said.reset}
        </Button>
        <Button disabled={isBusy} onClick={() => void ask('sign_in')}>
          {said.signIn}
        </Button>
      </div>
      <p role="status">{fault || told}</p>
    </>
  )
}
