// Leads as JSON, built by PostgreSQL: what a page holds is passed on as it comes.
import { join, raw, type Sql, sql } from '../../db/sql.ts'
import { columnType, leadFields } from './leads.fields.ts'

const isoFormat = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`

function jsonColumn(name: string): Sql {
  return columnType(name) === 'timestamptz'
    ? raw(`to_char(lead."${name}" at time zone 'UTC', ${isoFormat}) as "${name}"`)
    : raw(`lead."${name}"`)
}

/** The select list of a lead's JSON, from a table called `lead`. */
export function leadJson(
  space: string,
  include: boolean,
  names: readonly string[] = leadFields,
): Sql {
  const plain = join(names.map(jsonColumn), ', ')
  return include ? sql`${plain}, ${relations(space)}` : plain
}

function relations(space: string): Sql {
  const array = (item: string, rows: Sql) =>
    sql`coalesce((select json_agg(${raw(item)}) from (${rows}) related), '[]')`
  return sql`
    ${array(
      'related',
      sql`select list.id, list.name, list.emoji
        from lead_list join list on list.id_space = ${space} and list.id = lead_list.id_list
        where lead_list.id_space = ${space} and lead_list.id_lead = lead.id
        order by list."order", list.id`,
    )} as lists,
    ${array(
      'related',
      sql`select status.id, status.name, status.color, status.type,
          coalesce(status.id_list::text, '') as id_list
        from lead_status join status
          on status.id_space = ${space} and status.id = lead_status.id_status
        where lead_status.id_space = ${space} and lead_status.id_lead = lead.id
        order by status."order", status.id`,
    )} as status,
    ${array(
      'related',
      sql`select tag.id, tag.name, tag.color
        from lead_tag join tag on tag.id_space = ${space} and tag.id = lead_tag.id_tag
        where lead_tag.id_space = ${space} and lead_tag.id_lead = lead.id
        order by tag."order", tag.id`,
    )} as tags,
    ${array(
      'related',
      sql`select member.id, member.name, member.email
        from lead_owner join member
          on member.id_space = ${space} and member.id = lead_owner.id_member
        where lead_owner.id_space = ${space} and lead_owner.id_lead = lead.id
        order by member.name, member.id`,
    )} as owners,
    lead.attributes`
}
