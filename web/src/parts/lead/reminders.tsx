import { useQuery } from '@tanstack/react-query'
import { Pencil, Plus, Trash2 } from 'lucide-react'
import type { ComponentProps } from 'react'
import type { Lead } from '../../api/lead.ts'
import type { Records } from '../../api/records.ts'
import type { Reminder } from '../../api/reminders.ts'
import { useMe } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { useDiscard } from '../../ui/discard.tsx'
import { formatAgo, formatExact } from '../../ui/format.ts'
import { RowMenu } from '../../ui/menu.tsx'
import { words } from '../../words/index.ts'
import { changeReminder, removeReminder } from '../reminder/change-reminder.ts'
import { describeCron } from '../reminder/recurrence.ts'
import { ReminderForm } from '../reminder/reminder-form.tsx'
import css from './activity.module.css'
import { remindersQuery } from './queries.ts'

export function Reminders({
  lead,
  records,
  mayWrite,
  edited,
  onEdit,
}: {
  lead: Lead
  records: Records
  mayWrite: boolean
  /** Its id, or 'new'. */
  edited: string | undefined
  onEdit: (edited?: string) => void
}) {
  const { data: reminders = [], isPending } = useQuery(remindersQuery(lead.id))
  const onDone = () => onEdit()
  const sorted = [...reminders].sort(
    (a, b) => Number(a.is_done) - Number(b.is_done) || a.date.localeCompare(b.date),
  )
  return (
    <div className={css.stack}>
      {mayWrite && edited !== 'new' && (
        <Button onClick={() => onEdit('new')}>
          <Plus size={15} /> {words.reminders.add}
        </Button>
      )}
      {edited === 'new' && <InPanel lead={lead.id} records={records} onDone={onDone} />}
      {sorted.map((reminder) =>
        edited === reminder.id ? (
          <InPanel
            key={reminder.id}
            lead={lead.id}
            reminder={reminder}
            records={records}
            onDone={onDone}
          />
        ) : (
          <ReminderRow
            key={reminder.id}
            reminder={reminder}
            records={records}
            mayWrite={mayWrite}
            onEdit={() => onEdit(reminder.id)}
          />
        ),
      )}
      {reminders.length === 0 && (
        <p className={css.none}>{isPending ? words.grid.loading : words.reminders.none}</p>
      )}
    </div>
  )
}

function InPanel(props: Omit<ComponentProps<typeof ReminderForm>, 'discard'>) {
  return <ReminderForm {...props} discard={useDiscard(props.onDone)} />
}

export function ReminderRow({
  reminder,
  records,
  mayWrite,
  onEdit,
}: {
  reminder: Reminder
  records: Records
  mayWrite: boolean
  onEdit?: () => void
}) {
  const { name, date, cron, is_done, users } = reminder
  const isLate = !is_done && Date.parse(date) < Date.now()
  const people = users
    .map((user) => records.members.find((member) => member.id === user)?.name)
    .filter(Boolean)
  const { workspace } = useMe()
  return (
    <div className={css.reminder}>
      <input
        type="checkbox"
        checked={is_done}
        disabled={!mayWrite}
        aria-label={words.reminders.done(name)}
        onChange={() => void changeReminder(reminder, { is_done: !is_done })}
      />
      <div className="block">
        <div className={classes(is_done && css.done)}>{name}</div>
        <div className={css.when}>
          <time dateTime={date} title={formatExact(date)} className={classes(isLate && 'bad')}>
            {formatExact(date)} · {formatAgo(date)}
          </time>
          {cron && <span> · {describeCron(cron, workspace.time_zone)}</span>}
          {people.length > 0 && <span> · {people.join(', ')}</span>}
        </div>
      </div>
      {mayWrite && onEdit && (
        <RowMenu
          label={words.reminders.options}
          groups={[
            [{ id: 'edit', label: words.reminders.edit, icon: <Pencil />, onPick: onEdit }],
            [
              {
                id: 'delete',
                label: words.reminders.delete,
                icon: <Trash2 />,
                isDangerous: true,
                onPick: () => void removeReminder(reminder),
              },
            ],
          ]}
        />
      )}
    </div>
  )
}
