// The second step of signing in: show a second factor, or add one because the workspace requires it.
import type { SignInStep } from '@rapport/contract/second-factor'
import { useQuery } from '@tanstack/react-query'
import { KeyRound, Smartphone } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { Fault } from '../../api/fault.ts'
import { useAttempt } from '../../ui/attempt.ts'
import { Button } from '../../ui/button.tsx'
import { reasonOf } from '../../ui/reason.ts'
import { Refusal, Skeletons } from '../../ui/small.tsx'
import { factors as said } from '../../words/factors.ts'
import { words } from '../../words/index.ts'
import { secondStep } from './factor-api.ts'
import { FactorForm } from './factor-form.tsx'
import { AppSetup, RecoveryCodes } from './factor-setup.tsx'
import { isPasskeyBrowser } from './passkey.ts'
import { once } from './session-api.ts'
import css from './sign-in.module.css'

interface Props {
  onSignedIn: () => void
  onOther: () => void
}

export function SecondStep({ onSignedIn, onOther }: Props) {
  const { data: step, error } = useQuery({
    queryKey: ['step'],
    queryFn: () => call('GET /session/step'),
    ...once,
  })
  const leave = () => {
    void call('DELETE /session/step').catch(() => {})
    onOther()
  }
  if (error) {
    const isLate = error instanceof Fault && error.status === 401
    return (
      <>
        <h1>{words.signIn.title}</h1>
        <Refusal text={isLate ? words.signIn.errors.expired : reasonOf(error)} />
        <Button onClick={onOther} className={css.submit ?? ''}>
          {words.signIn.signInInstead}
        </Button>
      </>
    )
  }
  if (!step) return <Skeletons widths={['200px']} />
  if (step.step === 'enrol') return <Enrol step={step} onSignedIn={onSignedIn} onOther={leave} />
  return (
    <>
      <h1>{said.title}</h1>
      <p className={css.text}>{said.who(step.email, step.workspace)}</p>
      <FactorForm
        hasPasskey={step.passkey}
        hasApp={step.app}
        withPasskey={secondStep.withPasskey}
        withCode={secondStep.withCode}
        onDone={onSignedIn}
      />
      <Button look="link" className={css.below ?? ''} onClick={leave}>
        {words.signIn.signInInstead}
      </Button>
    </>
  )
}

function Enrol({ step, onSignedIn, onOther }: Props & { step: SignInStep }) {
  const [isApp, setApp] = useState(false)
  const [codes, setCodes] = useState<string[]>()
  const { fault, attempt } = useAttempt()
  const onAdded = (made: string[] | null) => (made ? setCodes(made) : onSignedIn())
  const addPasskey = () =>
    attempt(async () => onAdded((await secondStep.addPasskey()).recovery_codes))
  if (codes) {
    return (
      <>
        <h1>{said.codes}</h1>
        <RecoveryCodes codes={codes} onDone={onSignedIn} />
      </>
    )
  }
  if (isApp) {
    return (
      <>
        <h1>{said.app}</h1>
        <AppSetup adding={secondStep} onAdded={onAdded} onCancel={() => setApp(false)} />
      </>
    )
  }
  const mayAddPasskey = step.no_passkeys === null && isPasskeyBrowser()
  return (
    <>
      <h1>{said.enrol}</h1>
      <p className={css.text}>{said.enrolText(step.workspace)}</p>
      <Refusal text={fault} />
      <div className={css.choices}>
        {mayAddPasskey && (
          <button type="button" onClick={() => void addPasskey()}>
            <KeyRound size={18} aria-hidden="true" />
            <span>
              <b>{said.addPasskey}</b>
              <span>{said.passkeyText}</span>
            </span>
          </button>
        )}
        {step.no_app === null && (
          <button type="button" onClick={() => setApp(true)}>
            <Smartphone size={18} aria-hidden="true" />
            <span>
              <b>{said.setUpApp}</b>
              <span>{said.appText}</span>
            </span>
          </button>
        )}
      </div>
      {!mayAddPasskey && step.no_passkeys && <p className={css.soft}>{step.no_passkeys}.</p>}
      {step.no_app && <p className={css.soft}>{step.no_app}.</p>}
      <Button look="link" className={css.below ?? ''} onClick={onOther}>
        {words.signIn.signInInstead}
      </Button>
    </>
  )
}
