// The address of one's reminders for calendar programs: made, copied once, renewed, revoked.
import { useQuery } from '@tanstack/react-query'
import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { client } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { copyText } from '../../ui/copy-text.ts'
import { Field } from '../../ui/form.tsx'
import { tell, tellFault } from '../../ui/toast.tsx'
import { calendar as said } from '../../words/calendar.ts'
import { settings } from '../../words/settings.ts'
import css from './calendar-address.module.css'

const queryKey = ['calendar']

export function CalendarAddress() {
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => call('GET /calendar', { signal }),
  })
  const [address, setAddress] = useState('')
  const [isCopied, setCopied] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const attempt = async (work: () => Promise<void>) => {
    setBusy(true)
    await work().catch((error) => tellFault(said.failed, error))
    await client.invalidateQueries({ queryKey })
    setBusy(false)
  }
  const create = () =>
    attempt(async () => {
      setAddress((await call('POST /calendar')).address)
      setCopied(false)
    })
  const revoke = () =>
    attempt(async () => {
      await call('DELETE /calendar')
      setAddress('')
      tell(said.revoked)
    })
  const hasAddress = Boolean(data?.created_at)
  return (
    <>
      <p className={css.text}>{said.text}</p>
      {address ? (
        <>
          <Field label={said.address} value={address} onValue={() => {}} hint={said.once} />
          <div className={css.actions}>
            <Button
              look="go"
              onClick={async () => {
                await copyText(address)
                setCopied(true)
              }}
            >
              {isCopied ? <Check size={14} /> : <Copy size={14} />}
              {isCopied ? settings.copied : settings.copy}
            </Button>
            <a className={css.open} href={address.replace(/^https?:/, 'webcal:')}>
              {said.open}
            </a>
          </div>
        </>
      ) : (
        hasAddress && <p className={css.text}>{said.renewText}</p>
      )}
      <div className={css.actions}>
        <Button disabled={isBusy || !data} onClick={() => void create()}>
          {hasAddress ? said.renew : said.create}
        </Button>
        {hasAddress && (
          <Button look="danger" disabled={isBusy} onClick={() => void revoke()}>
            {said.revoke}
          </Button>
        )}
      </div>
    </>
  )
}
