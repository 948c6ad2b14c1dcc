// Workspaces with hundreds of thousands of leads, made by SQL: for tests of query plans and for
// benchmarks.

import type { Db, Pool } from '../src/db/driver.ts'
import { raw, rowValues, run, sql } from '../src/db/sql.ts'
import { newId } from '../src/ids.ts'
import { makeSearchable } from './insert-lead.ts'

export interface BigWorkspace {
  id_space: string
  /** `share` is the share of the leads that are in the list. */
  lists: Shared[]
  /** Statuses of the first list. Each lead of the list has one. */
  listStatuses: Shared[]
  /** Statuses of the workspace. Two thirds of the leads have one. */
  statuses: Shared[]
  tags: Shared[]
  /** One tag for the oldest hundredth of the leads, one for the newest. */
  ages: { old: string; new: string }
  campaign: string
  step: string
  owners: Shared[]
  attributes: { text: string; number: string; select: string }
  /** Options of the SELECT attribute. */
  options: Shared[]
}

interface Shared {
  id: string
  share: number
}

const shared = (shares: number[]): Shared[] => shares.map((share) => ({ id: newId(), share }))

/**
 * Fills existing workspaces that have no leads. Creates the indexes after the rows, which takes a
 * fraction of the time. At the end it runs VACUUM ANALYZE, as autovacuum would.
 */
export async function fillBigWorkspaces(
  db: Pool,
  spaces: { id_space: string; owner: string; leads: number }[],
): Promise<BigWorkspace[]> {
  const indexes = await dropIndexes(db)
  const filled = await Promise.all(
    spaces.map(({ id_space, owner, leads }) =>
      db.begin(async (tx) => {
        await skipForeignKeys(tx)
        return fill(tx, id_space, owner, leads)
      }),
    ),
  )
  // Two at a time: each keeps a core busy.
  await Promise.all([makeIndexes(db, indexes), makeIndexes(db, indexes)])
  await run(db, sql`vacuum analyze`)
  return filled
}

const bigTables = ['lead', 'lead_search', 'lead_list', 'lead_status', 'lead_tag', 'lead_owner']

/** Keeps those of constraints. Returns the statements to create the others again, slow ones first. */
async function dropIndexes(db: Pool): Promise<string[]> {
  const rows = await run<{ name: string; definition: string }[]>(
    db,
    sql`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
    from pg_index
    where indrelid::regclass::text = any(${bigTables})
      and not exists (select from pg_constraint where conindid = indexrelid)
    order by pg_get_indexdef(indexrelid) like '%USING gin%' desc, 1`,
  )
  for (const { name } of rows) await db.unsafe(`drop index ${name}`)
  return rows.map(({ definition }) => definition)
}

/** Creates one index after another until none is left. Takes each definition off the list. */
async function makeIndexes(db: Pool, definitions: string[]): Promise<void> {
  await db.begin(async (tx) => {
    await run(tx, sql`set local maintenance_work_mem = '256MB'`)
    await run(tx, sql`set local max_parallel_maintenance_workers = 0`)
    for (let next = definitions.shift(); next; next = definitions.shift()) await tx.unsafe(next)
  })
}

/** The rows are consistent, and checking a million references takes longer than writing them. */
async function skipForeignKeys(tx: Db): Promise<void> {
  const [user] = await run(tx, sql`select rolsuper from pg_roles where rolname = current_user`)
  if (user?.rolsuper) await run(tx, sql`set local session_replication_role = replica`)
}

async function fill(tx: Db, space: string, owner: string, leads: number): Promise<BigWorkspace> {
  const big: BigWorkspace = {
    id_space: space,
    lists: shared([0.1, 0.4, 0.05, 0.01, 0.001]),
    listStatuses: shared([0.6, 0.3, 0.1]),
    statuses: shared([0.3, 0.2, 0.1, 0.05, 0.01]),
    tags: shared([0.01, 0.3, 0.1, 0.05, 0.001]),
    owners: [{ id: owner, share: 0.5 }, ...shared([0.3, 0.15, 0.05])],
    attributes: { text: newId(), number: newId(), select: newId() },
    options: shared([0.7, 0.2, 0.05, 0.04, 0.01]),
    ages: { old: newId(), new: newId() },
    campaign: newId(),
    step: newId(),
  }
  await fillDefinitions(tx, big)
  await run(tx, sql`select setseed(0.5)`)
  await fillLeads(tx, big, leads)
  await makeSearchable(tx, space)
  await fillRelations(tx, big)
  await fillHistory(tx, big, owner)
  await run(
    tx,
    sql`
    insert into lead_count (id_space, slot, count)
    select id_space, 0, count(*) from lead
    where id_space = ${space} and not is_deleted group by id_space`,
  )
  return big
}

async function fillDefinitions(tx: Db, big: BigWorkspace): Promise<void> {
  const { id_space } = big
  const time = '2024-01-01T00:00:00.000Z'
  const dated = { id_space, created_at: time, updated_at: time }
  const list = big.lists.map(({ id, share }, order) => ({
    ...dated,
    id,
    order,
    name: `List of ${share * 100}%`,
    emoji: '',
    description: '',
    schema: '',
    can_be_delete: true,
    favorite: false,
    attribute_definitions_order: [],
    is_deleted: false,
  }))
  const named = ({ id, share }: Shared, order: number) => ({
    ...dated,
    id,
    order,
    name: `Of ${share * 100}%`,
    color: '#6366f1',
    icon: '',
    ai_enabled: false,
    ai_instructions_text: '',
    ai_rules_text: '',
  })
  const status = [
    ...big.listStatuses.map((entry, order) => ({
      ...named(entry, order),
      id_list: big.lists[0]?.id ?? null,
    })),
    ...big.statuses.map((entry, order) => ({ ...named(entry, order), id_list: null })),
  ].map((row) => ({ ...row, instructions: '', success_rate: 0 }))
  const ages = Object.values(big.ages).map((id) => ({ id, share: 0.01 }))
  const tag = [...big.tags, ...ages].map((entry, order) => ({ ...named(entry, order), show: true }))
  const member = big.owners.slice(1).map(({ id }) => ({
    id_space,
    id,
    name: 'Colleague',
    email: `${id}@example.com`,
    role: 'write',
    created_at: time,
  }))
  const attribute = Object.entries(big.attributes).map(([slug, id]) => ({
    ...dated,
    id,
    slug,
    name: slug,
    type: slug.toUpperCase(),
    description: '',
    currency: '',
    is_multi: false,
    is_system: false,
  }))
  const option = big.options.map(({ id, share }, position) => ({
    id_space,
    id_attribute: big.attributes.select,
    id,
    name: `Of ${share * 100}%`,
    color: '',
    position,
  }))
  await run(tx, sql`insert into list ${rowValues(list)}`)
  await run(tx, sql`insert into status ${rowValues(status)}`)
  await run(tx, sql`insert into tag ${rowValues(tag)}`)
  await run(tx, sql`insert into member ${rowValues(member)}`)
  await run(tx, sql`insert into attribute ${rowValues(attribute)}`)
  await run(tx, sql`insert into attribute_option ${rowValues(option)}`)
}

const firstNames =
  'Ada Grace Alan Edsger Barbara Donald Frances Ken Dennis Margaret Niklaus Radia Tim Linus Anita Katherine Dorothy Mary Hedy Karen Sophie Joan Leslie Shafi Adele Lynn Jean Evelyn Erna Ruth Émilie José Søren Łukasz Jürgen Zoë François Björn Ángela Nuño'
const lastNames =
  'Lovelace Hopper Turing Dijkstra Liskov Knuth Allen Thompson Ritchie Hamilton Wirth Perlman Lee Torvalds Borg Johnson Vaughan Jackson Lamarr Jones Wilson Clarke Lamport Goldwasser Goldberg Conway Bartik Boyd Hoover Teitelbaum Müller García Nguyen Okafor Silva Kowalski Rossi Novak Haddad Tanaka Smith Brown Weber Schmidt Dubois Lefèvre Andersen Larsen Nielsen Horvat Popescu Yilmaz Kaya Cohen Levi Singh Patel Sharma Wang Chen'
const trades =
  'Bakery Consulting Energy Foods Freight Garden Health Insurance Labs Legal Media Metals Mining Motors Optics Paper Pharma Press Robotics Rubber Shipping Software Solar Steel Studio Textiles Tools Travel Water Works'
const cities =
  'London Paris Berlin Madrid Roma Wien Zürich Oslo København Stockholm Helsinki Warszawa Praha Budapest Lisboa Dublin Amsterdam Bruxelles Athens İstanbul'
const jobs = 'CEO|CTO|Head of Sales|Buyer|Engineer|Office Manager|Head of Marketing|Founder'

/** Ids sort by age, as in the service. One lead in 50 is a company, one in 100 is deleted. */
async function fillLeads(tx: Db, big: BigWorkspace, leads: number): Promise<void> {
  const { id_space, attributes } = big
  const options = big.options.map(({ id }) => id)
  await run(
    tx,
    sql`
    insert into lead (
      id_space, id, first_name, last_name, email, company, company_role, phone, city,
      linkedin_url, twitter_name, website_url, score, email_bounce_score, contract_value,
      icebreaker, is_company, is_tracked, is_contract, ai_enabled, is_deleted, attributes,
      last_interaction_at, created_at, updated_at)
    select
      ${id_space}::uuid,
      (lpad(to_hex((extract(epoch from made) * 1000)::bigint), 12, '0') || '7'
        || substr(hash, 1, 3) || '8' || substr(hash, 4, 15))::uuid,
      case when not is_company then first end,
      case when not is_company then last end,
      case when chance[1] < 0.85 then lower(first || '.' || last) || n || '@'
        || lower(replace(company, ' ', '-')) || '.example' end,
      company,
      case when not is_company then job[1 + (chance[2] * cardinality(job))::int % cardinality(job)] end,
      case when chance[3] < 0.6 then '+44 20 7' || lpad((n % 1000000)::text, 6, '0') end,
      city[1 + (chance[4] * cardinality(city))::int % cardinality(city)],
      case when chance[5] < 0.7 then
        'https://www.linkedin.com/in/' || lower(first || '-' || last) || '-' || n || '/' end,
      case when chance[6] < 0.2 then '@' || lower(first) || n end,
      case when is_company then 'https://' || lower(replace(company, ' ', '-')) || '.example' end,
      case when chance[7] < 0.8 then (chance[8] * 100)::int end,
      case when chance[9] < 0.5 then (chance[10] * 100)::int end,
      case when chance[11] < 0.1 then (chance[12] * 100000)::int end,
      case when chance[1] < 0.3 then 'Saw your talk in ' || city[1 + n % cardinality(city)] end,
      is_company,
      case when chance[2] < 0.2 then chance[2] < 0.1 end,
      chance[11] < 0.1,
      chance[5] < 0.03,
      chance[6] > 0.99,
      jsonb_strip_nulls(jsonb_build_object(
        ${attributes.text}::text, 'Code ' || n % 5000,
        ${attributes.number}::text, case when chance[4] < 0.5 then n % 1000 end,
        ${attributes.select}::text, case
          when chance[3] < 0.7 then ${options[0] ?? ''}::text
          when chance[3] < 0.9 then ${options[1] ?? ''}::text
          when chance[3] < 0.95 then ${options[2] ?? ''}::text
          when chance[3] < 0.99 then ${options[3] ?? ''}::text
          else ${options[4] ?? ''}::text end)),
      case when chance[9] < 0.3 then made + chance[10] * interval '30 days' end,
      made,
      made
    from (
      select n, md5(n::text) as hash, n % 50 = 0 as is_company, job, city,
        '2024-01-01T00:00:00Z'::timestamptz + n * (interval '700 days' / ${leads}::int) as made,
        array(select random() from generate_series(1, 12 + n * 0)) as chance,
        first[1 + n * 7 % cardinality(first)] as first,
        last[1 + n / 3 % cardinality(last)] as last,
        last[1 + n * 11 % cardinality(last)] || ' ' || trade[1 + n / 13 % cardinality(trade)] as company
      from generate_series(1, ${leads}::int) as n,
        string_to_array(${firstNames}, ' ') as first,
        string_to_array(${lastNames}, ' ') as last,
        string_to_array(${trades}, ' ') as trade,
        string_to_array(${cities}, ' ') as city,
        string_to_array(${jobs}, '|') as job
    ) made_up`,
  )
}

async function fillRelations(tx: Db, big: BigWorkspace): Promise<void> {
  const { id_space } = big
  const ids = (entries: Shared[]) => entries.map(({ id }) => id)
  const shares = (entries: Shared[]) => entries.map(({ share }) => share)
  // The shares as consecutive ranges between 0 and 1: a random number chooses one of them.
  const from = (entries: Shared[]) =>
    entries.map((_, at) => entries.slice(0, at).reduce((sum, { share }) => sum + share, 0))
  const to = (entries: Shared[]) =>
    from(entries).map((start, at) => start + (entries[at]?.share ?? 0))

  /** A lead may have several of them. */
  const relateSome = (table: string, column: string, entries: Shared[]) =>
    run(
      tx,
      sql`
    insert into ${raw(table)} (id_space, id_lead, ${raw(column)})
    select ${id_space}::uuid, id_lead, id
    from (
      select lead.id as id_lead, entry.*, random() as chance
      from lead, unnest(${ids(entries)}::uuid[], ${shares(entries)}::float[]) as entry (id, share)
      where lead.id_space = ${id_space}) pair
    where chance < share`,
    )
  /** A lead has at most one of them. */
  const relateOne = (table: string, column: string, entries: Shared[]) =>
    run(
      tx,
      sql`
    insert into ${raw(table)} (id_space, id_lead, ${raw(column)})
    select ${id_space}::uuid, lead.id, entry.id
    from (select id, random() as chance from lead where id_space = ${id_space}) lead
    join unnest(
      ${ids(entries)}::uuid[], ${from(entries)}::float[], ${to(entries)}::float[]
    ) as entry (id, low, high) on chance >= low and chance < high`,
    )
  await relateSome('lead_list', 'id_list', big.lists)
  await relateSome('lead_tag', 'id_tag', big.tags)
  await relateOne('lead_owner', 'id_member', big.owners)
  await relateOne('lead_status', 'id_status', big.statuses)
  await run(
    tx,
    sql`
    insert into lead_status (id_space, id_lead, id_status, id_list)
    select ${id_space}::uuid, id_lead, status.id, id_list
    from (
      select id_lead, id_list, random() as chance from lead_list
      where id_space = ${id_space} and id_list = ${big.lists[0]?.id ?? null}) listed
    join unnest(
      ${ids(big.listStatuses)}::uuid[], ${from(big.listStatuses)}::float[],
      ${to(big.listStatuses)}::float[]
    ) as status (id, low, high) on chance >= low and chance < high`,
  )
}

/** Campaigns, notes and reminders of a part of the leads, and two tags that depend on the age. */
async function fillHistory(tx: Db, big: BigWorkspace, owner: string): Promise<void> {
  const { id_space, ages, campaign, step } = big
  const time = '2024-01-01T00:00:00.000Z'
  await run(
    tx,
    sql`insert into lead_tag (id_space, id_lead, id_tag)
      select ${id_space}::uuid, id, case when tile = 1 then ${ages.old}::uuid else ${ages.new}::uuid end
      from (
        select id, ntile(100) over (order by created_at) as tile from lead
        where id_space = ${id_space}) aged
      where tile in (1, 100)`,
  )
  await run(
    tx,
    sql`insert into campaign ${rowValues({
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
    })}`,
  )
  await run(
    tx,
    sql`insert into campaign_step ${rowValues({
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
    })}`,
  )
  const some = (share: number) => sql`(
    select id, created_at, random() as chance from lead
    where id_space = ${id_space} and random() < ${share}) lead`
  await run(
    tx,
    sql`insert into lead_campaign (id_space, id_lead, id_campaign)
      select ${id_space}::uuid, id, ${campaign}::uuid from ${some(0.2)}`,
  )
  await run(
    tx,
    sql`insert into lead_step (id_space, id_lead, id_step, is_sent, is_opened, updated_at)
      select ${id_space}::uuid, id_lead, ${step}::uuid, true, random() < 0.3, ${time}
      from lead_campaign where id_space = ${id_space}`,
  )
  await run(
    tx,
    sql`insert into note (id_space, id, id_lead, content, created_at, updated_at)
      select ${id_space}::uuid, gen_random_uuid(), id, 'Called, will answer next week.',
        created_at + chance * interval '20 days', created_at + chance * interval '20 days'
      from ${some(0.2)}`,
  )
  const reminders = sql`
    insert into reminder (
      id_space, id, id_lead, name, ressource_link, date, cron, is_done, fired_at, created_at, updated_at)
    select ${id_space}::uuid, gen_random_uuid(), id, 'Call back', '', created_at + interval '7 days', '',
      chance < 0.9, created_at + interval '7 days', created_at, created_at
    from ${some(0.1)} returning id`
  await run(
    tx,
    sql`with made as (${reminders})
      insert into reminder_user (id_space, id_reminder, id_member)
      select ${id_space}::uuid, id, ${owner}::uuid from made`,
  )
  // As if members had changed leads one by one: a tenth of them, since the beginning.
  await run(
    tx,
    sql`with made as (
        insert into event (id_space, seq, type, at, id_member, way, ids, changed)
        select ${id_space}::uuid, row_number() over (order by created_at), 'lead.updated',
          created_at + interval '1 day', ${owner}::uuid, 'page', array[id], '{"city": [null, "Oslo"]}'
        from ${some(0.1)} returning seq)
      update event_head set seq = (select max(seq) from made) where id_space = ${id_space}`,
  )
}
