// The statement of POST /leads/search.
import {
  answeredFields,
  foundFields,
  type LeadField,
  type MatchField,
} from '@rapport/contract/leads/fields'
import type { Db } from '../../../db/driver.ts'
import { flattenText, join, raw, runTexts, sql } from '../../../db/sql.ts'
import { plainJson } from '../row/json.sql.ts'
import { hasFirst, hasFurther, isCompanyNamed } from './match.ts'

/** The fields of the company in `company_enrich`. */
const employerFields = foundFields.filter((name) => answeredFields.some((other) => other === name))
const employerJson = plainJson(employerFields)
/** Without custom_fields, which the statement below adds as text. */
const foundJson = plainJson(foundFields.filter((name: LeadField) => name !== 'custom_fields'))

/** Which values of a field are looked at: the first, the further ones, or all. */
export type Way = 'first' | 'further' | 'any'

/**
 * The leads that searches by the same fields find, as JSON: for each search the lead that meets the most criteria, of
 * several the oldest. `keys` has the keys of each search, in the order of the fields.
 */
export async function findLeads(
  db: Db,
  space: string,
  { fields, way, keys }: { fields: MatchField[]; way: Way; keys: string[][] },
): Promise<(Buffer | undefined)[]> {
  const columns = fields.map((_, at) => keys.map((each) => each[at]))
  const sending = { sender: 'findLeads' }
  const rows = await runTexts(db, findStatement(fields, way), [space, ...columns], sending)
  const found = new Map(rows.map(([place, json]) => [Number(place), json]))
  return keys.map((_, at) => found.get(at + 1))
}

const findStatements = new Map<string, string>()

/**
 * The parameters are the workspace and, for each field, the keys of all searches. The text is built once per set of
 * fields.
 */
function findStatement(fields: MatchField[], way: Way): string {
  const name = [way, ...fields].join()
  const known = findStatements.get(name)
  if (known !== undefined) return known
  const space = raw('$1')
  const conditions = fields.map((field) => {
    const key = raw(`wanted.${field}`)
    const first = way === 'further' ? undefined : hasFirst(field, key)
    const further = way === 'first' ? undefined : hasFurther(field, key)
    return sql`(${join(
      [first, further].filter((one) => one !== undefined),
      ' or ',
    )})`
  })
  const hits = conditions.map((condition) => sql`coalesce(${condition}::int, 0)`)
  const mostFirst = fields.length > 1 ? sql`${join(hits, ' + ')} desc,` : sql``
  // Materialized, because otherwise the planner may read all leads, oldest first, until one matches.
  const keys = raw(fields.map((_, at) => `$${at + 2}::text[]`).join(', '))
  const statement = sql`select wanted.place, answer.json
    from unnest(${keys}) with ordinality as wanted (${raw(fields.join(', '))}, place)
    cross join lateral (with found as materialized (
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
        lateral (select lead.id, lead.company) person) item) answer`
  const text = flattenText(statement.text)
  findStatements.set(name, text)
  return text
}
