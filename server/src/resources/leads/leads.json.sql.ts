// Leads as JSON, built by PostgreSQL: what an answer holds is passed on as it comes.
import type { Db } from '../../db/connect.ts'
import { join, raw, run, type Sql, sql } from '../../db/sql.ts'
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
function related(
  space: string,
  { name, table, column, other, item, order }: (typeof relations)[0],
) {
  return sql`${raw(name)} as (
    select ${raw(table)}.id_lead,
      json_agg((select item from (select ${raw(item)}) item) order by ${raw(order)}) as items
    from ${raw(table)}
    join ${raw(other)} on ${raw(other)}.id_space = ${space}
      and ${raw(other)}.id = ${raw(table)}.${raw(column)}
    where ${raw(table)}.id_space = ${space}
      and ${raw(table)}.id_lead = any(array(select id from wanted))
    group by ${raw(table)}.id_lead)`
}

/** The leads with these ids that are not deleted, in this order, as a JSON array. */
export async function selectJson(
  db: Db,
  space: string,
  ids: readonly string[],
  include: boolean,
  names: readonly string[] = leadFields,
): Promise<string> {
  const beside = include ? relations : []
  const items = beside.map(({ name }) => raw(`coalesce(${name}.items, '[]') as ${name}`))
  const [row] = await run<[{ json: string }]>(
    db,
    sql`with ${join(
      [
        sql`wanted as materialized (
          select id, place from unnest(${`{${ids.join(',')}}`}::uuid[]) with ordinality
            as wanted (id, place))`,
        ...beside.map((relation) => related(space, relation)),
      ],
      ', ',
    )}
    select coalesce(json_agg(row_to_json(item)), '[]')::text as json from (
      select ${join([plainJson(names), ...items, ...(include ? [raw('lead.attributes')] : [])], ', ')}
      from wanted join lead on lead.id_space = ${space} and lead.id = wanted.id
        and not lead.is_deleted
      ${join(
        beside.map(({ name }) => raw(`left join ${name} on ${name}.id_lead = lead.id`)),
        ' ',
      )}
      order by wanted.place) item`,
  )
  return row?.json ?? '[]'
}
