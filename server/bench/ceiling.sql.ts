// The statements of the ceiling, each written by hand for one operation. $1 is the workspace.
import { answeredFields, contactsFields, foundFields } from '@rapport/contract/leads/fields'
import { leadRelations, toldRelations } from '@rapport/contract/leads/relations'
import { columnType } from '../src/resources/leads/row/columns.ts'
import { companyKey as companyName, matchExpression } from '../src/resources/leads/search/match.ts'

const column = (name: string) => {
  const type = columnType(name)
  if (type === 'numeric') return `round(lead."${name}") as "${name}"`
  return type === 'timestamptz'
    ? `to_char(lead."${name}" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "${name}"`
    : `lead."${name}"`
}
const fields = (names: readonly string[]) => names.map(column).join(', ')

const plain = fields(answeredFields)
const searched = fields(
  foundFields.filter((name) => answeredFields.some((other) => other === name)),
)
const emailKey = matchExpression('email').text
const companyKey = companyName.text

/** $2 is an email in lower case. `materialized`: find the leads with it first, then the oldest. */
export const searchStatement = `
  with found as materialized (
    select lead.* from lead
    where lead.id_space = $1 and not lead.is_deleted
      and left(${emailKey}, 255) = left($2::text, 255))
  select row_to_json(item)::text as json from (
    select ${searched}, lead.id_twitter_company, lead.id_twitter,
      coalesce((
        select row_to_json(employer)::text from (
          select ${searched} from lead
          where lead.id_space = $1 and lead.is_company and not lead.is_deleted
            and left(${companyKey}, 255) = left(lower(person.company), 255) and lead.id <> person.id
          order by lead.created_at, lead.id limit 1) employer), '') as company_enrich,
      coalesce(lead.custom_fields::text, '') as custom_fields,
      (select coalesce(json_agg(definition), '[]')::text from (
        select id, slug, name, type, description, is_multi as "isMultiSelect" from attribute
        where id_space = $1 order by created_at, id) definition) as custom_fields_schema
    from found lead, lateral (select lead.id, lead.company) person
    order by lead.created_at, lead.id limit 1) item`

/** The number of leads, as a subquery. $2 is the tag, or the pattern of a word. */
export const total = {
  all: '(select sum(count) from lead_count where id_space = $1)',
  tagged: `((select count(*) from lead_tag where id_space = $1 and id_tag = $2) - (
    select count(*) from lead where id_space = $1 and is_deleted
      and id in (select id_lead from lead_tag where id_space = $1 and id_tag = $2)))`,
  found: `((select count(*) from lead_search where id_space = $1 and text like $2) - (
    select count(*) from lead where id_space = $1 and is_deleted
      and id in (select id_lead from lead_search where id_space = $1 and text like $2)))`,
}

/** Name, table, column, the referenced table, and the columns of that in the response. */
const relations = toldRelations.map((name) => {
  const { join, column, record, told } = leadRelations[name]
  const item = told.map((field) =>
    field === 'id_list' ? `coalesce(${record}.id_list::text, '') as id_list` : `${record}.${field}`,
  )
  return [name, join, column, record, item.join(', ')] as const
})

const related = (which: string) =>
  relations.map(
    ([name, table, column, other, item]) => `
  ${name} as (
    select ${table}.id_lead,
      json_agg((select item from (select ${item}) item) order by ${other}.id) as items
    from ${table} join ${other} on ${other}.id_space = $1 and ${other}.id = ${table}.${column}
    where ${table}.id_space = $1 ${which}
    group by ${table}.id_lead)`,
  )

const further = contactsFields.map((name) => `coalesce(lead.${name}, '[]') as ${name}`).join(', ')
const withRelations = `${plain}, lead.contract_value as contract_amount, ${further}, ${relations
  .map(([name]) => `coalesce(${name}.items, '[]') as ${name}`)
  .join(', ')}, lead.attributes`
const joinRelations = relations
  .map(([name]) => `left join ${name} on ${name}.id_lead = lead.id`)
  .join(' ')

/** The whole response: the newest 50 with their relations, and the total. */
export const listStatement = (condition: string, total: string, offset = '') => `
  with page as materialized (
    select lead.* from lead
    where lead.id_space = $1 and not lead.is_deleted and ${condition}
    order by lead.created_at desc, lead.id limit 50 ${offset}),
  ${related('and id_lead = any(array(select id from page))').join(', ')}
  select '{"leads":' || coalesce(json_agg(row_to_json(item)), '[]')::text
    || ',"pagination":{"page":1,"page_size":50,"next_cursor":50},"total":' || ${total} || '}' as json
  from (
    select ${withRelations} from page lead ${joinRelations}
    order by lead.created_at desc, lead.id) item`

/** Every lead as in that answer, newest first. COPY takes no parameters. */
export const copyStatement = (space: string) =>
  `copy (
    with ${related('').join(', ')}
    select row_to_json(item) from (
      select ${withRelations} from lead ${joinRelations}
      where lead.id_space = $1 and not lead.is_deleted
      order by lead.created_at desc, lead.id) item) to stdout`.replaceAll('$1', `'${space}'`)

/**
 * Creates a person with a new company, a list, a status of the list, a tag and an owner. $2 to $7 are
 * id, first name, last name, email, company and its id; $8 to $12 are list, status, tag, owner, time.
 */
export const createStatement = `
  with new_lead as (
    insert into lead (
      id_space, id, first_name, last_name, email, company, "usersId", created_at, updated_at)
    values ($1, $2, $3, $4, $5, $6, $11, $12, $12) returning *),
  new_company as (
    insert into lead (
      id_space, id, company, is_company, company_claim, "usersId", created_at, updated_at)
    select $1::uuid, $7::uuid, $6, true, md5(lower($6)), $11, $12, $12
    where not exists (
      select from lead where lead.id_space = $1 and lead.is_company and not lead.is_deleted
        and left(${companyKey}, 255) = left(lower($6), 255))
    on conflict do nothing returning id),
  searched as (
    insert into lead_search (id_space, id_lead, text)
    select $1::uuid, $2::uuid, lower($3 || e'\\n' || $4 || e'\\n' || $6 || e'\\n' || $5)
    union all select $1::uuid, id, lower($6) from new_company),
  new_list as (insert into lead_list (id_space, id_lead, id_list) values ($1, $2, $8)),
  new_status as (
    insert into lead_status (id_space, id_lead, id_status, id_list) values ($1, $2, $9, $8)),
  new_tag as (insert into lead_tag (id_space, id_lead, id_tag) values ($1, $2, $10)),
  new_owner as (insert into lead_owner (id_space, id_lead, id_member) values ($1, $2, $11)),
  counted as (
    insert into lead_count (id_space, slot, count)
    select $1::uuid, pg_backend_pid() % 64, 1 + count(*) from new_company
    on conflict (id_space, slot) do update set count = lead_count.count + excluded.count)
  select row_to_json(item)::text as json from (select ${plain} from new_lead lead) item`
