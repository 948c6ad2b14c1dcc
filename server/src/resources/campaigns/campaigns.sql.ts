// Statements that read campaigns.
import { Campaign } from '@rapport/contract/campaigns'
import type { Db } from '../../db/driver.ts'
import { columnsOf, type RowOf } from '../../db/rows.ts'
import { run, sql } from '../../db/sql.ts'

export type CampaignRow = RowOf<typeof Campaign>
export const campaignColumns = columnsOf(Campaign)

export function selectCampaigns(
  db: Db,
  space: string,
  limit: number,
  offset: number,
): Promise<CampaignRow[]> {
  return run<CampaignRow[]>(
    db,
    sql`select ${campaignColumns} from campaign
      where id_space = ${space} and not is_deleted
      order by created_at desc, id
      limit ${limit} offset ${offset}`,
  )
}

export async function countCampaigns(db: Db, space: string): Promise<number> {
  const [row] = await run<{ count: number }[]>(
    db,
    sql`select count(*) as count from campaign where id_space = ${space} and not is_deleted`,
  )
  return row?.count ?? 0
}
