// A reminder of the person is due: the page shows it.
import type { Told } from '../../api/notifications.ts'
import { inAnHour } from '../../api/reminders.ts'
import { formatExact } from '../../ui/format.ts'
import { tell } from '../../ui/toast.tsx'
import { words } from '../../words/index.ts'
import { changeReminder } from '../reminder/change-reminder.ts'

/** More than this many at once are shown as one. */
const most = 3

export interface Me {
  member: string
  mayWrite: boolean
  navigate: (to: string) => void
}

export function tellDue(due: readonly Told[], { mayWrite, navigate }: Me): void {
  if (due.length > most) {
    const run = () => navigate('/reminders')
    tell(words.live.manyDue(due.length), {
      isLasting: true,
      actions: [{ label: words.actions.open, run }],
    })
    return
  }
  for (const { record, text, lead, created_at } of due) {
    const reminder = { id: record ?? '', name: text, id_lead: lead?.id ?? '' }
    const detail = [lead?.name, formatExact(created_at)].filter(Boolean).join(' · ')
    const open = () => navigate(lead ? `/lead/${lead.id}` : '/reminders')
    const writing = [
      {
        label: words.actions.done,
        run: () => void changeReminder(reminder, { is_done: true }),
      },
      {
        label: words.live.snooze,
        run: () => void changeReminder(reminder, { date: inAnHour().toISOString() }),
      },
    ]
    tell(words.live.due(text), {
      detail,
      isLasting: true,
      actions: [{ label: words.actions.open, run: open }, ...(mayWrite ? writing : [])],
    })
  }
}
