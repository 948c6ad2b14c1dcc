import { MenuButton } from '../shell/shell.tsx'
import { words } from '../words.ts'

export default function RemindersPage() {
  return (
    <header>
      <MenuButton />
      <h1>{words.nav.reminders}</h1>
    </header>
  )
}
