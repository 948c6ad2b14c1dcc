// Statements about what an import created besides leads: who uses it, and how it is removed.
import { leadRelations } from '@rapport/contract/leads/relations'
import type { Db } from '../../db/driver.ts'
import { jsonb, raw, rowValues, run, type Sql, sql } from '../../db/sql.ts'
import { runJournaled } from '../../feed/journal.sql.ts'
import { type AttributeRow, selectAttributes } from '../../references/attributes.ts'
import { attributePair, fieldJournal } from '../leads/change/journal.sql.ts'
import type { Made, MadeKind, MadeRelation, Removed } from './store/made.sql.ts'
import type { OperationAuthor } from './store/operation.sql.ts'

export interface Use {
  row: Removed['row']
  /** Leads that have it and are not deleted. */
  leads: number
  /** By a lead, by a view, or by somebody who has edited it. */
  isUsed: boolean
}

/** In the filter, the order or the columns of a view. */
const isInView = (space: string, id: Sql) => sql`exists (
  select from saved_view where saved_view.id_space = ${space}
    and position(${id}::text in concat(id_list, filter, "orderBy", columns)) > 0)`

/** Locks the records, so that nobody begins to use them. All transactions lock lists, then attributes, then leads. */
export async function lockMade(db: Db, space: string, made: Made[]): Promise<void> {
  const idsOf = (kind: MadeKind) =>
    made.filter((each) => each.kind === kind).flatMap(({ ids }) => ids)
  const ofOptions = made.flatMap(({ attribute }) => attribute ?? [])
  const wanted = [
    ['list', idsOf('list')],
    ['attribute', [...idsOf('attribute'), ...ofOptions]],
    ['status', idsOf('status')],
    ['tag', idsOf('tag')],
  ] as const
  for (const [table, ids] of wanted) {
    if (ids.length === 0) continue
    await run(db)`
      select id from ${raw(table)} where id_space = ${space} and id = any(${ids}::uuid[])
      order by id for update`
  }
}

export async function selectUse(
  db: Db,
  space: string,
  relation: MadeRelation,
  ids: string[],
): Promise<Use[]> {
  if (ids.length === 0) return []
  const { record, join: table, column } = leadRelations[relation]
  const isEmpty =
    relation === 'lists'
      ? sql`not record.is_deleted and not exists (
          select from status where status.id_space = ${space} and status.id_list = record.id)
        and not exists (select from tag where tag.id_space = ${space} and tag.id_list = record.id)`
      : sql`true`
  const rows = await run<{ row: Use['row']; leads: number; is_used: boolean }[]>(db)`
    select to_jsonb(record) as row, uses.leads,
      uses.leads > 0 or record.updated_at <> record.created_at or not (${isEmpty})
        or ${isInView(space, raw('record.id'))} as is_used
    from ${raw(record)} record cross join lateral (
      select count(*)::int as leads from ${raw(table)}
      join lead on lead.id_space = ${space} and lead.id = ${raw(table)}.id_lead
        and not lead.is_deleted
      where ${raw(table)}.id_space = ${space} and ${raw(`${table}.${column}`)} = record.id) uses
    where record.id_space = ${space} and record.id = any(${ids}::uuid[])
      ${relation === 'lists' ? sql`and not record.is_deleted` : sql``}
    order by record.created_at, record.id`
  return rows.map(({ row, leads, is_used }) => ({ row, leads, isUsed: is_used }))
}

export const hasRecord = (relation: MadeRelation, ids: string[]) =>
  sql`${raw(leadRelations[relation].column)} = any(${ids}::uuid[])`

export const hasAttribute = (ids: string[]) => sql`lead.attributes ?| ${ids}::text[]`

export async function selectAttributeUse(db: Db, space: string, ids: string[]): Promise<Use[]> {
  if (ids.length === 0) return []
  const found = await selectAttributes(db, space, ids)
  const uses: Use[] = []
  for (const attribute of found) {
    const { leads, is_in_view } = await countUse(
      db,
      space,
      hasAttribute([attribute.id]),
      attribute.id,
    )
    const isEdited = attribute.updated_at !== attribute.created_at
    const row = { ...attribute } as unknown as Use['row']
    uses.push({ row, leads, isUsed: leads > 0 || isEdited || is_in_view })
  }
  return uses
}

/** The options of a locked attribute. */
export async function selectOptionUse(
  db: Db,
  space: string,
  { id, options }: AttributeRow,
  made: string[],
): Promise<Use[]> {
  const uses: Use[] = []
  for (const option of options.filter((each) => made.includes(each.id))) {
    const { leads, is_in_view } = await countUse(db, space, hasOption(id, [option.id]), option.id)
    const row = { ...option } as unknown as Use['row']
    uses.push({ row, leads, isUsed: leads > 0 || is_in_view })
  }
  return uses
}

/** For one option and for several. */
const hasOption = (attribute: string, options: string[]) =>
  sql`lead.attributes -> ${attribute}::text ?| ${options}::text[]`

async function countUse(db: Db, space: string, has: Sql, id: string) {
  const [row] = await run<[{ leads: number; is_in_view: boolean }]>(db)`
    select count(*)::int as leads, ${isInView(space, sql`${id}`)} as is_in_view from lead
    where lead.id_space = ${space} and not lead.is_deleted and ${has}`
  return row
}

/** From the leads that the undo has deleted. */
export async function clearOption(
  db: Db,
  by: OperationAuthor,
  attribute: string,
  options: string[],
): Promise<void> {
  const value = sql`(lead.attributes -> ${attribute}::text)`
  const left = sql`case when jsonb_typeof(${value}) = 'array'
    then nullif(${value} - ${options}::text[], '[]'::jsonb) end`
  const which = sql`lead.id_space = ${by.space} and ${hasOption(attribute, options)}`
  const updated = sql`updated as (
    update lead set attributes = case when ${left} is null then attributes - ${attribute}::text
      else jsonb_set(attributes, array[${attribute}::text], ${left}) end
    where ${which})`
  const pairs = [attributePair(attribute, left)]
  await runJournaled(db, [], fieldJournal(by, pairs, sql`lead`, which), [updated])
}

export async function deleteRecords(
  db: Db,
  { space, now }: OperationAuthor,
  relation: MadeRelation,
  ids: string[],
): Promise<void> {
  const { record } = leadRelations[relation]
  const these = sql`id_space = ${space} and id = any(${ids}::uuid[])`
  const time = now.toISOString()
  await run(
    db,
    relation === 'lists'
      ? sql`update list set is_deleted = true, deleted_at = ${time}, updated_at = ${time} where ${these}`
      : sql`delete from ${raw(record)} where ${these}`,
  )
}

/** As they were. */
export async function insertRecords(
  db: Db,
  space: string,
  relation: MadeRelation,
  records: Removed['row'][],
): Promise<void> {
  if (records.length === 0) return
  const isJson = (value: unknown) => typeof value === 'object' && value !== null
  const rows = records.map((row) => {
    const values = Object.entries({ ...row, id_space: space })
    return Object.fromEntries(
      values.map(([name, value]) => [name, isJson(value) ? jsonb(value) : value]),
    )
  })
  const { record } = leadRelations[relation]
  await run(db)`insert into ${raw(record)} ${rowValues(rows)} on conflict do nothing`
}

/** As if nobody had changed them. */
export async function restoreLists(db: Db, space: string, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  await run(db)`update list set is_deleted = false, deleted_at = null, updated_at = created_at
    where id_space = ${space} and id = any(${ids}::uuid[])`
}
