// Sends notifications by mail, as their members want it: at once, after their quiet hours, or once a day. Only a service
// that sends mail calls it. What is read before its time is not sent.
import type { Notification } from '@rapport/contract/notifications'
import type { NotificationKind } from '@rapport/contract/notifications.values'
import { selectMembers } from '../../access/access.sql.ts'
import { type Db, isUnavailable, type Pool, transaction } from '../../db/driver.ts'
import type { LoopLog } from '../../every.ts'
import type { MailItem } from '../../mail/content.ts'
import type { Mail } from '../../mail/mail.ts'
import { isTimeZone } from '../../time-zone.ts'
import { timeZoneOf } from '../reminders/reminders.recurrence.ts'
import { mailTime } from './mail-times.ts'
import { lockMailable, type Mailable, selectMailableSpaces, setMailTimes } from './mails.sql.ts'
import { selectSettings } from './notifications.sql.ts'
import { choicesOf } from './settings.ts'

export interface MailingOptions {
  db: Pool
  clock: () => Date
  mail: Pick<Mail, 'queue'>
  log: LoopLog
}

/** A service that sends no mail for longer does not begin with old news. */
const newestMs = 86_400_000

export async function mailNotifications({ db, clock, mail, log }: MailingOptions): Promise<void> {
  const now = clock()
  for (const space of await selectMailableSpaces(db, now)) {
    try {
      await transaction(db, (tx) => mailSpace(tx, mail, space, now))
    } catch (error) {
      if (isUnavailable(error)) throw error
      // A workspace that fails does not stop the others.
      log.error({ err: error, id_space: space }, 'cannot send notifications by mail')
    }
  }
}

async function mailSpace(
  tx: Db,
  mail: MailingOptions['mail'],
  space: string,
  now: Date,
): Promise<void> {
  const rows = await lockMailable(tx, space, now)
  const members = [...new Set(rows.map(({ id_member }) => id_member))]
  const settings = await selectSettings(tx, space, members)
  const zones = await zonesOf(tx, space)
  const times: { id: string; mail_at: string | null }[] = []
  for (const member of members) {
    const choices = choicesOf(settings.find((row) => row.id_member === member))
    const own = rows.filter(({ id_member }) => id_member === member)
    const timed = own.map((row) => {
      const isOld = now.getTime() - Date.parse(row.created_at) > newestMs
      if (!row.is_new) return { row, time: now }
      return { row, time: isOld ? null : mailTime(row.kind, choices, zones(member), now) }
    })
    const due = timed.filter(({ time }) => time && time <= now).map(({ row }) => row)
    for (const { row, time } of timed) {
      times.push({ id: row.id, mail_at: time && time > now ? time.toISOString() : null })
    }
    await send(tx, mail, { space, member, now }, due, (kind) => choices.kinds[kind] === 'digest')
  }
  await setMailTimes(tx, space, times)
}

/** One mail for each that is to come at once; those that wait for the mail server are sent as one. */
async function send(
  tx: Db,
  mail: MailingOptions['mail'],
  to: { space: string; member: string; now: Date },
  due: Mailable[],
  isDigest: (kind: NotificationKind) => boolean,
): Promise<void> {
  for (const row of due.filter(({ kind }) => !isDigest(kind))) {
    const item = itemOf(row)
    await mail.queue(tx, {
      ...{ ...to, kind: 'notification', subject: item.text, lines: [], items: [item] },
    })
  }
  const items = due.filter(({ kind }) => isDigest(kind)).map(itemOf)
  if (items.length === 0) return
  const subject = items.length === 1 ? '1 notification' : `${items.length} notifications`
  await mail.queue(tx, { ...to, kind: 'digest', subject, lines: [], items })
}

async function zonesOf(tx: Db, space: string): Promise<(member: string) => string> {
  const usual = await timeZoneOf(tx, space)
  const own = new Map((await selectMembers(tx, space)).map(({ id, time_zone }) => [id, time_zone]))
  return (member) => {
    const zone = own.get(member)
    return zone && isTimeZone(zone) ? zone : usual
  }
}

type About = Pick<Mailable, 'id_member' | 'id_lead' | 'id_record' | 'count' | 'operation'>

/** What a mail says of each kind: no name and no text of a record, because mail is not private. */
const items: Record<Notification['kind'], (about: About) => MailItem> = {
  reminder: (about) => ({ text: 'A reminder is due', path: leadPath(about) ?? '/reminders' }),
  assigned: ({ count, ...about }) => ({
    text: count === 1 ? 'A lead was assigned to you' : `${count} leads were assigned to you`,
    path:
      leadPath({ count, ...about }) ??
      leadsPath({ operation: about.id_record, owners: [about.id_member] }),
  }),
  mention: (about) => ({
    text: 'You were mentioned in a note',
    path: leadPath(about) ?? '/inbox',
  }),
  finished: ({ operation, id_record }) => ({
    text:
      operation?.state === 'failed'
        ? 'Your bulk change failed'
        : `Your ${operation?.kind === 'import' ? 'import' : 'bulk change'} has ended`,
    path: operation?.state === 'failed' ? '/changes' : leadsPath({ operation: id_record }),
  }),
  webhook: () => ({ text: 'A webhook was disabled', path: '/settings/webhooks' }),
}

const itemOf = ({ kind, ...about }: Mailable) => items[kind](about)

const leadPath = ({ id_lead }: About) => (id_lead ? `/lead/${id_lead}` : undefined)
const leadsPath = (filter: object) =>
  `/leads?${new URLSearchParams({ filter: JSON.stringify(filter) })}`
