// A change of a reminder shows immediately in the inbox and at its lead, and is reverted, with the reason, when the
// service refuses it.
import type { InfiniteData } from '@tanstack/react-query'
import { type Body, call } from '../../api/call.ts'
import { client } from '../../api/client.ts'
import { type Reminder, type ReminderPage, refreshReminders } from '../../api/reminders.ts'
import { tellFault } from '../../ui/toast.tsx'
import { words } from '../../words/index.ts'

type Pages = InfiniteData<ReminderPage>
type Known = Pick<Reminder, 'id' | 'name' | 'id_lead'>
type Change = Body<'PATCH /reminders/{id}'>

const lists = ['reminders', 'list']

/** A new date or state: the inbox shows it elsewhere, if at all. */
const moves = (change: Change) => change.date !== undefined || change.is_done !== undefined

export function changeReminder(reminder: Known, change: Change): Promise<boolean> {
  return attempt(
    reminder,
    () => call('PATCH /reminders/{id}', { id: reminder.id, body: change }),
    (old) => (moves(change) ? undefined : { ...old, ...shown(change) }),
    (old) => ({ ...old, ...shown(change) }),
  )
}

export function removeReminder(reminder: Known): Promise<boolean> {
  const gone = () => undefined
  const work = () => call('DELETE /reminders/{id}', { id: reminder.id })
  return attempt(reminder, work, gone, gone)
}

function shown({ name, date, is_done }: Change): Partial<Reminder> {
  return {
    ...(name !== undefined && { name }),
    ...(date !== undefined && { date }),
    ...(is_done !== undefined && { is_done }),
  }
}

type Update = (reminder: Reminder) => Reminder | undefined
let underWay = 0

async function attempt(
  { id, name, id_lead }: Known,
  work: () => Promise<unknown>,
  inInbox: Update,
  inLead: Update,
): Promise<boolean> {
  // A response that was asked for before would bring back what it was.
  void client.cancelQueries({ queryKey: lists })
  const updated = (all: Reminder[], update: Update) =>
    all.flatMap((entry) => (entry.id === id ? (update(entry) ?? []) : entry))
  const before = client.getQueriesData<Pages>({ queryKey: lists })
  client.setQueriesData<Pages>({ queryKey: lists }, (old) => {
    if (!old) return old
    const pages = old.pages.map((page) => ({
      ...page,
      reminders: updated(page.reminders, inInbox),
    }))
    return { ...old, pages }
  })
  const ofLead = ['lead', id_lead, 'reminders']
  const beforeOfLead = client.getQueryData<Reminder[]>(ofLead)
  client.setQueryData<Reminder[]>(ofLead, (old) => old && updated(old, inLead))
  underWay++
  try {
    await work()
    return true
  } catch (error) {
    for (const [key, pages] of before) client.setQueryData(key, pages)
    if (beforeOfLead) client.setQueryData(ofLead, beforeOfLead)
    tellFault(words.faults.notSaved(name), error, {
      label: words.actions.retry,
      run: () => void attempt({ id, name, id_lead }, work, inInbox, inLead),
    })
    return false
  } finally {
    underWay--
    if (underWay === 0) void refreshReminders()
  }
}
