// The ceiling of an import is COPY of the demo's rows. Also compares what was loaded.

import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { insertSpace } from '../src/access/access.sql.ts'
import { copyIn, copyOut } from '../src/backup/copy.ts'
import { countLines, quote, type Table } from '../src/backup/format.ts'
import { useOwnSettings } from '../src/backup/tables.sql.ts'
import { showProgress } from '../src/commands/progress.ts'
import type { Pool } from '../src/db/driver.ts'
import { run } from '../src/db/sql.ts'
import { newId } from '../src/ids.ts'

/** The workspace of the demo, and the tables of the database. */
export interface Source {
  space: string
  tables: Table[]
}

/** What the leads of the demo refer to; parents before children. */
const referenced = ['member', 'list', 'status', 'tag', 'attribute', 'attribute_option']
export const relationTables = ['lead_list', 'lead_status', 'lead_tag', 'lead_owner']
/** What an import writes. Keys of leads are made later: see the bench of duplicates. */
const written = ['lead', 'lead_search', ...relationTables]

/** A workspace with everything that the leads of the demo refer to, under the same ids. */
export async function newWorkspace(pool: Pool, source: Source, name: string): Promise<string> {
  const id_space = newId()
  await pool.begin(async (tx) => {
    const created_at = new Date().toISOString()
    await insertSpace(tx, { id_space, name, time_zone: 'UTC', created_at })
    for (const table of referenced) {
      const columns = columnsOf(source, table)
      await tx.unsafe(
        `insert into ${quote(table)} (id_space, ${columns})
         select $1, ${columns} from ${quote(table)} where id_space = $2`,
        [id_space, source.space],
      )
    }
    // Otherwise leads without a stage would get the first one of their list.
    await run(tx)`update list set auto_status = false where id_space = ${id_space}`
  })
  return id_space
}

/** The columns of a table without id_space and without those omitted, quoted. */
function columnsOf({ tables }: Source, name: string, leftOut: string[] = []): string {
  const table = tables.find((candidate) => candidate.name === name)
  if (!table) throw new Error(`There is no table ${name}`)
  return table.columns
    .filter((column) => column !== 'id_space' && !leftOut.includes(column))
    .map(quote)
    .join(', ')
}

/** Equal for equal rows, independent of their order. */
export async function fingerprint(pool: Pool, source: Source, space: string): Promise<string> {
  const parts: string[] = []
  for (const name of written) {
    // An export does not contain who created a lead.
    const columns = columnsOf(source, name, ['usersId'])
    const [row] = await pool.unsafe(
      `select count(*)::text || ' ' || sum(hashtextextended(row(${columns})::text, 0)) as hash
       from ${quote(name)} where id_space = $1`,
      [space],
    )
    parts.push(`${name} ${row?.hash}`)
  }
  return parts.join('\n')
}

interface CopyFile {
  file: string
  statement: string
}

/** Writes the demo's rows as COPY reads them, in the order of the export, for another workspace. */
export async function writeTexts(
  pool: Pool,
  folder: string,
  source: Source,
  space: string,
): Promise<CopyFile[]> {
  const files: CopyFile[] = []
  for (const name of written) {
    const file = join(folder, `${name}.copy`)
    const output = createWriteStream(file)
    const columns = columnsOf(source, name)
    // COPY takes no parameters.
    const statement = `copy (
      select '${space}'::uuid, ${columns} from ${quote(name)}
      where id_space = '${source.space}' ${name === 'lead' ? 'order by created_at, id' : ''}
    ) to stdout`
    await pool.begin(async (tx) => {
      await useOwnSettings(tx)
      const write = async (piece: Buffer | string) => {
        if (!output.write(piece)) await once(output, 'drain')
      }
      await copyOut(tx, statement, write, async () => {})
    })
    await finished(output.end())
    files.push({ file, statement: `copy ${quote(name)} (id_space, ${columns}) from stdin` })
  }
  return files
}

/** Finishes work that earlier loads left to the database, so that the next one does not pay for it. */
export async function settle(pool: Pool): Promise<void> {
  await pool.unsafe(`vacuum (analyze) ${written.map(quote).join(', ')}`)
  await pool.unsafe('checkpoint')
}

/** Returns the seconds. */
export async function copy(pool: Pool, files: CopyFile[], rows: number): Promise<number> {
  const progress = showProgress('leads', rows)
  let done = 0
  async function* counted(file: string) {
    for await (const piece of createReadStream(file, { highWaterMark: 256 * 1024 })) {
      yield piece
      if (file !== files[0]?.file) continue
      done += countLines(piece)
      progress.at(done)
    }
  }
  const started = performance.now()
  try {
    await pool.begin(async (tx) => {
      await useOwnSettings(tx)
      // The import has the same setting.
      await run(tx)`select set_config('gin_pending_list_limit', '32768', true)`
      for (const { file, statement } of files) await copyIn(tx, statement, counted(file))
    })
  } finally {
    progress.end()
  }
  return (performance.now() - started) / 1000
}
