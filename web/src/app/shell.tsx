// What is around every page: the navigation, and commands that work everywhere.

import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { unreadQuery } from '../api/notifications.ts'
import { useMayWrite } from '../api/session.ts'
import { useCommands } from '../frame/commands.ts'
import { MenuContext } from '../frame/menu-button.tsx'
import { chooseTheme, type Theme } from '../frame/theme.ts'
import { useJustLost } from '../kinds/lost.ts'
import { useEarlyKeys } from '../ui/early-keys.ts'
import { words } from '../words/index.ts'
import { useFold } from './fold.ts'
import { Navigation } from './navigation.tsx'
import { usePlaces } from './places.ts'
import css from './shell.module.css'
import { signOut } from './workspaces.ts'

const Palette = lazy(() => import('./palette/palette.tsx'))
// It is empty at first.
const Tray = lazy(() => import('../parts/bulk/tray.tsx'))
const WhyLost = lazy(() => import('../parts/lead/why-lost.tsx'))
const Help = lazy(() => import('./palette/help.tsx'))

export function Shell({ children }: { children: ReactNode }) {
  const [over, setOver] = useState<'palette' | 'help'>()
  const [isMenuOpen, setMenuOpen] = useState(false)
  const [path, navigate] = useLocation()
  const search = useSearch()
  // biome-ignore lint/correctness/useExhaustiveDependencies: going anywhere closes the menu of the phone
  useEffect(() => setMenuOpen(false), [path, search])

  const mayWrite = useMayWrite()
  const places = usePlaces()
  const lost = useJustLost()
  const { isFolded, toggle } = useFold()
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
    ...(mayWrite
      ? [
          {
            id: 'undo',
            title: words.undo.last,
            group: c.groups.general,
            keys: 'Mod+Z',
            run: () => void import('../parts/bulk/undo-last.ts').then(({ undoLast }) => undoLast()),
          },
          {
            id: 'redo',
            title: words.undo.redoLast,
            group: c.groups.general,
            keys: 'Mod+Shift+Z',
            run: () => void import('../parts/bulk/undo-last.ts').then(({ redoLast }) => redoLast()),
          },
        ]
      : []),
    ...(isMenuOpen
      ? [
          {
            id: 'close-menu',
            title: words.actions.close,
            group: c.groups.general,
            keys: 'Escape',
            isHidden: true,
            run: () => setMenuOpen(false),
          },
        ]
      : []),
    { id: 'fold', title: c.fold, group: c.groups.general, keys: '[', run: toggle },
    { id: 'theme-light', title: c.themeLight, group: c.groups.general, run: theme('light') },
    { id: 'theme-dark', title: c.themeDark, group: c.groups.general, run: theme('dark') },
    { id: 'theme-system', title: c.themeSystem, group: c.groups.general, run: theme('system') },
    {
      id: 'sign-out',
      title: words.nav.signOut,
      also: c.signOutAlso,
      group: c.groups.general,
      run: () => void signOut(),
    },
  ])
  const { data: news } = useQuery(unreadQuery)
  const hasNews = Boolean(news?.unread)
  const context = useMemo(() => ({ openMenu: () => setMenuOpen(true), hasNews }), [hasNews])
  const close = () => setOver(undefined)
  useEarlyKeys(over === 'palette')

  return (
    <MenuContext value={context}>
      <div className={css.app} data-folded={isFolded || undefined}>
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
          isFolded={isFolded}
          onFold={toggle}
          onSearch={() => setOver('palette')}
          onHelp={() => setOver('help')}
        />
        <main className={css.main} id="main" tabIndex={-1}>
          {children}
        </main>
      </div>
      <Suspense fallback={null}>
        <Tray />
      </Suspense>
      <Suspense fallback={null}>
        {over === 'palette' && <Palette onClose={close} />}
        {over === 'help' && <Help onClose={close} />}
        {lost && <WhyLost key={lost.id} of={lost} />}
      </Suspense>
    </MenuContext>
  )
}
