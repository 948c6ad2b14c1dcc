// Statements about exchange rates.
import { Rate } from '@rapport/contract/rates'
import type { Db } from '../../db/driver.ts'
import { columnsOf, type RowOf } from '../../db/rows.ts'
import { rowsOf, rowValues, run, runOne, sql } from '../../db/sql.ts'

export type RateRow = RowOf<typeof Rate>
const columns = columnsOf(Rate)

export function selectRates(db: Db, space: string): Promise<RateRow[]> {
  return run<RateRow[]>(db)`
    select ${columns} from rate where id_space = ${space} order by base, currency`
}

export type NewRate = Pick<RateRow, 'base' | 'currency' | 'rate' | 'date'>

/** Also locks it. */
export function lockRate(db: Db, space: string, { base, currency }: NewRate) {
  return runOne<RateRow>(db)`select ${columns} from rate
    where id_space = ${space} and base = ${base} and currency = ${currency} for no key update`
}

/** Replaces the rate of its currency and base. */
export async function upsertRate(
  db: Db,
  space: string,
  id: string,
  rate: NewRate,
  now: Date,
): Promise<RateRow> {
  const time = now.toISOString()
  const row = { id_space: space, id, ...rate, created_at: time, updated_at: time }
  const [saved] = await run<RateRow[]>(db)`insert into rate ${rowValues(row)}
    on conflict (id_space, base, currency) do update
      set rate = excluded.rate, date = excluded.date, updated_at = excluded.updated_at
    returning ${columns}`
  return saved as RateRow
}

/** Those whose currency and base have no rate yet. */
export function insertRates(
  db: Db,
  space: string,
  rates: (NewRate & { id: string })[],
  now: Date,
): Promise<RateRow[]> {
  const time = sql`${now.toISOString()}::timestamptz`
  return run<RateRow[]>(db)`
    insert into rate (id_space, id, base, currency, rate, date, created_at, updated_at)
    select ${space}::uuid, id, base, currency, rate, date, ${time}, ${time}
    from ${rowsOf(rates, sql`id uuid, base text, currency text, rate double precision, date date`)}
    on conflict (id_space, base, currency) do nothing
    returning ${columns}`
}

/** The rates to the currency of the workspace. */
export function selectRatesInForce(db: Db, space: string): Promise<NewRate[]> {
  return run<NewRate[]>(db)`select base, currency, rate, date from rate
    where id_space = ${space}
      and base = (select space.currency from space where space.id_space = ${space})`
}

export function deleteRate(db: Db, space: string, id: string): Promise<RateRow | undefined> {
  return runOne<RateRow>(db)`
    delete from rate where id_space = ${space} and id = ${id} returning ${columns}`
}
