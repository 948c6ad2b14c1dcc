// Webhooks: where events are sent, how that goes, and what can be done about it.
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call, type Reply } from '../../api/call.ts'
import { client } from '../../api/client.ts'
import { orTell, useAttempt } from '../../ui/attempt.ts'
import { Button } from '../../ui/button.tsx'
import { Check } from '../../ui/check.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Field } from '../../ui/form.tsx'
import { dotted, formatAgo, formatDay } from '../../ui/format.ts'
import { RowMenu } from '../../ui/menu.tsx'
import { submitting } from '../../ui/submitting.ts'
import { words } from '../../words/index.ts'
import { settings } from '../../words/settings.ts'
import { webhooks as said } from '../../words/webhooks.ts'
import { type Part, PartState } from './part-state.tsx'
import { Secret, type SecretText } from './secret.tsx'
import css from './settings.module.css'
import { WebhookAttempts } from './webhook-attempts.tsx'
import { WebhookReplay } from './webhook-replay.tsx'

export type Webhook = Reply<'GET /webhooks'>[number]

const webhooksQuery = queryOptions({
  queryKey: ['webhooks'],
  queryFn: ({ signal }) => call('GET /webhooks', { signal }),
  // What happens to them is not in the feed.
  refetchInterval: 5_000,
  staleTime: 0,
})
const key = webhooksQuery.queryKey
const readAgain = () => client.invalidateQueries({ queryKey: key })

/** What a dialog is about. */
interface Asked {
  what: 'attempts' | 'replay' | 'delete'
  webhook: Webhook
}

function WebhooksPart() {
  const query = useQuery(webhooksQuery)
  const [secret, setSecret] = useState<SecretText>()
  const [asked, setAsked] = useState<Asked>()
  const close = () => setAsked(undefined)
  const doing = async (what: string, work: () => Promise<unknown>) => {
    await orTell(words.faults.notSaved(what), work)
    await readAgain()
  }
  const pick = (webhook: Webhook) => ({
    onAsk: (what: Asked['what']) => setAsked({ what, webhook }),
    onTest: () =>
      doing(said.test, async () => {
        await call('POST /webhooks/{id}/test', { id: webhook.id })
        setAsked({ what: 'attempts', webhook })
      }),
    onPause: (paused: boolean) =>
      doing(webhook.name, () => call('PATCH /webhooks/{id}', { id: webhook.id, body: { paused } })),
    onRotate: () =>
      doing(said.rotate, async () => {
        const made = await call('POST /webhooks/{id}/rotate', { id: webhook.id })
        setSecret(secretOf(webhook.name, made.secret, said.rotatedText))
      }),
  })
  return (
    <>
      <p className={css.hint}>{said.hint}</p>
      <PartState query={query} none={said.none}>
        {(webhooks) => (
          <ul>
            {webhooks.map((webhook) => (
              <WebhookRow key={webhook.id} webhook={webhook} {...pick(webhook)} />
            ))}
          </ul>
        )}
      </PartState>
      <NewWebhook onMade={setSecret} />
      {secret && <Secret {...secret} onClose={() => setSecret(undefined)} />}
      {asked?.what === 'attempts' && <WebhookAttempts webhook={asked.webhook} onClose={close} />}
      {asked?.what === 'replay' && (
        <WebhookReplay webhook={asked.webhook} onDone={readAgain} onClose={close} />
      )}
      {asked?.what === 'delete' && (
        <Confirm
          title={said.deleteTitle(asked.webhook.name)}
          action={words.actions.delete}
          onConfirm={async () => {
            await call('DELETE /webhooks/{id}', { id: asked.webhook.id })
            await readAgain()
          }}
          onClose={close}
        >
          {said.deleteText}
        </Confirm>
      )}
    </>
  )
}

/** With the code that verifies it, for the receiver. */
const secretOf = (name: string, secret: string, text: string): SecretText => ({
  ...{ title: said.madeTitle(name), text, secret },
  snippets: [
    {
      label: said.snippet,
      code: `import { Webhook } from 'standardwebhooks'\n\nconst event = new Webhook(secret).verify(body, headers)`,
    },
  ],
})

/** In words: within a minute there is nothing to count. */
const whenNext = (time: string) =>
  Date.parse(time) - Date.now() < 60_000 ? said.soon : formatAgo(time)

interface RowProps {
  webhook: Webhook
  onAsk: (what: Asked['what']) => void
  onTest: () => Promise<void>
  onPause: (paused: boolean) => Promise<void>
  onRotate: () => Promise<void>
}

function WebhookRow({ webhook, onAsk, onTest, onPause, onRotate }: RowProps) {
  const { name, url, types, include, state, reason, failures, next_attempt_at } = webhook
  const { behind, replaying, expires_at } = webhook
  const next = next_attempt_at ? whenNext(next_attempt_at) : ''
  const isStopped = state === 'paused' || state === 'disabled'
  const tone = { active: 'ok', paused: 'ok', retrying: 'warning', waiting: 'warning' } as const
  return (
    <li className={css.row} data-state={state === 'disabled' ? 'error' : tone[state]}>
      <div className="block">
        <div>
          <bdi>{name}</bdi> <code className={css.code}>{url}</code>
        </div>
        <div className={state === 'active' || state === 'paused' ? 'note' : css.advice}>
          {dotted(
            said.state(state, reason, failures, next),
            behind > 0 && said.toGo(behind),
            replaying > 0 && said.replaying(replaying),
          )}
        </div>
        <div className="note">
          {dotted(
            types.join(', ') || said.all,
            include.includes('lead') && said.withLead,
            expires_at && settings.keys.expires(formatDay(expires_at)),
          )}
        </div>
      </div>
      <RowMenu
        label={said.actions(name)}
        groups={[
          [
            { id: 'test', label: said.test, onPick: () => void onTest() },
            { id: 'attempts', label: said.attempts, onPick: () => onAsk('attempts') },
            { id: 'replay', label: said.replay, onPick: () => onAsk('replay') },
          ],
          [
            isStopped
              ? { id: 'resume', label: said.resume, onPick: () => void onPause(false) }
              : { id: 'pause', label: said.pause, onPick: () => void onPause(true) },
            ...(failures > 0 && !isStopped
              ? [{ id: 'retry', label: said.retry, onPick: () => void onPause(false) }]
              : []),
            { id: 'rotate', label: said.rotate, onPick: () => void onRotate() },
          ],
          [
            {
              ...{ id: 'delete', label: words.actions.delete, isDangerous: true },
              onPick: () => onAsk('delete'),
            },
          ],
        ]}
      />
    </li>
  )
}

const empty = { name: '', url: '', types: '', lead: true }

function NewWebhook({ onMade }: { onMade: (secret: SecretText) => void }) {
  const [typed, setTyped] = useState(empty)
  const { fault, attempt } = useAttempt()
  const set = (change: Partial<typeof empty>) => setTyped({ ...typed, ...change })
  const submit = async () => {
    const { name, url, types, lead } = typed
    const body = {
      url: url.trim(),
      types: types.split(/[\s,]+/).filter(Boolean),
      ...(name.trim() && { name: name.trim() }),
      ...(lead && { include: ['lead' as const] }),
    }
    const made = await call('POST /webhooks', { body })
    setTyped(empty)
    onMade(secretOf(made.name, made.secret, said.madeText))
    await readAgain()
  }
  return (
    <form className={css.formRow} onSubmit={submitting(() => attempt(submit))}>
      <div className={css.whole}>
        <Field
          label={said.url}
          type="url"
          value={typed.url}
          onValue={(url) => set({ url })}
          fault={fault}
          isRequired
        />
      </div>
      <Field label={settings.name} value={typed.name} onValue={(name) => set({ name })} />
      <Field
        label={said.types}
        hint={said.typesHint}
        value={typed.types}
        onValue={(types) => set({ types })}
      />
      <div className={css.whole}>
        <Check className={css.check} isOn={typed.lead} onChange={(lead) => set({ lead })}>
          {said.lead}
        </Check>
        <Button type="submit" look="go" disabled={!typed.url.trim()}>
          {said.create}
        </Button>
      </div>
    </form>
  )
}

export default { needs: 'admin', Content: WebhooksPart } satisfies Part
