import { type ReactNode, useState } from 'react'
import { call } from '../../api/call.ts'
import type { Records } from '../../api/records.ts'
import { atNine, inAnHour, type Reminder, refreshReminders } from '../../api/reminders.ts'
import { useMe } from '../../api/session.ts'
import { useAttempt } from '../../ui/attempt.ts'
import { Button } from '../../ui/button.tsx'
import type { Discard } from '../../ui/discard.tsx'
import { formatTimeOfDay } from '../../ui/format.ts'
import { Select } from '../../ui/select.tsx'
import { Refusal } from '../../ui/small.tsx'
import { submitting } from '../../ui/submitting.ts'
import { WhenField } from '../../ui/when-input.tsx'
import { localTime, timeAt } from '../../ui/zone.ts'
import { words } from '../../words/index.ts'
import { cronOf, scheduleFrom } from './recurrence.ts'
import css from './reminder.module.css'
import { RepeatChoice, RepeatDetails } from './repeat-picker.tsx'

interface Props {
  /** Its lead; empty for none. */
  lead: string
  /** The one to change. Without it, a new one is made. */
  reminder?: Reminder | undefined
  records: Records
  onDone: () => void
  discard: Discard
  /** More inputs, under the name. */
  children?: ReactNode
  /** In a dialog, which has its own frame. */
  isPlain?: boolean
}

export function ReminderForm(props: Props) {
  const { lead, reminder, records, onDone, discard, children, isPlain } = props
  const { workspace, id: me } = useMe()
  const [start] = useState(() => (reminder ? new Date(reminder.date) : atNine(1)))
  const [name, setName] = useState(reminder?.name ?? '')
  const [when, setWhen] = useState(() => localTime(start))
  const [schedule, setSchedule] = useState(() => scheduleFrom(reminder?.cron ?? '', start))
  /** Undefined: as it is. */
  const [user, setUser] = useState<string>()
  const { fault, attempt } = useAttempt()
  const isOnce = schedule.repeat === 'never'
  /** Who it is for now, and what is shown of it unless it is one of the members. */
  const users = reminder ? reminder.users : [me]
  const [only = ''] = users.length === 1 ? users : []
  const isMember = records.members.some(({ id }) => id === only)
  const save = async () => {
    const time = timeAt(when)
    if (!name.trim() || (isOnce && Number.isNaN(time.getTime()))) return
    const cron = cronOf(schedule)
    const body = {
      name: name.trim(),
      // The service finds the next time of a schedule. An input has no seconds, so a time that was not
      // touched stays as it is: another one would fire again.
      ...(isOnce ? { cron: null } : { cron }),
      ...(isOnce && !(reminder && when === localTime(start)) && { date: time.toISOString() }),
      ...(user && { users: [user] }),
    }
    if (reminder)
      await call('PATCH /reminders/{id}', { id: reminder.id, body: { ...body, id_lead: lead } })
    else await call('POST /reminders', { body: { ...body, id_lead: lead } })
    void refreshReminders()
    onDone()
  }
  const presets = [
    { label: words.reminders.presets.hour, time: inAnHour },
    { label: words.reminders.presets.tomorrow(formatTimeOfDay(9)), time: () => atNine(1) },
    { label: words.reminders.presets.week, time: () => atNine(7) },
  ]
  return (
    <>
      <form
        onInput={discard.onInput}
        className={isPlain ? css.plainForm : css.reminderForm}
        onSubmit={submitting(() => attempt(save))}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.stopPropagation()
          discard.leave()
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
        {children}
        {isOnce && (
          <div className={css.presets}>
            {presets.map(({ label, time }) => (
              <Button key={label} onClick={() => setWhen(localTime(time()))}>
                {label}
              </Button>
            ))}
          </div>
        )}
        <div className={css.formRow}>
          {isOnce && (
            <WhenField
              label={words.reminders.when}
              kind="time"
              value={when}
              onValue={setWhen}
              isRequired
            />
          )}
          <RepeatChoice schedule={schedule} onSchedule={setSchedule} />
          <Select
            label={words.reminders.for}
            value={user ?? (isMember ? only : '')}
            options={[
              ...(user === undefined && !isMember ? [['', people(users, records)] as const] : []),
              ...records.members.map(
                ({ id, name }) => [id, id === me ? words.reminders.you : name] as const,
              ),
            ]}
            onValue={setUser}
          />
        </div>
        <RepeatDetails
          schedule={schedule}
          timeZone={workspace.time_zone}
          onSchedule={setSchedule}
        />
        <Refusal text={fault} />
        <div className={css.actions}>
          <Button look="quiet" onClick={onDone}>
            {words.actions.cancel}
          </Button>
          <Button look="go" type="submit" disabled={!name.trim()}>
            {words.actions.save}
          </Button>
        </div>
      </form>
      {discard.question}
    </>
  )
}

function people(users: readonly string[], { members }: Records): string {
  const names = members.filter(({ id }) => users.includes(id)).map(({ name }) => name)
  return names.join(', ') || words.fields.noValue
}
