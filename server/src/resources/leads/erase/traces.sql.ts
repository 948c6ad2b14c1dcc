// Statements about the traces of leads: texts of the workspace that may mention them.
import { typesWithCell } from '../../../attributes/types.ts'
import type { Db } from '../../../db/driver.ts'
import { columnNames, escapeLike, join, raw, run, type Sql, sql } from '../../../db/sql.ts'
import { concernsAny } from '../../../feed/concerns.sql.ts'
import { furtherOf, matchExpression } from '../search/match.ts'
import { nameColumns } from './names.ts'

/** How a text of a row is kept, and so what is left of it without the names. */
type Kind =
  | 'text'
  | 'json'
  /** The rows of a file: those with a name are removed. */
  | 'rows'
  /** Removed entirely. */
  | 'answer'
  /** The row is removed with it. */
  | 'key'

export interface Source {
  table: string
  /** The columns of its key in addition to id_space, with their types. */
  key: Record<string, string>
  /** Only these rows. */
  where?: string
  columns: Record<string, Kind>
}

/**
 * Everything that people or the service have written about leads besides the leads, their notes and reminders
 * and what has their ids. Not among them: texts of other records, such as the name of a list or a note of
 * another lead.
 */
export const sources: Source[] = [
  ...['saved_view', 'webhook'].map(
    (table): Source => ({
      ...{ table, key: { id: 'uuid' }, columns: { name: 'text', filter: 'json' } },
    }),
  ),
  ...[
    { table: 'event', key: { seq: 'bigint' } },
    { table: 'event_new', key: { id: 'uuid', part: 'int' } },
  ].map(
    (table): Source => ({ ...table, where: `type like 'view.%'`, columns: { changed: 'json' } }),
  ),
  {
    ...{ table: 'audit', key: { id: 'uuid' }, where: `action = 'leads.exported'` },
    columns: { about: 'json' },
  },
  {
    ...{ table: 'operation', key: { id: 'uuid' } },
    columns: { filter: 'json', data: 'json', error: 'text' },
  },
  {
    ...{ table: 'idempotency', key: { id_key: 'uuid', key: 'text' } },
    columns: { key: 'key', answer: 'answer' },
  },
  { table: 'import_progress', key: { id: 'uuid' }, columns: { file: 'text' } },
  {
    ...{ table: 'import_rejected', key: { id_import: 'uuid', row_number: 'bigint' } },
    columns: { content: 'rows' },
  },
]

export type Value = string | Buffer | null

/** The texts of a row, with its key as values of a statement. */
export interface Texts {
  key: string[]
  values: Record<string, Value>
}

const pageSize = 200

/** All rows of a source, page by page. */
export async function* eachTexts(db: Db, space: string, source: Source): AsyncGenerator<Texts> {
  const keys = Object.entries(source.key)
  for (let after: string[] | undefined; ; ) {
    const beyond = after
      ? sql`and (${columnNames(keys.map(([name]) => name))}) > (${typed(source, after)})`
      : sql``
    const rows = await selectTexts(
      db,
      space,
      source,
      sql`${beyond} order by ${columnNames(keys.map(([name]) => name))} limit ${pageSize}`,
    )
    yield* rows
    if (rows.length < pageSize) return
    after = rows.at(-1)?.key
  }
}

/** One row, locked until the transaction ends. */
export async function lockTexts(
  db: Db,
  space: string,
  source: Source,
  key: string[],
): Promise<Texts | undefined> {
  const [row] = await selectTexts(db, space, source, sql`and ${hasKey(source, key)} for update`)
  return row
}

async function selectTexts(db: Db, space: string, source: Source, rest: Sql): Promise<Texts[]> {
  const { table, where = 'true', columns } = source
  const keys = Object.keys(source.key)
  const parts = [
    ...keys.map((name, index) => raw(`"${name}"::text as key_${index}`)),
    ...Object.entries(columns).map(([name, kind]) =>
      raw(kind === 'rows' ? `"${name}"` : `"${name}"::text as "${name}"`),
    ),
  ]
  const rows = await run<Record<string, Value>[]>(db)`select ${join(parts, ', ')} from ${raw(table)}
    where id_space = ${space} and ${raw(where)} ${rest}`
  return rows.map((row) => ({
    key: keys.map((_name, index) => String(row[`key_${index}`])),
    values: Object.fromEntries(Object.keys(columns).map((name) => [name, row[name] ?? null])),
  }))
}

const typed = (source: Source, key: string[]) =>
  join(
    Object.values(source.key).map((type, index) => sql`${key[index]}::text::${raw(type)}`),
    ', ',
  )

const hasKey = (source: Source, key: string[]) =>
  sql`(${columnNames(Object.keys(source.key))}) = (${typed(source, key)})`

export async function updateTexts(
  db: Db,
  space: string,
  source: Source,
  { key, values }: Texts,
): Promise<void> {
  const sets = Object.entries(values).map(([name, value]) => {
    const as =
      { json: '::text::jsonb', rows: '::bytea' }[source.columns[name] as string] ?? '::text'
    return sql`${columnNames([name])} = ${value}${raw(as)}`
  })
  await run(db)`update ${raw(source.table)} set ${join(sets, ', ')}
    where id_space = ${space} and ${hasKey(source, key)}`
}

export async function deleteTexts(
  db: Db,
  space: string,
  source: Source,
  key: string[],
): Promise<void> {
  await run(db)`
    delete from ${raw(source.table)} where id_space = ${space} and ${hasKey(source, key)}`
}

/** Values of one lead: field → the values, or [before, after]. */
export interface NamesRow {
  id: string
  is_company: boolean
  values: Record<string, unknown>
}

const fields = raw(nameColumns.map((name) => `'${name}'`).join(', '))
const only = (value: string) =>
  raw(
    `jsonb_strip_nulls(jsonb_build_object(${nameColumns
      .map((name) => `'${name}', ${value} -> '${name}'`)
      .join(', ')}))`,
  )

/**
 * What these leads are called, and were as far as the history knows. `ids` is an array, in SQL. Attributes
 * with an address or a number count as email and phone.
 */
export async function* selectNames(db: Db, space: string, ids: Sql): AsyncGenerator<NamesRow[]> {
  const own = sql`select unnest(${ids}) as id`
  yield await run<NamesRow[]>(db)`
    select lead.id, lead.is_company, jsonb_strip_nulls(to_jsonb(named)) as values
    from (${own}) own join lead on lead.id_space = ${space} and lead.id = own.id,
    lateral (select ${raw(nameColumns.map((name) => `lead.${name}`).join(', '))}) named`
  yield await run<NamesRow[]>(db)`select lead.id, lead.is_company,
      jsonb_build_object(
        case when attribute.type = any(${typesWithCell('email')}::text[]) then 'email' else 'phone' end,
        value) as values
    from (${own}) own join lead on lead.id_space = ${space} and lead.id = own.id,
    lateral jsonb_each(lead.attributes) as each (key, value)
    join attribute on attribute.id_space = ${space} and attribute.id::text = key
      and attribute.type = any(${[...typesWithCell('email'), ...typesWithCell('phone')]}::text[])
    where lead.id_space = ${space}`
  for (const table of ['event_new', 'event']) {
    yield await run<NamesRow[]>(db)`select own.id, false as is_company, ${only('changed')} as values
      from ${raw(table)}, unnest(ids) as each (id) join (${own}) own on own.id = each.id
      where id_space = ${space} and ${concernsAny(ids)} and leads is null
        and changed ?| array[${fields}]`
  }
  for (const side of ['old', 'new']) {
    yield await run<NamesRow[]>(db)`select own.id, false as is_company, ${only(side)} as values
      from operation_value, unnest(ids) as each (id) join (${own}) own on own.id = each.id
      where id_space = ${space} and ${raw(side)} ?| array[${fields}]`
  }
}

/** Texts of leads that have the words of a phrase in their order; up to `limit` for each. */
export async function selectSearchTexts(
  db: Db,
  space: string,
  phrases: string[],
  limit: number,
): Promise<{ phrase: string; text: string }[]> {
  const patterns = phrases.map((phrase) => `%${phrase.split(' ').map(escapeLike).join('%')}%`)
  return run<{ phrase: string; text: string }[]>(db)`select phrase, found.text
    from unnest(${phrases}::text[], ${patterns}::text[]) as wanted (phrase, pattern),
    lateral (select text from lead_search
      where id_space = ${space} and text like pattern limit ${limit}) found`
}

/** Which of these email addresses and phone numbers a lead has. */
export async function selectKept(db: Db, space: string, keys: string[]): Promise<string[]> {
  const has = (field: 'email' | 'phone', wanted: Sql) => {
    const live = sql`from lead where lead.id_space = ${space} and not lead.is_deleted`
    const isFirst = sql`exists (select ${live} and ${raw(`lead.${field}`)} is not null
      and left(${matchExpression(field)}, 255) in (${wanted}))`
    const further = furtherOf(field)
    if (!further) return isFirst
    return sql`(${isFirst} or exists (select ${live} and ${further.isThere}
      and ${further.keys} && array[${wanted}]))`
  }
  const rows = await run<{ key: string }[]>(db)`
    select key from unnest(${keys}::text[]) as wanted (key)
    where ${has('email', sql`left(key, 255)`)}
      or ${has('phone', sql`key, '0' || key, '00' || key`)}`
  return rows.map(({ key }) => key)
}
