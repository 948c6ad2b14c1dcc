// Handlers of webhooks. What they send is sent by the dispatcher (outgoing/dispatcher.ts, deliver.ts).
import { badRequest, notFound } from '@rapport/contract/errors'
import { attemptLimits, webhooks as contract } from '@rapport/contract/webhooks'
import { bothSecretsHours, maxWebhooks, type WebhookState } from '@rapport/contract/webhooks.values'
import { requireFuture } from '../../access/names.ts'
import { type Db, type Pool, transaction } from '../../db/driver.ts'
import { audit } from '../../feed/audit.sql.ts'
import type { Scope } from '../../filter/compile.ts'
import { type Call, resource } from '../../http/handler.ts'
import { pick } from '../../http/pick.ts'
import { readAfter, readNumber } from '../../http/read-query.ts'
import { newId } from '../../ids.ts'
import { dequeue, enqueue } from '../../outgoing/queue.sql.ts'
import { newSecret } from '../../outgoing/sign.ts'
import { type Secrets, secretKeyMissing } from '../../secrets.ts'
import { readTypes } from '../events/cursor.ts'
import { selectSeqAt } from '../events/events.sql.ts'
import { sampleOf, sampleTypes, selectSampleLead, writeSample } from '../events/samples.ts'
import { requireStorable } from '../leads/list/stored-filter.ts'
import { aboutWebhook, attemptOf, openSecrets, postMessage, secretContext } from './message.ts'
import { healthy, isWaiting } from './schedule.ts'
import {
  countWebhooks,
  deleteWebhook,
  insertAttempt,
  insertWebhook,
  type ListedWebhook,
  lockWebhook,
  retryNow,
  selectAttempts,
  selectWebhook,
  selectWebhooks,
  updateWebhook,
  type WebhookChange,
  type WebhookRow,
} from './webhooks.sql.ts'

type Routes = typeof contract.routes
type Body = Call<Routes['update']>['body']

const bothSecretsMs = bothSecretsHours * 60 * 60 * 1000

export const webhooks = resource(contract, {
  async create(db, call) {
    const { space, body, now, user } = call
    const secrets = requireSecrets(call)
    const secret = newSecret()
    const made = await transaction(db, async (tx) => {
      const change = await readChange(tx, call, body)
      const id = newId()
      const sealed = secrets.seal(secret, secretContext(space, id))
      const chosen = { ...defaults, name: new URL(body.url).host, ...change }
      const row = { ...chosen, id, secret: sealed, id_member: user, url: body.url }
      await insertWebhook(tx, space, row, now)
      if ((await countWebhooks(tx, space)) > maxWebhooks) {
        const message = `A workspace can have ${maxWebhooks} webhooks. Delete some.`
        throw badRequest({ path: [], code: 'no_room', message })
      }
      await enqueue(tx, space, id, now)
      await audit(tx, call, 'webhook.created', aboutWebhook(row))
      return toldWebhook(tx, space, id)
    })
    return { ...made, secret }
  },

  async list(db, { space }) {
    return (await selectWebhooks(db, space)).map(toWebhook)
  },

  async update(db, call) {
    const { space, id, body, now } = call
    return transaction(db, async (tx) => {
      const before = await requireWebhook(tx, call)
      const change = await readChange(tx, call, body)
      const resumes = body.paused === false || (change.url && change.url !== before.url)
      if (body.paused === false) requireReadable(call, before)
      const state: WebhookChange =
        body.paused === undefined
          ? {}
          : body.paused
            ? { state: 'paused', reason: 'person' }
            : { state: 'active', reason: null }
      const health = resumes ? healthy : {}
      await updateWebhook(tx, space, id, { ...change, ...state, ...health }, now)
      if (resumes) await retryNow(tx, space, id, now)
      const isActive = (state.state ?? before.state) === 'active'
      await (isActive ? enqueue(tx, space, id, now) : dequeue(tx, space, id))
      const { url = before.url, name = before.name } = change
      const fields = Object.keys(body)
      await audit(tx, call, 'webhook.updated', { ...aboutWebhook({ id, name, url }), fields })
      return toldWebhook(tx, space, id)
    })
  },

  async remove(db, call) {
    const { space, id } = call
    await transaction(db, async (tx) => {
      const webhook = await lockWebhook(tx, space, id)
      if (!webhook) return
      await deleteWebhook(tx, space, id)
      await dequeue(tx, space, id)
      await audit(tx, call, 'webhook.deleted', aboutWebhook(webhook))
    })
    return 'Webhook deleted'
  },

  async rotate(db, call) {
    const { space, id, now } = call
    const secrets = requireSecrets(call)
    const secret = newSecret()
    return transaction(db, async (tx) => {
      const webhook = await requireWebhook(tx, call)
      const isReadable = openSecrets(secrets, space, webhook, now).length > 0
      const old_secret_until = isReadable
        ? new Date(now.getTime() + bothSecretsMs).toISOString()
        : null
      const change = {
        ...{ secret: secrets.seal(secret, secretContext(space, id)), old_secret_until },
        old_secret: isReadable ? webhook.secret : null,
      }
      await updateWebhook(tx, space, id, change, now)
      if (webhook.state === 'active') await enqueue(tx, space, id, now)
      await audit(tx, call, 'webhook.rotated', aboutWebhook(webhook))
      return { secret, old_secret_until }
    })
  },

  async test(db, call) {
    const { space, id, now, settings, waiting } = call
    const { webhook, lead } = await waiting.read(newId(), async () => {
      const webhook = await selectWebhook(db, space, id)
      if (!webhook) throw notFound()
      return { webhook, lead: await selectSampleLead(db, space) }
    })
    const secrets = requireReadable(call, webhook)
    const [type = 'lead.created'] = sampleTypes(webhook.types.join(','))
    const body = webhook.include.includes('lead')
      ? writeSample(type, call, lead)
      : JSON.stringify(sampleOf(type, call, lead))
    const line = settings.outgoing.openLine()
    try {
      const message = { id: `msg_test_${newId()}`, at: now, body }
      const answer = await postMessage(line, { url: webhook.url, secrets, message })
      const attempt = attemptOf(answer, { seq: null, type, at: now })
      await waiting.read(newId(), () => storeAttempt(db, space, id, attempt))
      return attempt
    } finally {
      line.close()
    }
  },

  async attempts(db, { space, id, query }) {
    const limit = readNumber('limit', query.limit, attemptLimits)
    const before = readAfter(query.after)
    if (!(await selectWebhook(db, space, id))) throw notFound()
    const attempts = await selectAttempts(db, space, id, { before, limit })
    return { attempts, next: attempts.length === limit ? (attempts.at(-1)?.id ?? null) : null }
  },

  async replay(db, call) {
    const { space, id, body, now } = call
    const from = readTime('from', body.from)
    const to = body.to === undefined ? now.toISOString() : readTime('to', body.to)
    return transaction(db, async (tx) => {
      const webhook = await requireWebhook(tx, call)
      const first = await selectSeqAt(tx, space, from)
      // Events of the same millisecond belong to the span.
      const end = await selectSeqAt(tx, space, new Date(Date.parse(to) + 1).toISOString())
      const { seq, replay_seq, replay_until } = webhook
      const span = {
        replay_seq: Math.min(first - 1, replay_seq ?? Number.POSITIVE_INFINITY),
        replay_until: Math.max(Math.min(end - 1, seq), replay_until ?? 0),
      }
      if (span.replay_seq < span.replay_until) {
        await updateWebhook(tx, space, id, span, now)
        if (webhook.state === 'active') await enqueue(tx, space, id, now)
        await audit(tx, call, 'webhook.replayed', { ...aboutWebhook(webhook), from, to })
      }
      return toldWebhook(tx, space, id)
    })
  },
})

const defaults = { types: [], filter: {}, include: [], expires_at: null }

function stateOf({ state, failures, ...health }: WebhookRow): WebhookState {
  if (state !== 'active' || failures === 0) return state
  return isWaiting(health) ? 'waiting' : 'retrying'
}

function toWebhook(row: ListedWebhook) {
  const { secret, old_secret, set_aside, revision, head, next_at, oldest_next_at, ...told } = row
  const { seq, replay_seq, replay_until, ...others } = told
  return {
    ...others,
    state: stateOf(row),
    next_attempt_at: row.state !== 'active' ? null : isWaiting(row) ? oldest_next_at : next_at,
    behind: head - seq,
    replaying: replay_until === null ? 0 : replay_until - (replay_seq ?? 0),
  }
}

async function toldWebhook(tx: Db, space: string, id: string) {
  const [row] = await selectWebhooks(tx, space, id)
  return toWebhook(row as ListedWebhook)
}

/** Locks it until the transaction ends. */
async function requireWebhook(tx: Db, { space, id }: Pick<Call, 'space' | 'id'>) {
  const webhook = await lockWebhook(tx, space, id)
  if (!webhook) throw notFound()
  return webhook
}

function requireSecrets({ settings }: Pick<Call, 'settings'>): Secrets {
  if (settings.secrets) return settings.secrets
  const message = secretKeyMissing('Webhooks')
  throw badRequest({ path: [], code: 'no_secrets', message })
}

/** The secrets that sign. */
function requireReadable(
  call: Pick<Call, 'settings' | 'space' | 'now'>,
  webhook: WebhookRow,
): string[] {
  const secrets = openSecrets(requireSecrets(call), call.space, webhook, call.now)
  if (secrets.length > 0) return secrets
  const message =
    'This server cannot read the secret, because it was stored with another SECRET_KEY. Rotate it first.'
  throw badRequest({ path: [], code: 'secret', message })
}

/** Checks what was sent. What is stored is not checked again: records that the filter names may be gone. */
async function readChange(tx: Db, call: Scope & Pick<Call, 'settings'>, body: Body) {
  const { url, types, filter, expires_at } = body
  const fault = url === undefined ? undefined : call.settings.outgoing.faultOf(url)
  if (fault) throw badRequest({ path: ['url'], code: 'url', message: fault })
  if (types) readTypes(types.join(','))
  if (filter) await requireStorable(tx, call, filter)
  return {
    ...pick(body, ['name', 'url', 'types', 'filter', 'include']),
    ...(expires_at !== undefined && {
      expires_at: expires_at && requireFuture(expires_at, call.now),
    }),
  }
}

/** A leap second fits the format, but is not a time. */
function readTime(name: string, text: string): string {
  const time = Date.parse(text)
  if (Number.isFinite(time)) return new Date(time).toISOString()
  throw badRequest({ path: [name], code: 'time', message: 'Must be a time' })
}

/** It may have been deleted in the meantime. */
async function storeAttempt(
  db: Pool,
  space: string,
  id: string,
  attempt: Parameters<typeof insertAttempt>[3],
): Promise<void> {
  await transaction(db, async (tx) => {
    if (await lockWebhook(tx, space, id)) await insertAttempt(tx, space, id, attempt)
  })
}
