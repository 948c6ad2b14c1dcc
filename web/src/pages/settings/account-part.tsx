import { useMe } from '../../api/session.ts'
import { words } from '../../words/index.ts'
import { FactorList } from '../sign-in/factors.tsx'
import { SessionList } from '../sign-in/sessions.tsx'

export function AccountPart() {
  // A key is no person, and has no second factor.
  const { way } = useMe()
  return (
    <>
      {way === 'web' && <FactorList />}
      <h3>{words.settings.account.sessions}</h3>
      <SessionList />
    </>
  )
}
