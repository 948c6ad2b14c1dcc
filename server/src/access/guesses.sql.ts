// How many guesses an account and a client have left, and what was rejected.
import type { Db } from '../db/driver.ts'
import { run, sql } from '../db/sql.ts'
import type { Member } from './access.sql.ts'

type Owner = Pick<Member, 'id_space' | 'id'>

export interface Budget {
  hour: number
  day: number
}

export const hourMs = 60 * 60_000
export const dayMs = 24 * hourMs
const before = (now: Date, ms: number) => new Date(now.getTime() - ms)

/**
 * Takes one guess of a budget, before anything is compared, so that guesses at the same time are counted too.
 * Returns how many were used within the hour; undefined when none is left, and then takes none.
 */
export async function takeGuess(
  db: Db,
  subject: string,
  { hour, day }: Budget,
  now: Date,
): Promise<number | undefined> {
  const isNewHour = sql`(b.hour_start <= ${before(now, hourMs)} or b.hour_start > ${now})`
  const isNewDay = sql`(b.day_start <= ${before(now, dayMs)} or b.day_start > ${now})`
  const [row] = await run<{ hour_used: number }[]>(db)`
    insert into guess_budget as b (subject, hour_start, hour_used, day_start, day_used)
    values (${subject}, ${now}, 1, ${now}, 1)
    on conflict (subject) do update set
      hour_start = case when ${isNewHour} then ${now} else b.hour_start end,
      hour_used = case when ${isNewHour} then 1 else b.hour_used + 1 end,
      day_start = case when ${isNewDay} then ${now} else b.day_start end,
      day_used = case when ${isNewDay} then 1 else b.day_used + 1 end
    where (${isNewHour} or b.hour_used < ${hour}) and (${isNewDay} or b.day_used < ${day})
    returning hour_used`
  return row?.hour_used
}

/** Returns guesses that were right or were not checked. */
export async function returnGuesses(db: Db, subjects: string[]): Promise<void> {
  await run(db)`update guess_budget
    set hour_used = greatest(hour_used - 1, 0), day_used = greatest(day_used - 1, 0)
    where subject = any(${subjects}::text[])`
}

export interface UsedBudget {
  subject: string
  hour_start: string
  hour_used: number
  day_start: string
  day_used: number
}

export function selectBudgets(db: Db, subjects: string[]): Promise<UsedBudget[]> {
  return run<UsedBudget[]>(db)`
    select subject, hour_start, hour_used, day_start, day_used from guess_budget
    where subject = any(${subjects}::text[])`
}

/** More addresses than these are not listed in an entry of the audit log. */
const maxAddresses = 10

export async function storeRefusal(
  db: Db,
  { id_space, id }: Owner,
  address: string,
  now: Date,
): Promise<void> {
  await run(db)`insert into member_refusal as r
      (id_space, id_member, count, untold, since, last_at, address, addresses)
    values (${id_space}, ${id}, 1, 1, ${now}, ${now}, ${address}, array[${address}::text])
    on conflict (id_space, id_member) do update set
      count = r.count + 1, untold = r.untold + 1, last_at = ${now}, address = ${address},
      since = case when r.untold = 0 then ${now} else r.since end,
      addresses = case
        when r.untold = 0 then array[${address}::text]
        when ${address} = any(r.addresses) or cardinality(r.addresses) >= ${maxAddresses}
          then r.addresses
        else r.addresses || ${address}::text end`
}

export interface Refusals {
  id_member: string
  email: string
  untold: number
  since: string
  last_at: string
  addresses: string[]
}

/** Locks what the audit log does not have yet. */
export function lockUntold(tx: Db, space: string): Promise<Refusals[]> {
  return run<Refusals[]>(tx)`select r.id_member, m.email, r.untold, r.since, r.last_at, r.addresses
    from member_refusal r join member m on m.id_space = r.id_space and m.id = r.id_member
    where r.id_space = ${space} and m.id_space = ${space} and r.untold > 0
    order by r.id_member for update of r`
}

export async function markTold(tx: Db, space: string, members: string[]): Promise<void> {
  await run(tx)`update member_refusal set untold = 0
    where id_space = ${space} and id_member = any(${members}::uuid[])`
}

export interface RefusedNotice {
  count: number
  last_at: string
  address: string
}

/** What was refused since the last sign-in. Resets the count. */
export async function takeNotice(
  db: Db,
  { id_space, id }: Owner,
): Promise<RefusedNotice | undefined> {
  const [row] = await run<RefusedNotice[]>(db)`select count, last_at, address from member_refusal
    where id_space = ${id_space} and id_member = ${id} and count > 0`
  if (!row) return undefined
  await run(db)`update member_refusal set count = greatest(count - ${row.count}, 0)
    where id_space = ${id_space} and id_member = ${id}`
  return row
}
