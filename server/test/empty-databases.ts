// Empty databases for a test file. They are dropped after its tests.
import { afterAll } from 'vitest'
import { connect, type Pool, type Target } from '../src/db/driver.ts'
import { copyTemplate, createEmpty } from './databases.ts'

export interface EmptyDatabase {
  name: string
  pool: Pool
  /** The environment that connects the program to it. */
  environment: Record<string, string>
}

export function emptyDatabases(): {
  /** Without tables, or with the tables of the current schema. */
  create(schema?: 'no schema' | 'schema'): Promise<EmptyDatabase>
} {
  const created: { pool: Pool; drop(): Promise<void> }[] = []
  afterAll(async () => {
    for (const { pool, drop } of created) {
      await pool.end()
      await drop()
    }
  })
  return {
    async create(schema = 'no schema') {
      const make = schema === 'no schema' ? createEmpty : copyTemplate
      const { name, target, drop } = await make('empty')
      const pool = connect(target, { max: 3 })
      created.push({ pool, drop })
      return { name, pool, environment: environmentFor(target) }
    },
  }
}

/** A URL cannot name a Unix socket, but the variables of the driver can. */
export function environmentFor(target: Target): Record<string, string> {
  const { url, database, host, port, username, password } = target
  if (url !== undefined) return { DATABASE_URL: url }
  return {
    DATABASE_URL: `postgres:///${database}`,
    PGHOST: host ?? '',
    PGPORT: String(port),
    PGUSER: username ?? '',
    PGPASSWORD: password ?? '',
  }
}
