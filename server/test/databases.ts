// Creates and drops the databases of tests. A copy of the template is a database on every node of the
// cluster, if the tests run on one; an empty database is one of the first node only.
import { inject } from 'vitest'
import { type Db, sqlState, type Target } from '../src/db/driver.ts'
import { newId } from '../src/ids.ts'
import { inDatabase, joinNodes, onEach } from './database.ts'

export interface TestDatabase {
  name: string
  target: Target
  /** With the account that the service has there. */
  service: Target
  drop(): Promise<void>
}

/** `what` is a part of the name, for people who look into the server. */
export async function copyTemplate(what: string): Promise<TestDatabase> {
  return create(what, inject('template'), inject('nodes'))
}

export async function createEmpty(what: string): Promise<TestDatabase> {
  return create(what, 'template1', inject('nodes').slice(0, 1))
}

async function create(what: string, template: string, nodes: Target[]): Promise<TestDatabase> {
  const name = `rapport_${what}_${newId().replaceAll('-', '')}`
  await onEach(nodes, (admin) => admin.unsafe(`create database ${name} template ${template}`))
  return {
    name,
    target: inDatabase(inject('server'), name),
    service: inDatabase(inject('service'), name),
    drop: () => onEach(nodes, (admin) => dropDatabase(admin, name)),
  }
}

async function dropDatabase(admin: Db, name: string, attempt = 1): Promise<void> {
  try {
    await admin.unsafe(`drop database ${name} with (force)`)
  } catch (error) {
    // A worker process of Citus that has just started does not end within the 5 seconds of the server.
    if (sqlState(error) === '55006' && attempt < 5) return dropDatabase(admin, name, attempt + 1)
    // Only a superuser may end the autovacuum of the database this way. Without force it ends by itself.
    if (sqlState(error) !== '42501') throw error
    await admin.unsafe(`drop database ${name}`)
  }
}

/** A cluster without tables: nothing is distributed yet. */
export async function createEmptyCluster(what: string): Promise<TestDatabase> {
  const database = await create(what, 'template1', inject('nodes'))
  await joinNodes(inject('nodes'), database.name)
  return database
}

/** Whether the tests run on a cluster, with CITUS_URL. */
export const isOnCluster = () => inject('nodes').length > 1
