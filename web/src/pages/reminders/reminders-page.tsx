// The inbox of reminders: overdue, today, this week, later. All of it works by the keyboard.
import { AlarmClock, CalendarPlus, Plus, X } from 'lucide-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { type InboxState, readAddress, remindersHref } from '../../addresses/reminders.ts'
import { useRecords } from '../../api/records.ts'
import type { Reminder } from '../../api/reminders.ts'
import { useMayWrite, useMe } from '../../api/session.ts'
import { MenuButton } from '../../frame/menu-button.tsx'
import frame from '../../frame/page-frame.module.css'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { classes } from '../../ui/classes.ts'
import { Empty } from '../../ui/empty.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { reasonOf } from '../../ui/reason.ts'
import { Skeleton } from '../../ui/small.tsx'
import { zone } from '../../ui/zone.ts'
import { words } from '../../words/index.ts'
import { useKeys, useMark } from './keys.ts'
import { useParts } from './queries.ts'
import css from './reminders.module.css'
import { SectionPart } from './section.tsx'

const EditReminder = lazy(() => import('./edit-reminder.tsx'))
const CalendarDialog = lazy(() => import('./calendar-dialog.tsx'))

export default function RemindersPage() {
  const { id: me } = useMe()
  const mayWrite = useMayWrite()
  const records = useRecords()
  const state = readAddress(useSearch())
  const { who, list: inList, isDone = false } = state
  const scope = { users: who === 'mine' ? [me] : [], ...(inList && { id_list: inList }) }
  const parts = useParts(scope, isDone)
  const list = useRef<HTMLDivElement>(null)
  const all = parts.flatMap(({ data }) => data?.pages.flatMap((page) => page.reminders) ?? [])
  const mark = useMark(list, all)
  const [editing, setEditing] = useState<Reminder | 'new'>()
  const [isCalendar, setCalendar] = useState(false)
  useKeys({ all, mark, list, mayWrite, onNew: () => setEditing('new'), onEdit: setEditing })

  const isPending = parts.some((part) => part.isPending)
  const failed = parts.find(({ error, data }) => error && !data)
  return (
    <div className={classes(frame.frame, css.page)}>
      <header className={classes(frame.bar, css.header)}>
        <MenuButton />
        <h1>{words.nav.reminders}</h1>
        <Choice
          label={words.inbox.whose}
          chosen={who}
          options={[
            ['mine', words.inbox.who.mine, remindersHref({ ...state, who: 'mine' })],
            ['all', words.inbox.who.all, remindersHref({ ...state, who: 'all' })],
          ]}
        />
        <Choice
          label={words.inbox.state}
          chosen={isDone ? 'done' : 'open'}
          options={[
            ['open', words.inbox.open, remindersHref({ ...state, isDone: false })],
            ['done', words.inbox.done, remindersHref({ ...state, isDone: true })],
          ]}
        />
        <span className="fill" />
        <span className={css.wideOnly}>
          <Button look="icon" aria-label={words.inbox.calendar} onClick={() => setCalendar(true)}>
            <CalendarPlus size={15} />
          </Button>
        </span>
        {mayWrite && (
          <Button look="go" onClick={() => setEditing('new')}>
            <Plus size={15} /> <span className={css.newLabel}>{words.reminders.add}</span>{' '}
            <span className={css.wideOnly}>
              <Kbd keys="C" onAccent />
            </span>
          </Button>
        )}
      </header>
      <div className={css.list} ref={list} aria-busy={isPending}>
        {inList && (
          <Link
            href={remindersHref({ ...state, list: undefined })}
            className={css.ofList}
            title={words.inbox.ofEveryList}
          >
            <bdi>{records.lists.find(({ id }) => id === inList)?.name ?? words.pipeline.gone}</bdi>
            <X size={13} aria-label={words.inbox.ofEveryList} />
          </Link>
        )}
        {failed ? (
          <Empty title={words.inbox.failed} text={reasonOf(failed.error)}>
            <Button onClick={() => parts.forEach(({ refetch }) => void refetch())}>
              {words.actions.retry}
            </Button>
          </Empty>
        ) : isPending ? (
          <Loading />
        ) : all.length === 0 ? (
          <Nothing state={state} onNew={mayWrite ? () => setEditing('new') : undefined} />
        ) : (
          <>
            {parts.map(
              ({ section, data, fetchNextPage, isFetchingNextPage }) =>
                data?.pages.some((page) => page.reminders.length > 0) && (
                  <SectionPart
                    key={section.name}
                    section={section}
                    scope={scope}
                    data={data}
                    records={records}
                    mayWrite={mayWrite}
                    current={mark.current}
                    onMore={() => void fetchNextPage()}
                    isLoadingMore={isFetchingNextPage}
                    onCurrent={mark.set}
                    onLeave={mark.leave}
                    onEdit={setEditing}
                  />
                ),
            )}
            <p className={css.zone}>{words.inbox.zone(zone())}</p>
          </>
        )}
      </div>
      <Suspense fallback={null}>
        {isCalendar && <CalendarDialog onClose={() => setCalendar(false)} />}
        {editing && (
          <EditReminder
            reminder={editing === 'new' ? undefined : editing}
            records={records}
            onClose={() => {
              setEditing(undefined)
              mark.focus()
            }}
          />
        )}
      </Suspense>
    </div>
  )
}

interface NothingProps {
  state: InboxState
  onNew: (() => void) | undefined
}

function Nothing({ state, onNew }: NothingProps) {
  const { who, isDone } = state
  const [, navigate] = useLocation()
  const { inbox } = words
  const help = who === 'mine' ? inbox.noneHelp : inbox.noneHelpAll
  return (
    <Empty
      icon={<AlarmClock />}
      title={isDone ? inbox.noneDone : inbox.none}
      text={isDone ? inbox.noneDoneHelp : help}
    >
      {onNew && !isDone && (
        <Button look="go" onClick={onNew}>
          {words.reminders.add}
        </Button>
      )}
      {who === 'mine' && (
        <Button onClick={() => navigate(remindersHref({ ...state, who: 'all' }))}>
          {inbox.showAll}
        </Button>
      )}
    </Empty>
  )
}

const widths = [46, 62, 38, 55, 44, 58]

function Loading() {
  return (
    <div className={css.loading}>
      {widths.map((width) => (
        <div key={width} className={css.row}>
          <Skeleton width={`${width}%`} />
        </div>
      ))}
    </div>
  )
}
