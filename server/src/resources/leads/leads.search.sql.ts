// What the free text search looks into: one text for each lead, in the table lead_search. Every statement
// that writes a searched field writes the text too.
import type { LeadField } from '@rapport/contract/leads/fields'
import type { Db } from '../../db/driver.ts'
import { columnNames, raw, run, type Sql, sql } from '../../db/sql.ts'
import { fold } from '../../filter/fold.ts'

/** Texts with any letters. */
const names: LeadField[] = ['first_name', 'last_name', 'company', 'company_role', 'city']
/** Texts that hardly ever have other characters than ASCII. */
const addresses: LeadField[] = [
  ...(['email', 'phone', 'website_url', 'linkedin_url', 'twitter_name'] as const),
  ...(['facebook_username', 'youtube_username', 'instagram_username'] as const),
  ...(['telegram_username', 'whatsapp_username'] as const),
]
const searchedFields = [...names, ...addresses]

/** What `insertSearch` needs of new leads. */
export const searchedColumns = columnNames(['id', ...searchedFields])

export function isSearched(fields: string[]): boolean {
  return searchedFields.some((name) => fields.includes(name))
}

/**
 * Folds fields of `lead` as fold() in the filter folds the words. ASCII texts (as many bytes as
 * characters) take a tenth of the time. OFFSET 0: otherwise PostgreSQL joins the fields three times.
 */
const folded = (fields: LeadField[]) => `(
  select case when octet_length(plain) = length(plain) then lower(plain)
    else translate(lower(regexp_replace(normalize(plain, nfkd), '[\\u0300-\\u036f]', '', 'g')),
      'øØłŁđĐħĦıς', 'oOlLdDhHiσ') end
  from (
    select ${fields.map((name) => `coalesce(lead.${name}, '')`).join(` || e'\\n' || `)} as plain
    offset 0) fields)`

const searchText: Sql = raw(`${folded(names)} || e'\\n' || ${folded(addresses)}`)

/** Writes the texts of new leads. `leads` is a query that returns `searchedColumns`. */
export function insertSearch(space: Sql, leads: Sql): Sql {
  return sql`insert into lead_search (id_space, id_lead, text)
    select ${space}::uuid, lead.id, ${searchText} from (${leads}) lead`
}

/** The same text as `searchText`, for a lead whose fields are known here. */
export function searchTextOf(fields: Record<string, unknown>): string {
  const text = (names: LeadField[]) => fold(names.map((name) => fields[name] ?? '').join('\n'))
  return `${text(names)}\n${text(addresses)}`
}

/** The leads with these ids. `ids` is an array, in SQL; idArray in leads.relations.sql.ts says why joined. */
const written = (space: string, ids: Sql) =>
  sql`select lead.* from unnest(${ids}) as written (id)
    join lead on lead.id_space = ${space} and lead.id = written.id`

/** The same for leads that are written already. */
export async function addSearch(db: Db, space: string, ids: Sql): Promise<void> {
  await run(db, insertSearch(sql`${space}`, written(space, ids)))
}

/** The same for leads that had a text before. The settings end with the transaction. */
export async function refreshSearch(db: Db, space: string, ids: Sql): Promise<void> {
  // For many texts at once: the index merges new entries less often, and more of them at a time.
  await run(
    db,
    sql`select set_config('gin_pending_list_limit', '65536', true),
      set_config('work_mem', '131072', true)`,
  )
  await run(
    db,
    sql`with fresh as materialized (
        select lead.id, ${searchText} as text from (${written(space, ids)}) lead)
      update lead_search set text = fresh.text from fresh
      where lead_search.id_space = ${space} and lead_search.id_lead = fresh.id
        and lead_search.text <> fresh.text`,
  )
}
