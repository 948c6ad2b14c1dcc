// The ways to every page, to the lists and to the saved views.
import { useQuery } from '@tanstack/react-query'
import { BookOpen, CircleHelp, PanelLeftClose, PanelLeftOpen, Search, Users } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { countQuery } from '../api/leads.ts'
import { useMe } from '../api/session.ts'
import { type SavedView, useViews, viewHref } from '../api/views.ts'
import { Unencrypted } from '../frame/unencrypted.tsx'
import { classes } from '../ui/classes.ts'
import { formatNumber } from '../ui/format.ts'
import { Kbd } from '../ui/kbd.tsx'
import { words } from '../words/index.ts'
import { Account } from './account.tsx'
import { useListInAddress } from './list-address.ts'
import { NavLists } from './nav-lists.tsx'
import { usePlaces } from './places.ts'
import css from './shell.module.css'

const isAt = (path: string, href: string) => path === href || path.startsWith(`${href}/`)

interface Props {
  /** On a phone. */
  isOpen: boolean
  isFolded: boolean
  onFold: () => void
  onSearch: () => void
  onHelp: () => void
}

export function Navigation({ isOpen, isFolded, onFold, onSearch, onHelp }: Props) {
  const { workspace } = useMe()
  const [path] = useLocation()
  const view = new URLSearchParams(useSearch()).get('view')
  const { data: total } = useQuery(countQuery({}))
  const { views } = useViews()
  const { list } = useListInAddress()
  const isLeads = path === '/leads'
  const isHere = (href: string) => isAt(path, href) && !view && !(isLeads && list)
  const others = views.filter(({ isFavorite }) => !isFavorite)
  const groups = [
    { title: words.nav.myViews, views: others.filter(({ isShared }) => !isShared) },
    { title: words.nav.sharedViews, views: others.filter(({ isShared }) => isShared) },
  ]
  const entry = (href: string) => ({
    href,
    className: classes(css.item, isHere(href) && css.on),
    'aria-current': isHere(href) ? ('page' as const) : undefined,
  })
  const foldLabel = isFolded ? words.nav.unfold : words.nav.fold
  return (
    <nav className={classes(css.nav, isOpen && css.open)} aria-label={words.nav.main}>
      <div className={css.space}>
        <span className={css.mark} aria-hidden="true">
          {[...workspace.name][0]?.toUpperCase()}
        </span>
        <span className={css.cut}>{workspace.name}</span>
        <button
          type="button"
          className={css.fold}
          aria-label={foldLabel}
          aria-expanded={!isFolded}
          title={`${foldLabel} [`}
          onClick={onFold}
        >
          {isFolded ? <PanelLeftOpen /> : <PanelLeftClose />}
        </button>
      </div>
      <button type="button" className={css.item} title={words.nav.search} onClick={onSearch}>
        <Search /> <Label>{words.nav.search}</Label>
        <span className={css.count}>
          <Kbd keys="Mod+K" />
        </span>
      </button>
      <Link {...entry('/leads')} title={words.nav.leads}>
        <Users /> <Label>{words.nav.leads}</Label>
        {total !== undefined && <span className={css.count}>{formatNumber(total)}</span>}
      </Link>
      {usePlaces().map(({ href, label, icon: Icon, count: Count }) => (
        <Link key={href} {...entry(href)} title={label}>
          <Icon /> <Label>{label}</Label>
          {Count && (
            <span className={css.count}>
              <Count />
            </span>
          )}
        </Link>
      ))}
      <Views
        title={words.nav.favorites}
        views={views.filter(({ isFavorite }) => isFavorite)}
        shown={view}
      />
      <NavLists />
      {groups.map((group) => (
        <Views key={group.title} {...group} shown={view} />
      ))}
      <div className="fill" />
      <a className={css.item} href="/docs" target="_blank" rel="noreferrer" title={words.nav.api}>
        <BookOpen /> <Label>{words.nav.api}</Label>
      </a>
      <button type="button" className={css.item} title={words.nav.keys} onClick={onHelp}>
        <CircleHelp /> <Label>{words.nav.keys}</Label>
        <span className={css.count}>
          <Kbd keys="?" />
        </span>
      </button>
      <div className={css.foot}>
        <Unencrypted />
        <Account />
      </div>
    </nav>
  )
}

/** Hidden from the eyes when the navigation is folded. */
const Label = ({ children }: { children: ReactNode }) => (
  <span className={css.label}>{children}</span>
)

function Views({
  title,
  views,
  shown,
}: {
  title: string
  views: readonly SavedView[]
  shown: string | null
}) {
  if (views.length === 0) return null
  return (
    <div role="group" aria-label={title} className={css.group}>
      <h2>{title}</h2>
      {views.map(({ id, name, mode }) => (
        <Link
          key={id}
          href={viewHref({ id, mode })}
          className={classes(css.item, shown === id && css.on)}
          aria-current={shown === id ? 'page' : undefined}
        >
          <span className={css.cut} dir="auto" title={name}>
            {name}
          </span>
        </Link>
      ))}
    </div>
  )
}
