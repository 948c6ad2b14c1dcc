import { useMe } from '../../api/session.ts'
import { CalendarAddress } from '../../parts/reminder/calendar-address.tsx'
import { calendar } from '../../words/calendar.ts'
import { settings } from '../../words/settings.ts'
import { FactorList } from '../sign-in/factors.tsx'
import { Password, SessionList } from '../sign-in/sessions.tsx'
import type { Part } from './part-state.tsx'
import { Profile } from './profile.tsx'

function AccountPart() {
  // A key is not a person, and has no second factor.
  const { way } = useMe()
  return (
    <>
      {way === 'web' && (
        <>
          <Profile />
          <Password />
          <FactorList />
        </>
      )}
      <h3>{calendar.title}</h3>
      <CalendarAddress />
      <h3>{settings.account.sessions}</h3>
      <SessionList />
    </>
  )
}

export default { needs: 'read', Content: AccountPart } satisfies Part
