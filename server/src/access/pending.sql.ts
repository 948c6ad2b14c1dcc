// Between the first step of signing in and the second one, and what passkeys are asked to sign.
import type { Db } from '../db/driver.ts'
import { rowValues, run, runOne } from '../db/sql.ts'
import type { Owner } from './factors.sql.ts'
import type { HowSignedIn } from './sessions.ts'

export interface PendingSignIn {
  id_space: string
  id_member: string
  how: HowSignedIn
}

/** Also removes what has expired, so that the table stays small. */
export async function insertPending(
  db: Db,
  row: PendingSignIn & { hash: string; created_at: Date; expires_at: Date },
): Promise<void> {
  await run(db)`delete from pending_sign_in where expires_at <= ${row.created_at}`
  await run(db)`insert into pending_sign_in ${rowValues(row)}`
}

export function selectPending(db: Db, hash: string, now: Date) {
  return runOne<PendingSignIn>(db)`select id_space, id_member, how from pending_sign_in
    where hash = ${hash} and expires_at > ${now}`
}

/** True for the only caller that gets it. */
export async function takePending(db: Db, hash: string, now: Date): Promise<boolean> {
  const rows = await run(db)`
    delete from pending_sign_in where hash = ${hash} and expires_at > ${now} returning hash`
  return rows.length > 0
}

export async function deletePendingOf(db: Db, { id_space, id }: Owner): Promise<void> {
  await run(db)`delete from pending_sign_in where id_space = ${id_space} and id_member = ${id}`
}

/** What a signature is for. One for another purpose does not count. */
export type ChallengePurpose = 'sign_in' | 'second_step' | 'add' | 'confirm'

/** Anyone can ask for challenges to sign in. The oldest make room for new ones. */
const maxChallenges = 10_000

export async function storeChallenge(
  db: Db,
  row: { holder: string; purpose: ChallengePurpose; challenge: string; expires_at: Date },
  now: Date,
): Promise<void> {
  const { challenge, expires_at } = row
  await run(db)`delete from passkey_challenge where expires_at <= ${now} or holder in (
    select holder from passkey_challenge where purpose = 'sign_in'
    order by expires_at desc, holder offset ${maxChallenges})`
  await run(db)`insert into passkey_challenge ${rowValues(row)}
    on conflict (holder, purpose) do update set
      challenge = ${challenge}, expires_at = ${expires_at}`
}

/** Undefined when it was taken before or has expired. */
export async function takeChallenge(
  db: Db,
  holder: string,
  purpose: ChallengePurpose,
  now: Date,
): Promise<string | undefined> {
  const [row] = await run<{ challenge: string }[]>(db)`delete from passkey_challenge
    where holder = ${holder} and purpose = ${purpose} and expires_at > ${now}
    returning challenge`
  return row?.challenge
}
