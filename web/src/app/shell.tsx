// What is around every page: the navigation, and commands that work everywhere.

import { useQuery } from '@tanstack/react-query'
import { BookOpen, CircleHelp, Search, Users } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { countQuery } from '../api/leads.ts'
import { useMe } from '../api/session.ts'
import { useViews, viewHref } from '../api/views.ts'
import { useCommands } from '../frame/commands.ts'
import { MenuContext } from '../frame/menu-button.tsx'
import { chooseTheme, type Theme } from '../frame/theme.ts'
import { Unencrypted } from '../frame/unencrypted.tsx'
import { Tray } from '../parts/bulk/tray.tsx'
import { classes } from '../ui/classes.ts'
import { formatNumber } from '../ui/format.ts'
import { Kbd } from '../ui/kbd.tsx'
import { words } from '../words/index.ts'
import { Account } from './account.tsx'
import { places } from './places.ts'
import css from './shell.module.css'

const Palette = lazy(() => import('./palette/palette.tsx'))
const Help = lazy(() => import('./palette/help.tsx'))

export function Shell({ children }: { children: ReactNode }) {
  const [over, setOver] = useState<'palette' | 'help'>()
  const [isMenuOpen, setMenuOpen] = useState(false)
  const [path, navigate] = useLocation()
  const search = useSearch()
  // biome-ignore lint/correctness/useExhaustiveDependencies: going anywhere closes the menu of the phone
  useEffect(() => setMenuOpen(false), [path, search])

  const { commands: c } = words
  const theme = (name: Theme) => () => chooseTheme(name)
  useCommands([
    {
      id: 'palette',
      title: c.palette,
      group: c.groups.general,
      keys: 'Mod+K',
      inText: true,
      isHidden: true,
      run: () => setOver('palette'),
    },
    {
      id: 'help',
      title: words.nav.keys,
      group: c.groups.general,
      keys: '?',
      run: () => setOver('help'),
    },
    {
      id: 'go-leads',
      title: c.goLeads,
      group: c.groups.go,
      keys: 'G L',
      run: () => navigate('/leads'),
    },
    ...places.map(({ href, label, keys }) => ({
      id: `go${href}`,
      title: label,
      group: c.groups.go,
      keys,
      run: () => navigate(href),
    })),
    {
      id: 'go-docs',
      title: words.nav.api,
      group: c.groups.go,
      run: () => window.open('/docs', '_blank', 'noopener'),
    },
    { id: 'theme-light', title: c.themeLight, group: c.groups.general, run: theme('light') },
    { id: 'theme-dark', title: c.themeDark, group: c.groups.general, run: theme('dark') },
    { id: 'theme-system', title: c.themeSystem, group: c.groups.general, run: theme('system') },
  ])
  const context = useMemo(() => ({ openMenu: () => setMenuOpen(true) }), [])
  const close = () => setOver(undefined)

  return (
    <MenuContext value={context}>
      <div className={css.app}>
        <a className={css.skip} href="#main">
          {words.nav.skip}
        </a>
        {isMenuOpen && (
          <button
            type="button"
            className={css.shade}
            aria-label={words.actions.close}
            onClick={() => setMenuOpen(false)}
          />
        )}
        <Navigation
          isOpen={isMenuOpen}
          onSearch={() => setOver('palette')}
          onHelp={() => setOver('help')}
        />
        <main className={css.main} id="main" tabIndex={-1}>
          {children}
        </main>
      </div>
      <Tray />
      <Suspense fallback={null}>
        {over === 'palette' && <Palette onClose={close} />}
        {over === 'help' && <Help onClose={close} />}
      </Suspense>
    </MenuContext>
  )
}

const isAt = (path: string, href: string) => path === href || path.startsWith(`${href}/`)

function Navigation({
  isOpen,
  onSearch,
  onHelp,
}: {
  isOpen: boolean
  onSearch: () => void
  onHelp: () => void
}) {
  const { workspace } = useMe()
  const [path] = useLocation()
  const view = new URLSearchParams(useSearch()).get('view')
  const { data: total } = useQuery(countQuery({}))
  const { views } = useViews()
  const isLeads = path === '/leads'
  const groups = [
    { title: words.nav.myViews, views: views.filter(({ isShared }) => !isShared) },
    { title: words.nav.sharedViews, views: views.filter(({ isShared }) => isShared) },
  ]
  return (
    <nav className={classes(css.nav, isOpen && css.open)} aria-label={words.nav.main}>
      <div className={css.space}>
        <span className={css.mark} aria-hidden="true">
          {[...workspace.name][0]?.toUpperCase()}
        </span>
        <span className={css.cut}>{workspace.name}</span>
      </div>
      <button type="button" className={css.item} onClick={onSearch}>
        <Search /> {words.nav.search}
        <span className={css.count}>
          <Kbd keys="Mod+K" />
        </span>
      </button>
      <Link
        href="/leads"
        className={classes(css.item, isLeads && !view && css.on)}
        aria-current={isLeads && !view ? 'page' : undefined}
      >
        <Users /> {words.nav.leads}
        {total !== undefined && <span className={css.count}>{formatNumber(total)}</span>}
      </Link>
      {places.map(({ href, label, icon: Icon, count: Count }) => (
        <Link
          key={href}
          href={href}
          className={classes(css.item, isAt(path, href) && !view && css.on)}
          aria-current={isAt(path, href) && !view ? 'page' : undefined}
        >
          <Icon /> {label}
          {Count && (
            <span className={css.count}>
              <Count />
            </span>
          )}
        </Link>
      ))}
      {groups.map(
        ({ title, views }) =>
          views.length > 0 && (
            <div key={title} role="group" aria-label={title} className={css.group}>
              <h2>{title}</h2>
              {views.map(({ id, name, mode }) => (
                <Link
                  key={id}
                  href={viewHref({ id, mode })}
                  className={classes(css.item, view === id && css.on)}
                  aria-current={view === id ? 'page' : undefined}
                >
                  <span className={css.cut} dir="auto" title={name}>
                    {name}
                  </span>
                </Link>
              ))}
            </div>
          ),
      )}
      <div className={css.fill} />
      <a className={css.item} href="/docs" target="_blank" rel="noreferrer">
        <BookOpen /> {words.nav.api}
      </a>
      <button type="button" className={css.item} onClick={onHelp}>
        <CircleHelp /> {words.nav.keys}
        <span className={css.count}>
          <Kbd keys="?" />
        </span>
      </button>
      <Unencrypted />
      <Account />
    </nav>
  )
}
