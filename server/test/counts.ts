// Compares the stored number of leads of each workspace with the real one.

import { expect } from 'vitest'
import type { Db } from '../src/db/driver.ts'
import { run } from '../src/db/sql.ts'

/** Workspaces with a wrong number, and by how much it is wrong. */
const wrong = (db: Db) =>
  run<{ id_space: string; missing: number }[]>(db)`
  select id_space, sum(number)::int as missing from (
    select id_space, count(*) as number from lead where not is_deleted group by id_space
    union all select id_space, -count from lead_count) numbers
  group by id_space having sum(number) <> 0`

/** For the end of test files that create and delete leads. */
export async function expectExactCounts(db: Db): Promise<void> {
  expect(await wrong(db)).toEqual([])
}

/** For tests that insert leads by SQL. */
export async function recount(db: Db): Promise<void> {
  for (const { id_space, missing } of await wrong(db)) {
    await run(db)`
      insert into lead_count (id_space, slot, count) values (${id_space}, 0, ${missing})
      on conflict (id_space, slot) do update set count = lead_count.count + excluded.count`
  }
}
