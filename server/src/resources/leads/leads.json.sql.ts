// Leads as JSON, built by PostgreSQL: what an answer holds is passed on as it comes.
import type { Db } from '../../db/connect.ts'
import { join, keptText, raw, type Sql } from '../../db/sql.ts'
import { leadCount } from './leads.count.sql.ts'
import { columnType, leadFields } from './leads.fields.ts'

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

/** What stands beside the plain fields: from which tables, which columns, in which order. */
const relations = [
  {
    name: 'lists',
    ...{ table: 'lead_list', column: 'id_list', other: 'list' },
    item: 'list.id, list.name, list.emoji',
    order: 'list."order", list.id',
  },
  {
    name: 'status',
    ...{ table: 'lead_status', column: 'id_status', other: 'status' },
    item: `status.id, status.name, status.color, status.type,
      coalesce(status.id_list::text, '') as id_list`,
    order: 'status."order", status.id',
  },
  {
    name: 'tags',
    ...{ table: 'lead_tag', column: 'id_tag', other: 'tag' },
    item: 'tag.id, tag.name, tag.color',
    order: 'tag."order", tag.id',
  },
  {
    name: 'owners',
    ...{ table: 'lead_owner', column: 'id_member', other: 'member' },
    item: 'member.id, member.name, member.email',
    order: 'member.name, member.id',
  },
]

/** Of all the leads at once: asking for each lead by itself takes twice the time of the whole page. */
function related({ name, table, column, other, item, order }: (typeof relations)[number]): string {
  // Made once: by its own estimate the planner may make it again for each lead.
  return `${name} as materialized (
    select ${table}.id_lead,
      json_agg((select item from (select ${item}) item) order by ${order}) as items
    from ${table}
    join ${other} on ${other}.id_space = $1 and ${other}.id = ${table}.${column}
    where ${table}.id_space = $1 and ${table}.id_lead = any(array(select id from wanted))
    group by ${table}.id_lead)`
}

/** The ids of $2, in their order. */
const theseIds = 'select id, place from unnest($2::uuid[]) with ordinality as wanted (id, place)'

/** As many as a page has that nobody asked for another size. */
export const usualSize = 50

/**
 * The newest of all. The limit is in the text: not known when the statement is planned, it would be
 * taken for a tenth of the table, and the statement planned anew each time.
 */
const newest = `
  select id, row_number() over () as place from (
    select lead.id from lead where lead.id_space = $1 and not lead.is_deleted
    order by lead.created_at desc, lead.id limit ${usualSize}) newest`

/** A statement that makes a JSON array of leads: $1 is the workspace. Its text is made once. */
function jsonStatement(
  wanted: string,
  include: boolean,
  names: readonly string[] = leadFields,
  more = '',
): string {
  const beside = include ? relations : []
  const parts = [`wanted as materialized (${wanted})`, ...beside.map(related)]
  const columns = [
    plainJson(names).text,
    ...beside.map(({ name }) => `coalesce(${name}.items, '[]') as ${name}`),
    ...(include ? ['lead.attributes'] : []),
  ]
  const joins = beside.map(({ name }) => `left join ${name} on ${name}.id_lead = lead.id`)
  return keptText(`with ${parts.join(', ')}
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

/** A plan that is made once expects a few ids; for many there is a better one. */
const manyIds = 100

/**
 * The leads with these ids that are not deleted, in this order, as a JSON array. In bytes: an answer
 * holds them as they come.
 */
export async function selectJson(
  db: Db,
  statement: string,
  space: string,
  ids: readonly string[],
): Promise<Buffer> {
  const prepare = ids.length < manyIds
  const query = db.unsafe(statement, [space, `{${ids.join(',')}}`], { prepare })
  const [row] = await query.raw()
  return row?.[0] as Buffer
}

const total = `, ${leadCount(raw('$1')).text} as total`
const opening = {
  plain: jsonStatement(newest, false, leadFields, total),
  include: jsonStatement(newest, true, leadFields, total),
}

/** The page that everybody opens, the newest of all, and how many leads there are: one statement. */
export async function selectNewest(
  db: Db,
  space: string,
  shape: keyof typeof opening,
): Promise<{ json: Buffer; total: number }> {
  const [row] = await db.unsafe(opening[shape], [space], { prepare: true }).raw()
  const [json, count] = row as unknown as [Buffer, Buffer]
  return { json, total: Number(count) }
}
