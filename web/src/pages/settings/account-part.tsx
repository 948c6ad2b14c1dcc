import { words } from '../../words/index.ts'
import { SessionList } from '../sign-in/sessions.tsx'

export function AccountPart() {
  return (
    <>
      <h3>{words.settings.account.sessions}</h3>
      <SessionList />
    </>
  )
}
