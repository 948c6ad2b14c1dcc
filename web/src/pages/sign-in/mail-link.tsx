// Asks for a link by mail: to choose a new password, or only to sign in.
import { useState } from 'react'
import { Fault } from '../../api/fault.ts'
import { Button } from '../../ui/button.tsx'
import { reasonOf } from '../../ui/reason.ts'
import { words } from '../../words/index.ts'
import { mail } from '../../words/mail.ts'
import { requestLink } from './session-api.ts'
import css from './sign-in.module.css'

const said = mail.ask

export function MailLink({ email }: { email: string }) {
  const [told, setTold] = useState('')
  const [isBusy, setBusy] = useState(false)
  const ask = async (purpose: 'sign_in' | 'reset') => {
    const address = email.trim()
    if (!address.includes('@')) return setTold(said.needsAddress)
    setBusy(true)
    try {
      await requestLink({ email: address, purpose })
      setTold(said.sent(address))
    } catch (error) {
      const isTooMany = error instanceof Fault && error.status === 429
      setTold(isTooMany ? words.signIn.tooMany : reasonOf(error))
    }
    setBusy(false)
  }
  return (
    <>
      <p className={css.text}>{said.text}</p>
      <div className={css.actions}>
        <Button disabled={isBusy} onClick={() => void ask('reset')}>
          {said.reset}
        </Button>
        <Button disabled={isBusy} onClick={() => void ask('sign_in')}>
          {said.signIn}
        </Button>
      </div>
      <p role="status">{told}</p>
    </>
  )
}
