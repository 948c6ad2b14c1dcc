// The text that the free text search covers: one per lead, in the table lead_search. Every statement
// that writes a searched field writes the text too.
import { fold } from '@rapport/contract/fold'
import {
  type Contact,
  type ContactsField,
  contactsFields,
  type FieldSpec,
  type LeadField,
  leadFields,
  searchedFields,
} from '@rapport/contract/leads/fields'
import type { Db } from '../../../db/driver.ts'
import { raw, run, type Sql, sql } from '../../../db/sql.ts'
import { foldSql } from '../../../filter/fold.ts'

const fieldsOf = (letters: FieldSpec['search']) =>
  searchedFields.filter((name) => {
    const { search }: FieldSpec = leadFields[name]
    return search === letters
  })
const names = fieldsOf('letters')
const addresses = fieldsOf('plain').filter((name) => !contactsFields.some((list) => list === name))

export function isSearched(fields: string[]): boolean {
  return searchedFields.some((name) => fields.includes(name))
}

/**
 * Folds fields of `lead` as fold() in the filter folds the words. OFFSET 0: otherwise PostgreSQL joins the
 * fields three times.
 */
const folded = (fields: LeadField[]) => `(
  select ${foldSql('plain')}
  from (
    select ${fields.map((name) => `coalesce(lead.${name}, '')`).join(` || e'\\n' || `)} as plain
    offset 0) fields)`

/**
 * The digits of a phone number, unless they already follow each other: people write the same number in many ways.
 * numberWord() of the filter has the other half.
 */
const phoneDigits = (phone: string) => `(
  select case when position(digits in ${phone}) = 0 then e'\\n' || digits else '' end
  from (select regexp_replace(${phone}, '[^0-9]', '', 'g') as digits offset 0) phone)`

/** Additional emails or phones, each on a separate line. Most leads have none, and cost nothing. */
const further = (name: ContactsField) => `case when lead.${name} is not null then (
  select string_agg(e'\\n' || ${foldSql('plain')}
    ${leadFields[name].of === 'phone' ? `|| ${phoneDigits('plain')}` : ''}, '' order by place)
  from jsonb_array_elements(lead.${name}) with ordinality as each (item, place),
    lateral (select item ->> 'value' as plain offset 0) contact) end`

const searchText: Sql = raw(
  [
    `${folded(names)} || e'\\n' || ${folded(addresses)}`,
    ...[phoneDigits('lead.phone'), ...contactsFields.map(further)].map(
      (part) => `coalesce(${part}, '')`,
    ),
  ].join(' || '),
)

function phoneDigitsOf(phone: unknown): string {
  const written = String(phone ?? '')
  const digits = written.replace(/[^0-9]/g, '')
  return written.includes(digits) ? '' : `\n${digits}`
}

/** The same text for a new lead, whose fields are known here. */
export function searchTextOf(fields: Record<string, unknown>): string {
  const text = (names: LeadField[]) => fold(names.map((name) => fields[name] ?? '').join('\n'))
  const others = contactsFields.flatMap((name) => {
    const contacts = (fields[name] ?? []) as Contact[]
    const digitsOf = leadFields[name].of === 'phone' ? phoneDigitsOf : () => ''
    return contacts.map(({ value }) => `\n${fold(value)}${digitsOf(value)}`)
  })
  return `${text(names)}\n${text(addresses)}${phoneDigitsOf(fields.phone)}${others.join('')}`
}

/** The lead has its text, as it is now. */
export const isTextCurrent = (space: string): Sql => sql`exists (
  select from lead_search
  where lead_search.id_space = ${space} and lead_search.id_lead = lead.id
    and lead_search.text = ${searchText})`

/** Writes the texts of those of these leads that have none. `ids` is an array, in SQL. */
export async function insertMissingTexts(db: Db, space: string, ids: Sql): Promise<void> {
  await run(db)`insert into lead_search (id_space, id_lead, text)
    select lead.id_space, lead.id, ${searchText} from lead
    where lead.id_space = ${space} and lead.id = any(${ids})
    on conflict (id_space, id_lead) do nothing`
}

/** Rewrites the texts of changed leads. `ids` is an array, in SQL. The settings end with the transaction. */
export async function refreshSearch(db: Db, space: string, ids: Sql): Promise<void> {
  // For many texts at once: the index merges new entries less often, and more of them at a time.
  await run(db)`select set_config('gin_pending_list_limit', '65536', true),
    set_config('work_mem', '131072', true)`
  await run(db)`with fresh as materialized (
      select lead.id, ${searchText} as text from unnest(${ids}) as written (id)
      join lead on lead.id_space = ${space} and lead.id = written.id)
    update lead_search set text = fresh.text from fresh
    where lead_search.id_space = ${space} and lead_search.id_lead = fresh.id
      and lead_search.text <> fresh.text`
}
