// Every way in: a link, an invitation, a new password, email and password, another service.
import { useQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { Fault } from '../../api/fault.ts'
import type { Me } from '../../api/session.ts'
import { Unencrypted } from '../../frame/unencrypted.tsx'
import { useAttempt } from '../../ui/attempt.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form.tsx'
import { Refusal } from '../../ui/small.tsx'
import { submitting } from '../../ui/submitting.ts'
import { factors } from '../../words/factors.ts'
import { words } from '../../words/index.ts'
import { ChooseWorkspace } from './choose-workspace.tsx'
import { Elsewhere } from './elsewhere.tsx'
import { signInWithPasskey } from './factor-api.ts'
import type { SignInLink } from './link.ts'
import { LinkForm } from './link-form.tsx'
import { MailLink } from './mail-link.tsx'
import { isPasskeyBrowser } from './passkey.ts'
import { SecondStep } from './second-step.tsx'
import { refusalOf, waysQuery } from './session-api.ts'
import css from './sign-in.module.css'

interface Props {
  link: SignInLink | undefined
  onSignedIn: () => void
  /** Over the page: the session of this member has ended while it was open. */
  over?: Pick<Me, 'email' | 'has_password'>
}

export default function SignIn({ link, onSignedIn, over }: Props) {
  const [isOther, setOther] = useState(false)
  const [isStep, setStep] = useState(link?.kind === 'sign-in-step')
  const hasToken = link && !link.kind.startsWith('sign-in-') && !isOther
  const isChoice = link?.kind === 'sign-in-choice' && !isOther
  const onStep = () => setStep(true)
  const onOther = () => {
    setStep(false)
    setOther(true)
  }
  const box = (
    <div className={css.box}>
      <div className={css.brand}>
        <img src="/icon.svg" alt="" width="28" height="28" /> {words.product}
      </div>
      {isStep ? (
        <SecondStep onSignedIn={onSignedIn} onOther={onOther} />
      ) : isChoice ? (
        <ChooseWorkspace onSignedIn={onSignedIn} onStep={onStep} onOther={onOther} />
      ) : hasToken ? (
        <LinkForm token={link.value} onSignedIn={onSignedIn} onStep={onStep} onOther={onOther} />
      ) : (
        <PasswordForm
          onSignedIn={onSignedIn}
          onStep={onStep}
          over={over}
          notice={link?.kind === 'sign-in-error' ? words.signIn.errors[link.value] : undefined}
        />
      )}
      <Unencrypted />
    </div>
  )
  if (over)
    return (
      <div className={css.over} role="dialog" aria-modal="true" aria-label={words.signIn.again}>
        {box}
      </div>
    )
  return <main className={css.page}>{box}</main>
}

interface FormProps {
  onSignedIn: () => void
  onStep: () => void
  over: Props['over']
  notice: string | undefined
}

/** Says it in other words if the service does not know who it is. */
const unknown = (text: string) => (error: unknown) => {
  throw error instanceof Fault && error.status === 401 ? new Error(text) : error
}

function PasswordForm({ onSignedIn, onStep, over, notice }: FormProps) {
  const known = over?.email ?? ''
  const { data: ways } = useQuery(waysQuery)
  const [email, setEmail] = useState(known)
  const [password, setPassword] = useState('')
  const { fault, isBusy, attempt } = useAttempt(refusalOf, notice)
  const [spaces, setSpaces] = useState<{ id_space: string; name: string }[]>([])
  const submit = (id_space?: string) =>
    attempt(async () => {
      const body = { email: email.trim(), password, ...(id_space && { id_space }) }
      const signingIn = call('POST /session/password', { body })
      const { workspaces, next } = await signingIn.catch(unknown(words.signIn.wrong))
      if (workspaces.length > 1 && !id_space) setSpaces(workspaces)
      else if (next) onStep()
      else onSignedIn()
    })
  const withPasskey = () =>
    attempt(async () => {
      await signInWithPasskey().catch(unknown(factors.noPasskey))
      onSignedIn()
    })
  const mayUsePasskey = ways?.passkey && isPasskeyBrowser()
  const mayUsePassword = ways?.password && (over?.has_password ?? true)
  // Leaving the page would lose what was typed in it.
  const isElsewhere = over && ways && (ways.openid || !over.has_password)
  const emailField = (
    <Field
      label={words.signIn.email}
      type="email"
      autoComplete="username"
      value={email}
      onValue={setEmail}
      isFirst={!known}
      isRequired
    />
  )
  if (spaces.length > 0) {
    return (
      <div className={css.spaces}>
        <h1>{words.signIn.chooseSpace}</h1>
        {spaces.map(({ id_space, name }) => (
          <Button key={id_space} onClick={() => void submit(id_space)}>
            {name}
          </Button>
        ))}
      </div>
    )
  }
  return (
    <>
      <h1>{over ? words.signIn.again : words.signIn.title}</h1>
      {over && <p className={css.text}>{words.signIn.againText}</p>}
      <Refusal text={fault} />
      {isElsewhere ? (
        <>
          <Elsewhere />
          <Button look="go" className={css.submit ?? ''} onClick={onSignedIn}>
            {words.signIn.continue}
          </Button>
        </>
      ) : (
        ways?.openid && (
          <a className={css.openId} href="/session/openid">
            {words.signIn.openId(ways.openid.name)}
          </a>
        )
      )}
      {mayUsePasskey && (
        <Button className={css.openId ?? ''} onClick={() => void withPasskey()}>
          <KeyRound size={15} /> {factors.passkeySignIn}
        </Button>
      )}
      {(ways?.openid || mayUsePasskey) && mayUsePassword && (
        <div className={css.or}>{words.signIn.or}</div>
      )}
      {!over && ways && !ways.password && !ways.openid && !mayUsePasskey && (
        <>
          <p className={css.text}>{words.signIn.noPassword}</p>
          <code className={css.command}>{words.signIn.command}</code>
          {ways.mail && (
            <>
              <div className={css.or}>{words.signIn.or}</div>
              {emailField}
              <MailLink email={email} />
            </>
          )}
        </>
      )}
      {mayUsePassword && (
        <form onSubmit={submitting(() => submit())}>
          {emailField}
          <Field
            label={words.signIn.password}
            type="password"
            autoComplete="current-password"
            value={password}
            onValue={setPassword}
            isFirst={Boolean(known)}
            isRequired
          />
          <Button type="submit" look="go" className={css.submit ?? ''} disabled={isBusy}>
            {isBusy ? words.signIn.working : words.signIn.submit}
          </Button>
          <details className={css.forgot}>
            <summary>{words.signIn.forgot}</summary>
            {ways.mail ? (
              <MailLink email={email} />
            ) : (
              <>
                <p>{words.signIn.forgotText}</p>
                <code className={css.command}>
                  {words.signIn.command} --member {email || words.signIn.anyone}
                </code>
              </>
            )}
          </details>
        </form>
      )}
    </>
  )
}
