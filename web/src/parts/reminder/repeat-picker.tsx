// How often a reminder comes back, picked without knowing cron, and said in words.
import { classes } from '../../ui/classes.ts'
import { Select } from '../../ui/select.tsx'
import { WhenField } from '../../ui/when-input.tsx'
import { words } from '../../words/index.ts'
import {
  cronOf,
  daysOfMonth,
  describeCron,
  longDay,
  type Repeat,
  repeats,
  type Schedule,
  shortDay,
  weekOrder,
} from './recurrence.ts'
import css from './reminder.module.css'

interface Props {
  schedule: Schedule
  timeZone: string
  onSchedule: (schedule: Schedule) => void
}

export function RepeatChoice({ schedule, onSchedule }: Omit<Props, 'timeZone'>) {
  return (
    <Select
      label={words.reminders.repeat}
      value={schedule.repeat}
      options={repeats.map((entry) => [entry, words.reminders.repeats[entry]])}
      onValue={(next) => {
        const repeat = next as Repeat
        // An expert continues from what was picked.
        const cron = repeat === 'cron' ? cronOf(schedule) || '0 9 * * *' : schedule.cron
        onSchedule({ ...schedule, repeat, cron })
      }}
    />
  )
}

/** What the chosen kind of schedule also needs. */
export function RepeatDetails({ schedule, timeZone, onSchedule }: Props) {
  const { repeat, time, weekdays, day, cron } = schedule
  const set = (change: Partial<Schedule>) => onSchedule({ ...schedule, ...change })
  const toggle = (weekday: number) => {
    const next = weekdays.includes(weekday)
      ? weekdays.filter((one) => one !== weekday)
      : [...weekdays, weekday]
    // At least one day stays.
    if (next.length > 0) set({ weekdays: next })
  }
  if (repeat === 'never') return null
  return (
    <>
      {repeat === 'weekly' && (
        <div className={css.weekdays} role="group" aria-label={words.reminders.onDays}>
          {weekOrder.map((weekday) => (
            <button
              key={weekday}
              type="button"
              aria-pressed={weekdays.includes(weekday)}
              aria-label={longDay(weekday)}
              className={classes(css.weekday, weekdays.includes(weekday) && css.chosen)}
              onClick={() => toggle(weekday)}
            >
              {shortDay(weekday)}
            </button>
          ))}
        </div>
      )}
      <div className={css.formRow}>
        {repeat === 'monthly' && (
          <Select
            label={words.reminders.onDay}
            value={day}
            options={[...new Set([...daysOfMonth, day])].map((entry) => [
              entry,
              entry === 'L' ? words.reminders.lastDay : entry,
            ])}
            onValue={(next) => set({ day: next })}
          />
        )}
        {repeat === 'cron' ? (
          <label>
            {words.reminders.cron}
            <input
              className={css.input}
              value={cron}
              required
              spellCheck={false}
              autoComplete="off"
              onChange={(event) => set({ cron: event.target.value })}
            />
          </label>
        ) : (
          <WhenField
            label={words.reminders.atTime}
            kind="clock"
            value={time}
            onValue={(time) => set({ time })}
            isRequired
          />
        )}
      </div>
      <p className="note" aria-live="polite">
        {repeat === 'cron'
          ? words.reminders.cronHelp(timeZone)
          : time && describeCron(cronOf(schedule), timeZone)}
      </p>
    </>
  )
}
