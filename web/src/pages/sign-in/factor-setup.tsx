// Adding an authenticator app, and the recovery codes that come with the first factor.
import { useQuery } from '@tanstack/react-query'
import { Check, Copy, Download } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useAttempt } from '../../ui/attempt.ts'
import { Button } from '../../ui/button.tsx'
import { copyText } from '../../ui/copy-text.ts'
import { Field } from '../../ui/form.tsx'
import { reasonOf } from '../../ui/reason.ts'
import { Refusal, Skeletons } from '../../ui/small.tsx'
import { submitting } from '../../ui/submitting.ts'
import { factors as said } from '../../words/factors.ts'
import { words } from '../../words/index.ts'
import { settings } from '../../words/settings.ts'
import type { Adding } from './factor-api.ts'
import { once } from './session-api.ts'
import css from './sign-in.module.css'

const Qr = lazy(() => import('./qr.tsx').then(({ Qr }) => ({ default: Qr })))

interface Props {
  adding: Adding
  onAdded: (codes: string[] | null) => void
  onCancel: () => void
}

export function AppSetup({ adding, onAdded, onCancel }: Props) {
  const { data: setup, error } = useQuery({
    queryKey: ['app-setup'],
    queryFn: adding.beginApp,
    // Each time a new secret.
    ...once,
  })
  const [code, setCode] = useState('')
  const { fault, isBusy, attempt } = useAttempt()
  if (error) {
    return (
      <>
        <Refusal text={reasonOf(error)} />
        <Button onClick={onCancel}>{words.actions.cancel}</Button>
      </>
    )
  }
  if (!setup) return <Skeletons widths={['200px']} />
  const add = async () =>
    onAdded((await adding.addApp({ ticket: setup.ticket, code })).recovery_codes)
  return (
    <form onSubmit={submitting(() => attempt(add))}>
      <p className={css.text}>{said.scan}</p>
      <div className={css.qrBox}>
        <Suspense fallback={null}>
          <Qr text={setup.address} label={said.qr} />
        </Suspense>
      </div>
      <p className={css.text}>{said.typeKey}</p>
      <code className={css.command}>{setup.secret.match(/.{1,4}/g)?.join(' ')}</code>
      <Field
        label={said.appCode}
        autoComplete="one-time-code"
        inputMode="numeric"
        value={code}
        onValue={setCode}
        fault={fault}
        isFirst
        isRequired
      />
      <div className={css.actions}>
        <Button onClick={onCancel}>{words.actions.cancel}</Button>
        <Button type="submit" look="go" disabled={isBusy}>
          {said.turnOn}
        </Button>
      </div>
    </form>
  )
}

export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const [isCopied, setCopied] = useState(false)
  const text = `${said.fileTitle}\n\n${codes.join('\n')}\n`
  const save = () => {
    const link = document.createElement('a')
    link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
    link.download = said.fileName
    link.click()
    URL.revokeObjectURL(link.href)
  }
  return (
    <>
      <p className={css.text}>{said.codesText}</p>
      <ul className={css.codes} aria-label={said.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={css.actions}>
        <Button
          onClick={async () => {
            await copyText(text)
            setCopied(true)
          }}
        >
          {isCopied ? <Check size={14} /> : <Copy size={14} />}
          {isCopied ? settings.copied : settings.copy}
        </Button>
        <Button onClick={save}>
          <Download size={14} /> {said.download}
        </Button>
        <Button look="go" onClick={onDone} autoFocus>
          {said.saved}
        </Button>
      </div>
    </>
  )
}
