// What the accounts of the bundled PostgreSQL may do, and how data from before them gets them.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { fillFolder } from '../../test/data-folder.ts'
import { connect, type Pool, type Target } from '../db/driver.ts'
import { migrate } from '../db/migrate.ts'
import { run, sql } from '../db/sql.ts'
import { trustReferences } from '../db/trust-references.ts'
import { type Engine, openEngine } from './engine.ts'
import { type Role, roles } from './roles.ts'

let dataDir: string
let engine: Engine
const pools = new Set<Pool>()

beforeAll(async () => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), 'rapport-roles-'))
  await fillFolder(dataDir)
  engine = await open()
})

afterEach(async () => {
  for (const pool of pools) await pool.end({ timeout: 1 })
  pools.clear()
})

afterAll(async () => {
  await engine.leave()
  rmSync(dataDir, { recursive: true, force: true })
})

function open(transport?: 'loopback'): Promise<Engine> {
  return openEngine({ dataDir, log: () => {}, ...(transport && { transport }) })
}

function as(role: Role, { connections } = engine): Pool {
  return at(connections[role])
}

function at(target: Target): Pool {
  const pool = connect(target, { max: 2 })
  pools.add(pool)
  return pool
}

describe('the account of the service', () => {
  test.each([
    // Files and programs of the machine
    `copy space to program 'touch /tmp/rapport-was-here'`,
    `copy space from program 'id'`,
    `copy space to '/tmp/rapport-was-here'`,
    `copy space from '/etc/passwd'`,
    `select pg_read_file('/etc/passwd')`,
    `select pg_read_binary_file('postgresql.conf')`,
    `select pg_ls_dir('.')`,
    `select lo_import('/etc/passwd')`,
    `select lo_export(1, '/tmp/rapport-was-here')`,
    `load '/tmp/rapport-was-here.so'`,
    // The schema
    'create table mine (x int)',
    'create temporary table mine (x int)',
    'create schema mine',
    'create extension hstore',
    `create function mine() returns int language sql as 'select 1'`,
    'alter table space add column mine int',
    'alter table space disable trigger all',
    'drop table space cascade',
    'truncate space cascade',
    'create index mine on space (name)',
    'create database mine',
    'drop database postgres',
    // Other accounts and the server
    'set role rapport_owner',
    'set role rapport',
    'set session authorization rapport',
    'create role mine',
    'alter role rapport_service superuser',
    'alter role rapport_service createrole',
    `alter role rapport_owner password 'mine'`,
    `alter role rapport password 'mine'`,
    'grant rapport_owner to rapport_service',
    'alter database rapport owner to rapport_service',
    `alter system set archive_command = 'id'`,
    'select pg_reload_conf()',
    'select rolpassword from pg_authid',
    `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'rapport'`,
    `set log_statement = 'all'`,
  ])('may not: %s', async (statement) => {
    await expect(as('service').unsafe(statement)).rejects.toMatchObject({ code: '42501' })
  })

  test('reads and writes rows, and renews their statistics', async () => {
    const pool = as('service')
    await pool.begin(async (tx) => {
      for (const name of ['One', 'Two', 'Three']) {
        await run(tx)`insert into space (id_space, name, time_zone, created_at)
            values (gen_random_uuid(), ${name}, 'UTC', now())`
      }
      await run(tx)`update space set name = 'Four' where name = 'Three'`
      await run(tx)`delete from space where name = 'Two'`
    })
    // Without the right, PostgreSQL only warns.
    await pool.unsafe('vacuum (analyze) space')
    const [known] = await run(pool)`select reltuples from pg_class where relname = 'space'`
    expect(known).toEqual({ reltuples: 2 })
    expect(await run(pool)`select name from space order by name`).toEqual([
      { name: 'Four' },
      { name: 'One' },
    ])
  })

  test('may switch the checks of foreign keys off for an import', async () => {
    expect(await as('service').begin((tx) => trustReferences(tx))).toBe(true)
  })

  test('may use a table as soon as a migration has made it', async () => {
    await as('owner').unsafe('create table later as select 1 as one')
    expect(await run(as('service'), sql`select one from later`)).toEqual([{ one: 1 }])
    await as('owner').unsafe('drop table later')
  })
})

/** Brings the data to the state that a release without these accounts left. */
async function forgetAccounts(): Promise<void> {
  const { superuser, owner, service } = roles
  const admin = as('superuser')
  for (const statement of [
    `alter default privileges for role ${superuser} in schema public
      revoke all on tables from ${service}`,
    `reassign owned by ${owner} to ${superuser}`,
    `drop owned by ${owner}`,
    `drop owned by ${service}`,
    `drop role ${owner}, ${service}`,
    'grant temporary on database rapport to public',
  ]) {
    await admin.unsafe(statement)
  }
}

/** What belongs to the superuser in the schema, except the members of extensions. */
function leftToSuperuser(pool: Pool) {
  return run(pool)`
    select classid::regclass::text as catalog, objid
    from (
      select 'pg_class'::regclass as classid, oid as objid, relowner as owner, relnamespace as place
      from pg_class
      union all select 'pg_proc'::regclass, oid, proowner, pronamespace from pg_proc
      union all select 'pg_type'::regclass, oid, typowner, typnamespace from pg_type
      union all select 'pg_statistic_ext'::regclass, oid, stxowner, stxnamespace from pg_statistic_ext
    ) as made
    where place = 'public'::regnamespace and owner = ${roles.superuser}::regrole
      and not exists (
        select from pg_depend d
        where d.classid = made.classid and d.objid = made.objid and deptype = 'e'
      )`
}

describe('data of a release that ran everything as superuser', () => {
  test('gets the accounts at the next start, and keeps its rows', async () => {
    await run(
      as('owner'),
      sql`insert into space (id_space, name, time_zone, created_at)
        values (gen_random_uuid(), 'Kept', 'UTC', now())`,
    )
    await forgetAccounts()
    await as('superuser').unsafe('create table of_the_operator as select 1 as one')

    const next = await open()
    const rows = await run(as('service', next), sql`select name from space where name = 'Kept'`)
    expect(rows).toHaveLength(1)
    expect(await run(as('service', next), sql`select one from of_the_operator`)).toHaveLength(1)
    expect(await leftToSuperuser(as('owner', next))).toEqual([])
    // The owner can continue from there.
    await as('owner', next).unsafe('alter table space add column later int')
    await as('owner', next).unsafe('alter table space drop column later')
    await as('owner', next).unsafe('drop table of_the_operator')
    expect(await migrate(as('owner', next))).toBe(0)
    await expect(as('service', next).unsafe('drop table space')).rejects.toMatchObject({
      code: '42501',
    })
    await next.leave()
  })

  test('is as it was if that is broken off, and gets them at the start after', async () => {
    await forgetAccounts()
    const admin = as('superuser')
    let next: Promise<Engine> | undefined
    await admin.begin(async (tx) => {
      await run(tx)`lock table space`
      next = open()
      const waiting = () =>
        run(admin)`select pid from pg_stat_activity
            where wait_event_type = 'Lock' and query like 'alter table%'`
      await expect.poll(waiting).toHaveLength(1)
      const [{ pid } = { pid: 0 }] = await waiting()
      await run(admin)`select pg_terminate_backend(${pid}::int)`
      await expect
        .poll(() => run(admin)`select from pg_stat_activity where pid = ${pid}::int`)
        .toHaveLength(0)
      const made = sql`select from pg_roles where rolname like 'rapport\_%'`
      expect(await run(admin, made)).toHaveLength(0)
    })
    const opened = (await next) as Engine
    expect(await leftToSuperuser(as('owner', opened))).toEqual([])
    expect(await run(as('service', opened), sql`select from space limit 1`)).toHaveLength(1)
    await opened.leave()
  })
})

test('over loopback each account has a password of its own, also after the secret has changed', async () => {
  await engine.leave()
  engine = await open('loopback')
  const { superuser, owner, service } = engine.connections
  expect(new Set([superuser.password, owner.password, service.password]).size).toBe(3)
  for (const role of ['superuser', 'owner', 'service'] as const) {
    expect(await run(as(role), sql`select current_user::text as name`)).toEqual([
      { name: roles[role] },
    ])
  }
  const borrowed = at({ ...owner, password: service.password ?? '' })
  await expect(run(borrowed)`select 1`).rejects.toMatchObject({ code: '28P01' })

  const file = path.join(dataDir, 'password')
  const before = readFileSync(file, 'utf8')
  await as('superuser').unsafe(`alter role ${roles.superuser} password 'another secret'`)
  writeFileSync(file, 'another secret\n')
  await engine.leave()
  engine = await open('loopback')
  expect(before).not.toContain('another')
  expect(await run(as('service'), sql`select 1 as one`)).toEqual([{ one: 1 }])
})
