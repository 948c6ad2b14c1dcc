// Statements that make the keys of all leads of a workspace, batch by batch.
import type { Db } from '../../../db/driver.ts'
import { acrossWorkspaces, columnNames, run, runAll, sql } from '../../../db/sql.ts'
import { trustReferences } from '../../../db/trust-references.ts'
import { holdOffErasing } from '../erase/erase.sql.ts'
import { insertKeys, keysLock, selectZone } from './keys.sql.ts'
import { keyFields } from './keys.ts'

/** The workspaces whose leads need keys. */
export async function selectBuilds(db: Db): Promise<string[]> {
  const rows = await run<{ id_space: string }[]>(db)`
    ${acrossWorkspaces} select id_space from lead_key_build order by id_space`
  return rows.map(({ id_space }) => id_space)
}

/** Begins again with the first lead. */
export async function buildAgain(db: Db, space: string): Promise<void> {
  await run(db)`insert into lead_key_build (id_space) values (${space})
    on conflict (id_space) do update set id_last = null, done = 0`
}

/** Busy: somebody else is changing keys. They do not wait, so that those who come next need not wait either. */
export async function buildBatch(
  tx: Db,
  space: string,
  size: number,
): Promise<'more' | 'done' | 'busy'> {
  const [build] = await run<{ id_last: string | null }[]>(tx)`
    select id_last from lead_key_build where id_space = ${space} for update`
  if (!build) return 'done'
  const [lock] = await run<[{ is_locked: boolean }]>(tx)`
    select pg_try_advisory_xact_lock(${keysLock}::int, hashtext(${space})) as is_locked`
  if (!lock.is_locked) return 'busy'
  // No lead of the batch goes before its keys are there.
  await holdOffErasing(tx, space)
  await trustReferences(tx)
  const after = build.id_last ?? '00000000-0000-0000-0000-000000000000'
  const leads = await run<{ id: string; is_deleted: boolean }[]>(tx)`
    select id, is_deleted, ${columnNames(keyFields)} from lead
    where id_space = ${space} and id > ${after} order by id limit ${size}`
  const last = leads.at(-1)?.id ?? after
  // Not all up to the last one: a lead that was created in the meantime has its keys.
  const ids = leads.map(({ id }) => id)
  await run(tx)`delete from lead_key using unnest(${ids}::uuid[]) as read (id)
    where lead_key.id_space = ${space} and lead_key.id_lead = read.id`
  const live = leads.filter(({ is_deleted }) => !is_deleted).map((row) => ({ row }))
  await runAll(tx, insertKeys(space, live, await selectZone(tx, space)))
  await run(
    tx,
    leads.length < size
      ? sql`delete from lead_key_build where id_space = ${space}`
      : sql`update lead_key_build set id_last = ${last}, done = done + ${leads.length}
          where id_space = ${space}`,
  )
  return leads.length < size ? 'done' : 'more'
}
