// Undoes what an operation did to fields and attributes of leads.
import { cellOf } from '../../attributes/types.ts'
import type { Db } from '../../db/driver.ts'
import { join, raw, run, type Sql, sql } from '../../db/sql.ts'
import { journal, jsonObject, runJournaled } from '../../feed/journal.sql.ts'
import { lockAttributes } from '../../references/attributes.ts'
import { attributePrefix } from '../leads/change/journal.sql.ts'
import { refreshDerived } from '../leads/change/refresh.ts'
import { columnType } from '../leads/row/columns.ts'
import type { OperationAuthor } from './store/operation.sql.ts'
import {
  changedSince,
  type Done,
  deletedLeads,
  deletedSince,
  keptPart,
  valuesOf,
} from './undo.sql.ts'

/**
 * One row for each lead, with its values before and after the operation. If several steps changed a
 * lead, the first one knows the value before, and the last one the value after.
 */
function befores(space: string, done: Done): Sql {
  if (done.steps === 1) return sql`select unnest(ids) as id, old, new from ${valuesOf(space, done)}`
  return sql`
    select each.id, jsonb_object_agg(name, each.old -> name order by each.step desc) as old,
      jsonb_object_agg(name, each.new -> name order by each.step) as new
    from (select unnest(ids) as id, step, old, new from ${valuesOf(space, done)}) each,
      jsonb_object_keys(each.old) name
    group by each.id`
}

/** What an operation changed in leads themselves. */
export interface Fields {
  columns: string[]
  /** Their ids. */
  attributes: string[]
  /** Attributes that were deleted since, as the journal names them. They do not come back. */
  gone: string[]
  /** Nor do the options of these attributes that were deleted since. */
  selects: string[]
  goneOptions: string[]
}

/** Also locks the attributes: before the leads, as all transactions do. */
export async function lockFields(db: Db, space: string, of: Done): Promise<Fields> {
  const rows = await run<{ name: string }[]>(db)`
    select distinct jsonb_object_keys(operation_value.old) as name from ${valuesOf(space, of)}`
  const names = rows.map(({ name }) => name)
  const columns = names.filter((name) => !name.startsWith(attributePrefix))
  const attributes = names
    .filter((name) => name.startsWith(attributePrefix))
    .map((name) => name.slice(attributePrefix.length))
  const named = (id: string) => attributePrefix + id
  const known = await lockAttributes(db, space, attributes)
  const gone = attributes.filter((id) => !known.some((each) => each.id === id)).map(named)
  const ofSelects = known.filter(({ type }) => cellOf(type) === 'options')
  const selects = ofSelects.map(({ id }) => named(id))
  const options = new Set(ofSelects.flatMap(({ options }) => options.map(({ id }) => id)))
  const used = selects.length > 0 ? await selectUsedOptions(db, space, of, selects) : []
  const goneOptions = used.filter((id) => !options.has(id))
  return { columns, attributes, gone, selects, goneOptions }
}

/** The options that leads had before the operation. */
async function selectUsedOptions(
  db: Db,
  space: string,
  of: Done,
  selects: string[],
): Promise<string[]> {
  const rows = await run<{ id: string }[]>(db)`select distinct jsonb_array_elements_text(
      case jsonb_typeof(value) when 'array' then value else jsonb_build_array(value) end) as id
    from (
      select operation_value.old -> name as value
      from unnest(${selects}::text[]) as name, ${valuesOf(space, of)}) had
    where value <> 'null'`
  return rows.map(({ id }) => id)
}

/** The values of a lead before, without options that were deleted since. */
function withoutOptions({ selects, goneOptions }: Fields): Sql {
  if (goneOptions.length === 0) return sql`before.old`
  const gone = sql`${goneOptions}::text[]`
  return sql`(
    select jsonb_object_agg(key, case
      when not (key = any(${selects}::text[]) and value ?| ${gone}) then value
      when jsonb_typeof(value) = 'array' and value - ${gone} <> '[]' then value - ${gone}
      else 'null' end)
    from jsonb_each(before.old))`
}

/** Fields and attributes. */
export async function undoFields(
  db: Db,
  by: OperationAuthor,
  of: Done,
  fields: Fields,
): Promise<void> {
  const { space } = by
  const { columns, attributes, gone, selects, goneOptions } = fields
  const current = jsonObject([
    ...columns.map((name): [string, Sql] => [name, sql`lead.${raw(`"${name}"`)}`]),
    ...attributes.map((id): [string, Sql] => [
      attributePrefix + id,
      sql`lead.attributes -> ${id}::text`,
    ]),
  ])
  const found = sql`found as materialized (
    select lead.id, before.old as was, ${withoutOptions(fields)} as old, before.new,
      ${current} - ${gone}::text[] as current
    from lead join (${befores(space, of)}) before on before.id = lead.id
    where lead.id_space = ${space} and not lead.is_deleted)`
  const back = sql`back as materialized (
    select found.id, found.current as old, found.current || coalesce((
      select jsonb_object_agg(entry.key, entry.value) from jsonb_each(found.old) entry
      where found.current -> entry.key = found.new -> entry.key), '{}') as new
    from found)`
  const lost = sql`
    select found.id from found where exists (
      select from jsonb_each(found.old) entry
      where found.new -> entry.key <> entry.value
        and found.current -> entry.key is distinct from found.new -> entry.key
        and found.current -> entry.key is distinct from entry.value)`
  const declared = columns.map((name) => raw(`"${name}" ${columnType(name)}`))
  const target = sql`target as (
    select back.id, back.new - ${columns}::text[] as attributes
      ${columns.length > 0 ? sql`, typed.*` : sql``}
    from back ${columns.length > 0 ? sql`, jsonb_to_record(back.new) as typed (${join(declared, ', ')})` : sql``}
    where back.old is distinct from back.new)`
  const entries = sql`(select jsonb_object_agg(substr(key, ${attributePrefix.length + 1}), value)
    from jsonb_each(target.attributes)`
  const attributeSet =
    attributes.length > 0
      ? sql`, attributes = (lead.attributes || coalesce(wanted.filled, '{}')) - wanted.empty`
      : sql``
  const wanted = sql`wanted as materialized (
    select target.*,
      ${entries} where value <> 'null') as filled,
      array(select substr(key, ${attributePrefix.length + 1}) from jsonb_each(target.attributes)
        where value = 'null') as empty
    from target)`
  const sets = columns.map((name) => sql`${raw(`"${name}"`)} = wanted.${raw(`"${name}"`)}`)
  // A company that gets its old name back has no claim on it (leads/search/match.ts).
  if (columns.includes('company') || columns.includes('is_company')) {
    sets.push(sql`company_claim = null`)
  }
  const updated = sql`updated as (
    update lead set ${join([...sets, sql`updated_at = ${by.now.toISOString()}::timestamptz`], ', ')}
      ${attributeSet}
    from wanted where lead.id_space = ${space} and lead.id = wanted.id)`
  await runJournaled(
    db,
    [
      ...[found, back, target, wanted, updated],
      keptPart('kept_changed', by, changedSince, lost),
      ...(gone.length > 0
        ? [keptPart('kept_gone', by, `attribute ${deletedSince}`, lostAttributes(gone))]
        : []),
      ...(goneOptions.length > 0
        ? [
            keptPart(
              'kept_options',
              by,
              `option ${deletedSince}`,
              lostOptions(selects, goneOptions),
            ),
          ]
        : []),
      deletedLeads(by, of),
    ],
    journal(by, 'fields', sql`select id, old, new from back`),
  )
  const ids = sql`array(select distinct unnest(ids) from ${valuesOf(space, of)})`
  await refreshDerived(db, space, columns, ids)
}

const lostAttributes = (gone: string[]) => sql`
  select found.id from found
  where exists (
    select from jsonb_each(found.old) entry
    where entry.key = any(${gone}::text[]) and entry.value <> 'null')`

const lostOptions = (selects: string[], options: string[]) => sql`
  select found.id from found
  where exists (
    select from jsonb_each(found.was) entry
    where entry.key = any(${selects}::text[]) and entry.value ?| ${options}::text[])`
