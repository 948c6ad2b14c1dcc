// The data that is measured: one workspace of so many leads beside ten others.
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { migrate } from '../src/db/migrate.ts'
import { openDatabase } from '../src/db/open.ts'
import { type BigWorkspace, fillBigWorkspaces } from '../test/big-workspace.ts'
import { makeWorkspace } from '../test/workspace.ts'

export interface BenchData {
  leads: number
  dataDir: string
  key: string
  owner: string
  workspace: BigWorkspace
}

const otherWorkspaces = 10
const created_at = '2024-01-01T00:00:00.000Z'

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
    const newWorkspace = () => makeWorkspace(database.pool, { name: 'Bench', created_at })
    const spaces = []
    for (let at = 0; at < otherWorkspaces; at++) {
      spaces.push({ ...(await newWorkspace()), leads: others })
    }
    const { key, ...main } = await newWorkspace()
    const filled = await fillBigWorkspaces(database.pool, [...spaces, { ...main, leads }])
    const workspace = filled.at(-1) as BigWorkspace
    const data = { leads, dataDir, key, owner: main.owner, workspace }
    await writeFile(description, JSON.stringify(data))
    return data
  } finally {
    await database.close()
  }
}
