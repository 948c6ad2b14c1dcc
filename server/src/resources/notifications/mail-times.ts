// When a notification is sent by mail.
import type { NotificationKind } from '@rapport/contract/notifications.values'
import { nextOccurrence } from '../reminders/reminders.recurrence.ts'
import type { Choices } from './settings.ts'

/** The next time that a clock in the time zone shows this hour. */
const nextHour = (hour: number, zone: string, after: Date) =>
  nextOccurrence(`0 ${hour} * * *`, zone, after) ?? after

/** Null: it is not sent. */
export function mailTime(
  kind: NotificationKind,
  { kinds, digest_hour, quiet_hours }: Choices,
  zone: string,
  now: Date,
): Date | null {
  const way = kinds[kind]
  if (way === 'page') return null
  if (way === 'digest') return nextHour(digest_hour, zone, now)
  if (!quiet_hours) return now
  const end = nextHour(quiet_hours.to, zone, now)
  // They end before they begin again.
  return end < nextHour(quiet_hours.from, zone, now) ? end : now
}
