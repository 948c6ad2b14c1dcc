// POST /leads/list: a page, the count, and the stream of everything.
import type { Db, Pool } from '../../db/connect.ts'
import { join, raw, runPlanned, type Sql, sql } from '../../db/sql.ts'
import { columnType, type LeadField } from './leads.fields.ts'
import { leadJson } from './leads.json.ts'

export interface Selection {
  space: string
  /** What leadCondition made of the filter. */
  condition: Sql
  order: Order
}

export interface Order {
  /** Joined to the lead table for the sake of the order. */
  joins: Sql
  by: Sql
}

export type Shape = 'id' | 'plain' | 'include'

const where = ({ space, condition }: Selection) =>
  sql`lead.id_space = ${space} and not lead.is_deleted and (${condition})`

export function orderByFields(fields: { field: LeadField; type?: 'asc' | 'desc' }[]): Order {
  const terms = fields.map(({ field, type = 'asc' }) => {
    // Names in the order people expect, upper and lower case together, on every server alike.
    const collate = columnType(field) === 'text' ? ' collate "und-x-icu"' : ''
    const nulls = field === 'created_at' ? '' : ' nulls last'
    return raw(`lead."${field}"${collate} ${type}${nulls}`)
  })
  return { joins: sql``, by: sql`${join([...terms, raw('lead.id')], ', ')}` }
}

/**
 * Status by status, in each as its leads_order says. A lead in several pipelines stands where it
 * stands first among those that the filter names.
 */
export function orderByPipeline(space: string, lists: string[], status: string[]): Order {
  const only = [
    ...(lists.length > 0 ? [sql`and lead_status.id_list = any(${lists}::uuid[])`] : []),
    ...(status.length > 0 ? [sql`and lead_status.id_status = any(${status}::uuid[])`] : []),
  ]
  return {
    joins: sql`
      left join lateral (
        select status.id, status."order"
        from lead_status join status
          on status.id_space = ${space} and status.id = lead_status.id_status
        where lead_status.id_space = ${space} and lead_status.id_lead = lead.id
          ${join(only, ' ')}
        order by status."order", status.id limit 1
      ) stage on true
      left join (
        select status.id, entry.value as id_lead, min(entry.place) as place
        from status, jsonb_array_elements_text(
          case when jsonb_typeof(status.leads_order) = 'array' then status.leads_order end
        ) with ordinality as entry (value, place)
        where status.id_space = ${space}
        group by status.id, entry.value
      ) arranged on arranged.id = stage.id and arranged.id_lead = lead.id::text`,
    by: sql`stage."order" nulls last, stage.id, arranged.place nulls last,
      lead.created_at desc, lead.id`,
  }
}

/** The leads of a page as a JSON array. */
export async function selectPage(
  db: Db,
  selection: Selection,
  shape: Shape,
  limit: number,
  offset: number,
): Promise<string> {
  const { space, order } = selection
  const page = sql`
    select lead.* from lead ${order.joins}
    where ${where(selection)}
    order by ${order.by} limit ${limit} offset ${offset}`
  return jsonArray(db, space, page, shape)
}

export async function countLeads(db: Db, selection: Selection): Promise<number> {
  const [row] = await runPlanned<[{ count: number }]>(
    db,
    sql`select count(*)::int as count from lead where ${where(selection)}`,
  )
  return row?.count ?? 0
}

/** The leads with these ids, in this order, as a JSON array. */
export function selectByIds(db: Db, space: string, ids: string[], shape: Shape): Promise<string> {
  const rows = sql`
    select lead.* from unnest(${ids}::uuid[]) with ordinality as wanted (id, place)
    join lead on lead.id_space = ${space} and lead.id = wanted.id and not lead.is_deleted
    order by wanted.place`
  return jsonArray(db, space, rows, shape)
}

/** The rows keep their order on the way into the array. */
async function jsonArray(db: Db, space: string, rows: Sql, shape: Shape): Promise<string> {
  const item = shape === 'id' ? sql`lead.id` : leadJson(space, shape === 'include')
  const [row] = await runPlanned<[{ json: string }]>(
    db,
    sql`select coalesce(json_agg(row_to_json(item)), '[]')::text as json from (
      select ${item} from (${rows}) lead) item`,
  )
  return row?.json ?? '[]'
}

/** How many ids one step of the cursor brings. */
const idBatch = 20_000

/**
 * The ids of every selected lead in order, 16 bytes each: a million leads take 16 MB, whatever the
 * order, and no transaction stays open while a slow client reads.
 */
export async function selectAllIds(pool: Pool, selection: Selection): Promise<Buffer> {
  const chunks: Buffer[] = []
  const query = sql`
    select lead.id from lead ${selection.order.joins}
    where ${where(selection)} order by ${selection.order.by}`
  await pool.begin(async (tx) => {
    for await (const rows of runPlanned<{ id: string }[]>(tx, query).cursor(idBatch)) {
      chunks.push(Buffer.from(rows.map(({ id }) => id.replaceAll('-', '')).join(''), 'hex'))
    }
  })
  return Buffer.concat(chunks)
}
