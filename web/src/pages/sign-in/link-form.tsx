// What a link is for: signing in, joining a workspace, or a new password. Looking at it does not use it up,
// so that a program that follows links in mails does no harm.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call, type Reply } from '../../api/call.ts'
import { Fault } from '../../api/fault.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form.tsx'
import { reasonOf } from '../../ui/reason.ts'
import { Refusal, Skeletons } from '../../ui/small.tsx'
import { submitting } from '../../ui/submitting.ts'
import { words } from '../../words/index.ts'
import { refusedFields } from './session-api.ts'
import css from './sign-in.module.css'

interface Props {
  token: string
  onSignedIn: () => void
  /** A second step is left. */
  onStep: () => void
  onOther: () => void
}

export function LinkForm({ token, onSignedIn, onStep, onOther }: Props) {
  const { data: info, error } = useQuery({
    queryKey: ['link', token],
    queryFn: () => call('POST /session/link/look', { body: { token } }),
    gcTime: 0,
  })
  if (error) {
    const isSpent = error instanceof Fault && error.status === 404
    return (
      <>
        <h1>{isSpent ? words.signIn.badLink : words.signIn.title}</h1>
        <p className={css.text}>{isSpent ? words.signIn.badLinkText : reasonOf(error)}</p>
        {isSpent && <code className={css.command}>{words.signIn.command}</code>}
        <Button onClick={onOther} className={css.submit ?? ''}>
          {words.signIn.signInInstead}
        </Button>
      </>
    )
  }
  if (!info) return <Skeletons widths={['200px']} />
  return <KnownLink info={info} token={token} onSignedIn={onSignedIn} onStep={onStep} />
}

function KnownLink({
  info,
  token,
  onSignedIn,
  onStep,
}: Omit<Props, 'onOther'> & { info: Reply<'POST /session/link/look'> }) {
  const { purpose, email, workspace } = info
  // Without a name, a member is called by the address.
  const [name, setName] = useState(info.name === email ? '' : info.name)
  const [password, setPassword] = useState('')
  const [faults, setFaults] = useState<Record<string, string>>({})
  const [isBusy, setBusy] = useState(false)
  const submit = async () => {
    setBusy(true)
    try {
      const body = {
        token,
        ...(purpose === 'invitation' && { name: name.trim() }),
        ...(purpose !== 'sign_in' && { password }),
      }
      const { next } = await call('POST /session/link', { body })
      if (next) onStep()
      else onSignedIn()
    } catch (error) {
      setFaults(refusedFields(error, ''))
      setBusy(false)
    }
  }
  const texts = {
    sign_in: {
      title: words.signIn.welcome(info.name || email),
      text: words.signIn.linkText(workspace),
      go: words.signIn.continue,
    },
    invitation: {
      title: words.signIn.invitation(workspace),
      text: words.signIn.invitationText(email),
      go: words.signIn.join,
    },
    reset: {
      title: words.signIn.reset,
      text: words.signIn.resetText(email),
      go: words.signIn.setPassword,
    },
  }[purpose]
  return (
    <form onSubmit={submitting(() => isBusy || submit())}>
      <h1>{texts.title}</h1>
      <p className={css.text}>{texts.text}</p>
      <Refusal text={faults['']} />
      <input type="hidden" autoComplete="username" value={email} readOnly />
      {purpose === 'invitation' && (
        <Field
          label={words.signIn.name}
          autoComplete="name"
          value={name}
          onValue={setName}
          fault={faults.name}
          isFirst
          isRequired
        />
      )}
      {purpose !== 'sign_in' && (
        <Field
          label={purpose === 'reset' ? words.signIn.newPassword : words.signIn.password}
          type="password"
          autoComplete="new-password"
          value={password}
          onValue={setPassword}
          fault={faults.password}
          hint={words.signIn.passwordHint}
          isFirst={purpose === 'reset'}
          isRequired
        />
      )}
      <Button
        type="submit"
        look="go"
        className={css.submit ?? ''}
        disabled={isBusy}
        autoFocus={purpose === 'sign_in'}
      >
        {isBusy ? words.signIn.working : texts.go}
      </Button>
    </form>
  )
}
