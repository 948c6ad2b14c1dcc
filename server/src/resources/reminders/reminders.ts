// Handlers of reminders. Firing them is in reminders.firing.ts.
import { badRequest, type Issue, notFound, unknownRecord } from '@rapport/contract/errors'
import { reminders as contract } from '@rapport/contract/reminders'
import { pageSizes } from '@rapport/contract/shapes'
import { selectMemberIds } from '../../access/access.sql.ts'
import { type Db, transaction } from '../../db/driver.ts'
import { record, recordCreated, recordUpdated } from '../../feed/record.sql.ts'
import { resource } from '../../http/handler.ts'
import { pick } from '../../http/pick.ts'
import { isId, newId } from '../../ids.ts'
import { lockLead } from '../leads/row/existing.sql.ts'
import { requireDate } from './reminders.dates.ts'
import { reminderCondition } from './reminders.filter.ts'
import { nextOccurrence, timeZoneOf } from './reminders.recurrence.ts'
import {
  countReminders,
  insertReminder,
  lockReminder,
  type ReminderRow,
  replaceUsers,
  selectReminder,
  selectReminders,
  updateReminder,
} from './reminders.sql.ts'

export const reminders = resource(contract, {
  async create(db, call) {
    const { space, user, body, now } = call
    const { name, ressource_link = '', date, users = [user] } = body
    const cron = body.cron?.trim() ?? ''
    if (date == null && cron === '') {
      throw badRequest({
        path: ['date'],
        code: 'required',
        message: 'A date or a cron is required',
      })
    }
    return transaction(db, async (tx) => {
      const next = cron === '' ? undefined : await requireNext(tx, space, cron, now)
      const id = newId()
      const row = {
        id,
        id_lead: await requireLead(tx, space, body.id_lead ?? null),
        name,
        ressource_link,
        date: date == null ? (next as string) : requireDate(date, ['date']),
        cron,
        cron_id: cron === '' ? null : newId(),
      }
      const members = await requireMembers(tx, space, users)
      await insertReminder(tx, call, row)
      await replaceUsers(tx, space, id, members)
      const reminder = await requireReminder(tx, space, id)
      await recordCreated(tx, call, 'reminder', reminder, leadsOf(reminder))
      return reminder
    })
  },

  async update(db, call) {
    const { space, id, body, now } = call
    return transaction(db, async (tx) => {
      if (!(await lockReminder(tx, space, id))) throw notFound()
      const before = await requireReminder(tx, space, id)
      const lead = body.id_lead !== undefined && {
        id_lead: await requireLead(tx, space, body.id_lead),
      }
      const members = body.users && (await requireMembers(tx, space, body.users))
      const change = {
        ...pick(body, ['name', 'is_done']),
        ...lead,
        ...(await scheduleChange(tx, space, before, body, now)),
      }
      await updateReminder(tx, space, id, change, now)
      if (members) await replaceUsers(tx, space, id, members)
      const after = await requireReminder(tx, space, id)
      await recordUpdated(tx, call, 'reminder', before, after, leadsOf(before, after))
      return after
    })
  },

  async list(db, { space, now, body }) {
    const { cursor, filter = {}, orderBy, pagination } = body
    const page_size = pagination?.page_size ?? pageSizes.otherwise
    const offset = cursor ?? (Math.max(pagination?.page ?? 1, 1) - 1) * page_size
    const rows = await selectReminders(db, space, {
      condition: await reminderCondition(db, { space, now }, filter),
      field: orderBy?.field ?? 'date',
      descending: orderBy?.type === 'desc',
      limit: page_size,
      offset,
    })
    const page = Math.floor(offset / page_size) + 1
    return { data: rows.map(toReminder), pagination: { page, page_size } }
  },

  async count(db, { space, now, body: { filter = {} } }) {
    const condition = await reminderCondition(db, { space, now }, filter)
    return { count: await countReminders(db, space, condition) }
  },

  get(db, { space, id }) {
    return requireReminder(db, space, id)
  },

  async remove(db, call) {
    const { space, id, now } = call
    await transaction(db, async (tx) => {
      if (!(await lockReminder(tx, space, id))) throw notFound()
      const reminder = await requireReminder(tx, space, id)
      await updateReminder(tx, space, id, { is_deleted: true }, now)
      await record(tx, call, { type: 'reminder.deleted', ids: [id], leads: leadsOf(reminder) })
    })
    return 'Reminder deleted'
  },
})

const toReminder = ({ fired_at, ...row }: ReminderRow) => ({
  ...row,
  id_lead: row.id_lead ?? '',
  cron_id: row.cron_id ?? '',
})

/** The history of these leads shows the change. */
function leadsOf(...versions: { id_lead: string }[]): string[] {
  return [...new Set(versions.flatMap(({ id_lead }) => id_lead || []))]
}

async function requireReminder(db: Db, space: string, id: string) {
  const row = await selectReminder(db, space, id)
  if (!row) throw notFound()
  return toReminder(row)
}

/** The columns that a new date or cron changes. */
async function scheduleChange(
  db: Db,
  space: string,
  before: { date: string; cron: string },
  body: { date?: string; cron?: string | null },
  now: Date,
) {
  const cron = body.cron === undefined ? before.cron : (body.cron?.trim() ?? '')
  const isNewCron = cron !== before.cron
  const next = isNewCron && cron !== '' ? await requireNext(db, space, cron, now) : undefined
  const date = body.date === undefined ? (next ?? before.date) : requireDate(body.date, ['date'])
  return {
    ...(isNewCron && { cron, cron_id: cron === '' ? null : newId() }),
    // It has not fired yet for the new date.
    ...((date !== before.date || next !== undefined) && { date, fired_at: null }),
  }
}

async function requireNext(db: Db, space: string, cron: string, now: Date): Promise<string> {
  const next = nextOccurrence(cron, await timeZoneOf(db, space), now)
  if (next) return next.toISOString()
  const message = 'Must be five fields (minute, hour, day, month, weekday) with a next occurrence'
  throw badRequest({ path: ['cron'], code: 'cron', message })
}

async function requireLead(db: Db, space: string, id: string | null): Promise<string | null> {
  if (id === null || id === '') return null
  const lead = isId(id) ? await lockLead(db, space, id) : undefined
  if (lead === undefined) throw badRequest(unknownRecord(['id_lead'], 'lead'))
  return lead
}

async function requireMembers(db: Db, space: string, users: string[]): Promise<string[]> {
  const ids = users.map((id) => id.toLowerCase())
  const known = new Set(await selectMemberIds(db, space, ids.filter(isId)))
  const faults = ids.flatMap((id, index): Issue[] =>
    known.has(id) ? [] : [unknownRecord(['users', index], 'member')],
  )
  if (faults.length > 0) throw badRequest(faults)
  return [...known]
}
