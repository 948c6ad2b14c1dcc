// The one way to write new leads: for POST /lead, imports and the demo. Everything is checked before, and every
// statement writes a whole batch, without a join, so there is only one plan, even on an empty database.
import {
  leadRelations,
  type PlainRelation,
  perRelation,
  plainRelations,
} from '@rapport/contract/leads/relations'
import type { Db } from '../../../db/driver.ts'
import { rowWriter, run, type Sql, sql } from '../../../db/sql.ts'
import { newId } from '../../../ids.ts'
import { defaultPlace } from '../change/place.ts'
import type { Keyed, KeysOfNew } from '../duplicates/keys.sql.ts'
import { columnDefaults, columnType } from '../row/columns.ts'
import { companyClaim, isCompanyNamed } from '../search/match.ts'
import { searchTextOf } from '../search/text.sql.ts'

/**
 * A new lead. What it refers to exists, and stays until the transaction ends. Among the columns of its row are `id` and
 * `created_at`.
 */
export interface NewLead extends Keyed, Record<PlainRelation, Iterable<string>> {
  /** At most one of each list, and the lead is in the list. */
  status: Iterable<{ id: string; id_list: string | null }>
}

/** Of a lead that has no relations. */
export const unrelated = { ...perRelation(plainRelations, () => []), status: [] }

/**
 * The statements that write the leads, in their order, each built when it is asked for. The caller writes events and the
 * counter. A statement of its own is prepared for each set of columns: `write` keeps it the same for all of a caller.
 */
export function* insertLeads(
  space: string,
  leads: NewLead[],
  keysOfNew: KeysOfNew,
  write = leadWriter(columnsOf(leads)),
): Generator<Sql> {
  if (leads.length === 0) return
  const rows = leads.map(({ row }) => row)
  yield sql`${write(space, rows)}`
  const searched = rows.map((row) => ({ id_lead: row.id, text: searchTextOf(row) }))
  yield* insertAny(space, searched, writers.search)
  yield* keysOfNew(space, leads)
  const related = (name: PlainRelation) => {
    const { column } = leadRelations[name]
    const pairs = leads.flatMap(({ row, [name]: ids }) =>
      Array.from(ids, (id) => ({ id_lead: row.id, [column]: id })),
    )
    return insertAny(space, pairs, writers[name])
  }
  yield* related('lists')
  const statuses = leads.flatMap(({ row, status }) => {
    const placed = [...status]
    if (placed.length === 0) return []
    const { id, created_at, updated_at } = row as Record<'id' | 'created_at' | 'updated_at', string>
    const place = `\\x${defaultPlace(id, Date.parse(created_at)).toString('hex')}`
    return placed.map((each) => ({
      id_lead: id,
      id_status: each.id,
      id_list: each.id_list,
      entered_at: updated_at,
      place,
    }))
  })
  yield* insertAny(space, statuses, writers.status)
  for (const name of plainRelations.filter((name) => name !== 'lists')) yield* related(name)
}

type Writer = ReturnType<typeof rowWriter>

/** Writes rows of the lead table with these columns. */
export function leadWriter(columns: readonly string[]): Writer {
  const types = Object.fromEntries(columns.map((name) => [name, columnType(name)]))
  const write = rowWriter('lead', types)
  const defaults = Object.entries(columnDefaults).filter(([name]) => name in types)
  return (space, rows) => {
    for (const [name, value] of defaults) {
      // This changes the rows: copies would take more time than everything else here.
      for (const row of rows as Record<string, unknown>[]) row[name] ??= value
    }
    return write(space, rows)
  }
}

const writers = {
  ...perRelation(plainRelations, (name) => {
    const { join: table, column } = leadRelations[name]
    return rowWriter(table, { id_lead: 'uuid', [column]: 'uuid' })
  }),
  search: rowWriter('lead_search', { id_lead: 'uuid', text: 'text' }),
  status: rowWriter('lead_status', {
    ...{ id_lead: 'uuid', id_status: 'uuid', id_list: 'uuid' },
    ...{ entered_at: 'timestamptz', place: 'bytea' },
  }),
}

/** No statement if there are no rows. */
const insertAny = (space: string, rows: object[], write: Writer) =>
  rows.length > 0 ? [sql`${write(space, rows)}`] : []

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
    return [{ company, lead: { row, ...unrelated } }]
  })
}
