import { useState } from 'react'
import { call } from '../api/call.ts'
import { client } from '../api/client.ts'
import { reasonOf } from '../api/fault.ts'
import type { Records } from '../api/records.ts'
import { useMe } from '../api/session.ts'
import { localTime } from '../field/save.ts'
import { Button } from '../ui/button.tsx'
import { words } from '../words.ts'
import css from './activity.module.css'
import type { Reminder } from './queries.ts'
import { cronOf, type Repeat, repeatOf, repeats } from './recurrence.ts'

const hour = 3_600_000

function tomorrowAtNine(days = 1): Date {
  const time = new Date()
  time.setDate(time.getDate() + days)
  time.setHours(9, 0, 0, 0)
  return time
}

interface Props {
  lead: string
  /** The one to change. Without it, a new one is made. */
  reminder?: Reminder
  records: Records
  onDone: () => void
}

export function ReminderForm({ lead, reminder, records, onDone }: Props) {
  const { workspace } = useMe()
  const [name, setName] = useState(reminder?.name ?? '')
  const [when, setWhen] = useState(() =>
    localTime(reminder ? new Date(reminder.date) : tomorrowAtNine()),
  )
  const kept = reminder ? repeatOf(reminder.cron) : 'never'
  const [repeat, setRepeat] = useState<Repeat | ''>(kept ?? '')
  const [user, setUser] = useState(reminder?.users[0] ?? '')
  const [fault, setFault] = useState('')
  const save = async () => {
    const time = new Date(when)
    if (!name.trim() || Number.isNaN(time.getTime())) return
    const cron = repeat === '' ? undefined : cronOf(repeat, time, workspace.time_zone)
    const body = {
      name: name.trim(),
      date: time.toISOString(),
      ...(cron !== undefined && { cron }),
      ...(user && { users: [user] }),
    }
    try {
      if (reminder) await call('PATCH /reminders/{id}', { id: reminder.id, body })
      else await call('POST /reminders', { body: { ...body, id_lead: lead } })
      await client.invalidateQueries({ queryKey: ['lead', lead, 'reminders'] })
      onDone()
    } catch (error) {
      setFault(reasonOf(error))
    }
  }
  const presets = [
    { label: words.reminders.presets.hour, time: () => new Date(Date.now() + hour) },
    { label: words.reminders.presets.tomorrow, time: () => tomorrowAtNine() },
    { label: words.reminders.presets.week, time: () => tomorrowAtNine(7) },
  ]
  return (
    <form
      className={css.reminderForm}
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onDone()
      }}
    >
      <input
        className={css.input}
        aria-label={words.reminders.name}
        placeholder={words.reminders.name}
        value={name}
        autoFocus
        autoComplete="off"
        onChange={(event) => setName(event.target.value)}
      />
      <div className={css.presets}>
        {presets.map(({ label, time }) => (
          <Button key={label} onClick={() => setWhen(localTime(time()))}>
            {label}
          </Button>
        ))}
      </div>
      <div className={css.formRow}>
        <label>
          {words.reminders.when}
          <input
            className={css.input}
            type="datetime-local"
            value={when}
            onChange={(event) => setWhen(event.target.value)}
            required
          />
        </label>
        <label>
          {words.reminders.repeat}
          <select
            className={css.input}
            value={repeat}
            onChange={(event) => setRepeat(event.target.value as Repeat)}
          >
            {repeat === '' && <option value="">{reminder?.cron}</option>}
            {repeats.map((entry) => (
              <option key={entry} value={entry}>
                {words.reminders.repeats[entry]}
              </option>
            ))}
          </select>
        </label>
        <label>
          {words.reminders.for}
          <select
            className={css.input}
            value={user}
            onChange={(event) => setUser(event.target.value)}
          >
            {!user && <option value="">{words.reminders.you}</option>}
            {records.members.map((member) => (
              <option key={member.id} value={member.id}>
                {member.name}
              </option>
            ))}
          </select>
        </label>
      </div>
      {fault && (
        <p className={css.fault} role="alert">
          {fault}
        </p>
      )}
      <div className={css.composerActions}>
        <span className={css.fill} />
        <Button look="quiet" onClick={onDone}>
          {words.actions.cancel}
        </Button>
        <Button look="go" type="submit" disabled={!name.trim()}>
          {words.actions.save}
        </Button>
      </div>
    </form>
  )
}
