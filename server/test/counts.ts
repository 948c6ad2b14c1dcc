// The number of leads that is kept for each workspace, beside the number there is.
import { expect } from 'vitest'
import type { Db } from '../src/db/driver.ts'

/** By how much the kept number is wrong, for each workspace where it is. */
const wrong = (db: Db) => db<{ id_space: string; missing: number }[]>`
  select id_space, sum(number)::int as missing from (
    select id_space, count(*) as number from lead where not is_deleted group by id_space
    union all select id_space, -count from lead_count) numbers
  group by id_space having sum(number) <> 0`

/** For the end of tests that create and delete leads in every way. */
export async function expectExactCounts(db: Db): Promise<void> {
  expect(await wrong(db)).toEqual([])
}

/** After leads were put into the table by hand. */
export async function recount(db: Db): Promise<void> {
  for (const { id_space, missing } of await wrong(db)) {
    await db`
      insert into lead_count (id_space, slot, count) values (${id_space}, 0, ${missing})
      on conflict (id_space, slot) do update set count = lead_count.count + excluded.count`
  }
}
