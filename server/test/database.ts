// Runs once for all test files: starts a real PostgreSQL and makes a template database with the
// schema. The server is the one in the box, or the one that DATABASE_URL names.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { connect, type Target } from '../src/db/driver.ts'
import { migrate } from '../src/db/migrate.ts'
import { openEngine } from '../src/engine/engine.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    server: Target
    template: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await openServer()
  const template = `rapport_template_${process.pid}`
  const admin = connect(server.target, { max: 1 })
  await admin.unsafe(`create database ${template}`)
  const pool = connect(inDatabase(server.target, template), { max: 2 })
  await migrate(pool)
  await pool.end()

  project.provide('server', server.target)
  project.provide('template', template)
  return async () => {
    await admin.unsafe(`drop database ${template}`)
    await admin.end()
    await server.close()
  }
}

export function inDatabase(target: Target, database: string): Target {
  if (target.url === undefined) return { ...target, database }
  const url = new URL(target.url)
  url.pathname = `/${database}`
  return { url: url.href }
}

async function openServer(): Promise<{ target: Target; close(): Promise<void> }> {
  const url = process.env.DATABASE_URL
  if (url) return { target: { url }, close: async () => {} }
  const dataDir = await mkdtemp(join(tmpdir(), 'rapport-test-'))
  const engine = await openEngine({ dataDir, log: console.error })
  await trustMemory(engine.connection)
  return {
    target: engine.connection,
    async close() {
      await engine.leave()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** This server holds nothing that must survive, so it need not wait for the disk. Crash tests have their own. */
async function trustMemory(target: Target): Promise<void> {
  const admin = connect(target, { max: 1 })
  for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes']) {
    await admin.unsafe(`alter system set ${setting} = off`)
  }
  await admin.unsafe('select pg_reload_conf()')
  await admin.end()
}
