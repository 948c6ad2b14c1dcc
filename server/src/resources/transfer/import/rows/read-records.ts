// What a line of NDJSON has besides a lead: its notes and reminders and, in our own export, definitions.
import { ApiError } from '@rapport/contract/errors'
import { Definitions, NoteLine, ReminderLine } from '@rapport/contract/transfer.lines'
import { toTimestamp } from '../../../../attributes/dates.ts'
import { validator } from '../../../../http/validate.ts'
import { detailsOf, requireContent } from '../../../notes/details.ts'
import { nextOccurrence } from '../../../reminders/reminders.recurrence.ts'
import { RowFault } from '../../file/errors.ts'
import { shown } from '../values/read-values.ts'

const [checkDefinitions, checkNote, checkReminder] = [
  validator(Definitions),
  validator(NoteLine),
  validator(ReminderLine),
]

/** Undefined if it is something else that is called so. */
export function readDefinitions(value: unknown): Definitions | undefined {
  try {
    return checkDefinitions(value)
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/** Texts, or notes as our own export has them. */
export function readNotes(value: unknown): NoteLine[] {
  return [value ?? []].flat().map((item) => {
    const note = checked('notes', readNote, typeof item === 'string' ? { content: item } : item)
    const { created_at, is_pinned_at } = note
    return {
      ...note,
      ...(created_at && { created_at: requireTime('notes', created_at) }),
      ...(is_pinned_at && { is_pinned_at: requireTime('notes', is_pinned_at) }),
    }
  })
}

function readNote(item: unknown): NoteLine {
  const note = checkNote(item)
  const details = detailsOf(note, new Date())
  requireContent(details.kind, note.content)
  return { ...note, ...details }
}

export function readReminders(value: unknown): ReminderLine[] {
  return [value ?? []].flat().map((item) => {
    const reminder = checked('reminders', checkReminder, item)
    const { cron, fired_at } = reminder
    if (cron && !nextOccurrence(cron, 'UTC', new Date())) {
      throw new RowFault(`reminders: ${shown(cron)} is not a schedule`)
    }
    return {
      ...reminder,
      date: requireTime('reminders', reminder.date),
      fired_at: fired_at ? requireTime('reminders', fired_at) : null,
    }
  })
}

function checked<T>(what: string, check: (input: unknown) => T, item: unknown): T {
  try {
    return check(item)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const [issue] = error.issues
    const where = [what, ...(issue?.path ?? [])].join('.')
    throw new RowFault(`${where}: ${issue?.message ?? 'not valid'}`)
  }
}

function requireTime(what: string, text: string): string {
  const time = toTimestamp(text)
  if (time === undefined || time < '0001')
    throw new RowFault(`${what}: ${shown(text)} is not a time`)
  return time
}
