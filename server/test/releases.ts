// Databases of earlier releases, as backups with rows in every table. `0.1.0+0029.gz` is from between two releases,
// after migration 29.
import { createWriteStream, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { copyIn as copyRowsIn } from '../src/backup/copy.ts'
import { copyIn, type Header } from '../src/backup/format.ts'
import { readBackup, type UseTable } from '../src/backup/read.ts'
import { writeBackup } from '../src/backup/write.ts'
import type { Pool } from '../src/db/driver.ts'
import { migrate, readMigrations } from '../src/db/migrate.ts'
import { run } from '../src/db/sql.ts'
import { buildDemo } from '../src/demo/demo.ts'
import { version } from '../src/version.ts'
import { fillWorkspace } from './fixture.ts'
import { makeWorkspace } from './workspace.ts'

const folder = new URL('fixtures/releases/', import.meta.url)
const ending = '.gz'

export const releases = readdirSync(folder).map((name) => name.slice(0, -ending.length))

const fileOf = (release: string) => fileURLToPath(new URL(release + ending, folder))

/** Makes the one of this release. The database has the newest schema and no rows. */
export async function writeRelease(db: Pool): Promise<Header> {
  const now = new Date('2026-03-02T09:00:00.000Z')
  await fillWorkspace(
    db,
    await makeWorkspace(db, { name: 'Fixture', created_at: now.toISOString() }),
  )
  await buildDemo(db, { leads: 40, seed: 1, now, space: undefined, add: false })
  await run(db)`insert into guess_budget values ('account', ${now}, 1, ${now}, 1)`
  return writeBackup(db, createWriteStream(fileOf(version)), { now })
}

/** Brings an empty database to the state of the release. Returns what is in it. */
export async function loadRelease(db: Pool, release: string): Promise<Header> {
  const file = fileOf(release)
  const skip: UseTable = async (_table, rows) => {
    for await (const _piece of rows);
  }
  const { header } = await readBackup(file, skip, undefined)
  await migrate(db, undefined, readMigrations().slice(0, header.migrations.length))
  await db.begin(async (tx) => {
    await readBackup(file, (table, rows) => copyRowsIn(tx, copyIn(table), rows), undefined)
  })
  return header
}
