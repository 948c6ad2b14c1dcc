// The data for the measurements: one workspace with the given number of leads, and ten other ones.
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { selectSpaces } from '../src/access/access.sql.ts'
import type { Pool } from '../src/db/driver.ts'
import { migrate } from '../src/db/migrate.ts'
import { run, sql } from '../src/db/sql.ts'
import { madeBefore } from '../test/big-workspace.leads.ts'
import type { BigWorkspace } from '../test/big-workspace.shape.ts'
import { fillBigWorkspaces } from '../test/big-workspace.ts'
import { openAsSuperuser } from '../test/open-as-superuser.ts'
import { makeWorkspace } from '../test/workspace.ts'
import { BenchError } from './bench-error.ts'

export interface BenchData {
  leads: number
  dataDir: string
  /** The database, when it is not that in the box of dataDir. */
  databaseUrl: string | undefined
  key: string
  owner: string
  workspace: BigWorkspace
}

const otherWorkspaces = 10
const created_at = '2024-01-01T00:00:00.000Z'

/** Where the data is: a folder, and a database of the user if it is not in the box. */
export interface Place {
  folder: string
  databaseUrl: string | undefined
}

/**
 * Makes it in a subfolder of `folder`, or uses it as it is when it exists already. `others` is the
 * number of leads in each of the other workspaces.
 */
export async function makeData(
  { folder, databaseUrl }: Place,
  leads: number,
  others: number,
  log: (line: string) => void,
): Promise<BenchData> {
  const dataDir = join(folder, String(leads))
  const description = join(folder, `${leads}.json`)
  const known = await readFile(description, 'utf8').catch(() => undefined)
  if (known !== undefined) return JSON.parse(known)

  await rm(dataDir, { recursive: true, force: true })
  await mkdir(dataDir, { recursive: true })
  // When root starts PostgreSQL, it runs under another account, and that needs access.
  await chmod(folder, 0o711)
  const database = await openAsSuperuser({ dataDir, databaseUrl, poolSize: 4 }, log)
  try {
    await migrate(database.pool)
    if ((await selectSpaces(database.pool)).length > 0) {
      throw new BenchError('The database of --database has workspaces. Use an empty one.')
    }
    const newWorkspace = () => makeWorkspace(database.pool, { name: 'Bench', created_at })
    const spaces = []
    for (let at = 0; at < otherWorkspaces; at++) {
      spaces.push({ ...(await newWorkspace()), leads: others })
    }
    const { key, ...main } = await newWorkspace()
    const filled = await fillBigWorkspaces(database.pool, [...spaces, { ...main, leads }])
    const workspace = filled.at(-1) as BigWorkspace
    const data = { leads, dataDir, databaseUrl, key, owner: main.owner, workspace }
    await writeFile(description, JSON.stringify(data))
    return data
  } finally {
    await database.close()
  }
}

/** Removes the leads that an earlier run has created, so that every run sees the same newest leads. */
export async function forgetNewLeads(db: Pool, { workspace }: BenchData): Promise<void> {
  const ofSpace = sql`id_space = ${workspace.id_space}`
  const gone = await run(
    db,
  )`delete from lead where ${ofSpace} and created_at >= ${madeBefore} returning id`
  if (gone.length === 0) return
  await run(db)`delete from lead_count where ${ofSpace}`
  await run(db)`insert into lead_count (id_space, slot, count)
      select id_space, 0, count(*) from lead where ${ofSpace} and not is_deleted group by id_space`
  await run(db)`vacuum analyze`
}
