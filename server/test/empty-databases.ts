// Empty databases for a test file. They are dropped after its tests.
import { afterAll, inject } from 'vitest'
import { connect, type Pool, type Target } from '../src/db/driver.ts'
import { newId } from '../src/ids.ts'
import { inDatabase } from './database.ts'

export interface EmptyDatabase {
  name: string
  pool: Pool
  /** The environment that connects the program to it. */
  environment: Record<string, string>
}

export function emptyDatabases(): { create(template?: string): Promise<EmptyDatabase> } {
  const created: EmptyDatabase[] = []
  afterAll(async () => {
    const admin = connect(inject('server'), { max: 1 })
    for (const { name, pool } of created) {
      await pool.end()
      await admin.unsafe(`drop database ${name} with (force)`)
    }
    await admin.end()
  })
  return {
    async create(template = 'template1') {
      const name = `rapport_empty_${newId().replaceAll('-', '')}`
      const server = inject('server')
      const admin = connect(server, { max: 1 })
      await admin.unsafe(`create database ${name} template ${template}`)
      await admin.end()
      const target = inDatabase(server, name)
      const database = {
        name,
        pool: connect(target, { max: 3 }),
        environment: environmentFor(target),
      }
      created.push(database)
      return database
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
