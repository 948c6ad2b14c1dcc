// The SQL of the demo. For each batch, one statement inserts all rows of a table.
import type { Db, Pool } from '../db/driver.ts'
import { raw, run, sql } from '../db/sql.ts'
import { type Table, tables } from './story.ts'

export async function countLeads(db: Db, space: string) {
  const [row] = await run<{ live: number; leads: number; companies: number }[]>(
    db,
    sql`select count(*) filter (where not is_deleted) as live, count(*) as leads,
        count(*) filter (where is_company) as companies
      from lead where id_space = ${space}`,
  )
  return row ?? { live: 0, leads: 0, companies: 0 }
}

/** The columns that the demo writes. Other columns are null or have their default. */
const columns: Record<Table, string[]> = {
  lead: [
    'id',
    'email',
    'company',
    'phone',
    'linkedin_url',
    'linkedin_company_url',
    'facebook_username',
    'youtube_username',
    'instagram_username',
    'telegram_username',
    'whatsapp_username',
    'first_name',
    'last_name',
    'icebreaker',
    'icebreaker_2',
    'website_url',
    'timezone',
    'city',
    'company_role',
    'twitter_name',
    'twitter_company_name',
    'contract_currency',
    'contract_name',
    'contract_value',
    'email_bounce_score',
    'score',
    'is_company',
    'is_contract',
    'is_tracked',
    'ai_enabled',
    'ai_enabled_at',
    'ai_summary',
    'last_interaction_at',
    'usersId',
    'attributes',
    'created_at',
    'updated_at',
  ],
  lead_list: ['id_lead', 'id_list'],
  lead_status: ['id_lead', 'id_status', 'id_list'],
  lead_tag: ['id_lead', 'id_tag'],
  lead_owner: ['id_lead', 'id_member'],
  lead_campaign: ['id_lead', 'id_campaign'],
  lead_step: [
    'id_lead',
    'id_step',
    'is_sent',
    'is_delivered',
    'is_opened',
    'is_clicked',
    'is_replied',
    'is_bounced',
    'is_unsubscribed',
    'updated_at',
  ],
  note: [
    'id',
    'id_lead',
    'id_parent',
    'thread_id',
    'content',
    'is_edited',
    'is_edited_at',
    'is_pinned',
    'is_pinned_at',
    'is_deleted',
    'created_at',
    'updated_at',
  ],
  reminder: [
    'id',
    'id_lead',
    'name',
    'ressource_link',
    'date',
    'cron',
    'cron_id',
    'is_done',
    'is_deleted',
    'created_at',
    'updated_at',
  ],
  reminder_user: ['id_reminder', 'id_member'],
}

export async function insertRows(
  db: Db,
  space: string,
  table: Table,
  rows: Record<string, unknown>[],
): Promise<void> {
  if (rows.length === 0) return
  const names = raw(columns[table].map((name) => `"${name}"`).join(', '))
  await run(
    db,
    sql`insert into ${raw(table)} (id_space, ${names})
      select ${space}::uuid, ${names}
      from json_populate_recordset(null::${raw(table)}, ${JSON.stringify(rows)}::text::json)`,
  )
}

/**
 * Settings for the transaction of the demo. The GIN indexes on texts and attributes collect new
 * entries in a pending list before they merge them. A longer list means fewer merges and less work.
 */
export async function expectManyRows(db: Db): Promise<void> {
  await run(
    db,
    sql`
    select set_config('gin_pending_list_limit', '65536', true),
      set_config('work_mem', '131072', true)`,
  )
}

/** Updates the statistics for the query planner and merges the pending lists of the GIN indexes. */
export async function tidyUp(pool: Pool): Promise<void> {
  await pool.unsafe(`vacuum (analyze) ${tables.join(', ')}`)
}
