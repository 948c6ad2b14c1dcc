// Webhooks: the events of the change feed, sent to other systems as they happen.
import { Type } from 'typebox'
import { LeadFilter } from './leads/filter.ts'
import { route } from './route.ts'
import {
  AllOptional,
  DateTime,
  Documented,
  Id,
  Limited,
  Message,
  Name,
  Nullable,
  nextPage,
  OneOf,
  Shape,
} from './shapes.ts'
import {
  attemptDays,
  bothSecretsHours,
  failingDays,
  maxWebhooks,
  webhookIncludes,
  webhookReasons,
  webhookStates,
} from './webhooks.values.ts'

const maxTypes = 100

const chosen = {
  url: Type.String({
    maxLength: 2_000,
    description:
      'Where the events are sent. https, unless the network of the address is in WEBHOOK_ALLOW.',
  }),
  types: Limited(Type.String({ pattern: '^[a-z]+\\.([a-z]+|\\*)$' }), maxTypes, {
    description:
      'Only events of these types, for example lead.created; lead.* for all lead events. Empty: all',
  }),
  filter: LeadFilter,
  include: Limited(OneOf(webhookIncludes), webhookIncludes.length, {
    description:
      'lead: the event also has `lead`, as it is when the event is sent; null if it is gone, or if the event concerns several leads or none',
  }),
  expires_at: Nullable(DateTime),
}

const Webhook = Shape('Webhook', {
  id: Id,
  name: Type.String(),
  ...chosen,
  state: OneOf(webhookStates, {
    title: 'WebhookState',
    description:
      'retrying: the last attempt failed. waiting: several events in a row failed; the oldest one is tried until it arrives, then the others follow. paused: by a person or a restored backup. disabled: by the service. PATCH with paused false resumes it in all cases.',
  }),
  reason: Nullable(
    OneOf(webhookReasons, {
      description: `Why it is paused or disabled. gone: the receiver answered 410. failing: nothing arrived for ${failingDays} days. filter: it names records that are gone. secret: the server cannot read the secret, rotate it.`,
    }),
  ),
  failures: Type.Integer({ description: 'Attempts that failed in a row' }),
  failing_since: Nullable(DateTime),
  next_attempt_at: Nullable(DateTime),
  retrying: Type.Integer({ description: 'Events that failed and are sent again' }),
  behind: Type.Integer({
    description: 'Events at the end of the feed that it has not reached yet',
  }),
  replaying: Type.Integer({ description: 'Events of a replay that it has not reached yet' }),
  /** Until then, the secret before the last rotation signs too. */
  old_secret_until: Nullable(DateTime),
  id_member: Nullable(Id),
  created_at: DateTime,
  updated_at: DateTime,
})

const secret = Type.String({
  description: 'The signing secret, whsec_…. It is returned only once.',
})

const WebhookInput = Shape('WebhookInput', {
  url: chosen.url,
  ...AllOptional(
    Type.Object({
      name: Name,
      types: chosen.types,
      filter: chosen.filter,
      include: chosen.include,
      expires_at: chosen.expires_at,
    }),
  ).properties,
})

const WebhookChange = AllOptional(
  Shape('WebhookChange', {
    name: Name,
    ...chosen,
    paused: Type.Boolean({
      description:
        'true: nothing is sent, and events wait. false: resumes, even if it was disabled, and retries failed events at once',
    }),
  }),
)

export const attemptLimits = { min: 1, max: 1000, otherwise: 100 }

const Attempt = Shape('WebhookAttempt', {
  id: Id,
  seq: Nullable(Type.Integer({ description: 'The event. Null: a test' })),
  type: Type.String(),
  at: DateTime,
  took_ms: Type.Integer(),
  status: Nullable(Type.Integer({ description: 'Of the response. Null: there was none' })),
  error: Nullable(Type.String({ description: 'Why there was no response' })),
  answer: Nullable(
    Type.String({
      description: 'The beginning of the response. Null if a lead of the event was erased',
    }),
  ),
})

const examples = { webhook: '01920000-0000-7000-8000-00000000001a' }

export const webhooks = {
  name: 'Webhooks',
  description: `Send the events of the change feed to other systems, signed as Standard Webhooks describes (webhook-id, webhook-timestamp, webhook-signature). At least once, first attempts in the order of the feed. At most ${maxWebhooks} per workspace. See docs/WEBHOOKS.md.`,
  examples,
  routes: {
    create: route('POST /webhooks', {
      operationId: 'createWebhook',
      role: 'admin',
      // It sends what a key without `read` cannot read.
      scopes: ['admin', 'read'],
      summary: 'Create a webhook',
      description:
        'Sends events from now on. The response contains the signing secret, which is not shown again. With a filter, it sends only events of leads that the filter selects when the event is sent, and of their notes and reminders; for a bulk change, `ids` then has only these leads. Events that concern no lead, and lead.erased, are always sent.',
      secret: true,
      body: WebhookInput,
      reply: Shape('NewWebhook', { ...Webhook.properties, secret }),
      example: {
        body: {
          name: 'Newsletter',
          url: 'https://hooks.example.com/rapport',
          types: ['lead.created', 'lead.updated'],
          include: ['lead'],
        },
      },
    }),
    list: route('GET /webhooks', {
      operationId: 'listWebhooks',
      role: 'admin',
      summary: 'List webhooks',
      description: 'Oldest first, without their secrets.',
      reply: Type.Array(Webhook, { title: 'Webhooks' }),
    }),
    update: route('PATCH /webhooks/{id}', {
      operationId: 'updateWebhook',
      role: 'admin',
      scopes: ['admin', 'read'],
      summary: 'Change, pause or resume a webhook',
      description: 'Changes only the fields you send. A new url is tried at once.',
      body: WebhookChange,
      reply: Webhook,
      example: { id: examples.webhook, body: { types: ['lead.*'] } },
    }),
    remove: route('DELETE /webhooks/{id}', {
      operationId: 'deleteWebhook',
      role: 'admin',
      summary: 'Delete a webhook',
      description:
        'Nothing more is sent to it. Also returns 200 if there is no such webhook, so that a program can unsubscribe twice.',
      reply: Message,
      example: { id: examples.webhook },
    }),
    rotate: route('POST /webhooks/{id}/rotate', {
      operationId: 'rotateWebhookSecret',
      role: 'admin',
      summary: 'Replace the secret of a webhook',
      description: `For ${bothSecretsHours} hours, requests are signed with the old and with the new secret. The new one is not shown again.`,
      secret: true,
      reply: Shape('WebhookSecret', { secret, old_secret_until: Nullable(DateTime) }),
      example: { id: examples.webhook },
    }),
    test: route('POST /webhooks/{id}/test', {
      operationId: 'testWebhook',
      role: 'admin',
      summary: 'Send a sample event now',
      description:
        'Sends an event of one of its types, with `test` true and, if it includes leads, a lead of the workspace. Returns the answer. This also works for a webhook that is paused or disabled, and does not change it.',
      waits: 'always',
      reply: Attempt,
      example: { id: examples.webhook },
    }),
    attempts: route('GET /webhooks/{id}/attempts', {
      operationId: 'listWebhookAttempts',
      role: 'admin',
      summary: 'List what was sent',
      description: `The attempts of the last ${attemptDays} days, newest first. Send \`next\` of the previous page as \`after\` to continue.`,
      query: AllOptional(Shape('WebhookAttemptQuery', nextPage(attemptLimits, 'attempts'))),
      reply: Shape('WebhookAttemptPage', {
        attempts: Type.Array(Attempt),
        /** Null at the end. */
        next: Nullable(Id),
      }),
      example: { id: examples.webhook, query: { limit: 10 } },
    }),
    replay: route('POST /webhooks/{id}/replay', {
      operationId: 'replayWebhook',
      role: 'admin',
      summary: 'Send events again',
      description:
        'Sends the events of a period again, in order and with the same webhook-id, whether or not they arrived before. Events that it has not reached yet are sent anyway. Extends a replay in progress.',
      body: Shape('WebhookReplay', {
        from: DateTime,
        to: Type.Optional(Documented(DateTime, { description: 'Default: now' })),
      }),
      reply: Webhook,
      example: { id: examples.webhook, body: { from: '2026-01-01T00:00:00Z' } },
    }),
  },
}
