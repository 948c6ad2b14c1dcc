// The person who is signed in: workspaces, theme, account, signing out.
import { Building2, CircleUser, LogOut, Monitor, Moon, Sun } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useMe } from '../api/session.ts'
import { chooseTheme, useTheme } from '../frame/theme.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Menu } from '../ui/menu.tsx'
import { words } from '../words/index.ts'
import css from './shell.module.css'
import { goToWorkspace, signOut, useWorkspaces } from './workspaces.ts'

export function Account() {
  const { name, email, picture } = useMe()
  const [, navigate] = useLocation()
  const theme = useTheme()
  const [isNear, setNear] = useState(false)
  const workspaces = useWorkspaces(isNear)
  const come = () => setNear(true)
  return (
    <Menu
      label={words.nav.account}
      side="top"
      trigger={
        <button type="button" className={css.item} onPointerEnter={come} onFocus={come}>
          <Avatar name={name || email} picture={picture} />
          <span className={css.label}>{name || email}</span>
        </button>
      }
      heading={
        <div className="strong">
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
            id: 'profile',
            label: words.nav.profile,
            icon: <CircleUser />,
            onPick: () => navigate('/settings/account'),
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
  )
}
