// The data that is measured: one workspace of so many leads beside ten others.
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { insertMember, insertSpace } from '../src/access/access.sql.ts'
import { issueKey } from '../src/access/issue-key.ts'
import type { Pool } from '../src/db/driver.ts'
import { migrate } from '../src/db/migrate.ts'
import { openDatabase } from '../src/engine/open-database.ts'
import { newId } from '../src/ids.ts'
import { type BigWorkspace, fillBigWorkspaces } from '../test/bigWorkspace.ts'

export interface BenchData {
  leads: number
  dataDir: string
  key: string
  owner: string
  workspace: BigWorkspace
}

const otherWorkspaces = 10

/**
 * In a folder of its own, below this one; `others` is the size of those beside it. Data that is there
 * already is used as it is.
 */
export async function makeData(
  folder: string,
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
  // Started by root, PostgreSQL runs under another account, which has to get in.
  await chmod(folder, 0o711)
  const database = await openDatabase({ dataDir, databaseUrl: undefined, poolSize: 4 }, log)
  try {
    await migrate(database.pool)
    const spaces = []
    for (let at = 0; at < otherWorkspaces; at++) {
      spaces.push({ ...(await makeSpace(database.pool)), leads: others })
    }
    const main = { ...(await makeSpace(database.pool)), leads }
    const workspace = (await fillBigWorkspaces(database.pool, [...spaces, main])).at(-1)
    const { id_space, owner } = main
    const order = { id_space, id_member: owner, role: 'admin', name: 'Bench', created_at } as const
    const { key } = await issueKey(database.pool, order)
    const data = { leads, dataDir, key, owner, workspace: workspace as BigWorkspace }
    await writeFile(description, JSON.stringify(data))
    return data
  } finally {
    await database.close()
  }
}

const created_at = '2024-01-01T00:00:00.000Z'

async function makeSpace(db: Pool): Promise<{ id_space: string; owner: string }> {
  const [id_space, owner] = [newId(), newId()]
  await insertSpace(db, { id_space, name: 'Bench', time_zone: 'UTC', created_at })
  const email = `${owner}@example.com`
  await insertMember(db, { id_space, id: owner, name: 'Owner', email, role: 'owner', created_at })
  return { id_space, owner }
}
