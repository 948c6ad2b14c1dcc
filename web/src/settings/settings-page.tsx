import { MenuButton } from '../shell/shell.tsx'
import { words } from '../words.ts'

export default function SettingsPage() {
  return (
    <header>
      <MenuButton />
      <h1>{words.nav.settings}</h1>
    </header>
  )
}
