// The person who is signed in: workspaces, theme, sessions, signing out.
import { Building2, LogOut, Monitor, MonitorSmartphone, Moon, Sun } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { send } from '../api/call.ts'
import { useMe } from '../api/session.ts'
import { chooseTheme, useTheme } from '../frame/theme.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Menu } from '../ui/menu.tsx'
import { tellFault } from '../ui/toast.tsx'
import { words } from '../words/index.ts'
import css from './shell.module.css'
import { goToWorkspace, leave, useWorkspaces } from './workspaces.ts'

const Sessions = lazy(() => import('../pages/sign-in/sessions.tsx'))

export function Account() {
  const { name, email } = useMe()
  const theme = useTheme()
  const [isOpen, setOpen] = useState(false)
  const [isNear, setNear] = useState(false)
  const workspaces = useWorkspaces(isNear)
  const come = () => setNear(true)
  const signOut = async () => {
    try {
      await send('POST /session/end')
      leave('/')
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
          <button type="button" className={css.item} onPointerEnter={come} onFocus={come}>
            <Avatar name={name || email} />
            <span className={css.label}>{name || email}</span>
          </button>
        }
        heading={
          <div className={css.me}>
            <div>{name}</div>
            <div className={css.email}>{email}</div>
          </div>
        }
        groups={[
          workspaces.length < 2
            ? []
            : workspaces.map((one) => ({
                id: one.id_space,
                label: one.needs_sign_in ? words.nav.joinSpace(one.name) : one.name,
                icon: <Building2 />,
                isChosen: one.is_current,
                onPick: () => void (one.is_current || goToWorkspace(one)),
              })),
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
