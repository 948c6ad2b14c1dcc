// Creates a lead as leads.insert.sql.ts does, but in plain statements of one transaction. For a
// distributed database: there, each part of one large statement is work for several nodes. These
// statements all go to the node of the workspace, so that other nodes may be away.
import { answeredFields } from '@rapport/contract/leads/fields'
import { leadRelations } from '@rapport/contract/leads/relations'
import { commitTogether, type Db, type LastStatements, type Pool } from '../../db/driver.ts'
import { columnNames, join, raw, rowValues, run, type Sql, sql } from '../../db/sql.ts'
import type { Author } from '../../feed/author.ts'
import { inChunks, insertEvent } from '../../feed/record.sql.ts'
import { columnDefaults, typed } from './leads.columns.ts'
import { addNumber } from './leads.count.sql.ts'
import {
  changedOf,
  changedOfCompany,
  companyColumns,
  companyValues,
  type NewLead,
} from './leads.insert.sql.ts'
import { isCompanyNamed } from './leads.match.ts'
import { defaultPlace } from './leads.place.ts'
import { searchTextOf } from './leads.search.sql.ts'

/** Something that the lead refers to does not exist, or its id is taken. */
class NotWritten extends Error {}

/** Returns the lead as JSON. Undefined: nothing was written, for a reason as in `insertLead`. */
export async function insertLeadInSteps(
  pool: Pool,
  by: Author,
  lead: NewLead,
): Promise<string | undefined> {
  try {
    return await commitTogether(pool, (tx) => insertAll(tx, by, lead))
  } catch (error) {
    if (error instanceof NotWritten) return undefined
    throw error
  }
}

async function insertAll(tx: Db, by: Author, lead: NewLead): Promise<LastStatements<string>> {
  const { space } = by
  const statuses = await selectStatuses(tx, space, lead.status)
  const lists = await lockLists(tx, space, lead.lists, statuses)
  await lockAttributes(tx, space, lead.attributes)
  await requireLeads(tx, space, lead.relations)
  const insert = insertRow(by, lead)
  const insertOthers = insertRelations(by, lead, lists, statuses)
  if (!lead.isIdGiven && !lead.company) {
    return {
      statements: [insert, ...insertOthers, addNumber(space, 1)],
      result: ([rows]) => leadAsJson(rows),
    }
  }
  // Another lead may have the id. Then nothing else can be written.
  const json = leadAsJson(await run(tx, insert))
  const ofCompany = lead.company ? await insertCompany(tx, by, lead, lead.company) : []
  return {
    statements: [...insertOthers, ...ofCompany, addNumber(space, ofCompany.length > 0 ? 2 : 1)],
    result: () => json,
  }
}

/** What belongs to the new lead. Foreign keys refuse what does not exist. */
function insertRelations(by: Author, lead: NewLead, lists: string[], statuses: Status[]): Sql[] {
  const ofLead = { id_space: by.space, id_lead: lead.id }
  const place = defaultPlace(lead.id, by.now.getTime())
  return [
    ...insertRows(
      'lead_list',
      lists.map((id_list) => ({ ...ofLead, id_list })),
    ),
    ...insertRows(
      'lead_status',
      statuses.map(({ id, id_list }) => ({ ...ofLead, id_status: id, id_list, place })),
    ),
    ...(['tags', 'owners'] as const).flatMap((name) => {
      const { join: table, column } = leadRelations[name]
      return insertRows(
        table,
        lead[name].map((id) => ({ ...ofLead, [column]: id })),
      )
    }),
    ...insertRows('lead_search', [{ ...ofLead, text: searchTextOf(lead.fields) }]),
    insertEvent(by, {
      type: 'lead.created',
      ids: [lead.id],
      changed: {
        ...changedOf(lead),
        ...(lead.lists.length + lead.status.length > 0 && { lists: [[], lists.toSorted()] }),
        ...(lead.status.length > 0 && { status: [[], statuses.map(({ id }) => id).toSorted()] }),
      },
    }),
  ]
}

interface Status {
  id: string
  id_list: string | null
}

/** Of several statuses of one list the last counts. */
async function selectStatuses(tx: Db, space: string, ids: string[]): Promise<Status[]> {
  if (ids.length === 0) return []
  const rows = await run<Status[]>(
    tx,
    sql`select id, id_list from status where id_space = ${space} and id = any(${ids}::uuid[])`,
  )
  if (rows.length < ids.length) throw new NotWritten()
  const byId = new Map(rows.map((row) => [row.id, row]))
  const ordered = ids.flatMap((id) => byId.get(id) ?? [])
  return [...new Map(ordered.map((row) => [row.id_list, row])).values()]
}

/** Locked, so that none is deleted before this is done. In the order of their ids, as everywhere. */
async function lockLists(
  tx: Db,
  space: string,
  given: string[],
  statuses: Status[],
): Promise<string[]> {
  const ids = [...new Set([...given, ...statuses.flatMap(({ id_list }) => id_list ?? [])])]
  if (ids.length === 0) return []
  const rows = await run<{ id: string }[]>(
    tx,
    sql`select id from list
      where id_space = ${space} and not is_deleted and id = any(${ids}::uuid[])
      order by id for share`,
  )
  const found = rows.map(({ id }) => id)
  if (!given.every((id) => found.includes(id))) throw new NotWritten()
  return found
}

/** They must be as they were when the values were checked against them. */
async function lockAttributes(
  tx: Db,
  space: string,
  attributes: NewLead['attributes'],
): Promise<void> {
  if (attributes.length === 0) return
  const ids = attributes.map(({ id }) => id)
  const rows = await run<{ id: string; version: number }[]>(
    tx,
    sql`select id, version from attribute
      where id_space = ${space} and id = any(${ids}::uuid[]) order by id for share`,
  )
  const isSame = ({ id, version }: NewLead['attributes'][number]) =>
    rows.some((row) => row.id === id && row.version === version)
  if (!attributes.every(isSame)) throw new NotWritten()
}

async function requireLeads(tx: Db, space: string, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  const rows = await run(
    tx,
    sql`select id from lead
      where id_space = ${space} and id = any(${ids}::uuid[]) and not is_deleted`,
  )
  if (rows.length < ids.length) throw new NotWritten()
}

/** What a lead has in the fields that a new one does not set. */
const unset = Object.fromEntries(answeredFields.map((name) => [name, columnDefaults[name] ?? null]))

/** Returns no row if another lead has the id. */
function insertRow(by: Author, lead: NewLead): Sql {
  const now = by.now.toISOString()
  const names = Object.keys(lead.fields)
  const values = [
    ...[sql`${by.space}`, sql`${lead.id}`, sql`${now}`, sql`${now}`],
    ...names.map((name) => typed(name, lead.fields[name])),
  ]
  const columns = ['id_space', 'id', 'created_at', 'updated_at', ...names]
  // No more than what was set: the coordinator spells every column out anew for each lead.
  const told = columns.filter((name) => name in unset)
  return sql`insert into lead (${columnNames(columns)})
    values (${join(values, ', ')})
    ${lead.isIdGiven ? sql`on conflict do nothing` : sql``}
    returning ${columnNames(told)}`
}

function leadAsJson([row]: object[] = []): string {
  if (!row) throw new NotWritten()
  return JSON.stringify({ ...unset, ...row })
}

/** A statement has at most 65,535 parameters. */
const mostRows = 1000

function insertRows(table: string, rows: object[]): Sql[] {
  return inChunks(rows, mostRows).map((some) => sql`insert into ${raw(table)} ${rowValues(some)}`)
}

/**
 * Only one of several concurrent requests can create the company: its claim is unique. Returns the statements
 * that are left, none if it was there already.
 */
async function insertCompany(
  tx: Db,
  by: Author,
  lead: NewLead,
  company: NonNullable<NewLead['company']>,
): Promise<Sql[]> {
  const { space } = by
  const name: Sql = sql`${company.name}::text`
  const known = await run(
    tx,
    sql`select id from lead where lead.id_space = ${space} and ${isCompanyNamed(name)} limit 1`,
  )
  if (known.length > 0) return []
  const made = await run(
    tx,
    sql`insert into lead (${companyColumns})
      values (${companyValues(space, company, lead.fields.usersId, by.now.toISOString())})
      on conflict do nothing returning id`,
  )
  if (made.length === 0) return []
  const { id, linkedin_url } = company
  const text = searchTextOf({ company: company.name, linkedin_url })
  return [
    ...insertRows('lead_search', [{ id_space: space, id_lead: id, text }]),
    insertEvent(by, { type: 'lead.created', ids: [id], changed: changedOfCompany(lead) }),
  ]
}
