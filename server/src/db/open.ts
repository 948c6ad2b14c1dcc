// The database of this configuration: a given server, or the one in the box.
import type { Config } from '../config.ts'
import { connect, type Pool, type PoolOptions } from './driver.ts'
import { openEngine } from './engine/engine.ts'

export interface Database {
  pool: Pool
  /** For people: where the data is. */
  where: string
  close(): Promise<void>
}

export async function openDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir' | 'poolSize'>,
  log: (line: string) => void,
  { lockTimeoutMs = 0 }: Pick<PoolOptions, 'lockTimeoutMs'> = {},
): Promise<Database> {
  const options = { max: config.poolSize, lockTimeoutMs }
  if (config.databaseUrl !== undefined) {
    const pool = connect({ url: config.databaseUrl }, options)
    const { host, pathname } = new URL(config.databaseUrl)
    return {
      pool,
      where: `PostgreSQL at ${host}${pathname}`,
      close: () => pool.end({ timeout: 5 }),
    }
  }
  const engine = await openEngine({ dataDir: config.dataDir, log })
  const pool = connect(engine.connection, options)
  return {
    pool,
    where: `${config.dataDir} (PostgreSQL in the box)`,
    async close() {
      await pool.end({ timeout: 5 })
      await engine.leave()
    },
  }
}
