// Statements that read campaigns.
import { Campaign, type CampaignStep } from '@rapport/contract/campaigns'
import { stepStatuses } from '@rapport/contract/leads/filter'
import type { Static } from 'typebox'
import type { Db } from '../../db/driver.ts'
import { columnsOf, type RowOf } from '../../db/rows.ts'
import { raw, run, runOne, sql } from '../../db/sql.ts'
import { leadExists } from '../leads/row/existing.sql.ts'

export type CampaignRow = RowOf<typeof Campaign>
export const campaignColumns = columnsOf(Campaign)

export function selectCampaigns(db: Db, space: string, limit: number, offset: number) {
  return run<CampaignRow[]>(db)`select ${campaignColumns} from campaign
    where id_space = ${space} and not is_deleted
    order by created_at desc, id
    limit ${limit} offset ${offset}`
}

export async function countCampaigns(db: Db, space: string): Promise<number> {
  const [row] = await run<{ count: number }[]>(db)`
    select count(*) as count from campaign where id_space = ${space} and not is_deleted`
  return row?.count ?? 0
}

export function selectCampaign(
  db: Db,
  space: string,
  id: string,
): Promise<CampaignRow | undefined> {
  return runOne<CampaignRow>(db)`select ${campaignColumns} from campaign
    where id_space = ${space} and id = ${id} and not is_deleted`
}

type Step = Static<typeof CampaignStep>
type Counts = Pick<Step, (typeof stepStatuses)[number]>

/** The number of rows in each state. */
const counts = raw(
  stepStatuses.map((state) => `count(*) filter (where ${state})::int as ${state}`).join(', '),
)
const anyOfEach = raw(stepStatuses.map((state) => `bool_or(${state}) as ${state}`).join(', '))

/** Of each campaign: how many leads are in it, and how many came to each state in any of its steps. */
export async function selectResults(
  db: Db,
  space: string,
  campaigns: string[],
): Promise<Map<string, Counts & { leads: number }>> {
  const rows = await run<(Counts & { id: string; leads: number })[]>(
    db,
    sql`with result as (
        select step.id_campaign, ${anyOfEach}
        from campaign_step step
        join lead_step on lead_step.id_space = ${space} and lead_step.id_step = step.id
        where step.id_space = ${space} and step.id_campaign = any(${campaigns}::uuid[])
          and ${leadExists(space, raw('lead_step.id_lead'))}
        group by step.id_campaign, lead_step.id_lead)
      select campaign.id, ${counts}, (
        select count(*)::int from lead_campaign
        where lead_campaign.id_space = ${space} and lead_campaign.id_campaign = campaign.id
          and ${leadExists(space, raw('lead_campaign.id_lead'))}) as leads
      from campaign
      left join result on result.id_campaign = campaign.id
      where campaign.id_space = ${space} and campaign.id = any(${campaigns}::uuid[])
      group by campaign.id`,
  )
  return new Map(rows.map(({ id, ...results }) => [id, results]))
}

/** The steps in their order, each with the number of leads in each state. */
export function selectSteps(db: Db, space: string, campaign: string): Promise<Step[]> {
  return run<Step[]>(db)`
    select step.id, step.name, step.subject, step.body, step.delay_days, ${counts}
    from campaign_step step
    left join lead_step on lead_step.id_space = ${space} and lead_step.id_step = step.id
      and ${leadExists(space, raw('lead_step.id_lead'))}
    where step.id_space = ${space} and step.id_campaign = ${campaign}
    group by step.id_space, step.id
    order by step.position, step.id`
}
