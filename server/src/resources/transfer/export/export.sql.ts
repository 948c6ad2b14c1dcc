import { type TransferField, transferFields } from '@rapport/contract/leads/fields'
import type { ToldRelation } from '@rapport/contract/leads/relations'
import type { LeadWithRelations } from '@rapport/contract/leads/shapes'
import type { NoteLine, ReminderLine } from '@rapport/contract/transfer.lines'
import type { Db } from '../../../db/driver.ts'
import { run, sql } from '../../../db/sql.ts'
import { leadsWithFields, selectJson } from '../../leads/row/json.sql.ts'

export type ExportedLead = Record<TransferField, unknown> &
  Pick<LeadWithRelations, ToldRelation | 'attributes'>

const exported = leadsWithFields(transferFields)

/** The leads with these ids that are still there, in this order. */
export async function selectForExport(
  db: Db,
  space: string,
  ids: string[],
): Promise<ExportedLead[]> {
  return JSON.parse(String(await selectJson(db, exported, space, ids)))
}

interface ExportedRecords {
  notes: NoteLine[]
  reminders: ReminderLine[]
}

/** The notes and reminders of these leads: lead → both. */
export async function selectRecordsForExport(
  db: Db,
  space: string,
  ids: string[],
): Promise<(lead: string) => ExportedRecords> {
  const notes = await run<(NoteLine & OfLead)[]>(
    db,
    sql`select id_lead, id, content, kind, happened_at, duration, outcome, created_at, is_pinned_at,
        thread_id, id_parent
      from note
      where id_space = ${space} and id_lead = any(${ids}::uuid[]) and not is_deleted
      order by created_at, id`,
  )
  const reminders = await run<(ReminderLine & OfLead)[]>(
    db,
    sql`select id_lead, id, name, date, cron, ressource_link, is_done, fired_at, array(
          select member.email from reminder_user
          join member on member.id_space = ${space} and member.id = reminder_user.id_member
          where reminder_user.id_space = ${space} and reminder_user.id_reminder = reminder.id
          order by member.email) as users
      from reminder
      where id_space = ${space} and id_lead = any(${ids}::uuid[]) and not is_deleted
      order by date, id`,
  )
  const [notesOf, remindersOf] = [byLead(notes), byLead(reminders)]
  return (lead) => ({ notes: notesOf(lead), reminders: remindersOf(lead) })
}

interface OfLead {
  id_lead: string
}

function byLead<T extends OfLead>(rows: T[]): (lead: string) => Omit<T, 'id_lead'>[] {
  const found = new Map<string, Omit<T, 'id_lead'>[]>()
  for (const { id_lead, ...row } of rows) {
    const others = found.get(id_lead)
    if (others) others.push(row)
    else found.set(id_lead, [row])
  }
  return (lead) => found.get(lead) ?? []
}
