// Creates a lead with its relations, its company and its event, in one statement.
import { answeredFields } from '@rapport/contract/leads/fields'
import { leadRelations } from '@rapport/contract/leads/relations'
import { insertAnswer, isFirst } from '../../access/idempotency.sql.ts'
import type { Db } from '../../db/driver.ts'
import { columnNames, join, raw, type Sql, sql } from '../../db/sql.ts'
import { runStatement, Slot, type Statement, statement } from '../../db/statement.ts'
import type { Author } from '../../feed/author.ts'
import {
  type Changed,
  cutValues,
  type EventValues,
  eventValueNames,
  eventValues,
  insertEventRows,
} from '../../feed/record.sql.ts'
import type { Repeatable } from '../../http/handler.ts'
import { columnType } from './leads.columns.ts'
import { addToCount } from './leads.count.sql.ts'
import { attributePrefix } from './leads.journal.sql.ts'
import { plainJson } from './leads.json.sql.ts'
import { companyClaim, isCompanyNamed } from './leads.match.ts'
import { defaultPlace } from './leads.place.ts'
import { insertSearch, searchedColumns } from './leads.search.sql.ts'

/** A new lead. All ids are checked to be UUIDs, but not yet to exist. */
export interface NewLead {
  id: string
  /** The caller has chosen the id, so another lead may have it. */
  isIdGiven: boolean
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

interface Input extends NewLead {
  event: EventValues
  request: Repeatable | undefined
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
  const input = { ...lead, event: eventValues(by), request }
  const [row] = await runStatement<{ json: string }[], Input>(db, insertOf(input), input)
  return row?.json
}

/** Callers send the same few sets of fields. A caller who varies them must not fill the memory. */
const maxStatements = 200
const statements = new Map<string, Statement<Input>>()

/** The statement for leads with the same fields and the same kinds of relations. */
function insertOf(lead: Input): Statement<Input> {
  const names = Object.keys(lead.fields)
  const kinds = [lead.lists, lead.status, lead.tags, lead.owners, lead.attributes, lead.relations]
  const isThere = [...kinds.map(({ length }) => length), lead.isIdGiven, lead.company, lead.request]
  const shape = `${names}:${isThere.map(Boolean)}`
  const known = statements.get(shape)
  if (known) return known
  if (statements.size === maxStatements) statements.clear()
  const built = statement<Input>(insertStatement(lead, names))
  statements.set(shape, built)
  return built
}

const slot = (read: (input: Input) => unknown) => new Slot(read)
const space = slot(({ event }) => event.space)
const now = slot(({ event }) => event.at)
const id = slot((lead) => lead.id)
const user = slot(({ fields }) => fields.usersId)
const event = {
  ...(Object.fromEntries(
    eventValueNames.map((name) => [name, slot((input) => input.event[name])]),
  ) as EventValues),
  space,
  at: now,
}
const company = {
  id: slot((lead) => lead.company?.id),
  name: slot((lead) => lead.company?.name),
  avatar_url: slot((lead) => lead.company?.avatar_url),
  linkedin_url: slot((lead) => lead.company?.linkedin_url),
}
const ids = {
  lists: slot((lead) => lead.lists),
  status: slot((lead) => lead.status),
  tags: slot((lead) => lead.tags),
  owners: slot((lead) => lead.owners),
  attributes: slot((lead) => lead.attributes.map((each) => each.id)),
  relations: slot((lead) => lead.relations),
}
const versions = slot((lead) => lead.attributes.map(({ version }) => version))
const place = slot((lead) => defaultPlace(lead.id, Date.parse(lead.event.at as string)))
const request = {
  id_space: space,
  id_key: slot((input) => input.request?.id_key),
  key: slot((input) => input.request?.key),
  fingerprint: slot((input) => input.request?.fingerprint),
}

const createdJson = plainJson(answeredFields)

/** What of the lead is there decides the text; its values are read when the statement is sent. */
function insertStatement(lead: Input, names: string[]): Sql {
  const has = (name: keyof typeof ids) => lead[name].length > 0
  const parts: Sql[] = []
  const conditions: Sql[] = [sql`true`]
  const after: Sql[] = []
  /** Adds the condition that the query finds as many rows as there are ids: every id of a set exists. */
  const requireAll = (name: keyof typeof ids, found: Sql) =>
    conditions.push(
      sql`(select count(*) from (${found}) found) = ${slot((lead) => lead[name].length)}::int`,
    )

  if (has('status')) {
    // The last of several statuses of one list counts.
    parts.push(
      sql`found_status as (
        select id, id_list from status
        where id_space = ${space} and id = any(${ids.status}::uuid[]))`,
      sql`wanted_status as (
        select distinct on (id_list) id, id_list from found_status
        order by id_list, array_position(${ids.status}::uuid[], id) desc)`,
    )
    requireAll('status', sql`select 1 from found_status`)
    after.push(sql`new_status as (
      insert into lead_status (id_space, id_lead, id_status, id_list, place)
      select ${space}::uuid, made.id, wanted_status.id, wanted_status.id_list, ${place}::bytea
      from made, wanted_status)`)
  }
  const inLists = has('lists') || has('status')
  if (inLists) {
    // Lock the lists, so that none is deleted before this is done. In the order of their ids, as all
    // transactions do.
    parts.push(sql`wanted_list as (
      select id from list
      where id_space = ${space} and not is_deleted and (id = any(${ids.lists}::uuid[])
        ${has('status') ? sql`or id in (select id_list from wanted_status)` : sql``})
      order by id for share)`)
    requireAll('lists', sql`select 1 from wanted_list where id = any(${ids.lists}::uuid[])`)
    after.unshift(sql`new_list as (
      insert into lead_list (id_space, id_lead, id_list)
      select ${space}::uuid, made.id, wanted_list.id from made, wanted_list)`)
  }
  for (const name of ['tags', 'owners'] as const) {
    if (!has(name)) continue
    const { record, join: table, column } = leadRelations[name]
    requireAll(
      name,
      sql`select 1 from ${raw(record)} where id_space = ${space} and id = any(${ids[name]}::uuid[])`,
    )
    after.push(sql`${raw(`new_${record}`)} as (
      insert into ${raw(table)} (id_space, id_lead, ${raw(column)})
      select ${space}::uuid, made.id, wanted.id
      from made, unnest(${ids[name]}::uuid[]) as wanted (id))`)
  }
  if (has('attributes')) {
    // Lock the definitions, and require the version that the values were checked against. The condition
    // on wanted_list is always true: it makes PostgreSQL lock the lists before the attributes, the order
    // of all transactions.
    parts.push(sql`used_attribute as (
      select id from attribute
      where id_space = ${space} and id = any(${ids.attributes}::uuid[])
        and version = (${versions}::int[])[array_position(${ids.attributes}::uuid[], id)]
        ${inLists ? sql`and (select count(*) from wanted_list) >= 0` : sql``}
      order by id for share)`)
    requireAll('attributes', sql`select 1 from used_attribute`)
  }
  if (has('relations')) {
    requireAll(
      'relations',
      sql`select 1 from lead
        where id_space = ${space} and id = any(${ids.relations}::uuid[]) and not is_deleted`,
    )
  }
  if (lead.company) {
    // Only one of several concurrent requests can create the company: its claim is unique.
    const name = sql`${company.name}::text`
    after.push(sql`new_company as (
      insert into lead (${companyColumns})
      select ${companyValues(space, company, user, now)}
      from made
      where not exists (
        select 1 from lead where lead.id_space = ${space} and ${isCompanyNamed(name)})
      on conflict do nothing
      returning ${searchedColumns})`)
  }
  const created = (columns: Sql) => sql`select ${columns} from new_lead
    ${lead.company ? sql`union all select ${columns} from new_company` : sql``}`
  after.push(
    sql`searched as (${insertSearch(sql`${space}`, created(searchedColumns))})`,
    sql`logged as (${insertEventRows(event, 'lead.created', createdEvents(lead, inLists), sql`found.part`)})`,
    sql`counted as (${addToCount(
      space,
      sql`select count(*) as count from (
        select from made ${lead.company ? sql`union all select from new_company` : sql``}) created
        having count(*) > 0`,
    )})`,
    sql`answer as (
      select row_to_json(item)::text as json from (select ${createdJson} from new_lead lead) item)`,
  )
  if (lead.request) after.push(sql`stored as (${insertAnswer(request, now, sql`answer`)})`)

  const own = ['id_space', 'id', 'created_at', 'updated_at']
  const values = [
    ...[sql`${space}::uuid`, sql`${id}::uuid`, sql`${now}::timestamptz`, sql`${now}::timestamptz`],
    ...names.map(field),
  ]
  const found = join(conditions, ' and ')
  const insert = sql`new_lead as (
    insert into lead (${columnNames([...own, ...names])})
    select ${join(values, ', ')}
    where ${lead.request ? sql`case when ${isFirst(request)} then ${found} end` : found}
    ${lead.isIdGiven ? sql`on conflict do nothing` : sql``}
    returning ${columnNames(answeredFields)})`
  // The parts that need no more than the id read it from here: new_lead has many columns, and each scan of it
  // takes its time.
  const made = sql`made as materialized (select id from new_lead)`
  return sql`with ${join([...parts, insert, made, ...after], ', ')} select json from answer`
}

export const companyColumns = raw(`
  id_space, id, company, avatar_url, linkedin_url, linkedin_company_url, is_company, company_claim,
  "usersId", created_at, updated_at`)

/** The values of `companyColumns`: the company that is created with a lead. */
export function companyValues(
  space: unknown,
  { id, name, avatar_url, linkedin_url }: Record<keyof NonNullable<NewLead['company']>, unknown>,
  user: unknown,
  now: unknown,
): Sql {
  return sql`${space}::uuid, ${id}::uuid, ${name}::text, ${avatar_url}::text, ${linkedin_url}::text,
    ${linkedin_url}::text, true, ${companyClaim(sql`${name}::text`)}, ${user}::uuid,
    ${now}::timestamptz, ${now}::timestamptz`
}

function field(name: string): Sql {
  if (name === 'usersId') return sql`${user}::uuid`
  const type = columnType(name)
  if (type !== 'jsonb') return sql`${slot(({ fields }) => fields[name])}::${raw(type)}`
  return sql`${slot(({ fields }) => asJson(fields[name]))}::text::jsonb`
}

const asJson = (value: unknown) => (value === null ? null : JSON.stringify(value))

/** The events of the new lead and of the company beside it, from the parts of the statement. */
function createdEvents(lead: NewLead, inLists: boolean): Sql {
  const connected = (name: string, from: Sql) =>
    sql`|| jsonb_build_object(${raw(`'${name}'`)},
      jsonb_build_array('[]'::jsonb, to_jsonb(array(select id from ${from} found order by id))))`
  const own = sql`select 1 as part, array[made.id] as ids, null::uuid[] as leads,
      ${slot((lead) => JSON.stringify(cutValues(changedOf(lead))))}::text::jsonb
      ${inLists ? connected('lists', raw('wanted_list')) : sql``}
      ${lead.status.length > 0 ? connected('status', raw('wanted_status')) : sql``} as changed
    from made`
  if (!lead.company) return own
  return sql`${own} union all
    select 2, array[new_company.id], null::uuid[],
      ${slot((lead) => JSON.stringify(cutValues(changedOfCompany(lead))))}::text::jsonb
    from new_company`
}

/** What the event says of the new lead. Its lists and statuses are known in the statement only. */
export function changedOf({ fields, tags, owners }: NewLead): Changed {
  const changed: Changed = {}
  for (const [name, value] of Object.entries(fields)) {
    if (name === 'usersId' || name === 'attributes' || value === null || value === undefined)
      continue
    changed[name] = [null, value]
  }
  for (const [id, value] of Object.entries((fields.attributes ?? {}) as object)) {
    changed[attributePrefix + id] = [null, value]
  }
  if (tags.length > 0) changed.tags = [[], tags]
  if (owners.length > 0) changed.owners = [[], owners]
  return changed
}

export function changedOfCompany({ company }: NewLead): Changed {
  const { name, avatar_url, linkedin_url } = company as NonNullable<NewLead['company']>
  return {
    company: [null, name],
    is_company: [null, true],
    ...(avatar_url && { avatar_url: [null, avatar_url] }),
    ...(linkedin_url && { linkedin_url: [null, linkedin_url] }),
  }
}
