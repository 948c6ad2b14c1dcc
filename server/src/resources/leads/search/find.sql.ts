// POST /leads/search: the lead that meets the most criteria.
import {
  answeredFields,
  foundFields,
  type LeadField,
  type MatchField,
} from '@rapport/contract/leads/fields'
import type { Db } from '../../../db/driver.ts'
import { flattenText, join, raw, runText, sql } from '../../../db/sql.ts'
import { plainJson } from '../row/json.sql.ts'
import { type Criterion, furtherOf, hasFirst, hasFurther, isCompanyNamed } from './match.ts'

/** The fields of the company in `company_enrich`. */
const employerFields = foundFields.filter((name) => answeredFields.some((other) => other === name))
const employerJson = plainJson(employerFields)
/** Without custom_fields, which the statement below adds as text. */
const foundJson = plainJson(foundFields.filter((name: LeadField) => name !== 'custom_fields'))

/**
 * Returns the lead that meets the most criteria as JSON. Of several, the oldest. By a single criterion, a lead that has
 * it among its further values is found only if no other has it as its first one: to look for both at once would cost
 * every search by email a third more.
 */
export async function findLead(
  db: Db,
  space: string,
  criteria: Criterion[],
): Promise<Buffer | undefined> {
  const fields = criteria.map(({ field }) => field)
  const values = [space, ...criteria.map(({ key }) => key)]
  const find = async (way: Way) =>
    (await runText(db, findStatement(fields, way), values, { sender: 'findLead' }))?.[0]
  if (fields.length > 1) return find('any')
  const [field] = fields
  const found = await find('first')
  return found || !field || !furtherOf(field) ? found : find('further')
}

/** Which values of a field are looked at: the first, the further ones, or all. */
type Way = 'first' | 'further' | 'any'

const findStatements = new Map<string, string>()

/**
 * The parameters are the workspace and the key of each field. The text is built once per set of fields.
 */
function findStatement(fields: MatchField[], way: Way): string {
  const name = [way, ...fields].join()
  const known = findStatements.get(name)
  if (known !== undefined) return known
  const space = raw('$1')
  const conditions = fields.map((field, index) => {
    const key = raw(`$${index + 2}::text`)
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
