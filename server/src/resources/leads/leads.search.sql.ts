// What the free text search looks into: one text for each lead, in the table lead_search. Every statement
// that writes a searched field writes the text too.
import type { LeadField } from '@rapport/contract/leads/fields'
import type { Db } from '../../db/driver.ts'
import { raw, run, type Sql, sql } from '../../db/sql.ts'

const searchedFields: LeadField[] = [
  ...(['first_name', 'last_name', 'email', 'company', 'company_role', 'phone', 'city'] as const),
  ...(['website_url', 'linkedin_url', 'twitter_name', 'facebook_username'] as const),
  ...([
    'youtube_username',
    'instagram_username',
    'telegram_username',
    'whatsapp_username',
  ] as const),
]

export function isSearched(fields: string[]): boolean {
  return searchedFields.some((name) => fields.includes(name))
}

const texts = searchedFields.map((name) => `coalesce(lead.${name}, '')`).join(` || e'\\n' || `)

/**
 * The text of `lead`, folded as fold() in the filter folds the words. Most texts are ASCII (as many bytes
 * as characters), and take a tenth of the time. OFFSET 0: otherwise PostgreSQL joins the fields three
 * times.
 */
const searchText: Sql = raw(`(
  select case when octet_length(plain) = length(plain) then lower(plain)
    else translate(lower(regexp_replace(normalize(plain, nfkd), '[\\u0300-\\u036f]', '', 'g')),
      'øØłŁđĐħĦıς', 'oOlLdDhHiσ') end
  from (select ${texts} as plain offset 0) fields)`)

/** Writes the texts of new leads. `leads` is a query that returns all their fields. */
export function insertSearch(space: Sql, leads: Sql): Sql {
  return sql`insert into lead_search (id_space, id_lead, text)
    select ${space}::uuid, lead.id, ${searchText} from (${leads}) lead`
}

/** The leads with these ids. `ids` is an array, in SQL. */
const written = (space: string, ids: Sql) =>
  sql`select lead.* from lead where lead.id_space = ${space} and lead.id = any(${ids})`

/** The same for leads that are written already. */
export async function addSearch(db: Db, space: string, ids: Sql): Promise<void> {
  await run(db, insertSearch(sql`${space}`, written(space, ids)))
}

/** The same for leads that had a text before. */
export async function refreshSearch(db: Db, space: string, ids: Sql): Promise<void> {
  await run(
    db,
    sql`with fresh as materialized (
        select lead.id, ${searchText} as text from (${written(space, ids)}) lead)
      update lead_search set text = fresh.text from fresh
      where lead_search.id_space = ${space} and lead_search.id_lead = fresh.id
        and lead_search.text <> fresh.text`,
  )
}
