// What happened with the lead, newest first: changes from the feed, notes, and on top what is due.
import { whatWasDone } from '@rapport/contract/changes.values'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ArrowRightLeft, Bell, CornerDownRight, Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { type Lead, nameOf } from '../../api/lead.ts'
import type { Records } from '../../api/records.ts'
import type { Reminder } from '../../api/reminders.ts'
import { useMe } from '../../api/session.ts'
import { undoChange } from '../../api/undo.ts'
import { eventChanges, requestChanges } from '../../kinds/event-changes.ts'
import { isLeadEvent, type LeadEntry, leadIcons } from '../../kinds/events.ts'
import { byRequest, isInForce } from '../../kinds/requests.ts'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { dotted, formatAgo, formatExact } from '../../ui/format.ts'
import { words } from '../../words/index.ts'
import { undo } from '../bulk/undo-last.ts'
import { describeCron } from '../reminder/recurrence.ts'
import css from './activity.module.css'
import type { Member } from './mentions.ts'
import { authorOf, detailsOf, NoteText, noteIcons, timeOf } from './note.tsx'
import { eventsQuery, type Note, notesQuery, openReminders, remindersQuery } from './queries.ts'

interface Props {
  lead: Lead
  records: Records
  mayWrite: boolean
}

interface Entry {
  key: string
  at: string
  content: ReactNode
}

export function Timeline({ lead, records, mayWrite }: Props) {
  const { data: notes = [] } = useQuery(notesQuery(lead.id))
  const { data: reminders = [] } = useQuery(remindersQuery(lead.id))
  const history = useInfiniteQuery(eventsQuery(lead.id))
  const events = history.data?.pages.flatMap((page) => page.events) ?? []
  const isWhole = history.isSuccess && !history.hasNextPage
  const due = openReminders(reminders)
  const shownEvents = events.filter(isLeadEvent).filter((event) => saysSomething(event, records))
  const hasCreation = shownEvents.some(({ type }) => type === 'lead.created')
  // Notes from before the changes that are loaded come with older changes.
  const oldest = isWhole ? '' : (events.at(-1)?.at ?? '')
  const isReached = (note: Note) => timeOf(note) >= oldest
  const entries: Entry[] = [
    ...notes.filter(isReached).map((note) => ({
      key: note.id,
      at: timeOf(note),
      content: <NoteEntry note={note} members={records.members} />,
    })),
    ...byRequest(shownEvents, (event) => event).map((all) => ({
      key: `event ${all[0].seq}`,
      at: all[0].at,
      content: <EventEntry events={all} lead={lead} records={records} mayWrite={mayWrite} />,
    })),
    ...(hasCreation || !isWhole
      ? []
      : [
          {
            key: 'created',
            at: lead.created_at,
            content: <Created lead={lead} records={records} />,
          },
        ]),
  ].sort((a, b) => b.at.localeCompare(a.at))
  return (
    <ol className={css.timeline}>
      {due.slice(0, 3).map((reminder) => (
        <li key={reminder.id}>
          <Due reminder={reminder} records={records} />
        </li>
      ))}
      {entries.map(({ key, content }) => (
        <li key={key}>{content}</li>
      ))}
      {history.hasNextPage && (
        <li>
          <Button disabled={history.isFetching} onClick={() => void history.fetchNextPage()}>
            {words.timeline.more}
          </Button>
        </li>
      )}
    </ol>
  )
}

/** An event of nothing but what is silent says nothing. One without values says that there was a change. */
const saysSomething = (event: LeadEntry, records: Records) =>
  event.type !== 'lead.updated' ||
  Object.keys(event.changed).length === 0 ||
  eventChanges(event, records).length > 0

function Item({
  icon,
  children,
  meta,
}: {
  icon: ReactNode
  children: ReactNode
  meta?: ReactNode
}) {
  return (
    <div className={css.event}>
      <span className={css.eventIcon} aria-hidden="true">
        {icon}
      </span>
      <div className={css.eventBody}>
        <div>{children}</div>
        {meta && <div className={css.when}>{meta}</div>}
      </div>
    </div>
  )
}

function Time({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatExact(at)}>
      {formatAgo(at)}
    </time>
  )
}

function Due({
  reminder: { name, date, cron, users },
  records,
}: {
  reminder: Reminder
  records: Records
}) {
  const { workspace } = useMe()
  const isLate = Date.parse(date) < Date.now()
  const people = users
    .map((user) => records.members.find(({ id }) => id === user)?.name)
    .filter(Boolean)
  const meta = dotted(cron && describeCron(cron, workspace.time_zone), people.join(', '))
  return (
    <Item icon={<Bell size={14} />} meta={meta}>
      {name}{' '}
      <span className={classes(isLate ? 'bad' : css.soft)}>
        · {words.reminders.due(formatAgo(date))}
      </span>
    </Item>
  )
}

function NoteEntry({ note, members }: { note: Note; members: readonly Member[] }) {
  const author = authorOf(note, members)
  const Icon = note.id_parent ? CornerDownRight : noteIcons[note.kind]
  const did = note.id_parent ? 'reply' : note.kind
  const details = detailsOf(note)
  return (
    <Item icon={<Icon size={14} />}>
      {author ? (
        <>
          <b>{author}</b> {words.timeline.did[did]}
        </>
      ) : (
        <b>{note.id_parent ? words.timeline.reply : words.notes.kinds[note.kind]}</b>
      )}
      {details && ` · ${details}`}{' '}
      <span className={css.soft}>
        · <Time at={timeOf(note)} />
      </span>
      <NoteText note={note} members={members} />
    </Item>
  )
}

function Created({ lead, records }: Omit<Props, 'mayWrite'>) {
  const author = records.members.find(({ id }) => id === lead.usersId)?.name
  return (
    <Item
      icon={<Plus size={14} />}
      meta={
        <>
          {author && `${author} · `}
          <Time at={lead.created_at} />
        </>
      }
    >
      {words.timeline.lead(whatWasDone('lead.created'))}
    </Item>
  )
}

/** What one request did to the lead, newest first. */
type Request = [LeadEntry, ...LeadEntry[]]

function EventEntry({ events, lead, records, mayWrite }: { events: Request } & Props) {
  const [{ seq, type, actor, at, cause, ids }] = events
  const member = records.members.find(({ id }) => id === actor.member)?.name
  const way = words.timeline.ways[actor.way]
  const author = [member ?? words.timeline[actor.member === null ? 'service' : 'someone'], way]
    .filter(Boolean)
    .join(', ')
  const isBulk = Boolean(cause?.operation) && ids.length > 1
  const changes = requestChanges(events.toReversed(), records)
  const label = changes.map((change) => change.label).join(', ')
  const canUndo = mayWrite && type === 'lead.updated' && isInForce(events, lead)
  const takeBack = () =>
    undo({
      id: cause.request_id ?? String(seq),
      label: words.undo.change(label, nameOf(lead)),
      undo: () => undoChange(lead.id, seq),
    })
  const meta = (
    <>
      {author} · <Time at={at} />
      {isBulk && ` · ${words.timeline.bulk} ${words.timeline.withOthers(ids.length - 1)}`}
      {canUndo && (
        <Button
          look="link"
          className={css.undo ?? ''}
          aria-label={words.timeline.undo(label)}
          onClick={takeBack}
        >
          {words.actions.undo}
        </Button>
      )}
    </>
  )
  const Icon = leadIcons[type]
  if (type !== 'lead.updated')
    return (
      <Item icon={<Icon size={14} />} meta={meta}>
        {words.timeline.lead(whatWasDone(type))}
      </Item>
    )
  return (
    <Item icon={changes.length > 1 ? <ArrowRightLeft size={14} /> : <Icon size={14} />} meta={meta}>
      {changes.length === 0 && words.timeline.changed}
      {changes.map(({ label, before, after }) => (
        <div key={`${label} ${before} ${after}`} className={css.change}>
          {label} {before && <del>{before}</del>} {before && after ? '→ ' : ''}
          {after && <ins>{after}</ins>}
          {!before && !after && <span className={css.soft}>{words.timeline.empty}</span>}
        </div>
      ))}
    </Item>
  )
}
