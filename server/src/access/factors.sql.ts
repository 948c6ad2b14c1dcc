// Second factors of members: passkeys, the authenticator app, recovery codes.
import { type MemberRole, needsFactor } from '@rapport/contract/roles'
import type { FactorRule } from '@rapport/contract/sign-in'
import type { Db } from '../db/driver.ts'
import { acrossWorkspaces, rowValues, run, runOne, sql } from '../db/sql.ts'
import type { Member } from './access.sql.ts'

export type Owner = Pick<Member, 'id_space' | 'id'>

export interface PasskeyRow {
  id_space: string
  id: string
  id_member: string
  credential: string
  public_key: Uint8Array
  rp_id: string
  counter: number
  transports: string[]
  backed_up: boolean
  name: string
  created_at: string
  last_used_at: string | null
}

const passkeyColumns = sql`id_space, id, id_member, credential, public_key, rp_id, counter, transports,
  backed_up, name, created_at, last_used_at`

export function selectPasskeys(db: Db, { id_space, id }: Owner): Promise<PasskeyRow[]> {
  return run<PasskeyRow[]>(db)`select ${passkeyColumns} from passkey
    where id_space = ${id_space} and id_member = ${id} order by created_at, id`
}

export async function insertPasskey(db: Db, row: PasskeyRow): Promise<void> {
  await run(db)`insert into passkey ${rowValues(row)}`
}

/**
 * Stores a use of the passkey. False when another use with the same or a later count was stored before
 * this one: of two copies of a passkey, only one gets in.
 */
export async function touchPasskey(
  db: Db,
  { id_space, id, counter: seen }: PasskeyRow,
  { counter, backed_up }: Pick<PasskeyRow, 'counter' | 'backed_up'>,
  now: Date,
): Promise<boolean> {
  const rows = await run(db)`
    update passkey set counter = ${counter}, backed_up = ${backed_up}, last_used_at = ${now}
    where id_space = ${id_space} and id = ${id} and counter = ${seen} returning id`
  return rows.length > 0
}

export async function renamePasskey(
  db: Db,
  { id_space, id }: Owner,
  passkey: string,
  name: string,
): Promise<boolean> {
  const rows = await run(db)`update passkey set name = ${name}
    where id_space = ${id_space} and id_member = ${id} and id = ${passkey} returning id`
  return rows.length > 0
}

export async function deletePasskey(
  db: Db,
  { id_space, id }: Owner,
  passkey: string,
): Promise<string | undefined> {
  const [row] = await run<{ name: string }[]>(db)`delete from passkey
    where id_space = ${id_space} and id_member = ${id} and id = ${passkey} returning name`
  return row?.name
}

export async function deletePasskeys(db: Db, { id_space, id }: Owner): Promise<void> {
  await run(db)`delete from passkey where id_space = ${id_space} and id_member = ${id}`
}

/** Whether a member of any workspace has a passkey for this host. */
export async function hasPasskeys(db: Db, host: string): Promise<boolean> {
  const rows = await run(db)`
    ${acrossWorkspaces} select 1 as one from passkey where rp_id = ${host} limit 1`
  return rows.length > 0
}

/** Others that change the factors of the member wait for the end of the transaction. */
export async function lockMember(tx: Db, { id_space, id }: Owner): Promise<void> {
  await run(tx)`select id from member where id_space = ${id_space} and id = ${id} for no key update`
}

export interface TotpRow {
  secret: string
  last_step: number
  created_at: string
  last_used_at: string | null
}

export function selectTotp(db: Db, { id_space, id }: Owner): Promise<TotpRow | undefined> {
  return runOne<TotpRow>(db)`
    select secret, last_step, created_at, last_used_at from member_totp
    where id_space = ${id_space} and id_member = ${id}`
}

/** Replaces an older one. */
export async function storeTotp(
  db: Db,
  { id_space, id }: Owner,
  { secret, last_step, created_at }: Omit<TotpRow, 'last_used_at'>,
): Promise<void> {
  await run(db)`insert into member_totp (id_space, id_member, secret, last_step, created_at)
    values (${id_space}, ${id}, ${secret}, ${last_step}, ${created_at})
    on conflict (id_space, id_member) do update set secret = ${secret},
      last_step = ${last_step}, created_at = ${created_at}, last_used_at = null`
}

/** The apps of all members. */
export function selectTotpOwners(db: Db) {
  return run<(Owner & { email: string; secret: string })[]>(db)`${acrossWorkspaces}
    select m.id_space, m.id, m.email, t.secret
    from member_totp t join member m on m.id_space = t.id_space and m.id = t.id_member
    order by m.email, m.id`
}

/** Uses up the codes until this step. Of several requests with the same code, one gets true. */
export async function takeStep(
  db: Db,
  { id_space, id }: Owner,
  step: number,
  now: Date,
): Promise<boolean> {
  const rows = await run(db)`update member_totp set last_step = ${step}, last_used_at = ${now}
    where id_space = ${id_space} and id_member = ${id} and last_step < ${step}
    returning id_member`
  return rows.length > 0
}

export async function deleteTotp(db: Db, { id_space, id }: Owner): Promise<boolean> {
  const rows = await run(db)`
    delete from member_totp where id_space = ${id_space} and id_member = ${id}
    returning id_member`
  return rows.length > 0
}

/** Replaces the older ones, even unused ones. */
export async function replaceRecoveryCodes(
  db: Db,
  { id_space, id }: Owner,
  hashes: string[],
  now: Date,
): Promise<void> {
  await deleteRecoveryCodes(db, { id_space, id })
  const rows = hashes.map((hash) => ({ id_space, id_member: id, hash, created_at: now }))
  await run(db)`insert into recovery_code ${rowValues(rows)}`
}

export async function deleteRecoveryCodes(db: Db, { id_space, id }: Owner): Promise<void> {
  await run(db)`delete from recovery_code where id_space = ${id_space} and id_member = ${id}`
}

/** Of several requests with the same code, one gets true. */
export async function takeRecoveryCode(
  db: Db,
  { id_space, id }: Owner,
  hash: string,
): Promise<boolean> {
  const rows = await run(db)`delete from recovery_code
    where id_space = ${id_space} and id_member = ${id} and hash = ${hash} returning hash`
  return rows.length > 0
}

export async function countRecoveryCodes(db: Db, { id_space, id }: Owner): Promise<number> {
  const [row] = await run<{ count: number }[]>(db)`select count(*) as count from recovery_code
    where id_space = ${id_space} and id_member = ${id}`
  return row?.count ?? 0
}

export async function selectFactorRule(db: Db, space: string): Promise<FactorRule> {
  const [row] = await run<{ rule: FactorRule }[]>(db)`
    select second_factor as rule from space where id_space = ${space}`
  return row?.rule ?? 'optional'
}

export async function updateFactorRule(db: Db, space: string, rule: FactorRule): Promise<void> {
  await run(db)`update space set second_factor = ${rule} where id_space = ${space}`
}

export interface FactorState {
  /** Whether the workspace requires a second factor from a member with this role. */
  isRequired: boolean
  hasFactor: boolean
}

/** Undefined when there is no such member. */
export async function selectFactorState(
  db: Db,
  { id_space, id }: Owner,
): Promise<FactorState | undefined> {
  const [row] = await run<{ rule: FactorRule; role: MemberRole; hasFactor: boolean }[]>(db)`
    select s.second_factor as rule, m.role,
      exists (select from passkey p where p.id_space = ${id_space} and p.id_member = ${id})
        or exists (select from member_totp t where t.id_space = ${id_space} and t.id_member = ${id})
        as "hasFactor"
    from member m join space s on s.id_space = ${id_space}
    where m.id_space = ${id_space} and m.id = ${id}`
  return row && { isRequired: needsFactor(row.rule, row.role), hasFactor: row.hasFactor }
}

/** The members of a workspace that have a second factor. */
export async function selectMembersWithFactor(db: Db, space: string): Promise<string[]> {
  const rows = await run<{ id: string }[]>(db)`
    select id_member as id from passkey where id_space = ${space}
    union select id_member as id from member_totp where id_space = ${space}`
  return rows.map(({ id }) => id)
}
