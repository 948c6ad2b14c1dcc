// How many reminders of the member are due: overdue, or today. It is next to the entry of the navigation.
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { useMe } from '../../api/session.ts'
import { formatNumber } from '../../ui/format.ts'
import { atWallClock, wallClock } from '../../ui/zone.ts'
import { words } from '../../words/index.ts'

export function DueCount() {
  const { id } = useMe()
  const tomorrow = startOfDay(1).toISOString()
  const { data = 0 } = useQuery({
    queryKey: ['reminders', 'due', id, tomorrow],
    queryFn: async ({ signal }) => {
      const filter = { users: [id], is_done: false, due_before: tomorrow }
      return (await call('POST /reminders/count', { signal, body: { filter } })).count
    },
  })
  if (data === 0) return null
  return (
    <>
      {formatNumber(data)}
      <span className="hidden"> {words.inbox.due}</span>
    </>
  )
}

/** Midnight in the time zone of the person, some days from today. */
export function startOfDay(days: number, from = new Date()): Date {
  const clock = wallClock(from)
  return atWallClock(new Date(clock.getFullYear(), clock.getMonth(), clock.getDate() + days))
}
