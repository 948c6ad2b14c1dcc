// Words of the settings of webhooks. They are loaded with that page, not with the first one.
import {
  attemptDays,
  bothSecretsHours,
  failingDays,
  type WebhookReason,
  type WebhookState,
} from '@rapport/contract/webhooks.values'
import { count } from './counted.ts'

const reasons: Record<WebhookReason, string> = {
  person: 'Paused',
  restored: 'Paused after a restored backup. Another server may have sent the same events.',
  gone: 'Disabled: the receiver says the address no longer exists (410)',
  failing: `Disabled: nothing was delivered for ${failingDays} days`,
  expired: 'Disabled: it has expired',
  filter: 'Disabled: its filter uses a deleted attribute',
  secret: 'Disabled: this server can’t read its secret. Create a new one.',
}

const failing = (what: string) => (failures: number, next: string) =>
  `${what}: ${count(failures, 'failure', 'failures')}${next && `, next try ${next}`}`

export const webhooks = {
  hint: 'Webhooks send the events of this workspace to other systems as they happen.',
  none: 'No webhooks yet.',
  url: 'Address',
  types: 'Events',
  typesHint: 'For example lead.created, note.*. Empty: all events.',
  lead: 'Include the lead',
  create: 'Create webhook',
  madeTitle: (name: string) => `Secret for ${name}`,
  madeText: 'The receiver uses it to verify that requests come from Rapport.',
  rotatedText: `For ${bothSecretsHours} hours, requests are signed with the old and the new secret.`,
  snippet: 'Verify a request',
  all: 'All events',
  withLead: 'with the lead',
  state: (
    state: WebhookState,
    reason: WebhookReason | null,
    failures: number,
    next: string,
  ): string => {
    if (state === 'active') return 'Active'
    if (state === 'retrying') return failing('Retrying')(failures, next)
    if (state === 'waiting') return failing('Waiting')(failures, next)
    return reasons[reason ?? 'person']
  },
  soon: 'in a moment',
  toGo: (events: number) => `${count(events, 'event', 'events')} to go`,
  actions: (name: string) => `Actions for ${name}`,
  test: 'Send a test',
  attempts: 'Attempts',
  attemptsOf: (name: string) => `Delivery attempts for ${name}`,
  noAttempts: `Nothing was sent in the last ${attemptDays} days.`,
  isTest: 'Test',
  event: (seq: number) => `event ${seq}`,
  status: (status: number) => `Status ${status}`,
  took: (ms: number) => `${ms} ms`,
  again: 'Refresh',
  replay: 'Replay…',
  replayTitle: (name: string) => `Resend events to ${name}`,
  replayText: 'All events in this period are sent again, in order, with the same ids.',
  from: 'From',
  to: 'Until (empty: now)',
  send: 'Send again',
  replaying: (events: number) => `replaying ${count(events, 'event', 'events')}`,
  pause: 'Pause',
  resume: 'Resume',
  retry: 'Try again now',
  rotate: 'New secret',
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteText: 'It gets no more events. You can’t undo this.',
}
