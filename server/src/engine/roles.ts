// The accounts of the bundled PostgreSQL, and what each may do.
import { createHmac } from 'node:crypto'
import { connectSession, type Db, type Target } from '../db/driver.ts'
import { run } from '../db/sql.ts'
import { codeOf } from './engine-error.ts'
import type { Address } from './postmaster.ts'

/**
 * Requests and commands run as `service`, which can read and write rows and nothing else: a statement that
 * an attacker smuggles in cannot change the schema, read files or start programs. Migrations and restores
 * run as `owner`. The superuser, which every PostgreSQL has, only starts, stops and sets up the server.
 */
export const roles = {
  superuser: 'rapport',
  owner: 'rapport_owner',
  service: 'rapport_service',
} as const

export type Role = keyof typeof roles

/** Named like the superuser since the first release. */
export const databaseName = 'rapport'

/** An advisory lock; any fixed number. One process at a time sets the accounts up. */
const setupLock = 7_264_915_002

/** How to connect with this account. `secret` is the superuser's password; a socket needs none. */
export function targetOf(role: Role, address: Address, secret: string | undefined): Target {
  const password = secret === undefined ? {} : { password: passwordOf(role, secret) }
  return { ...address, database: databaseName, username: roles[role], ...password }
}

/** Each account has its own password, all from the one secret in the data folder. */
function passwordOf(role: Role, secret: string): string {
  if (role === 'superuser') return secret
  return createHmac('sha256', secret).update(roles[role]).digest('base64url')
}

/**
 * Creates the database and the accounts, or what is missing of them: after a first start that was
 * interrupted, and in data of a release that ran everything as superuser. `session` is the superuser's.
 */
export async function setUpDatabase(
  session: Db,
  address: Address,
  secret: string | undefined,
): Promise<void> {
  const [found] = await run<{ is_set_up: boolean }[]>(session)`
    select exists (
      select from aclexplode(datacl) join pg_roles on pg_roles.oid = grantee
      where rolname = ${roles.service}
    ) as is_set_up
    from pg_database where datname = ${databaseName}`
  if (!found) await createDatabase(session)
  const isSetUp = found?.is_set_up === true
  // Over loopback, the secret may be another one than at the last start.
  if (isSetUp && secret === undefined) return
  const target = targetOf('superuser', address, secret)
  const admin = connectSession({ password: '', ...target }, 'rapport engine', () => {})
  try {
    await admin.begin(async (tx) => {
      await run(tx)`select pg_advisory_xact_lock(${setupLock}::bigint)`
      await createAccounts(tx)
      if (secret !== undefined) await setPasswords(tx, secret)
      if (!isSetUp) await giveRights(tx)
    })
  } finally {
    await admin.end({ timeout: 0 }).catch(() => {})
  }
}

async function createDatabase(session: Db): Promise<void> {
  try {
    await session.unsafe(`create database ${databaseName} template template0`)
  } catch (error) {
    // Another process created it at the same moment: duplicate_database, unique_violation.
    if (codeOf(error) !== '42P04' && codeOf(error) !== '23505') throw error
  }
}

async function createAccounts(tx: Db): Promise<void> {
  for (const name of [roles.owner, roles.service]) {
    const found = await run(tx)`select from pg_roles where rolname = ${name}`
    if (found.length === 0) await tx.unsafe(`create role ${name} login`)
  }
}

async function setPasswords(tx: Db, secret: string): Promise<void> {
  for (const role of ['owner', 'service'] as const) {
    await tx.unsafe(`alter role ${roles[role]} password '${passwordOf(role, secret)}'`)
  }
}

/**
 * Makes `owner` the owner of the current database and of what the superuser made in it, and lets `service`
 * use the rows. Call it in a transaction of the superuser.
 */
export async function giveRights(tx: Db): Promise<void> {
  const { superuser, owner, service } = roles
  const [current] = await run<{ database: string }[]>(tx)`
    select quote_ident(current_database()) as database`
  const database = current?.database
  for (const { command } of await selectHandOvers(tx)) await tx.unsafe(command)
  const rows = 'select, insert, update, delete, maintain'
  await tx.unsafe(`
    -- With the database, the owner also gets the schema public.
    alter database ${database} owner to ${owner};
    revoke temporary on database ${database} from public;
    grant connect on database ${database} to ${service};
    grant ${service} to ${owner};
    -- Imports and the removal of workspaces keep references right by themselves (trust-references.ts).
    grant set on parameter session_replication_role to ${service};
    grant ${rows} on all tables in schema public to ${service};
    -- Tables of later migrations, and those that an operator adds.
    alter default privileges for role ${owner}, ${superuser} in schema public
      grant ${rows} on tables to ${service}`)
}

/** REASSIGN OWNED refuses, because the superuser also owns what belongs to PostgreSQL itself. */
function selectHandOvers(tx: Db) {
  return run<{ command: string }[]>(tx)`
    select format('alter %s %s owner to %I', kind, name, ${roles.owner}::text) as command
    from (
      select 'pg_class'::regclass as catalog, oid, relowner as owner, oid::regclass::text as name,
        case relkind when 'v' then 'view' when 'm' then 'materialized view' else 'table' end as kind
      from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm')
      union all
      select 'pg_statistic_ext'::regclass, oid, stxowner, format('public.%I', stxname), 'statistics'
      from pg_statistic_ext
      where stxnamespace = 'public'::regnamespace
    ) as made
    where owner = ${roles.superuser}::regrole
      -- Extensions keep what is theirs.
      and not exists (
        select from pg_depend where classid = catalog and objid = made.oid and deptype = 'e'
      )
    order by name`
}
