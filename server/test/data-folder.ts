// Data folders for tests that start the program. They are copies of one that was made before all tests: initdb and
// the migrations take longer than most of these tests.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { connect } from '../src/db/driver.ts'
import { migrate } from '../src/db/migrate.ts'
import { openEngine } from '../src/engine/engine.ts'

/** Set by the setup of the tests. Tortures that run by themselves have none, and start on an empty folder. */
const variable = 'RAPPORT_TEST_FOLDER'

/** Where they are in a data folder (engine/data-folder.ts). */
const programs = 'engine'

/** Makes the folder that `fillFolder` copies: with the schema, and without a workspace. */
export async function makeTemplate(dataDir: string): Promise<void> {
  const engine = await openEngine({ dataDir, log: console.error })
  const pool = connect(engine.connections.owner, { max: 2 })
  await migrate(pool)
  await pool.end()
  await engine.leave()
  process.env[variable] = dataDir
}

/** Puts an empty database into the folder. */
export async function fillFolder(dataDir: string): Promise<void> {
  const template = process.env[variable]
  if (!template) return
  await mkdir(dataDir, { recursive: true })
  const data = (await readdir(template)).filter((name) => name !== programs)
  // It keeps the owners of the files: as root, PostgreSQL runs under another account.
  await promisify(execFile)('cp', ['-a', ...data.map((name) => join(template, name)), dataDir])
  await sharePrograms(dataDir)
}

/**
 * Lets the folder have PostgreSQL's programs without a copy: these thousand files take longer than the database. As
 * root they are in one place anyway.
 */
export async function sharePrograms(dataDir: string): Promise<void> {
  const shared = join(process.env[variable] ?? '', programs)
  if (existsSync(shared)) await symlink(shared, join(dataDir, programs))
}
