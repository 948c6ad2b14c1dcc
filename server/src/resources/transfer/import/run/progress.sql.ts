// How far the import of a file came.

import type { Format } from '@rapport/contract/transfer'
import type { Db } from '../../../../db/driver.ts'
import { assignments, run, type Sql, sql } from '../../../../db/sql.ts'

export interface Counts {
  created: number
  updated: number
  skipped: number
  rejected: number
}

export interface ProgressRow extends Counts {
  id: string
  /** The last row that is done. */
  row_number: number
  /** How long the file of rejected rows was then. */
  rejected_bytes: number
  /** What was asked for, as JSON. */
  options: string
  started_at: string
  finished_at: string | null
}

/** The import of this content, as it is or as it begins. */
export async function openProgress(
  db: Db,
  space: string,
  entry: { id: string; fingerprint: string; file: string; options: string },
  now: Date,
): Promise<ProgressRow> {
  await run(db)`
    insert into import_progress (
      id_space, id, fingerprint, file, options, row_number, created, updated, skipped, rejected,
      rejected_bytes, started_at, updated_at
    )
    select ${space}::uuid, ${entry.id}::uuid, ${entry.fingerprint}, ${entry.file},
      ${entry.options}, 0, 0, 0, 0, 0,
      0, ${now}::timestamptz, ${now}::timestamptz
    on conflict (id_space, fingerprint) do nothing`
  const [row] = await selectProgress(db, space, entry.fingerprint)
  return row as ProgressRow
}

export function selectProgress(db: Db, space: string, fingerprint: string) {
  return run<ProgressRow[]>(db)`
    select id, row_number, created, updated, skipped, rejected, rejected_bytes, options,
      started_at, finished_at
    from import_progress where id_space = ${space} and fingerprint = ${fingerprint}`
}

type Which = { id: string } | { fingerprint: string }

const isThis = (which: Which): Sql =>
  'id' in which ? sql`id = ${which.id}` : sql`fingerprint = ${which.fingerprint}`

/** As if it had never been. A process that is still at it notices, and stops. */
export async function forgetImport(db: Db, space: string, which: Which): Promise<void> {
  await run(db)`delete from import_progress where id_space = ${space} and ${isThis(which)}`
}

export interface ImportRow extends Counts {
  id: string
  file: string
  format: Format
  started_at: string
  updated_at: string
  finished_at: string | null
  has_rejected: boolean
}

/** The newest first. */
export function selectImports(db: Db, space: string): Promise<ImportRow[]> {
  return selectRows(db, space, sql`true order by started_at desc, id desc limit 50`)
}

export async function selectImport(
  db: Db,
  space: string,
  which: Which,
): Promise<ImportRow | undefined> {
  const [row] = await selectRows(db, space, isThis(which))
  return row
}

function selectRows(db: Db, space: string, which: Sql): Promise<ImportRow[]> {
  return run<ImportRow[]>(db)`
    select id, file, coalesce(nullif(options, '')::jsonb ->> 'format', 'csv') as format,
      created, updated, skipped, rejected, started_at, updated_at, finished_at,
      exists (
        select from import_rejected
        where import_rejected.id_space = ${space}
          and import_rejected.id_import = import_progress.id
          and import_rejected.row_number > 0
      ) as has_rejected
    from import_progress where id_space = ${space} and ${which}`
}

/** Returns false if another process has moved the progress of this file. */
export async function saveProgress(
  db: Db,
  space: string,
  { id, ...row }: Omit<ProgressRow, 'started_at' | 'options'>,
  before: number,
  now: Date,
): Promise<boolean> {
  const rows = await run(db)`
    update import_progress set ${assignments({ ...row, updated_at: now.toISOString() })}
    where id_space = ${space} and id = ${id} and row_number = ${before} and finished_at is null
    returning id`
  return rows.length > 0
}
