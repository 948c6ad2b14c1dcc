// The one way to write new leads: for POST /lead, imports and the demo. Everything is checked before, and every
// statement writes a whole batch from JSON, without a join, so there is only one plan, even on an empty database.
import { leadRelations } from '@rapport/contract/leads/relations'
import type { Db } from '../../../db/driver.ts'
import { columnNames, join, raw, rowsOf, run, type Sql, sql } from '../../../db/sql.ts'
import { newId } from '../../../ids.ts'
import { defaultPlace } from '../change/place.ts'
import { columnDefaults, columnType } from '../row/columns.ts'
import { companyClaim, isCompanyNamed } from '../search/match.ts'
import { searchTextOf } from '../search/text.sql.ts'

/** A new lead. What it refers to exists, and stays until the transaction ends. */
export interface NewLead {
  /** Columns and values; `id` and `created_at` are among them. */
  row: Record<string, unknown>
  lists: Iterable<string>
  tags: Iterable<string>
  owners: Iterable<string>
  /** At most one of each list, and the lead is in the list. */
  status: Iterable<{ id: string; id_list: string | null }>
}

/**
 * The statements that write the leads, in their order. The caller writes events and the counter. A statement of
 * its own is prepared for each set of columns: `columns` keeps it the same for all of a caller.
 */
export function insertLeads(space: string, leads: NewLead[], columns = columnsOf(leads)): Sql[] {
  if (leads.length === 0) return []
  for (const [name, value] of Object.entries(columnDefaults)) {
    // This changes the rows: copies would take more time than everything else here.
    if (columns.includes(name)) for (const { row } of leads) row[name] ??= value
  }
  const rows = leads.map(({ row }) => row)
  const types = columns.map((name) => raw(`"${name}" ${columnType(name)}`))
  const searched = rows.map((row) => ({ id: row.id, text: searchTextOf(row) }))
  const statuses = leads.flatMap(({ row, status }) => {
    const placed = [...status]
    if (placed.length === 0) return []
    const { id, created_at, updated_at } = row as Record<'id' | 'created_at' | 'updated_at', string>
    const place = `\\x${defaultPlace(id, Date.parse(created_at)).toString('hex')}`
    return placed.map((each) => ({
      id,
      id_status: each.id,
      id_list: each.id_list,
      entered_at: updated_at,
      place,
    }))
  })
  const related = (name: 'lists' | 'tags' | 'owners') => {
    const pairs = leads.flatMap(({ row, [name]: ids }) =>
      Array.from(ids, (id_record) => ({ id: row.id, id_record })),
    )
    const { join: table, column } = leadRelations[name]
    return insertRows(space, pairs, table, `id_lead, ${column}`, 'id uuid, id_record uuid')
  }
  return [
    sql`insert into lead (id_space, ${columnNames(columns)})
      select ${space}::uuid, ${columnNames(columns)} from ${rowsOf(rows, join(types, ', '))}`,
    ...insertRows(space, searched, 'lead_search', 'id_lead, text', 'id uuid, text text'),
    ...related('lists'),
    ...insertRows(
      space,
      statuses,
      'lead_status',
      'id_lead, id_status, id_list, entered_at, place',
      'id uuid, id_status uuid, id_list uuid, entered_at timestamptz, place bytea',
    ),
    ...related('tags'),
    ...related('owners'),
  ]
}

/** The statuses of a new lead, with those that it gets because it joins these lists. */
export function withStarts(
  status: { id: string; id_list: string | null }[],
  lists: Iterable<string>,
  starts: Map<string, string>,
) {
  if (starts.size === 0) return status
  const said = new Set(status.map(({ id_list }) => id_list))
  const joined = [...lists].flatMap((id_list) => {
    const id = said.has(id_list) ? undefined : starts.get(id_list)
    return id === undefined ? [] : [{ id, id_list }]
  })
  return [...status, ...joined]
}

function columnsOf(leads: NewLead[]): string[] {
  const columns = new Set<string>()
  for (const { row } of leads) for (const name in row) columns.add(name)
  return [...columns]
}

/** No statement if there are no rows. */
function insertRows(
  space: string,
  rows: object[],
  table: string,
  columns: string,
  types: string,
): Sql[] {
  if (rows.length === 0) return []
  return [
    sql`insert into ${raw(table)} (id_space, ${raw(columns)})
      select ${space}::uuid, entry.* from ${rowsOf(rows, raw(types))}`,
  ]
}

/** A company that is created with a person, unless the workspace has it. */
export interface Company {
  name: string
  avatar_url?: string | null
  linkedin_url?: string | null
  usersId: string | null
  created_at: string
}

/** The names of companies that the workspace does not have, each with the claim of the new one. */
export async function claimsOf(
  db: Db,
  space: string,
  names: string[],
): Promise<Map<string, string>> {
  if (names.length === 0) return new Map()
  const rows = await run<Claim[]>(db, newClaims(space, names))
  return new Map(rows.map(({ name, claim }) => [name, claim]))
}

interface Claim {
  name: string
  claim: string
}

/** The query of `claimsOf`. */
export function newClaims(space: string, names: string[]): Sql {
  // LIMIT: one index lookup per name. Otherwise PostgreSQL may read all companies first.
  return sql`select wanted.name, ${companyClaim(sql`wanted.name`)} as claim
    from unnest(${names}::text[]) as wanted (name)
    left join lateral (
      select lead.id from lead
      where lead.id_space = ${space} and ${isCompanyNamed(sql`wanted.name`)} limit 1) found on true
    where found.id is null`
}

/**
 * The companies to create, the first of several with one name. If another transaction creates one at the same
 * time, one of both violates the unique index of the claims.
 */
export function newCompanies<C extends Company>(
  wanted: C[],
  claims: Map<string, string>,
): { company: C; lead: NewLead }[] {
  const claimed = new Set<string>()
  return wanted.flatMap((company) => {
    const { name, avatar_url = null, linkedin_url = null, usersId, created_at } = company
    const claim = claims.get(name)
    if (claim === undefined || claimed.has(claim)) return []
    claimed.add(claim)
    const row = {
      ...{ id: newId(), company: name, is_company: true, company_claim: claim },
      ...{ avatar_url, linkedin_url, linkedin_company_url: linkedin_url },
      ...{ usersId, created_at, updated_at: created_at, attributes: {} },
    }
    return [{ company, lead: { row, lists: [], tags: [], owners: [], status: [] } }]
  })
}
