// Leads as JSON, built by PostgreSQL. The service passes the bytes on as they come.
import { answeredFields } from '@rapport/contract/leads/fields'
import { leadRelations, type ToldRelation, toldRelations } from '@rapport/contract/leads/relations'
import type { Db } from '../../db/driver.ts'
import { flattenText, join, raw, runText, type Sql } from '../../db/sql.ts'
import { columnType } from './leads.columns.ts'
import { leadCount } from './leads.count.sql.ts'

const isoFormat = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`

/** The select list of a lead's plain fields, from a table called `lead`. */
export function plainJson(names: readonly string[]): Sql {
  return join(
    names.map((name) =>
      columnType(name) === 'timestamptz'
        ? raw(`to_char(lead."${name}" at time zone 'UTC', ${isoFormat}) as "${name}"`)
        : raw(`lead."${name}"`),
    ),
    ', ',
  )
}

/** Columns that are not told as they are. */
const told: Record<string, string> = {
  'status.id_list': `coalesce(status.id_list::text, '') as id_list`,
}

/**
 * One relation of all the leads at once: asking for each lead by itself takes twice the time of the
 * whole page. Materialized, because the planner may otherwise run it again for each lead.
 */
function related(name: ToldRelation): string {
  const { join: table, column, record, sort, told: fields } = leadRelations[name]
  const item = fields.map((field) => told[`${record}.${field}`] ?? `${record}.${field}`)
  return `${name} as materialized (
    select ${table}.id_lead,
      json_agg((select item from (select ${item.join(', ')}) item)
        order by ${record}."${sort}", ${record}.id) as items
    from ${table}
    join ${record} on ${record}.id_space = $1 and ${record}.id = ${table}.${column}
    where ${table}.id_space = $1 and ${table}.id_lead = any(array(select id from wanted))
    group by ${table}.id_lead)`
}

/** The ids of $2, in their order. */
const theseIds = 'select id, place from unnest($2::uuid[]) with ordinality as wanted (id, place)'

/** The size of a page unless the caller asks for another. */
export const usualSize = 50

/**
 * The newest leads. The limit is part of the text: as a parameter the planner would guess a tenth of
 * the table, and would plan the statement anew each time.
 */
const newest = `
  select id, row_number() over () as place from (
    select lead.id from lead where lead.id_space = $1 and not lead.is_deleted
    order by lead.created_at desc, lead.id limit ${usualSize}) newest`

/** A statement that returns a JSON array of leads; $1 is the workspace. Its text is made once. */
function jsonStatement(
  wanted: string,
  include: boolean,
  names: readonly string[] = answeredFields,
  more = '',
): string {
  const beside = include ? toldRelations : []
  const parts = [`wanted as materialized (${wanted})`, ...beside.map(related)]
  const columns = [
    plainJson(names).text,
    ...beside.map((name) => `coalesce(${name}.items, '[]') as ${name}`),
    ...(include ? ['lead.attributes'] : []),
  ]
  const joins = beside.map((name) => `left join ${name} on ${name}.id_lead = lead.id`)
  return flattenText(`with ${parts.join(', ')}
    select coalesce(json_agg(row_to_json(item)), '[]')::text as json ${more} from (
      select ${columns.join(', ')}
      from wanted
      join lead on lead.id_space = $1 and lead.id = wanted.id and not lead.is_deleted
      ${joins.join(' ')}
      order by wanted.place) item`)
}

/** Statements for selectJson. */
export const plainLeads = jsonStatement(theseIds, false)
export const leadsWithRelations = jsonStatement(theseIds, true)
export const leadsWithFields = (names: readonly string[]) => jsonStatement(theseIds, true, names)

/** A cached plan expects a few ids. From this many on, a plan for the ids at hand is better. */
const manyIds = 100

/** The leads with these ids that are not deleted, in this order, as the bytes of a JSON array. */
export async function selectJson(
  db: Db,
  statement: string,
  space: string,
  ids: readonly string[],
): Promise<Buffer> {
  const prepare = ids.length < manyIds
  const row = await runText(db, statement, [space, `{${ids.join(',')}}`], { prepare })
  return row?.[0] as Buffer
}

const total = `, ${leadCount(raw('$1')).text} as total`
const firstPage = {
  plain: jsonStatement(newest, false, answeredFields, total),
  include: jsonStatement(newest, true, answeredFields, total),
}

/** The first page of the whole workspace, newest first, and its total, in one statement. */
export async function selectNewest(
  db: Db,
  space: string,
  shape: keyof typeof firstPage,
): Promise<{ json: Buffer; total: number }> {
  const [json, count] = (await runText(db, firstPage[shape], [space])) as [Buffer, Buffer]
  return { json, total: Number(count) }
}
