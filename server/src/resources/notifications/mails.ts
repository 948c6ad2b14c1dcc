// Sends notifications by mail, as their members want it: at once, after their quiet hours, or once a day. Only a service
// that sends mail calls it. What is read before its time is not sent.

import { mentionPattern } from '@rapport/contract/notes.values'
import type { Notification } from '@rapport/contract/notifications'
import { type Member, selectMembers } from '../../access/access.sql.ts'
import { type Db, isUnavailable, type Pool, transaction } from '../../db/driver.ts'
import type { LoopLog } from '../../every.ts'
import { listOf, type MailItem } from '../../mail/content.ts'
import { countRecent } from '../../mail/mail.sql.ts'
import type { Mail } from '../../mail/mail.ts'
import { isTimeZone } from '../../time-zone.ts'
import { selectNames } from '../leads/row/existing.sql.ts'
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
/** A member gets this many mails at once in an hour. What is more comes together, every quarter of an hour. */
const maxAtOnce = 20
const hourMs = 3_600_000
const quarterMs = hourMs / 4

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
  const recent = await countRecent(tx, space, members, new Date(now.getTime() - hourMs))
  const people = await selectMembers(tx, space)
  const zones = zonesOf(people, await timeZoneOf(tx, space))
  const leads = [...new Set(rows.flatMap(({ id_lead }) => id_lead ?? []))]
  const say = detailOf(await selectNames(tx, space, leads), people)
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
    const itemOf = (row: Mailable) => {
      const detail = choices.details ? say(row) : ''
      return { ...items[row.kind](row), ...(detail && { detail }) }
    }
    const [daily, atOnce] = [true, false].map((isDigest) =>
      due.filter(({ kind }) => (choices.kinds[kind] === 'digest') === isDigest).map(itemOf),
    ) as [MailItem[], MailItem[]]
    const free = Math.max(0, maxAtOnce - (recent.get(member) ?? 0))
    await send(tx, mail, { space, member, now }, { atOnce, daily, free })
  }
  await setMailTimes(tx, space, times)
}

/** One mail for each that is to come at once; those that wait for the mail server are sent as one. */
async function send(
  tx: Db,
  mail: MailingOptions['mail'],
  to: { space: string; member: string; now: Date },
  { atOnce, daily, free }: { atOnce: MailItem[]; daily: MailItem[]; free: number },
): Promise<void> {
  const kind = 'notification'
  for (const item of atOnce.slice(0, free)) {
    await mail.queue(tx, { ...to, kind, subject: item.text, lines: [], items: [item] })
  }
  const tooMany = atOnce.slice(free)
  if (tooMany.length > 0) {
    const notBefore = new Date((Math.floor(to.now.getTime() / quarterMs) + 1) * quarterMs)
    await mail.queue(tx, { ...to, kind, notBefore, ...listOf(tooMany) })
  }
  if (daily.length > 0) await mail.queue(tx, { ...to, kind: 'digest', ...listOf(daily) })
}

function zonesOf(people: Member[], usual: string): (member: string) => string {
  const own = new Map(people.map(({ id, time_zone }) => [id, time_zone]))
  return (member) => {
    const zone = own.get(member)
    return zone && isTimeZone(zone) ? zone : usual
  }
}

/** The name of the lead and the text of the record, for members who want that in mails. */
function detailOf(leads: { id: string; name: string }[], people: Member[]) {
  const leadNames = new Map(leads.map(({ id, name }) => [id, name]))
  const names = new Map(people.map(({ id, name }) => [id, name]))
  return ({ id_lead, text }: Mailable): string => {
    const said = text.replace(mentionPattern, (_mention, id) => `@${names.get(id) ?? ''}`)
    const parts = [(id_lead && leadNames.get(id_lead)) || '', said.replace(/\s+/g, ' ').trim()]
    return parts.filter(Boolean).join(': ')
  }
}

type About = Pick<Mailable, 'id_member' | 'id_lead' | 'id_record' | 'count' | 'operation'>

/** What a mail says of each kind. Names and texts of records are apart: mail is not private. */
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

const leadPath = ({ id_lead }: About) => (id_lead ? `/lead/${id_lead}` : undefined)
const leadsPath = (filter: object) =>
  `/leads?${new URLSearchParams({ filter: JSON.stringify(filter) })}`
