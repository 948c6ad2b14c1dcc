// The database for the bench and the tortures, which also do what the service may not: tables of their own,
// checkpoints, ending sessions.
import type { Config } from '../src/config.ts'
import { connect, type Pool } from '../src/db/driver.ts'
import { openEngine } from '../src/engine/engine.ts'
import { openDatabase } from '../src/engine/open-database.ts'

export async function openAsSuperuser(
  config: Pick<Config, 'databaseUrl' | 'dataDir' | 'poolSize'>,
  log: (line: string) => void = () => {},
): Promise<{ pool: Pool; close(): Promise<void> }> {
  if (config.databaseUrl !== undefined) return openDatabase(config, log)
  const engine = await openEngine({ dataDir: config.dataDir, log })
  const pool = connect(engine.connections.superuser, { max: config.poolSize })
  return {
    pool,
    async close() {
      await pool.end({ timeout: 5 })
      await engine.leave()
    },
  }
}
