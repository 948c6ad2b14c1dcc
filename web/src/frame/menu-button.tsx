// On a phone the navigation is behind a button, which every page shows in its header.
import { Menu } from 'lucide-react'
import { createContext, useContext } from 'react'
import { Button } from '../ui/button.tsx'
import { words } from '../words/index.ts'
import css from './menu-button.module.css'

/** The shell provides it. */
export const MenuContext = createContext<{ openMenu: () => void; hasNews: boolean }>({
  openMenu: () => {},
  hasNews: false,
})

export function MenuButton() {
  const { openMenu, hasNews } = useContext(MenuContext)
  return (
    <Button
      className={css.burger ?? ''}
      aria-label={words.nav.menu}
      onClick={openMenu}
      data-news={hasNews || undefined}
    >
      <Menu size={16} />
    </Button>
  )
}
