// What a call or a meeting has besides its text: when it took place, how long it was, and how it ended.
import { badRequest, type Issue } from '@rapport/contract/errors'
import { noteOutcomes } from '@rapport/contract/notes.values'
import { requireDate } from '../reminders/reminders.dates.ts'
import type { Details } from './notes.sql.ts'

const none = { happened_at: null, duration: null, outcome: null }

/** The details that a body asks for. `before`: those of a note that it changes. A plain note has none. */
export function detailsOf(body: Partial<Details>, now: Date, before?: Details): Details {
  const { kind = before?.kind ?? 'note' } = body
  if (kind === 'note') {
    const path = keys.filter((key) => body[key] != null)
    if (path.length > 0) {
      throw badRequest(path.map((key) => issue(key, 'kind', 'Only calls and meetings have this')))
    }
    return { kind, ...none }
  }
  const { happened_at, duration, outcome } = {
    ...none,
    ...(before?.kind === kind && before),
    ...body,
  }
  const time = happened_at ? requireDate(happened_at, ['happened_at']) : now.toISOString()
  if (time > now.toISOString()) {
    throw badRequest(
      issue('happened_at', 'range', 'Must not be in the future. Use a reminder instead.'),
    )
  }
  const outcomes: readonly string[] = noteOutcomes[kind]
  if (outcome && !outcomes.includes(outcome)) {
    throw badRequest(issue('outcome', 'enum', `Must be one of ${outcomes.join(', ')}`))
  }
  return { kind, happened_at: time, duration, outcome }
}

/** A call or a meeting can do without a text. */
export function requireContent(kind: Details['kind'], content: string | null): void {
  if (kind === 'note' && !content?.trim())
    throw badRequest(issue('content', 'required', 'Required'))
}

const keys = ['happened_at', 'duration', 'outcome'] as const

const issue = (key: string, code: string, message: string): Issue => ({
  path: [key],
  code,
  message,
})
