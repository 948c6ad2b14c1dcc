// A reminder fired: everyone it is for is told in the page.
import type { Event } from '@rapport/contract'
import { call } from '../../api/call.ts'
import { client } from '../../api/client.ts'
import { nameOf } from '../../api/lead.ts'
import { leadQuery } from '../../api/leads.ts'
import { inAnHour } from '../../api/reminders.ts'
import { formatExact } from '../../ui/format.ts'
import { tell } from '../../ui/toast.tsx'
import { words } from '../../words/index.ts'
import { changeReminder } from '../reminder/change-reminder.ts'

interface Due {
  id: string
  name: string
  date: string
  lead: string | null
  users: string[]
}

/** More than this many at once are told as one. */
const most = 3
/** Those that fire at the same minute are told together. */
const gatherMs = 400

let gathered: Due[] = []

interface Me {
  member: string
  mayWrite: boolean
  navigate: (to: string) => void
}

export function tellDue(event: Event, me: Me): void {
  const due = read(event)
  void isFor(due, me.member).then((isMine) => {
    if (!isMine) return
    gathered.push(due)
    if (gathered.length === 1) setTimeout(() => void tellGathered(me), gatherMs)
  })
}

function read({ ids: [id = ''], changed }: Event): Due {
  const after = (name: string) => (changed[name] as [unknown, unknown] | undefined)?.[1]
  return {
    id,
    name: String(after('name') ?? ''),
    date: String(after('date') ?? ''),
    lead: (after('id_lead') as string | null) || null,
    users: (after('users') as string[] | undefined) ?? [],
  }
}

/** For its users; without any, for the owners of its lead; without any, for its author. */
async function isFor({ id, users, lead }: Due, member: string): Promise<boolean> {
  if (users.length > 0) return users.includes(member)
  // Of one without a lead, the feed does not tell the author. Better all are told than none.
  if (!lead) return true
  try {
    const { owners } = await client.fetchQuery(leadQuery(lead))
    if (owners.length > 0) return owners.some((owner) => owner.id === member)
    const { events } = await call('GET /lead/{id}/events', { id: lead, query: { limit: '1000' } })
    const creation = events.find(({ type, ids }) => type === 'reminder.created' && ids.includes(id))
    return !creation || creation.actor.member === member
  } catch {
    return true
  }
}

async function tellGathered({ mayWrite, navigate }: Me): Promise<void> {
  const all = gathered
  gathered = []
  if (all.length > most) {
    const run = () => navigate('/reminders')
    tell(words.live.manyDue(all.length), {
      isLasting: true,
      actions: [{ label: words.actions.open, run }],
    })
    return
  }
  for (const due of all) {
    const { id, name, date, lead } = due
    const reminder = { id, name, id_lead: lead ?? '', date }
    const detail = [lead && (await leadName(lead)), formatExact(date)].filter(Boolean).join(' · ')
    const open = () => navigate(lead ? `/lead/${lead}` : '/reminders')
    const writing = [
      {
        label: words.actions.done,
        run: () => void changeReminder(reminder, { is_done: true }),
      },
      {
        label: words.live.snooze,
        run: () => void changeReminder(reminder, { date: inAnHour().toISOString() }),
      },
    ]
    tell(words.live.due(name), {
      detail,
      isLasting: true,
      actions: [{ label: words.actions.open, run: open }, ...(mayWrite ? writing : [])],
    })
  }
}

async function leadName(id: string): Promise<string> {
  try {
    return nameOf(await client.ensureQueryData(leadQuery(id)))
  } catch {
    return ''
  }
}
