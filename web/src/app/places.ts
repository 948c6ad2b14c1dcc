// The places of the application besides the leads: each is an address, an entry of the navigation, and a
// command with its keys. A page is loaded when it is opened.
import {
  AlarmClock,
  Bell,
  ChartColumn,
  ChartPie,
  Columns3,
  Copy,
  History,
  type LucideIcon,
  Mail,
  Settings,
  Trash2,
  Upload,
} from 'lucide-react'
import { type ComponentType, lazy } from 'react'
import { useMayWrite } from '../api/session.ts'
import { DuplicateCount } from '../pages/duplicates/duplicate-count.tsx'
import { UnreadCount } from '../pages/inbox/unread-count.tsx'
import { DueCount } from '../pages/reminders/due-count.tsx'
import { words } from '../words/index.ts'

export interface Place {
  /** As a route: it may have parameters. */
  path: string
  href: string
  label: string
  icon: LucideIcon
  keys: string
  page: ComponentType
  /** How much waits there, next to its name. */
  count?: ComponentType
  /** Nothing can be done there without the right to write. */
  isForWriters?: boolean
}

/** Those that the person can use. */
export function usePlaces(): readonly Place[] {
  const mayWrite = useMayWrite()
  return mayWrite ? places : places.filter(({ isForWriters }) => !isForWriters)
}

export const places: readonly Place[] = [
  {
    path: '/duplicates',
    href: '/duplicates',
    label: words.nav.duplicates,
    icon: Copy,
    keys: 'G D',
    page: lazy(() => import('../pages/duplicates/duplicates-page.tsx')),
    count: DuplicateCount,
  },
  {
    path: '/inbox',
    href: '/inbox',
    label: words.nav.inbox,
    icon: Bell,
    keys: 'G U',
    page: lazy(() => import('../pages/inbox/inbox-page.tsx')),
    count: UnreadCount,
  },
  {
    path: '/overview',
    href: '/overview',
    label: words.nav.overview,
    icon: ChartColumn,
    keys: 'G O',
    page: lazy(() => import('../pages/overview/overview-page.tsx')),
  },
  {
    path: '/reports',
    href: '/reports',
    label: words.nav.reports,
    icon: ChartPie,
    keys: 'G P',
    page: lazy(() => import('../pages/reports/reports-page.tsx')),
  },
  {
    path: '/board',
    href: '/board',
    label: words.nav.board,
    icon: Columns3,
    keys: 'G B',
    page: lazy(() => import('../pages/board/board-page.tsx')),
  },
  {
    path: '/reminders',
    href: '/reminders',
    label: words.nav.reminders,
    icon: AlarmClock,
    keys: 'G R',
    page: lazy(() => import('../pages/reminders/reminders-page.tsx')),
    count: DueCount,
  },
  {
    path: '/campaigns/:id?',
    href: '/campaigns',
    label: words.nav.campaigns,
    icon: Mail,
    keys: 'G C',
    page: lazy(() => import('../pages/campaigns/campaigns-page.tsx')),
  },
  {
    path: '/import',
    href: '/import',
    label: words.nav.import,
    icon: Upload,
    keys: 'G I',
    page: lazy(() => import('../pages/import/import-page.tsx')),
    isForWriters: true,
  },
  {
    path: '/changes',
    href: '/changes',
    label: words.nav.changes,
    icon: History,
    keys: 'G H',
    page: lazy(() => import('../pages/changes/changes-page.tsx')),
  },
  {
    path: '/trash',
    href: '/trash',
    label: words.nav.trash,
    icon: Trash2,
    keys: 'G T',
    page: lazy(() => import('../pages/trash/trash-page.tsx')),
  },
  {
    path: '/settings/:part?',
    href: '/settings',
    label: words.nav.settings,
    icon: Settings,
    keys: 'G S',
    page: lazy(() => import('../pages/settings/settings-page.tsx')),
  },
]
