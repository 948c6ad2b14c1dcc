import { SessionList } from '../sign-in/sessions.tsx'
import { words } from '../words/index.ts'

export function AccountPart() {
  return (
    <>
      <h3>{words.settings.account.sessions}</h3>
      <SessionList />
    </>
  )
}
