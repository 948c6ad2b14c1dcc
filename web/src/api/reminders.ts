// Reminders in the cache: those of a lead, and the pages of the inbox.
import { atWallClock, wallClock } from '../ui/zone.ts'
import type { Reply } from './call.ts'
import { client } from './client.ts'

export type Reminder = Reply<'POST /reminders/list'>['data'][number]

/** A page of the inbox. */
export interface ReminderPage {
  reminders: Reminder[]
  hasMore: boolean
}

export function inAnHour(): Date {
  return new Date(Date.now() + 3_600_000)
}

export function atNine(days: number): Date {
  const time = wallClock()
  time.setDate(time.getDate() + days)
  time.setHours(9, 0, 0, 0)
  return atWallClock(time)
}

/** Reads what is shown of reminders again: pages, counts, those of open leads. */
export async function refreshReminders(): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: ['reminders'] }),
    client.invalidateQueries({ predicate: ({ queryKey }) => isOfLead(queryKey) }),
  ])
}

const isOfLead = ([first, , part]: readonly unknown[]) => first === 'lead' && part === 'reminders'
