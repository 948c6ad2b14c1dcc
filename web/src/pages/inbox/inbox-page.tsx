// The inbox: the person's notifications, by day. Each entry opens what it is about, which marks it as read.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Bell, CheckCheck, Settings } from 'lucide-react'
import { useRef } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { call } from '../../api/call.ts'
import { markRead, type Told, unreadQuery } from '../../api/notifications.ts'
import { useRecords } from '../../api/records.ts'
import { useMe } from '../../api/session.ts'
import { useCommands } from '../../frame/commands.ts'
import { MenuButton } from '../../frame/menu-button.tsx'
import frame from '../../frame/page-frame.module.css'
import { describe, notificationRecords } from '../../parts/notifications/kinds.ts'
import { Button } from '../../ui/button.tsx'
import { byDay } from '../../ui/by-day.ts'
import { Choice } from '../../ui/choice.tsx'
import { classes } from '../../ui/classes.ts'
import { Empty } from '../../ui/empty.tsx'
import { formatClock, formatExact } from '../../ui/format.ts'
import { plainText } from '../../ui/markdown.tsx'
import { reasonOf } from '../../ui/reason.ts'
import { Skeletons } from '../../ui/small.tsx'
import { ShowMore } from '../../ui/table.tsx'
import { tellFault } from '../../ui/toast.tsx'
import { words } from '../../words/index.ts'
import { notifications as said } from '../../words/notifications.ts'
import css from './inbox.module.css'

const unreadHref = '/inbox?show=unread'

/** Marks as read. What cannot be marked stays unread, with a message. */
const read = (which: Parameters<typeof markRead>[0]) =>
  void markRead(which).catch((error) => tellFault(said.notRead, error))

export default function InboxPage() {
  const isUnread = new URLSearchParams(useSearch()).get('show') === 'unread'
  const [, navigate] = useLocation()
  const list = useInfiniteQuery({
    queryKey: ['notification', 'list', isUnread],
    queryFn: ({ signal, pageParam }) =>
      call('GET /notifications', {
        signal,
        query: { ...(isUnread && { unread: 'true' }), ...(pageParam && { after: pageParam }) },
      }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })
  const { data, error, isPending, refetch } = list
  const all = data?.pages.flatMap((page) => page.notifications) ?? []
  const { data: unread } = useQuery(unreadQuery)
  const [first] = all
  const readAll = () => first && read({ up_to: first.id })
  const entries = useRef<HTMLDivElement>(null)
  useKeys(entries, readAll)
  return (
    <div className={classes(frame.frame, frame.page)}>
      <header className={classes(frame.bar, frame.header)}>
        <MenuButton />
        <h1>{words.nav.inbox}</h1>
        <Choice
          label={said.show}
          chosen={isUnread ? 'unread' : 'all'}
          options={[
            ['all', said.all, '/inbox'],
            ['unread', said.unread, unreadHref],
          ]}
        />
        <span className="fill" />
        <Button onClick={readAll} disabled={!first || !unread?.unread} aria-label={said.markAll}>
          <CheckCheck size={15} /> <span className={css.wideOnly}>{said.markAll}</span>
        </Button>
        <Button
          look="quiet"
          aria-label={said.settings}
          onClick={() => navigate('/settings/notifications')}
        >
          <Settings size={15} />
        </Button>
      </header>
      <div className={frame.body} aria-busy={isPending} ref={entries}>
        {error && !data ? (
          <Empty title={said.loadFailed} text={reasonOf(error)}>
            <Button onClick={() => void refetch()}>{words.actions.retry}</Button>
          </Empty>
        ) : isPending ? (
          <Skeletons widths={['62%', '48%', '70%', '55%']} className={css.loading} />
        ) : first ? (
          <Days all={all} />
        ) : isUnread ? (
          <Empty icon={<Bell />} title={said.noneUnread} text={said.noneUnreadHelp}>
            <Button onClick={() => navigate('/inbox')}>{said.showAll}</Button>
          </Empty>
        ) : (
          <Empty icon={<Bell />} title={said.none} text={said.noneHelp} />
        )}
        <ShowMore list={list} label={said.more} />
      </div>
    </div>
  )
}

function Days({ all }: { all: readonly Told[] }) {
  const { id: me } = useMe()
  const { members } = useRecords()
  return (
    <section className={css.list} aria-label={said.list}>
      {byDay(all, ({ created_at }) => created_at).map(([day, ofDay]) => (
        <div key={day} className={css.day}>
          <h2>{day}</h2>
          <ol>
            {ofDay.map((told) => (
              <Entry key={told.id} told={told} {...describe(told, { me, members })} />
            ))}
          </ol>
        </div>
      ))}
    </section>
  )
}

interface EntryProps extends ReturnType<typeof describe> {
  told: Told
}

function Entry({ told: { id, kind, read_at, created_at }, title, detail, href }: EntryProps) {
  const { icon: Icon } = notificationRecords[kind]
  return (
    <li data-unread={read_at === null || undefined}>
      <Link
        href={href}
        className={css.entry}
        onClick={() => {
          if (read_at === null) read({ ids: [id] })
        }}
      >
        <Icon size={16} aria-hidden="true" />
        <span className="block">
          <span className={css.title} dir="auto">
            {title}
          </span>
          {read_at === null && <span className="hidden"> ({said.isUnread})</span>}
          {detail && (
            <span className={css.detail} dir="auto">
              {kind === 'mention' ? plainText(detail) : detail}
            </span>
          )}
        </span>
        <time className={css.time} dateTime={created_at} title={formatExact(created_at)}>
          {formatClock(created_at)}
        </time>
      </Link>
    </li>
  )
}

/** From entry to entry by the keyboard. Enter opens one, because it is a link. */
function useKeys(list: { current: HTMLElement | null }, readAll: () => void): void {
  const step = (by: number) => {
    const links = [...(list.current?.querySelectorAll<HTMLElement>('li > a') ?? [])]
    const at = links.indexOf(document.activeElement as HTMLElement)
    const next = links[at < 0 ? 0 : Math.max(0, Math.min(links.length - 1, at + by))]
    next?.focus()
    next?.scrollIntoView({ block: 'nearest' })
  }
  const group = words.nav.inbox
  const moving = { group, isHidden: true }
  useCommands([
    { ...moving, id: 'next-told', title: said.next, keys: 'J', run: () => step(1) },
    { ...moving, id: 'previous-told', title: said.previous, keys: 'K', run: () => step(-1) },
    { ...moving, id: 'told-down', title: said.next, keys: 'ArrowDown', run: () => step(1) },
    { ...moving, id: 'told-up', title: said.previous, keys: 'ArrowUp', run: () => step(-1) },
    { group, id: 'read-all', title: said.markAll, keys: 'Shift+R', run: readAll },
  ])
}
