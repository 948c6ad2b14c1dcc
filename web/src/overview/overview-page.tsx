import { MenuButton } from '../shell/shell.tsx'
import { words } from '../words.ts'

export default function OverviewPage() {
  return (
    <header>
      <MenuButton />
      <h1>{words.nav.overview}</h1>
    </header>
  )
}
