// Statements about one lead: insert, read, search.
import {
  answeredFields,
  foundFields,
  type LeadField,
  type MatchField,
} from '@rapport/contract/leads/fields'
import { leadRelations } from '@rapport/contract/leads/relations'
import { insertAnswer, isFirst } from '../../access/idempotency.sql.ts'
import type { Db } from '../../db/driver.ts'
import {
  columnNames,
  flattenText,
  join,
  jsonb,
  raw,
  run,
  runText,
  type Sql,
  sql,
} from '../../db/sql.ts'
import type { Author } from '../../feed/author.ts'
import { cutValues, insertEvents } from '../../feed/record.sql.ts'
import type { Repeatable } from '../../http/handler.ts'
import { typed } from './leads.columns.ts'
import { addToCount } from './leads.count.sql.ts'
import { attributePrefix } from './leads.journal.sql.ts'
import { leadsWithRelations, plainJson, selectJson } from './leads.json.sql.ts'
import { type Criterion, companyClaim, hasKey, isCompanyNamed } from './leads.match.ts'
import { defaultPlace } from './leads.place.ts'

const createdJson = plainJson(answeredFields)

/** A new lead. All ids are checked to be UUIDs, but not yet to exist. */
export interface NewLead {
  id: string
  /** Columns and values. */
  fields: Record<string, unknown>
  lists: string[]
  status: string[]
  tags: string[]
  owners: string[]
  /** The company to create with the lead, unless the workspace has it. */
  company: {
    id: string
    name: string
    avatar_url: string | null
    linkedin_url: string | null
  } | null
  /** The attribute definitions that the values were checked against. */
  attributes: { id: string; version: number }[]
  /** Leads that the attribute values refer to. */
  relations: string[]
}

/**
 * Writes the lead, its relations and its company in one statement, and returns the lead as JSON. If a
 * record that it refers to does not exist, or the id is taken, it writes nothing and returns undefined.
 * With a request, the statement also stores the JSON as its answer, and writes nothing if it is not the
 * first.
 */
export async function insertLead(
  db: Db,
  by: Author,
  lead: NewLead,
  request?: Repeatable,
): Promise<string | undefined> {
  const { space, now } = by
  const { lists, status, company, attributes, relations } = lead
  const parts: Sql[] = []
  const conditions: Sql[] = [sql`true`]
  const after: Sql[] = []
  /** Adds the condition that the query finds `count` rows: every id of a set exists. */
  const requireAll = (count: number, found: Sql) =>
    conditions.push(sql`(select count(*) from (${found}) found) = ${count}::int`)

  if (status.length > 0) {
    // The last of several statuses of one list counts.
    parts.push(sql`wanted_status as (
      select distinct on (status.id_list) status.id, status.id_list
      from unnest(${status}::uuid[]) with ordinality as wanted (id, place)
      join status on status.id_space = ${space} and status.id = wanted.id
      order by status.id_list, wanted.place desc)`)
    requireAll(
      status.length,
      sql`select 1 from status where id_space = ${space} and id = any(${status}::uuid[])`,
    )
    after.push(sql`new_status as (
      insert into lead_status (id_space, id_lead, id_status, id_list, place)
      select ${space}::uuid, new_lead.id, wanted_status.id, wanted_status.id_list,
        ${defaultPlace(lead.id, now.getTime())}::bytea
      from new_lead, wanted_status)`)
  }
  const inLists = lists.length > 0 || status.length > 0
  if (inLists) {
    // Lock the lists, so that none is deleted before this is done. In the order of their ids, as all
    // transactions do.
    parts.push(sql`wanted_list as (
      select id from list
      where id_space = ${space} and not is_deleted and (id = any(${lists}::uuid[])
        ${status.length > 0 ? sql`or id in (select id_list from wanted_status)` : sql``})
      order by id for share)`)
    requireAll(lists.length, sql`select 1 from wanted_list where id = any(${lists}::uuid[])`)
    after.unshift(sql`new_list as (
      insert into lead_list (id_space, id_lead, id_list)
      select ${space}::uuid, new_lead.id, wanted_list.id from new_lead, wanted_list)`)
  }
  for (const name of ['tags', 'owners'] as const) {
    const ids = lead[name]
    if (ids.length === 0) continue
    const { record, join: table, column } = leadRelations[name]
    const found = sql`select id from ${raw(record)} where id_space = ${space} and id = any(${ids}::uuid[])`
    requireAll(ids.length, found)
    after.push(sql`${raw(`new_${record}`)} as (
      insert into ${raw(table)} (id_space, id_lead, ${raw(column)})
      select ${space}::uuid, new_lead.id, found.id from new_lead, (${found}) found)`)
  }
  if (attributes.length > 0) {
    // Lock the definitions, and require the version that the values were checked against. The condition
    // on wanted_list is always true: it makes PostgreSQL lock the lists before the attributes, the order
    // of all transactions.
    parts.push(sql`used_attribute as (
      select attribute.id from attribute
      where attribute.id_space = ${space}
        and (attribute.id, attribute.version) in (
          select * from unnest(
            ${attributes.map(({ id }) => id)}::uuid[], ${attributes.map(({ version }) => version)}::int[]))
        ${inLists ? sql`and (select count(*) from wanted_list) >= 0` : sql``}
      order by attribute.id for share)`)
    requireAll(attributes.length, sql`select 1 from used_attribute`)
  }
  if (relations.length > 0) {
    requireAll(
      relations.length,
      sql`select 1 from lead
        where id_space = ${space} and id = any(${relations}::uuid[]) and not is_deleted`,
    )
  }
  if (company) {
    // Only one of several concurrent requests can create the company: its claim is unique.
    after.push(sql`new_company as (
      insert into lead (
        id_space, id, company, avatar_url, linkedin_url, linkedin_company_url, is_company,
        company_claim, "usersId", created_at, updated_at)
      select ${space}::uuid, ${company.id}::uuid, ${company.name}::text, ${company.avatar_url}::text,
        ${company.linkedin_url}::text, ${company.linkedin_url}::text, true,
        ${companyClaim(sql`${company.name}::text`)}, new_lead."usersId", new_lead.created_at, new_lead.updated_at
      from new_lead
      where not exists (
        select 1 from lead
        where lead.id_space = ${space} and ${isCompanyNamed(sql`${company.name}::text`)})
      on conflict do nothing
      returning id)`)
  }
  const created = company
    ? sql`select id from new_lead union all select id from new_company`
    : sql`select id from new_lead`
  after.push(sql`logged as (${insertEvents(by, 'lead.created', createdEvents(lead, inLists))})`)
  after.push(
    sql`counted as (${addToCount(
      space,
      sql`select count(*) as count from (${created}) created having count(*) > 0`,
    )})`,
  )
  after.push(
    sql`answer as (
      select row_to_json(item)::text as json from (select ${createdJson} from new_lead lead) item)`,
  )
  if (request) {
    after.push(sql`stored as (${insertAnswer(request, now, sql`answer`)})`)
  }

  const fields = {
    id_space: space,
    id: lead.id,
    created_at: now.toISOString(),
    updated_at: now.toISOString(),
    ...lead.fields,
  }
  const names = Object.keys(fields)
  const values = Object.entries(fields).map(([name, value]) => typed(name, value))
  const found = join(conditions, ' and ')
  const insert = sql`new_lead as (
    insert into lead (${columnNames(names)})
    select ${join(values, ', ')} where ${request ? sql`case when ${isFirst(request)} then ${found} end` : found}
    on conflict do nothing
    returning ${columnNames(answeredFields)})`

  const [row] = await run<{ json: string }[]>(
    db,
    sql`with ${join([...parts, insert, ...after], ', ')} select json from answer`,
  )
  return row?.json
}

/** The events of a new lead and of the company beside it, from the parts of the statement. */
function createdEvents(lead: NewLead, inLists: boolean): Sql {
  const { company, status } = lead
  const { usersId: _, attributes = {}, ...fields } = lead.fields
  const changed = cutValues(
    Object.fromEntries([
      ...Object.entries(fields).flatMap(([name, value]) =>
        value === null || value === undefined ? [] : [[name, [null, value]]],
      ),
      ...Object.entries(attributes as object).map(([id, value]) => [
        attributePrefix + id,
        [null, value],
      ]),
      ...(['tags', 'owners'] as const).flatMap((name) =>
        lead[name].length > 0 ? [[name, [[], lead[name]]]] : [],
      ),
    ]),
  )
  const connected = (name: string, from: Sql) =>
    sql`|| jsonb_build_object(${name}::text, jsonb_build_array('[]'::jsonb,
      (select coalesce(jsonb_agg(id order by id), '[]') from ${from} found)))`
  const own = sql`select array[new_lead.id] as ids, null::uuid[] as leads, ${jsonb(changed)}
      ${inLists ? connected('lists', raw('wanted_list')) : sql``}
      ${status.length > 0 ? connected('status', raw('wanted_status')) : sql``} as changed
    from new_lead`
  if (!company) return own
  const { id: _id, name, ...rest } = company
  const ofCompany = cutValues({
    company: [null, name],
    is_company: [null, true],
    ...Object.fromEntries(
      Object.entries(rest).flatMap(([name, value]) => (value ? [[name, [null, value]]] : [])),
    ),
  })
  return sql`${own} union all
    select array[new_company.id], null::uuid[], ${jsonb(ofCompany)} from new_company`
}

/** One lead with its relations, as JSON. */
export async function selectLead(db: Db, space: string, id: string): Promise<Buffer | undefined> {
  const json = (await selectJson(db, leadsWithRelations, space, [id])).subarray(1, -1)
  return json.length > 0 ? json : undefined
}

export async function idIsTaken(db: Db, space: string, id: string): Promise<boolean> {
  const rows = await run(db, sql`select 1 from lead where id_space = ${space} and id = ${id}`)
  return rows.length > 0
}

/** The fields of the company in `company_enrich`. */
const employerFields = foundFields.filter((name) => answeredFields.some((other) => other === name))
const employerJson = plainJson(employerFields)
/** Without custom_fields, which the statement below adds as text. */
const foundJson = plainJson(foundFields.filter((name: LeadField) => name !== 'custom_fields'))

/** Returns the lead that meets the most criteria as JSON. Of several, the oldest. */
export async function findLead(
  db: Db,
  space: string,
  criteria: Criterion[],
): Promise<Buffer | undefined> {
  const statement = findStatement(criteria.map(({ field }) => field))
  const values = [space, ...criteria.map(({ key }) => key)]
  return (await runText(db, statement, values))?.[0]
}

const findStatements = new Map<string, string>()

/**
 * The parameters are the workspace and the key of each field. The text is built once per set of fields.
 */
function findStatement(fields: MatchField[]): string {
  const name = fields.join()
  const known = findStatements.get(name)
  if (known !== undefined) return known
  const space = raw('$1')
  const conditions = fields.map(
    (field, index) => sql`(${hasKey(field, raw(`$${index + 2}::text`))})`,
  )
  const hits = conditions.map((condition) => sql`coalesce(${condition}::int, 0)`)
  const mostFirst = fields.length > 1 ? sql`${join(hits, ' + ')} desc,` : sql``
  // Materialized, because otherwise the planner may read all leads, oldest first, until one matches.
  const statement = sql`with found as materialized (
      select lead.* from lead
      where lead.id_space = ${space} and not lead.is_deleted and (${join(conditions, ' or ')}))
    select row_to_json(item)::text as json from (
      select ${foundJson},
        coalesce((
          select row_to_json(employer)::text from (
            select ${employerJson} from lead
            where lead.id_space = ${space} and ${isCompanyNamed(sql`person.company`)}
              and lead.id <> person.id
            order by lead.created_at, lead.id limit 1) employer), '') as company_enrich,
        coalesce(lead.custom_fields::text, '') as custom_fields,
        (select coalesce(json_agg(definition), '[]')::text from (
          select id, slug, name, type, description, is_multi as "isMultiSelect" from attribute
          where id_space = ${space} order by created_at, id) definition) as custom_fields_schema
      from (
        select lead.* from found lead
        order by ${mostFirst} lead.created_at, lead.id limit 1) lead,
        lateral (select lead.id, lead.company) person) item`
  const text = flattenText(statement.text)
  findStatements.set(name, text)
  return text
}
