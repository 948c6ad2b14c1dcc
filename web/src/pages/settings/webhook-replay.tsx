// Sends the events of a span of time to a webhook again.
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { useAttempt } from '../../ui/attempt.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { submitting } from '../../ui/submitting.ts'
import { WhenField } from '../../ui/when-input.tsx'
import { localTime, timeAt } from '../../ui/zone.ts'
import { words } from '../../words/index.ts'
import { webhooks as said } from '../../words/webhooks.ts'
import css from './settings.module.css'

const day = 86_400_000
const past = { kind: 'time', isPast: true } as const

export function WebhookReplay({
  webhook: { id, name },
  onDone,
  onClose,
}: {
  webhook: { id: string; name: string }
  onDone: () => Promise<unknown>
  onClose: () => void
}) {
  const [from, setFrom] = useState(() => localTime(new Date(Date.now() - day)))
  const [to, setTo] = useState('')
  const { fault, attempt } = useAttempt()
  const submit = async () => {
    const at = (local: string) => timeAt(local).toISOString()
    const body = { from: at(from), ...(to && { to: at(to) }) }
    await call('POST /webhooks/{id}/replay', { id, body })
    onClose()
    await onDone()
  }
  return (
    <Dialog title={said.replayTitle(name)} onClose={onClose}>
      <form onSubmit={submitting(() => attempt(submit))}>
        <p className={css.hint}>{said.replayText}</p>
        <WhenField {...past} label={said.from} value={from} onValue={setFrom} isRequired />
        <WhenField {...past} label={said.to} value={to} onValue={setTo} />
        <DialogActions aside={fault && <span role="alert">{fault}</span>}>
          <Button onClick={onClose}>{words.actions.cancel}</Button>
          <Button type="submit" look="go" disabled={!from}>
            {said.send}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
