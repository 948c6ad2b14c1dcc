// The filter of POST /reminders/list. For conditions on leads it uses the lead filter.
import { badRequest } from '@rapport/contract/errors'
import type { ReminderFilter } from '@rapport/contract/reminders'
import type { Db } from '../../db/driver.ts'
import { escapeLike, join, type Sql, sql } from '../../db/sql.ts'
import type { Scope } from '../../filter/compile.ts'
import { wordFault, wordsOf } from '../../filter/kinds.ts'
import { isId } from '../../ids.ts'
import { leadCondition } from '../leads/list/filter.ts'
import { survivorOf } from '../leads/row/merged.sql.ts'
import { requireDate } from './reminders.dates.ts'
import { ofLead } from './reminders.sql.ts'

export async function reminderCondition(
  db: Db,
  scope: Scope,
  filter: ReminderFilter,
): Promise<Sql> {
  const { space } = scope
  const { leads_filter, id_lead, id_list, id_status, is_done, users = [], search = '' } = filter
  const { due_after, due_before } = filter
  const conditions = [sql`true`]
  if (leads_filter) {
    const path = ['filter', 'leads_filter']
    conditions.push(ofLead(space, await leadCondition(db, scope, leads_filter, path)))
  }
  if (id_list !== undefined) {
    const inList = await leadCondition(db, scope, { lists: [id_list] }, [])
    conditions.push(ofLead(space, inList))
  }
  if (id_status !== undefined) {
    const withStatus = await leadCondition(db, scope, { status: [id_status] }, [])
    conditions.push(ofLead(space, withStatus))
  }
  if (id_lead !== undefined) {
    const lead = isId(id_lead) && ((await survivorOf(db, space, id_lead)) ?? id_lead)
    conditions.push(lead ? sql`reminder.id_lead = ${lead}` : sql`false`)
  }
  if (is_done !== undefined) conditions.push(sql`reminder.is_done = ${is_done}`)
  // The start is included and the end is not, so that one day ends where the next one starts.
  if (due_after !== undefined) {
    const from = requireDate(due_after, ['filter', 'due_after'])
    conditions.push(sql`reminder.date >= ${from}::timestamptz`)
  }
  if (due_before !== undefined) {
    const to = requireDate(due_before, ['filter', 'due_before'])
    conditions.push(sql`reminder.date < ${to}::timestamptz`)
  }
  if (users.length > 0) {
    conditions.push(sql`exists (
      select from reminder_user
      where reminder_user.id_space = ${space} and reminder_user.id_reminder = reminder.id
        and reminder_user.id_member = any(${users.filter(isId)}::uuid[]))`)
  }
  const words = wordsOf(search)
  const message = wordFault(words)
  if (message) throw badRequest({ path: ['filter', 'search'], code: 'words', message })
  for (const word of words) {
    conditions.push(sql`reminder.name ilike ${`%${escapeLike(word)}%`}`)
  }
  return join(conditions, ' and ')
}
