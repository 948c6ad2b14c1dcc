// What the page knows of each kind of notification: its sign, what it says, and what it opens.
import type { NotificationKind } from '@rapport/contract/notifications.values'
import { AlarmClock, AtSign, ListChecks, type LucideIcon, Unplug, UserPlus } from 'lucide-react'
import type { Told } from '../../api/notifications.ts'
import type { MemberRecord } from '../../api/records.ts'
import { words } from '../../words/index.ts'
import { notifications as said } from '../../words/notifications.ts'
import { toTyped } from '../lead/mentions.ts'

interface Context {
  me: string
  members: readonly MemberRecord[]
}

export interface Described {
  title: string
  detail: string
  href: string
}

interface KindRecord {
  icon: LucideIcon
  describe(told: Told, context: Context): Described
}

const leadName = ({ lead }: Told) => (lead ? lead.name || words.leads.unnamed : '')
const leadHref = ({ lead }: Told) => lead && `/lead/${lead.id}`
const leadsHref = (filter: object) =>
  `/leads?${new URLSearchParams({ filter: JSON.stringify(filter) })}`

const nameOf = (id: string | null, { members }: Context) => {
  const member = members.find((one) => one.id === id)
  return member?.name || member?.email || said.someone
}

export const notificationRecords: Record<NotificationKind, KindRecord> = {
  reminder: {
    icon: AlarmClock,
    describe: (told) => ({
      title: said.reminder(told.text),
      detail: leadName(told),
      href: leadHref(told) ?? '/reminders',
    }),
  },
  assigned: {
    icon: UserPlus,
    describe: (told, context) => ({
      title: said.assigned(
        nameOf(told.actor, context),
        leadName(told) || words.leads.count(told.count),
      ),
      detail: '',
      href:
        leadHref(told) ??
        leadsHref(told.record ? { operation: told.record, owners: [context.me] } : { leads: [] }),
    }),
  },
  mention: {
    icon: AtSign,
    describe: (told, context) => ({
      title: said.mentioned(nameOf(told.actor, context), leadName(told)),
      detail: toTyped(told.text, context.members) || said.deletedNote,
      href: leadHref(told) ?? '/inbox',
    }),
  },
  finished: {
    icon: ListChecks,
    describe({ operation, count, text, record }) {
      const isFailed = operation?.state === 'failed'
      const isStopped = operation?.state === 'stopped'
      return {
        title: isFailed
          ? said.failed
          : isStopped
            ? said.stopped(count)
            : said.finished(operation?.kind === 'import', count),
        detail: text,
        href: isFailed || !operation ? '/changes' : leadsHref({ operation: record }),
      }
    },
  },
  webhook: {
    icon: Unplug,
    describe: ({ text }) => ({ title: said.webhook(text), detail: '', href: '/settings/webhooks' }),
  },
}

export const describe = (told: Told, context: Context) =>
  notificationRecords[told.kind].describe(told, context)
