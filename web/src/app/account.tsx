// The person who is signed in: theme, sessions, signing out.
import { LogOut, Monitor, MonitorSmartphone, Moon, Sun } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { send } from '../api/call.ts'
import { client } from '../api/client.ts'
import { useMe } from '../api/session.ts'
import { chooseTheme, useTheme } from '../frame/theme.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Menu } from '../ui/menu.tsx'
import { tellFault } from '../ui/toast.tsx'
import { words } from '../words/index.ts'
import css from './shell.module.css'

const Sessions = lazy(() => import('../pages/sign-in/sessions.tsx'))

export function Account() {
  const { name, email } = useMe()
  const theme = useTheme()
  const [isOpen, setOpen] = useState(false)
  const signOut = async () => {
    try {
      await send('POST /session/end')
      // Whoever signs in next in this tab sees nothing of what was done before.
      client.clear()
      sessionStorage.clear()
      window.location.assign('/')
    } catch (error) {
      tellFault(words.nav.signOut, error)
    }
  }
  return (
    <>
      <Menu
        label={words.nav.account}
        side="top"
        trigger={
          <button type="button" className={css.item}>
            <Avatar name={name || email} />
            <span className={css.cut}>{name || email}</span>
          </button>
        }
        heading={
          <div className={css.me}>
            <div>{name}</div>
            <div className={css.email}>{email}</div>
          </div>
        }
        groups={[
          [
            {
              id: 'system',
              label: words.nav.system,
              icon: <Monitor />,
              isChosen: theme === 'system',
              onPick: () => chooseTheme('system'),
            },
            {
              id: 'light',
              label: words.nav.light,
              icon: <Sun />,
              isChosen: theme === 'light',
              onPick: () => chooseTheme('light'),
            },
            {
              id: 'dark',
              label: words.nav.dark,
              icon: <Moon />,
              isChosen: theme === 'dark',
              onPick: () => chooseTheme('dark'),
            },
          ],
          [
            {
              id: 'sessions',
              label: words.nav.sessions,
              icon: <MonitorSmartphone />,
              onPick: () => setOpen(true),
            },
            {
              id: 'sign-out',
              label: words.nav.signOut,
              icon: <LogOut />,
              onPick: () => void signOut(),
            },
          ],
        ]}
      />
      <Suspense fallback={null}>{isOpen && <Sessions onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}
