// Something new in the inbox: the count in the navigation follows, the page shows reminders, and the desktop
// shows it if the page is in the background.
import { client } from '../../api/client.ts'
import { markRead, type NotificationPage, unreadQuery } from '../../api/notifications.ts'
import { recordQueries } from '../../api/records.ts'
import { notifications as said } from '../../words/notifications.ts'
import { isFollowed } from '../bulk/tray.tsx'
import { showOnDesktop } from './desktop.ts'
import { type Me, tellDue } from './due.ts'
import { describe } from './kinds.ts'

/** More than this many at once are shown as one. */
const most = 3

/** The newest that this page knows. What was there when it was opened is not new. */
let known: Promise<string> | undefined
let running = Promise.resolve()

/** One call at a time, so that nothing is shown twice. */
export function tellNews(me: Me): void {
  running = running.then(() => read(me)).catch(() => {})
}

async function read(me: Me): Promise<void> {
  known ??= client.ensureQueryData(unreadQuery).then((page) => newestOf(page))
  const before = await known
  void client.invalidateQueries({ queryKey: ['notification', 'list'] })
  const page = await client.fetchQuery({ ...unreadQuery, staleTime: 0 })
  known = Promise.resolve(newestOf(page, before))
  // The tray tells how these end.
  const own = page.notifications.filter(
    ({ kind, record }) => kind === 'finished' && isFollowed(record),
  )
  if (own.length > 0) await markRead({ ids: own.map(({ id }) => id) })
  const news = page.notifications.filter((told) => told.id > before && !own.includes(told))
  tellDue(
    news.filter(({ kind }) => kind === 'reminder'),
    me,
  )
  await tellDesktop(news, me)
}

const newestOf = ({ notifications: [first] }: NotificationPage, before = '') =>
  first && first.id > before ? first.id : before

async function tellDesktop(news: NotificationPage['notifications'], me: Me): Promise<void> {
  const [newest] = news
  if (!newest || document.hasFocus()) return
  if (news.length > most) {
    const onOpen = () => me.navigate('/inbox')
    showOnDesktop({ id: newest.id, title: said.several(news.length), detail: '', onOpen })
    return
  }
  const members = await client.ensureQueryData(recordQueries.members)
  for (const told of news) {
    const { href, ...text } = describe(told, { me: me.member, members })
    const onOpen = () => {
      me.navigate(href)
      void markRead({ ids: [told.id] })
    }
    showOnDesktop({ id: told.id, ...text, onOpen })
  }
}
