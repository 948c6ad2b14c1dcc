import { selectSpaces } from '../access/access.sql.ts'
import { selectTables } from '../backup/tables.sql.ts'
import type { Config } from '../config.ts'
import {
  analyzeTables,
  countRowsOf,
  selectLockLimits,
  selectPlaces,
  selectShardCount,
  setForAccount,
} from '../db/distribute.sql.ts'
import { distributeTables, removeLocalRows, requireCluster } from '../db/distribute.ts'
import { type Pool, transaction } from '../db/driver.ts'
import { underStartLock } from '../db/migrate.ts'
import { selectTenantTables } from '../db/tables.sql.ts'
import { openDatabase } from '../engine/open-database.ts'
import { requestWaitLimitMs } from '../http/overload.ts'
import { counted } from '../words.ts'
import {
  CommandError,
  command,
  json,
  print,
  requireNoMore,
  UsageError,
  withDatabase,
} from './command.ts'
import { confirm } from './confirm.ts'
import { nextCommand } from './next-command.ts'
import { showProgress } from './progress.ts'

export const distribute = command({
  summary: 'Distribute workspaces over the nodes of a Citus cluster',
  help: `Usage: npm run rapport -- distribute [--yes]
       npm run rapport -- distribute --check [--json]

DATABASE_URL names a database on the coordinator of a cluster: a PostgreSQL server with the
Citus extension and at least one worker. docs/SCALE.md explains how to set one up.

Distributes workspaces over the workers. All rows of a workspace go to the same worker. Keys
stay on the coordinator. It is one transaction: if it fails, nothing has changed and you
can start again. The service may keep running, but requests may wait until it is done,
and writes get 503 after ${requestWaitLimitMs / 1000} seconds. It first shows what it will move and asks.`,
  options: {
    yes: 'do not ask; for scripts',
    check:
      'only print whether each table is in the right place; the exit status is 1 if one is not',
    json,
  },

  async run({ values, positionals }, config) {
    requireNoMore(positionals)
    if (values.json && !values.check) throw new UsageError('--json requires --check.')
    if (values.check) await check(config, values.json)
    else await withDatabase(config, (pool) => spread(pool, values.yes))
  },
})

/** Shows what will be done, asks, and does it. Completes an earlier run that was interrupted. */
async function spread(pool: Pool, yes: boolean | undefined): Promise<void> {
  const workers = await requireCluster(pool)
  const places = await selectPlaces(pool, await selectTenantTables(pool))
  const missing = places.filter(({ isDistributed }) => !isDistributed)
  const nodes = counted(workers.length, 'worker')
  if (missing.length > 0) {
    const rows = new Map<string, number>()
    for (const { table } of missing) rows.set(table, await countRowsOf(pool, table))
    const total = [...rows.values()].reduce((sum, count) => sum + count, 0)
    const spaces = counted((await selectSpaces(pool)).length, 'workspace')
    const shards = counted(await selectShardCount(pool), 'shard')
    await confirm(
      `${counted(missing.length, 'table')} with ${counted(total, 'row')} of ${spaces} will be distributed over ${nodes}, in ${shards}. Until then, nothing can be written to them.`,
      'Distribute them?',
      nextCommand('distribute'),
      { yes },
    )
    const say = (line: string) => console.error(line)
    const started = Date.now()
    await underStartLock(pool, { log: say }, () =>
      transaction(pool, async (tx) => {
        const progress = showProgress('rows', total)
        let done = 0
        let current = 0
        await distributeTables(tx, (table) => {
          done += current
          current = rows.get(table) ?? 0
          if (current > 0) say(`${table}: ${counted(current, 'row')}…`)
          progress.at(done)
        }).finally(() => progress.end())
      }),
    )
    console.log(
      `${counted(total, 'row')} distributed in ${((Date.now() - started) / 1000).toFixed(1)} s.`,
    )
  }
  // Also when an earlier run ended before this.
  if (missing.length > 0 || places.some(({ localBytes }) => localBytes > 0)) {
    await removeLocalRows(pool)
    await analyzeTables(
      pool,
      places.map(({ table }) => table),
    )
  }
  await setForAccount(pool, requestWaitLimitMs)
  console.log(`All ${counted(places.length, 'table')} of workspaces are on ${nodes}.`)
}

async function check(config: Config, json: boolean | undefined): Promise<void> {
  const database = await openDatabase({ ...config, poolSize: 2 }, (line) => console.error(line))
  try {
    const { pool } = database
    await requireCluster(pool)
    const tenantTables = await selectTenantTables(pool)
    const others = (await selectTables(pool))
      .map(({ name }) => name)
      .filter((name) => !tenantTables.includes(name))
    const places = await selectPlaces(pool, [...tenantTables, ...others])
    const rows = places.map(({ table, isDistributed, localBytes }) => ({
      table,
      place: isDistributed ? 'workers' : 'coordinator',
      belongs: tenantTables.includes(table) ? 'workers' : 'coordinator',
      left_behind: isDistributed ? localBytes : 0,
    }))
    print(rows, json, ['table', 'place', 'belongs', 'left_behind'])
    const wrong = rows.filter(
      ({ place, belongs, left_behind }) => place !== belongs || left_behind > 0,
    )
    const isLimited = (await selectLockLimits(pool)).every((limit) => limit !== '0')
    const mend = nextCommand('distribute')
    if (wrong.length > 0) {
      throw new CommandError(
        `In the wrong place: ${wrong.map(({ table }) => table).join(', ')}. To fix it: ${mend}`,
      )
    }
    if (!isLimited) {
      throw new CommandError(`The workers have no lock timeout. To set it: ${mend}`)
    }
  } finally {
    await database.close()
  }
}
