// Facts about webhooks, as plain values, so that the page can import them without the schemas.

/**
 * active: what it was sent last has arrived. retrying: the last attempt failed. waiting: several events in a row
 * failed, so only the oldest one is tried until it arrives. paused: by a person, or by a restored backup. disabled: by
 * the service, and `reason` says why.
 */
export const webhookStates = ['active', 'retrying', 'waiting', 'paused', 'disabled'] as const
export type WebhookState = (typeof webhookStates)[number]

/** Why a webhook is paused or disabled. */
export const webhookReasons = [
  'person',
  'restored',
  'gone',
  'failing',
  'expired',
  'filter',
  'secret',
] as const
export type WebhookReason = (typeof webhookReasons)[number]

/** What can be sent beside the event. */
export const webhookIncludes = ['lead'] as const

/** A webhook that nothing has reached for this many days is disabled. */
export const failingDays = 5
/** A new secret does not replace the old one for this long. */
export const bothSecretsHours = 24
/** Attempts are kept for this many days. */
export const attemptDays = 7
/** Of a workspace. */
export const maxWebhooks = 500
