// Workspaces with hundreds of thousands of leads, made by SQL: for tests of query plans and for
// benchmarks.

import type { Db, Pool } from '../src/db/driver.ts'
import { run } from '../src/db/sql.ts'
import { newId } from '../src/ids.ts'
import { fillDefinitions } from './big-workspace.definitions.ts'
import { fillHistory } from './big-workspace.history.ts'
import { fillLeads } from './big-workspace.leads.ts'
import { fillRelations } from './big-workspace.relations.ts'
import type { BigWorkspace, Shared } from './big-workspace.shape.ts'
import { makeSearchable } from './insert-lead.ts'

const shared = (shares: number[]): Shared[] => shares.map((share) => ({ id: newId(), share }))

/**
 * Fills existing workspaces that have no leads. Creates the indexes after the rows, which takes a
 * fraction of the time. At the end it runs VACUUM ANALYZE, as autovacuum would.
 */
export async function fillBigWorkspaces(
  db: Pool,
  spaces: { id_space: string; owner: string; leads: number }[],
): Promise<BigWorkspace[]> {
  const indexes = await dropIndexes(db)
  const filled = await Promise.all(
    spaces.map(({ id_space, owner, leads }) =>
      db.begin(async (tx) => {
        await skipForeignKeys(tx)
        return fill(tx, id_space, owner, leads)
      }),
    ),
  )
  // Two at a time: each keeps a core busy.
  await Promise.all([makeIndexes(db, indexes), makeIndexes(db, indexes)])
  await run(db)`vacuum analyze`
  return filled
}

const bigTables = ['lead', 'lead_search', 'lead_list', 'lead_status', 'lead_tag', 'lead_owner']

/** Keeps those of constraints. Returns the statements to create the others again, slow ones first. */
async function dropIndexes(db: Pool): Promise<string[]> {
  const rows = await run<{ name: string; definition: string }[]>(db)`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
    from pg_index
    where indrelid::regclass::text = any(${bigTables})
      and not exists (select from pg_constraint where conindid = indexrelid)
    order by pg_get_indexdef(indexrelid) like '%USING gin%' desc, 1`
  for (const { name } of rows) await db.unsafe(`drop index ${name}`)
  return rows.map(({ definition }) => definition)
}

/** Creates one index after another until none is left. Takes each definition off the list. */
async function makeIndexes(db: Pool, definitions: string[]): Promise<void> {
  await db.begin(async (tx) => {
    await run(tx)`set local maintenance_work_mem = '256MB'`
    await run(tx)`set local max_parallel_maintenance_workers = 0`
    for (let next = definitions.shift(); next; next = definitions.shift()) await tx.unsafe(next)
  })
}

/** The rows are consistent, and checking a million references takes longer than writing them. */
async function skipForeignKeys(tx: Db): Promise<void> {
  const [user] = await run(tx)`select rolsuper from pg_roles where rolname = current_user`
  if (user?.rolsuper) await run(tx)`set local session_replication_role = replica`
}

async function fill(tx: Db, space: string, owner: string, leads: number): Promise<BigWorkspace> {
  const big: BigWorkspace = {
    id_space: space,
    lists: shared([0.1, 0.4, 0.05, 0.01, 0.001]),
    listStatuses: shared([0.6, 0.3, 0.1]),
    statuses: shared([0.3, 0.2, 0.1, 0.05, 0.01]),
    tags: shared([0.01, 0.3, 0.1, 0.05, 0.001]),
    owners: [{ id: owner, share: 0.5 }, ...shared([0.3, 0.15, 0.05])],
    attributes: { text: newId(), number: newId(), select: newId() },
    options: shared([0.7, 0.2, 0.05, 0.04, 0.01]),
    ages: { old: newId(), new: newId() },
    campaign: newId(),
    step: newId(),
  }
  await fillDefinitions(tx, big)
  await run(tx)`select setseed(0.5)`
  await fillLeads(tx, big, leads)
  await makeSearchable(tx, space)
  await fillRelations(tx, big)
  await fillHistory(tx, big, owner)
  await run(tx)`
    insert into lead_count (id_space, slot, count)
    select id_space, 0, count(*) from lead
    where id_space = ${space} and not is_deleted group by id_space`
  return big
}
