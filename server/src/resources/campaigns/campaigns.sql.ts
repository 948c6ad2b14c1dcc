import type { Db } from '../../db/connect.ts'

export interface CampaignRow {
  id: string
  id_space: string
  status: string
  name: string
  icon: string
  days: string
  timezone: string
  job_id: string
  id_email_group: string
  id_email_alias: number
  start_date: string | null
  end_date: string | null
  start_hour: number
  start_min: number
  end_hour: number
  end_min: number
  time_between_send: number
  unsubscribe_link: boolean
  stop_sending_after_reply: boolean
  stop_sending_after_bounce: boolean
  track_open_rate: boolean
  is_deleted: boolean
  created_at: string
  updated_at: string
}

export const campaignColumns = [
  'id',
  'id_space',
  'status',
  'name',
  'icon',
  'days',
  'timezone',
  'job_id',
  'id_email_group',
  'id_email_alias',
  'start_date',
  'end_date',
  'start_hour',
  'start_min',
  'end_hour',
  'end_min',
  'time_between_send',
  'unsubscribe_link',
  'stop_sending_after_reply',
  'stop_sending_after_bounce',
  'track_open_rate',
  'is_deleted',
  'created_at',
  'updated_at',
] as const

export function selectCampaigns(
  db: Db,
  space: string,
  limit: number,
  offset: number,
): Promise<CampaignRow[]> {
  return db<CampaignRow[]>`
    select ${db(campaignColumns)} from campaign
    where id_space = ${space} and not is_deleted
    order by created_at desc, id
    limit ${limit} offset ${offset}`
}

export async function countCampaigns(db: Db, space: string): Promise<number> {
  const [row] = await db<[{ count: number }]>`
    select count(*) as count from campaign where id_space = ${space} and not is_deleted`
  return row.count
}
