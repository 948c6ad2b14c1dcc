// The command distribute, and how a distributed database stays one. What needs a cluster runs only with
// CITUS_URL.
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { deleteSpace } from '../src/access/access.sql.ts'
import { isDistributed, selectLockLimits, selectPlaces } from '../src/db/distribute.sql.ts'
import { connect, type Pool } from '../src/db/driver.ts'
import { waitingWithoutEnd } from '../src/db/lock-limit.ts'
import { migrate, readMigrations } from '../src/db/migrate.ts'
import { run, sql } from '../src/db/sql.ts'
import { selectTenantTables } from '../src/db/tables.sql.ts'
import { inDatabase, onEach } from './database.ts'
import { createEmptyCluster, type TestDatabase } from './databases.ts'
import { emptyDatabases, environmentFor } from './empty-databases.ts'
import { fillWorkspace } from './fixture.ts'
import { freshIds } from './fixture-ids.ts'
import { expectLockWaits } from './lock-waits.ts'
import { program } from './running-program.ts'
import { makeWorkspace } from './workspace.ts'

const box = program()
const databases = emptyDatabases()

test('a database without the extension is refused with one line', async () => {
  const { environment } = await databases.create()
  for (const args of [
    ['distribute', '--yes'],
    ['distribute', '--check'],
  ]) {
    const { code, stdout, stderr } = await box.run(args, environment)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(
      /^This database does not have the Citus extension\. .*docs\/SCALE.md\.\n$/,
    )
  }
})

test('--json without --check is a mistake', async () => {
  const { code, stderr } = await box.run(['distribute', '--json'])
  expect(code).toBe(2)
  expect(stderr).toMatch(/^--json requires --check\.\n\nUsage: npm run rapport -- distribute/)
})

describe.runIf(process.env.CITUS_URL)('on a cluster', () => {
  const created: { database: TestDatabase; pool: Pool }[] = []

  async function cluster() {
    const database = await createEmptyCluster('distribute')
    const pool = connect(database.target, { max: 3 })
    created.push({ database, pool })
    const environment = environmentFor(database.target)
    const distribute = (...args: string[]) => box.run(['distribute', ...args], environment)
    return { database, pool, environment, distribute }
  }

  afterAll(async () => {
    for (const { database, pool } of created) {
      await pool.end()
      await database.drop()
    }
  })

  /** Every row of every table of workspaces, in one order. */
  async function contentOf(pool: Pool) {
    const content: Record<string, unknown[]> = {}
    for (const table of await selectTenantTables(pool)) {
      const rows = await pool.unsafe(`select to_jsonb(t) as row from "${table}" t order by 1`)
      content[table] = [...rows]
    }
    return content
  }

  async function fill(pool: Pool, count: number) {
    const spaces = []
    for (let number = 0; number < count; number++) {
      const created_at = new Date().toISOString()
      const space = await makeWorkspace(pool, { name: `Space ${number}`, created_at })
      await fillWorkspace(pool, space, { ids: freshIds(), label: `label ${number}` })
      spaces.push(space)
    }
    return spaces
  }

  const placesOf = async (pool: Pool) => selectPlaces(pool, await selectTenantTables(pool))

  test('everything is distributed with its rows, once it is confirmed; a repetition changes nothing', async () => {
    const { pool, distribute } = await cluster()
    await migrate(pool)
    const [gone, kept] = await fill(pool, 6)
    const before = await contentOf(pool)
    const rows = Object.values(before).reduce((sum, { length }) => sum + length, 0)

    const asked = await distribute()
    expect(asked.code).toBe(1)
    expect(asked.stderr).toContain(
      `with ${rows} rows of 6 workspaces will be distributed over 2 workers, in 4 shards`,
    )
    expect(asked.stderr).toContain('Nothing was done. To confirm: ')
    expect(await isDistributed(pool)).toBe(false)
    expect((await distribute('--check')).code).toBe(1)

    const done = await distribute('--yes')
    expect(done).toMatchObject({ code: 0 })
    expect(done.stdout).toMatch(
      /rows distributed in .* s\.\nAll \d+ tables .* are on 2 workers\.\n$/,
    )
    expect(await contentOf(pool)).toEqual(before)
    expect(
      new Set(
        (await placesOf(pool)).map(
          ({ isDistributed, localBytes }) => `${isDistributed} ${localBytes}`,
        ),
      ),
    ).toEqual(new Set(['true 0']))
    expect(await selectLockLimits(pool)).toEqual(['10s', '10s'])

    const checked = await distribute('--check', '--json')
    expect(checked.code).toBe(0)
    const table = (name: string) =>
      JSON.parse(checked.stdout).find((row: { table: string }) => row.table === name)
    expect(table('lead')).toEqual({
      table: 'lead',
      place: 'workers',
      belongs: 'workers',
      left_behind: 0,
    })
    expect(table('api_key')).toMatchObject({ place: 'coordinator', belongs: 'coordinator' })

    const again = await distribute('--yes')
    expect(again).toMatchObject({ code: 0, stdout: expect.stringMatching(/^All \d+ tables/) })
    expect(await contentOf(pool)).toEqual(before)

    // The foreign keys hold on the nodes.
    await pool.begin((tx) => deleteSpace(tx, gone?.id_space ?? ''))
    const left = JSON.stringify(await contentOf(pool))
    expect(left).not.toContain(gone?.id_space)
    expect(left).toContain(kept?.id_space)
  })

  test('what an earlier run left behind is removed', async () => {
    const { pool, distribute } = await cluster()
    await migrate(pool)
    await fill(pool, 1)
    const tables = await selectTenantTables(pool)
    await pool.begin(async (tx) => {
      for (const table of tables) {
        const beside = table === 'space' ? 'none' : 'space'
        await run(
          tx,
        )`select create_distributed_table(${table}, 'id_space', colocate_with => ${beside})`
      }
    })
    const unfinished = await distribute('--check')
    expect(unfinished.code).toBe(1)
    expect(unfinished.stderr).toMatch(/^In the wrong place: space, .*To fix it:/)
    // A request that has read one table continues to another, which is locked already.
    let done: ReturnType<typeof distribute> | undefined
    await pool.begin(async (tx) => {
      await run(tx)`select from tag limit 1`
      done = distribute('--yes')
      await expectLockWaits(pool, 1, 'truncate_local_data')
      await run(tx)`select from space limit 1`
      await run(tx)`select from list limit 1`
    })
    expect(await done).toMatchObject({ code: 0, stderr: '' })
    expect((await distribute('--check')).code).toBe(0)
  })

  test('the owner of the database needs no other rights', async () => {
    const { database } = await cluster()
    const account = `owner_${database.name.slice(-32)}`
    const url = new URL(database.target.url ?? '')
    url.username = account
    const owner = { url: url.href }
    /** On each node by itself. */
    const onNodes = (...statements: string[]) =>
      onEach(inject('nodes'), async (admin) => {
        await admin.unsafe('set citus.enable_ddl_propagation = off')
        for (const statement of statements) await admin.unsafe(statement)
      })
    await onNodes(
      `create role ${account} login password '${url.password}'`,
      `alter database ${database.name} owner to ${account}`,
    )
    const { drop } = database
    database.drop = async () => {
      await drop()
      await onNodes(`drop role ${account}`)
    }
    const pool = connect(owner, { max: 2 })
    try {
      await migrate(pool)
      await fill(pool, 2)
      const before = await contentOf(pool)
      const asOwner = (...args: string[]) => box.run(['distribute', ...args], environmentFor(owner))
      expect(await asOwner('--yes')).toMatchObject({ code: 0 })
      expect(await asOwner('--check')).toMatchObject({ code: 0 })
      expect(await contentOf(pool)).toEqual(before)
      expect(await selectLockLimits(pool)).toEqual(['10s', '10s'])
      await fill(pool, 1)
    } finally {
      await pool.end()
    }
  })

  describe('is refused with one line', () => {
    test('when there is no worker', async () => {
      const { pool, distribute } = await cluster()
      await pool.unsafe(
        'select citus_remove_node(nodename, nodeport) from pg_dist_node where groupid > 0',
      )
      expect(await distribute('--yes')).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^The cluster has no worker\. .*\n$/),
      })
    })

    test('when DATABASE_URL names a worker', async () => {
      const { database } = await cluster()
      const worker = inDatabase(inject('nodes')[1] ?? {}, database.name)
      const { code, stderr } = await box.run(['distribute', '--check'], environmentFor(worker))
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: 'This server is a worker of the cluster. Set DATABASE_URL to the coordinator.\n',
      })
    })

    test('when a worker does not answer', async () => {
      const { database, distribute } = await cluster()
      const admin = connect(inject('nodes')[2] ?? {}, { max: 1 })
      await admin.unsafe(`alter database ${database.name} allow_connections false`)
      await admin.unsafe(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database.name}'`,
      )
      await admin.end()
      expect(await distribute('--check')).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^The worker .* cannot be used: .*\n$/),
      })
    })
  })

  describe('a distributed database', () => {
    let pool: Pool
    let said: string[]
    let space: string
    beforeAll(async () => {
      const made = await cluster()
      pool = made.pool
      await migrate(pool)
      space = (await fill(pool, 2))[0]?.id_space ?? ''
      expect((await made.distribute('--yes')).code).toBe(0)
    })

    /** All migrations, and new ones with this text. */
    async function withMigrations(...texts: string[]) {
      const folder = await mkdtemp(join(tmpdir(), 'rapport-migrations-'))
      const known = readMigrations()
      const all = [...known.map(({ name, sql }) => [name, sql] as const)]
      texts.forEach((text, index) => {
        all.push([`${String(known.length + index + 1).padStart(4, '0')}_new.sql`, text])
      })
      for (const [name, text] of all) await writeFile(join(folder, name), text)
      said = []
      return migrate(
        pool,
        undefined,
        readMigrations(pathToFileURL(`${folder}/`)),
        undefined,
        (line) => said.push(line),
      )
    }

    test('stays distributed: a migration with a new table, a change of an old one, and rows', async () => {
      const applied = await withMigrations(`
        -- A table of workspaces; its rows come from another one.
        create table visit (
          id_space uuid not null,
          id uuid not null,
          id_lead uuid not null,
          constraint visit_pkey primary key (id_space, id),
          constraint visit_lead_fkey foreign key (id_space, id_lead) references lead (id_space, id) on delete cascade
        );
        insert into visit select id_space, gen_random_uuid(), id from lead;
        alter table lead add column pronouns text;
        update lead set pronouns = 'they; ''em';
        create index visit_lead_idx on visit (id_space, id_lead);`)
      expect(applied).toBe(1)
      expect((await placesOf(pool)).filter(({ isDistributed }) => !isDistributed)).toEqual([])
      const [counts] = await pool.unsafe(`select (select count(*) from visit) as visits,
        (select count(*) from lead where pronouns = 'they; ''em') as leads, (select count(*) from lead) as "all"`)
      expect(counts).toEqual({ visits: counts?.all, leads: counts?.all, all: expect.any(Number) })
      expect(counts?.all).toBeGreaterThan(0)
      await run(pool)`delete from lead where id_space = ${space}`
      expect(await run(pool)`select from visit where id_space = ${space}`).toHaveLength(0)
    })

    test('is mended at a start, which says so', async () => {
      await pool.unsafe(
        'create table stray (id_space uuid primary key references space on delete cascade)',
      )
      await pool.unsafe('insert into stray select id_space from space')
      said = []
      await migrate(pool, undefined, await migrationsOf(pool), undefined, (line) => said.push(line))
      expect(said).toEqual(['The table stray was not distributed. Distributing it…'])
      expect(
        (await placesOf(pool)).filter(
          ({ isDistributed, localBytes }) => !isDistributed || localBytes > 0,
        ),
      ).toEqual([])
      expect(await pool.unsafe('select from stray')).toHaveLength(2)
    })

    test('its workers stop waiting for a lock after the limit; where there is none, they go on', async () => {
      const [one] = await run<{ id_space: string }[]>(pool)`select id_space from space limit 1`
      const id_space = one?.id_space ?? ''
      const { options } = pool
      const target = inDatabase(inject('server'), options.database)
      const unlimited = waitingWithoutEnd(connect(target, { max: 1 }))
      // The limit of the account, as distribute set it, but shorter.
      await pool.unsafe(
        `alter role current_user in database ${options.database} set lock_timeout = 200`,
      )
      const limited = connect(target, { max: 1, lockTimeoutMs: 200 })
      const change = sql`update space set name = name where id_space = ${id_space}`
      const holder = await pool.reserve()
      await run(holder)`begin`
      await run(holder, change)
      await expect(limited.begin((tx) => run(tx, change))).rejects.toMatchObject({ code: '55P03' })
      let isDone = false
      const waiting = unlimited
        .begin((tx) => run(tx, change))
        .then(() => {
          isDone = true
        })
      // Longer than the limit: another statement runs into it in the meantime.
      await expect(limited.begin((tx) => run(tx, change))).rejects.toMatchObject({ code: '55P03' })
      await expect(limited.begin((tx) => run(tx, change))).rejects.toMatchObject({ code: '55P03' })
      expect(isDone).toBe(false)
      await run(holder)`commit`
      await waiting
      holder.release()
      await unlimited.end()
      await limited.end()
    })
  })
})

/** The migrations that the database has: those of the program, and what a test added. */
async function migrationsOf(pool: Pool) {
  const rows = await run<{ version: number; name: string; checksum: string }[]>(
    pool,
  )`select version, name, checksum from schema_migration order by version`
  return rows.map((row) => ({ ...row, sql: '' }))
}
