// Statements of the campaigns import.
import { stepStatuses } from '@rapport/contract/leads/filter'
import type { Db } from '../../db/driver.ts'
import { assignments, jsonb, raw, rowValues, run } from '../../db/sql.ts'
import { type CampaignRow, campaignColumns } from './campaigns.sql.ts'

export interface StepRow {
  id: string
  id_campaign: string
  position: number
  name: string
  subject: string
  body: string
  delay_days: number
}

export function selectKnownCampaigns(db: Db, space: string, ids: string[], names: string[]) {
  return run<CampaignRow[]>(db)`
    select ${campaignColumns} from campaign
    where id_space = ${space}
      and (id = any(${ids}::uuid[]) or (name = any(${names}::text[]) and not is_deleted))`
}

/** Steps of these campaigns, and steps of other campaigns with these ids. */
export function selectKnownSteps(
  db: Db,
  space: string,
  campaigns: string[],
  ids: string[],
): Promise<StepRow[]> {
  return run<StepRow[]>(db)`
    select id, id_campaign, position, name, subject, body, delay_days from campaign_step
    where id_space = ${space} and (id_campaign = any(${campaigns}::uuid[]) or id = any(${ids}::uuid[]))`
}

export async function saveCampaign(
  db: Db,
  space: string,
  campaign: CampaignRow,
  isNew: boolean,
): Promise<void> {
  const { id, id_space, ...fields } = campaign
  if (isNew) await run(db)`insert into campaign ${rowValues(campaign)}`
  else
    await run(db)`
      update campaign set ${assignments(fields)} where id_space = ${space} and id = ${id}`
}

export async function saveStep(
  db: Db,
  space: string,
  step: StepRow,
  isNew: boolean,
): Promise<void> {
  const { id, ...fields } = step
  if (isNew) await run(db)`insert into campaign_step ${rowValues({ ...step, id_space: space })}`
  else
    await run(db)`
      update campaign_step set ${assignments(fields)} where id_space = ${space} and id = ${id}`
}

/** Puts the leads into the campaign. Returns those that were not in it before. */
export async function insertLeads(
  db: Db,
  space: string,
  campaign: string,
  leads: string[],
): Promise<string[]> {
  const rows = await run<{ id_lead: string }[]>(db)`
    insert into lead_campaign (id_space, id_lead, id_campaign)
    select ${space}::uuid, id_lead, ${campaign}::uuid from unnest(${leads}::uuid[]) as id_lead
    on conflict (id_space, id_lead, id_campaign) do nothing
    returning id_lead`
  return rows.map(({ id_lead }) => id_lead)
}

export interface LeadState {
  id_lead: string
  id_step: string
  /** The flags of the step. A missing flag is false. */
  [flag: `is_${string}`]: true
}

/** Writes the states of leads in steps. Returns the lead of each row that is new or changed. */
export async function saveStates(
  db: Db,
  space: string,
  states: LeadState[],
  now: Date,
): Promise<string[]> {
  const flags = (prefix: string) => raw(stepStatuses.map((flag) => `${prefix}${flag}`).join(', '))
  const eachFlag = (text: (flag: string) => string) => raw(stepStatuses.map(text).join(', '))
  const rows = await run<{ id_lead: string }[]>(db)`
    insert into lead_step (id_space, id_lead, id_step, ${flags('')}, updated_at)
    select ${space}::uuid, id_lead, id_step, ${eachFlag((flag) => `${flag} is true`)},
      ${now}::timestamptz
    from jsonb_to_recordset(${jsonb(states)}) as state (
      id_lead uuid, id_step uuid, ${eachFlag((flag) => `${flag} boolean`)})
    on conflict (id_space, id_lead, id_step) do update
    set ${eachFlag((flag) => `${flag} = excluded.${flag}`)}, updated_at = excluded.updated_at
    where (${flags('lead_step.')}) is distinct from (${flags('excluded.')})
    returning id_lead`
  return rows.map(({ id_lead }) => id_lead)
}

export function selectCampaignSizes(db: Db, space: string) {
  return run<{ id: string; steps: number; leads: number }[]>(db)`
    select id,
      (select count(*) from campaign_step
        where campaign_step.id_space = ${space} and id_campaign = campaign.id) as steps,
      (select count(*) from lead_campaign
        where lead_campaign.id_space = ${space} and id_campaign = campaign.id) as leads
    from campaign where id_space = ${space} and not is_deleted`
}
