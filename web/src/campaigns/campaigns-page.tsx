import { MenuButton } from '../shell/shell.tsx'
import { words } from '../words.ts'

export default function CampaignsPage() {
  return (
    <header>
      <MenuButton />
      <h1>{words.nav.campaigns}</h1>
    </header>
  )
}
