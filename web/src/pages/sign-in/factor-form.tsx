// Shows a second factor: a passkey, a code of the app, or a recovery code.
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { useAttempt } from '../../ui/attempt.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form.tsx'
import { Refusal } from '../../ui/small.tsx'
import { submitting } from '../../ui/submitting.ts'
import { factors as said } from '../../words/factors.ts'
import { words } from '../../words/index.ts'
import { isPasskeyBrowser } from './passkey.ts'
import { refusalOf } from './session-api.ts'
import css from './sign-in.module.css'

interface Props {
  /** What the person has. Recovery codes always come with them. */
  hasPasskey: boolean
  hasApp: boolean
  withPasskey: () => Promise<unknown>
  withCode: (code: string) => Promise<unknown>
  onDone: () => void
}

export function FactorForm({ hasPasskey, hasApp, withPasskey, withCode, onDone }: Props) {
  const mayUsePasskey = hasPasskey && isPasskeyBrowser()
  const [isRecovery, setRecovery] = useState(!mayUsePasskey && !hasApp)
  const [code, setCode] = useState('')
  const { fault, setFault, isBusy, attempt } = useAttempt(refusalOf)
  const show = (factor: () => Promise<unknown>) => attempt(() => factor().then(onDone))
  const asksCode = isRecovery || hasApp
  return (
    <>
      {!asksCode && <Refusal text={fault} />}
      {mayUsePasskey && !isRecovery && (
        <Button
          look={hasApp ? 'plain' : 'go'}
          className={css.submit ?? ''}
          autoFocus={!hasApp}
          disabled={isBusy}
          onClick={() => void show(withPasskey)}
        >
          <KeyRound size={15} /> {said.usePasskey}
        </Button>
      )}
      {mayUsePasskey && asksCode && !isRecovery && <div className={css.or}>{words.signIn.or}</div>}
      {asksCode && (
        <form onSubmit={submitting(() => show(() => withCode(code)))}>
          <Field
            key={String(isRecovery)}
            label={isRecovery ? said.recoveryCode : said.appCode}
            autoComplete={isRecovery ? 'off' : 'one-time-code'}
            inputMode={isRecovery ? 'text' : 'numeric'}
            value={code}
            onValue={setCode}
            fault={fault}
            isFirst
            isRequired
          />
          <Button type="submit" look="go" className={css.submit ?? ''} disabled={isBusy}>
            {isBusy ? words.signIn.working : said.verify}
          </Button>
        </form>
      )}
      {(mayUsePasskey || hasApp) && (
        <Button
          look="link"
          className={css.below ?? ''}
          onClick={() => {
            setRecovery(!isRecovery)
            setCode('')
            setFault('')
          }}
        >
          {isRecovery ? said.otherFactor : said.useRecovery}
        </Button>
      )}
    </>
  )
}
