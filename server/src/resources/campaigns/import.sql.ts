import type { Db, Json } from '../../db/connect.ts'
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

/** One import in a workspace at a time: two at once would both miss what the other adds. */
export async function lockSpace(db: Db, space: string): Promise<void> {
  await db`select id_space from space where id_space = ${space} for no key update`
}

export function selectKnownCampaigns(
  db: Db,
  space: string,
  ids: string[],
  names: string[],
): Promise<CampaignRow[]> {
  return db<CampaignRow[]>`
    select ${db(campaignColumns)} from campaign
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
  return db<StepRow[]>`
    select id, id_campaign, position, name, subject, body, delay_days from campaign_step
    where id_space = ${space} and (id_campaign = any(${campaigns}::uuid[]) or id = any(${ids}::uuid[]))`
}

export async function selectLeadIds(db: Db, space: string, ids: string[]): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select id from lead where id_space = ${space} and id = any(${ids}::uuid[]) and not is_deleted`
  return rows.map(({ id }) => id)
}

/** Addresses compare without case and outer blanks. */
export function selectLeadsByEmail(db: Db, space: string, emails: string[]) {
  return db<{ email: string; id: string }[]>`
    select wanted.email, lead.id
    from unnest(${emails}::text[]) as wanted (email)
    join lead on lower(btrim(lead.email)) = lower(btrim(wanted.email))
    where lead.id_space = ${space} and lead.email is not null and not lead.is_deleted`
}

export async function saveCampaign(
  db: Db,
  space: string,
  campaign: CampaignRow,
  isNew: boolean,
): Promise<void> {
  const { id, id_space, ...fields } = campaign
  if (isNew) await db`insert into campaign ${db(campaign)}`
  else await db`update campaign set ${db(fields)} where id_space = ${space} and id = ${id}`
}

export async function saveStep(
  db: Db,
  space: string,
  step: StepRow,
  isNew: boolean,
): Promise<void> {
  const { id, ...fields } = step
  if (isNew) await db`insert into campaign_step ${db({ ...step, id_space: space })}`
  else await db`update campaign_step set ${db(fields)} where id_space = ${space} and id = ${id}`
}

/** Answers how many leads were not in the campaign before. */
export async function insertLeads(
  db: Db,
  space: string,
  campaign: string,
  leads: string[],
): Promise<number> {
  const rows = await db`
    insert into lead_campaign (id_space, id_lead, id_campaign)
    select ${space}::uuid, id_lead, ${campaign}::uuid from unnest(${leads}::uuid[]) as id_lead
    on conflict (id_space, id_lead, id_campaign) do nothing
    returning id_lead`
  return rows.length
}

export interface LeadState {
  id_lead: string
  id_step: string
  /** Each flag that is there is true. */
  [flag: `is_${string}`]: true
}

/** Answers how many were not so before. */
export async function saveStates(
  db: Db,
  space: string,
  states: LeadState[],
  now: Date,
): Promise<number> {
  const rows = await db`
    insert into lead_step (
      id_space, id_lead, id_step, is_sent, is_delivered, is_opened, is_clicked, is_replied,
      is_bounced, is_unsubscribed, updated_at
    )
    select ${space}::uuid, id_lead, id_step, is_sent is true, is_delivered is true,
      is_opened is true, is_clicked is true, is_replied is true, is_bounced is true,
      is_unsubscribed is true, ${now}::timestamptz
    from jsonb_to_recordset(${db.json(states as unknown as Json)}::jsonb) as state (
      id_lead uuid, id_step uuid, is_sent boolean, is_delivered boolean, is_opened boolean,
      is_clicked boolean, is_replied boolean, is_bounced boolean, is_unsubscribed boolean
    )
    on conflict (id_space, id_lead, id_step) do update set
      is_sent = excluded.is_sent, is_delivered = excluded.is_delivered,
      is_opened = excluded.is_opened, is_clicked = excluded.is_clicked,
      is_replied = excluded.is_replied, is_bounced = excluded.is_bounced,
      is_unsubscribed = excluded.is_unsubscribed, updated_at = excluded.updated_at
    where (lead_step.is_sent, lead_step.is_delivered, lead_step.is_opened, lead_step.is_clicked,
        lead_step.is_replied, lead_step.is_bounced, lead_step.is_unsubscribed)
      is distinct from (excluded.is_sent, excluded.is_delivered, excluded.is_opened,
        excluded.is_clicked, excluded.is_replied, excluded.is_bounced, excluded.is_unsubscribed)
    returning id_lead`
  return rows.length
}

export function selectCampaignSizes(db: Db, space: string) {
  return db<{ id: string; steps: number; leads: number }[]>`
    select id,
      (select count(*) from campaign_step
        where campaign_step.id_space = ${space} and id_campaign = campaign.id) as steps,
      (select count(*) from lead_campaign
        where lead_campaign.id_space = ${space} and id_campaign = campaign.id) as leads
    from campaign where id_space = ${space} and not is_deleted`
}
