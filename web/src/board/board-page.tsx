import { MenuButton } from '../shell/shell.tsx'
import { words } from '../words.ts'

export default function BoardPage() {
  return (
    <header>
      <MenuButton />
      <h1>{words.nav.board}</h1>
    </header>
  )
}
