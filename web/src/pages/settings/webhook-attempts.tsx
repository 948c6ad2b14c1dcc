// What was sent to a webhook, and what came back.
import { useQuery } from '@tanstack/react-query'
import { call, type Reply } from '../../api/call.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { formatExact } from '../../ui/format.ts'
import { words } from '../../words/index.ts'
import { webhooks as said } from '../../words/webhooks.ts'
import { PartState } from './part-state.tsx'
import css from './settings.module.css'

type Attempt = Reply<'GET /webhooks/{id}/attempts'>['attempts'][number]

export function WebhookAttempts({
  webhook: { id, name },
  onClose,
}: {
  webhook: { id: string; name: string }
  onClose: () => void
}) {
  const query = useQuery({
    queryKey: ['webhook-attempts', id],
    queryFn: ({ signal }) => call('GET /webhooks/{id}/attempts', { id, signal }),
    staleTime: 0,
  })
  return (
    <Dialog title={said.attemptsOf(name)} size="m" onClose={onClose}>
      <PartState query={{ ...query, data: query.data?.attempts }} none={said.noAttempts}>
        {(attempts) => (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also with the keyboard
          <ul className={css.attempts} tabIndex={0} aria-label={said.attempts}>
            {attempts.map((attempt) => (
              <AttemptRow key={attempt.id} {...attempt} />
            ))}
          </ul>
        )}
      </PartState>
      <DialogActions>
        <Button onClick={() => void query.refetch()} disabled={query.isFetching}>
          {said.again}
        </Button>
        <Button onClick={onClose}>{words.actions.done}</Button>
      </DialogActions>
    </Dialog>
  )
}

function AttemptRow({ seq, type, at, took_ms, status, error, answer }: Attempt) {
  const isDelivered = status !== null && status >= 200 && status < 300
  return (
    <li className={css.row} data-state={isDelivered ? 'ok' : 'error'}>
      <div className="block">
        <div>
          {type} <span className={css.code}>{seq === null ? said.isTest : said.event(seq)}</span>
        </div>
        <div className={isDelivered ? 'note' : css.advice}>
          {[
            status === null ? error : said.status(status),
            said.took(took_ms),
            formatExact(at),
          ].join(' · ')}
        </div>
        {answer && <pre className={css.answer}>{answer}</pre>}
      </div>
    </li>
  )
}
