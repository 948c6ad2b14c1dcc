import { MenuButton } from '../shell/shell.tsx'
import { words } from '../words.ts'

export default function ImportPage() {
  return (
    <header>
      <MenuButton />
      <h1>{words.nav.import}</h1>
    </header>
  )
}
