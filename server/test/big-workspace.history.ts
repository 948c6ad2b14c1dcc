// What has happened to the leads of a big workspace.
import type { Db } from '../src/db/driver.ts'
import { rowValues, run, sql } from '../src/db/sql.ts'
import type { BigWorkspace } from './big-workspace.shape.ts'

/** Campaigns, notes and reminders of a part of the leads, and two tags that depend on the age. */
export async function fillHistory(tx: Db, big: BigWorkspace, owner: string): Promise<void> {
  const { id_space, ages, campaign, step } = big
  const time = '2024-01-01T00:00:00.000Z'
  await run(tx)`insert into lead_tag (id_space, id_lead, id_tag)
      select ${id_space}::uuid, id, case when tile = 1 then ${ages.old}::uuid else ${ages.new}::uuid end
      from (
        select id, ntile(100) over (order by created_at) as tile from lead
        where id_space = ${id_space}) aged
      where tile in (1, 100)`
  await run(tx)`insert into campaign ${rowValues({
    ...{
      id_space,
      id: campaign,
      status: 'RUNNING',
      name: 'Spring',
      icon: '',
      days: '',
      timezone: '',
    },
    ...{
      job_id: '',
      id_email_group: '',
      id_email_alias: 0,
      start_hour: 0,
      start_min: 0,
      end_hour: 0,
    },
    ...{
      end_min: 0,
      time_between_send: 0,
      unsubscribe_link: true,
      stop_sending_after_reply: true,
    },
    ...{ stop_sending_after_bounce: true, track_open_rate: true, is_deleted: false },
    ...{ created_at: time, updated_at: time },
  })}`
  await run(tx)`insert into campaign_step ${rowValues({
    ...{
      id_space,
      id: step,
      id_campaign: campaign,
      position: 0,
      name: 'Hello',
      subject: '',
      body: '',
    },
    delay_days: 0,
  })}`
  const some = (share: number) => sql`(
    select id, created_at, random() as chance from lead
    where id_space = ${id_space} and random() < ${share}) lead`
  await run(tx)`insert into lead_campaign (id_space, id_lead, id_campaign)
      select ${id_space}::uuid, id, ${campaign}::uuid from ${some(0.2)}`
  await run(tx)`insert into lead_step (id_space, id_lead, id_step, is_sent, is_opened, updated_at)
      select ${id_space}::uuid, id_lead, ${step}::uuid, true, random() < 0.3, ${time}
      from lead_campaign where id_space = ${id_space}`
  await run(tx)`insert into note (id_space, id, id_lead, content, created_at, updated_at)
      select ${id_space}::uuid, gen_random_uuid(), id, 'Called, will answer next week.',
        created_at + chance * interval '20 days', created_at + chance * interval '20 days'
      from ${some(0.2)}`
  const reminders = sql`
    insert into reminder (
      id_space, id, id_lead, name, ressource_link, date, cron, is_done, fired_at, created_at, updated_at)
    select ${id_space}::uuid, gen_random_uuid(), id, 'Call back', '', created_at + interval '7 days', '',
      chance < 0.9, created_at + interval '7 days', created_at, created_at
    from ${some(0.1)} returning id`
  await run(tx)`with made as (${reminders})
      insert into reminder_user (id_space, id_reminder, id_member)
      select ${id_space}::uuid, id, ${owner}::uuid from made`
  // As if members had changed leads one by one: a tenth of them, since the beginning.
  await run(tx)`with made as (
        insert into event (id_space, seq, type, at, id_member, way, ids, changed)
        select ${id_space}::uuid, row_number() over (order by created_at), 'lead.updated',
          created_at + interval '1 day', ${owner}::uuid, 'page', array[id], '{"city": [null, "Oslo"]}'
        from ${some(0.1)} returning seq)
      update event_head set seq = (select max(seq) from made) where id_space = ${id_space}`
}
