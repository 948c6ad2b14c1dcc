// One reminder of the inbox. Its check box has the focus while moving through the list, so Space marks it as
// done and Enter opens its lead.

import { ExternalLink, Pencil, Repeat, Trash2 } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { Link, useLocation } from 'wouter'
import { type Lead, nameOf } from '../../api/lead.ts'
import type { Records } from '../../api/records.ts'
import type { Reminder } from '../../api/reminders.ts'
import { useMe } from '../../api/session.ts'
import { changeReminder, removeReminder } from '../../parts/reminder/change-reminder.ts'
import { describeCron } from '../../parts/reminder/recurrence.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { classes } from '../../ui/classes.ts'
import { formatAgo, formatClock, formatExact } from '../../ui/format.ts'
import { RowMenu } from '../../ui/menu.tsx'
import { tell } from '../../ui/toast.tsx'
import { zoned } from '../../ui/zone.ts'
import { words } from '../../words/index.ts'
import { locale } from '../../words/locale.ts'
import type { SectionName } from './queries.ts'
import css from './reminders.module.css'
import { Snooze } from './snooze.tsx'

interface Props {
  reminder: Reminder
  lead: Lead | undefined
  section: SectionName
  records: Records
  isCurrent: boolean
  mayWrite: boolean
  onFocus: () => void
  /** Called before it leaves its place, so that the mark goes to the next one. */
  onLeave: () => void
  onEdit: () => void
}

export function Row(props: Props) {
  const { reminder, lead, section, records, isCurrent, mayWrite, onFocus, onLeave, onEdit } = props
  const { id, name, id_lead, is_done, users, cron } = reminder
  const { workspace } = useMe()
  const [, navigate] = useLocation()
  const href = id_lead ? `/lead/${id_lead}` : undefined
  const repeats = cron && describeCron(cron, workspace.time_zone)
  const people = records.members.filter((member) => users.includes(member.id))
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    if (href) navigate(href)
    else if (mayWrite) onEdit()
  }
  return (
    <li className={classes(css.row, isCurrent && css.current)} data-reminder={id} onFocus={onFocus}>
      <input
        type="checkbox"
        checked={is_done}
        aria-disabled={!mayWrite || undefined}
        aria-label={words.reminders.done(name)}
        onKeyDown={onKeyDown}
        onChange={() => mayWrite && markDone(reminder, repeats, onLeave)}
      />
      <div className={css.what}>
        <span className={classes(css.name, is_done && css.done)} dir="auto">
          {name}
        </span>
        {repeats && (
          <span className={css.repeats}>
            <Repeat size={12} aria-hidden="true" /> <span>{repeats}</span>
          </span>
        )}
      </div>
      <div className={css.about}>
        {href && (
          <Link href={href} className={css.lead} dir="auto">
            {lead ? nameOf(lead) || words.leads.unnamed : '…'}
          </Link>
        )}
      </div>
      <div className={css.people}>
        {people.slice(0, 3).map((member) => (
          <span key={member.id} title={member.name}>
            <Avatar name={member.name} picture={member.picture} />
            <span className="hidden">{member.name}</span>
          </span>
        ))}
      </div>
      <When reminder={reminder} section={section} />
      {mayWrite && (
        <div className={css.actions}>
          <Snooze reminder={reminder} onLeave={onLeave} />
          <RowMenu
            label={words.reminders.options}
            groups={[
              [
                href && {
                  id: 'open',
                  label: words.inbox.openLead,
                  icon: <ExternalLink />,
                  keys: 'Enter',
                  onPick: () => navigate(href),
                },
                {
                  id: 'edit',
                  label: words.reminders.edit,
                  icon: <Pencil />,
                  keys: 'E',
                  onPick: onEdit,
                },
              ],
              [
                {
                  id: 'delete',
                  label: words.reminders.delete,
                  icon: <Trash2 />,
                  isDangerous: true,
                  onPick: () => {
                    onLeave()
                    void remove(reminder)
                  },
                },
              ],
            ]}
          />
        </div>
      )}
    </li>
  )
}

export function markDone(reminder: Reminder, repeats: string, onLeave: () => void): void {
  const { name, is_done } = reminder
  onLeave()
  void changeReminder(reminder, { is_done: !is_done }).then((isSaved) => {
    if (!isSaved || is_done) return
    tell(words.inbox.told.done(name), {
      ...(repeats && { detail: words.inbox.comesBack(repeats) }),
      action: {
        label: words.actions.undo,
        run: () => void changeReminder(reminder, { is_done: false }),
      },
    })
  })
}

async function remove(reminder: Reminder): Promise<void> {
  if (await removeReminder(reminder)) tell(words.inbox.deleted(reminder.name))
}

const weekday = zoned(locale, { weekday: 'short' })

function When({ reminder: { date }, section }: { reminder: Reminder; section: SectionName }) {
  const text = {
    overdue: () => formatAgo(date),
    today: () => formatClock(date),
    week: () => `${weekday(date)} ${formatClock(date)}`,
    later: () => formatExact(date),
    done: () => formatExact(date),
  }[section]()
  return (
    <time
      dateTime={date}
      title={formatExact(date)}
      className={classes(css.when, section === 'overdue' && css.late)}
    >
      {text}
    </time>
  )
}
