// Statements that return leads as JSON. PostgreSQL builds the JSON, and the service sends the bytes
// unchanged.
import { answeredFields, extendedFields, leadFields } from '@rapport/contract/leads/fields'
import { leadRelations, type ToldRelation, toldRelations } from '@rapport/contract/leads/relations'
import { pageSizes } from '@rapport/contract/shapes'
import type { Db } from '../../../db/driver.ts'
import { flattenText, join, raw, runText, type Sql } from '../../../db/sql.ts'
import { concernsAny } from '../../../feed/concerns.sql.ts'
import { columnType } from './columns.ts'
import { leadCount } from './count.sql.ts'

const isoFormat = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`

/** The interface has whole numbers; files and previews have the decimals. */
type Amounts = 'whole' | 'exact'

/** The select list of a lead's plain fields, from a table called `lead`. */
export function plainJson(names: readonly string[], amounts: Amounts = 'whole'): Sql {
  const columns = names.map((name) => {
    const column = `lead."${name}"`
    const type = columnType(name)
    if (type === 'timestamptz') {
      return raw(`to_char(${column} at time zone 'UTC', ${isoFormat}) as "${name}"`)
    }
    const isRounded = type === 'numeric' && amounts === 'whole'
    return raw(isRounded ? `round(${column}) as "${name}"` : column)
  })
  return join(columns, ', ')
}

/** Columns that the JSON does not show unchanged. */
const convertedColumns: Record<string, string> = {
  'status.id_list': `coalesce(status.id_list::text, '') as id_list`,
}

/**
 * A CTE with one relation of all leads of the page. A subquery for each lead would take twice the time of
 * the whole page. Materialized, because otherwise the planner may run it once per lead.
 */
function related(name: ToldRelation): string {
  const { join: table, column, record, sort, told: fields } = leadRelations[name]
  const item = fields.map((field) => convertedColumns[`${record}.${field}`] ?? `${record}.${field}`)
  return `${name} as materialized (
    select ${table}.id_lead,
      json_agg((select item from (select ${item.join(', ')}) item)
        order by ${record}."${sort}", ${record}.id) as items
    from ${table}
    join ${record} on ${record}.id_space = $1 and ${record}.id = ${table}.${column}
    where ${table}.id_space = $1 and ${table}.id_lead = any(array(select id from wanted))
    group by ${table}.id_lead)`
}

/** The wanted leads: the ids of $2, in their order. */
const theseIds = 'select id, place from unnest($2::uuid[]) with ordinality as wanted (id, place)'

/**
 * The wanted leads: the newest ones. The limit is part of the text. As a parameter, the planner would
 * assume a tenth of the table, and would plan the statement again each time.
 */
const newest = `
  select id, row_number() over () as place from (
    select lead.id from lead where lead.id_space = $1 and not lead.is_deleted
    order by lead.created_at desc, lead.id limit ${pageSizes.otherwise}) newest`

interface JsonOptions {
  /** With relations and attributes. */
  include: boolean
  /** Other fields than those of the interface, with exact amounts. */
  names?: readonly string[]
  /** Further columns of each lead. */
  columns?: string[]
  /** Further columns of the answer. */
  more?: string
  of?: 'live' | 'deleted'
}

/** The fields that leads have in addition to those of the interface. */
const extensions = [
  'lead.contract_value as contract_amount',
  ...extendedFields.map((name) =>
    leadFields[name].kind === 'contacts'
      ? `coalesce(lead.${name}, '[]') as ${name}`
      : `lead.${name}`,
  ),
]

/** Returns the text of a statement that selects a JSON array of leads. $1 is the workspace. */
function jsonStatement(
  wanted: string,
  { include, names, columns: added = [], more = '', of = 'live' }: JsonOptions,
): string {
  const relations = include ? toldRelations : []
  const parts = [`wanted as materialized (${wanted})`, ...relations.map(related)]
  const columns = [
    names ? plainJson(names, 'exact').text : plainJson(answeredFields).text,
    ...(include && !names ? extensions : []),
    ...relations.map((name) => `coalesce(${name}.items, '[]') as ${name}`),
    ...(include ? ['lead.attributes'] : []),
    ...added,
  ]
  const joins = relations.map((name) => `left join ${name} on ${name}.id_lead = lead.id`)
  return flattenText(`with ${parts.join(', ')}
    select coalesce(json_agg(row_to_json(item)), '[]')::text as json ${more} from (
      select ${columns.join(', ')}
      from wanted
      join lead on lead.id_space = $1 and lead.id = wanted.id and ${of === 'live' ? 'not ' : ''}lead.is_deleted
      ${joins.join(' ')}
      order by wanted.place) item`)
}

/** Statements for selectJson. */
export const plainLeads = jsonStatement(theseIds, { include: false })
export const leadsWithRelations = jsonStatement(theseIds, { include: true })
export const leadsWithFields = (names: readonly string[]) =>
  jsonStatement(theseIds, { include: true, names })

/**
 * Deleted leads, with who deleted them last. Without a limit in the subquery: PostgreSQL would rather read the
 * feed from its end than look for the events of a lead.
 */
export const deletedLeads = jsonStatement(theseIds, {
  include: true,
  of: 'deleted',
  columns: [
    `(select (array_agg(event.id_member order by event.seq desc))[1] from event
      where event.id_space = $1 and event.type = 'lead.deleted'
        and ${concernsAny(raw('array[lead.id]')).text}) as deleted_by`,
  ],
})

/** A cached plan expects a few ids. From this number on, a plan for the actual ids is better. */
const manyIds = 100

/** The leads with these ids, in this order, as the bytes of a JSON array. */
export async function selectJson(
  db: Db,
  statement: string,
  space: string,
  ids: readonly string[],
): Promise<Buffer> {
  const sending = { sender: 'selectJson', prepare: ids.length < manyIds }
  const row = await runText(db, statement, [space, `{${ids.join(',')}}`], sending)
  return row?.[0] as Buffer
}

const oneLead = jsonStatement(theseIds, {
  include: true,
  more: `, (
    with recursive merged (id) as (
      select id from lead where id_space = $1 and merged_into = ($2::uuid[])[1]
      union
      select lead.id from merged join lead on lead.id_space = $1 and lead.merged_into = merged.id)
    select json_agg(id order by id)::text from merged) as merged_from`,
})

/** One lead with its relations, as JSON, and with the leads that were merged into it, if there are any. */
export async function selectLead(db: Db, space: string, id: string): Promise<Buffer | undefined> {
  const row = await runText(db, oneLead, [space, `{${id}}`], { sender: 'selectLead' })
  const [leads, merged] = row as [Buffer, Buffer | null]
  const json = leads.subarray(1, -1)
  if (json.length === 0) return undefined
  if (!merged) return json
  return Buffer.concat([json.subarray(0, -1), Buffer.from(`,"merged_from":${merged}}`)])
}

const total = `, ${leadCount(raw('$1')).text} as total`
const firstPage = {
  plain: jsonStatement(newest, { include: false, more: total }),
  include: jsonStatement(newest, { include: true, more: total }),
}

/** The first page of the whole workspace, newest first, and its total, in one statement. */
export async function selectNewest(
  db: Db,
  space: string,
  shape: keyof typeof firstPage,
): Promise<{ json: Buffer; total: number }> {
  const row = await runText(db, firstPage[shape], [space], { sender: 'selectNewest' })
  const [json, count] = row as [Buffer, Buffer]
  return { json, total: Number(count) }
}
