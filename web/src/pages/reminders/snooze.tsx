// Snoozing a reminder: a menu of usual times, or any time.
import { AlarmClock } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { atNine, inAnHour, type Reminder } from '../../api/reminders.ts'
import { changeReminder } from '../../parts/reminder/change-reminder.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { formatExact, formatTimeOfDay } from '../../ui/format.ts'
import { Menu } from '../../ui/menu.tsx'
import { tell } from '../../ui/toast.tsx'
import { WhenField } from '../../ui/when-input.tsx'
import { localTime, timeAt, wallClock } from '../../ui/zone.ts'
import { words } from '../../words/index.ts'
import css from './reminders.module.css'

async function snooze(reminder: Reminder, until: Date): Promise<void> {
  const date = until.toISOString()
  // Snoozing a done reminder reopens it.
  const change = { date, ...(reminder.is_done && { is_done: false }) }
  if (!(await changeReminder(reminder, change))) return
  const { date: before, is_done } = reminder
  tell(words.inbox.told.snoozed(formatExact(date)), {
    action: {
      label: words.actions.undo,
      run: () => void changeReminder(reminder, { date: before, is_done }),
    },
  })
}

interface Props {
  reminder: Reminder
  /** Called before the reminder leaves its place. */
  onLeave: () => void
}

export function Snooze({ reminder, onLeave }: Props) {
  const [isChoosing, setChoosing] = useState(false)
  const { inbox } = words
  const until = (time: Date) => {
    onLeave()
    void snooze(reminder, time)
  }
  const daysToMonday = 8 - (wallClock().getDay() || 7)
  return (
    <>
      <Menu
        label={inbox.snoozeOf(reminder.name)}
        align="end"
        trigger={
          <Button
            look="icon"
            data-snooze=""
            aria-label={inbox.snoozeOf(reminder.name)}
            title={inbox.snooze}
          >
            <AlarmClock size={15} />
          </Button>
        }
        groups={[
          [
            {
              id: 'hour',
              label: words.reminders.presets.hour,
              onPick: () => until(inAnHour()),
            },
            {
              id: 'tomorrow',
              label: words.reminders.presets.tomorrow(formatTimeOfDay(9)),
              onPick: () => until(atNine(1)),
            },
            {
              id: 'monday',
              label: inbox.monday(formatTimeOfDay(9)),
              onPick: () => until(atNine(daysToMonday)),
            },
          ],
          [{ id: 'custom', label: inbox.custom, onPick: () => setChoosing(true) }],
        ]}
      />
      {isChoosing && (
        <ChooseTime
          name={reminder.name}
          onClose={() => setChoosing(false)}
          onChoose={(time) => {
            setChoosing(false)
            until(time)
          }}
        />
      )}
    </>
  )
}

function ChooseTime({
  name,
  onClose,
  onChoose,
}: {
  name: string
  onClose: () => void
  onChoose: (time: Date) => void
}) {
  const [when, setWhen] = useState(() => localTime(atNine(1)))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const time = timeAt(when)
    if (!Number.isNaN(time.getTime())) onChoose(time)
  }
  return (
    <Dialog title={words.inbox.snoozeTitle} onClose={onClose}>
      <form onSubmit={submit}>
        <p className={css.snoozed}>{name}</p>
        <WhenField
          kind="time"
          label={words.reminders.when}
          value={when}
          onValue={setWhen}
          isFirst
          isRequired
        />
        <DialogActions>
          <Button onClick={onClose}>{words.actions.cancel}</Button>
          <Button look="go" type="submit">
            {words.inbox.snooze}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
