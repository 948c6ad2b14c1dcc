// How well and how fast duplicates are found among demo leads, some of which exist twice.
import { join } from 'node:path'
import { type KeyKind, keyKinds, largeGroup } from '@rapport/contract/duplicates.values'
import type { Pool } from '../src/db/driver.ts'
import { migrate } from '../src/db/migrate.ts'
import { run, sql } from '../src/db/sql.ts'
import { buildDemo } from '../src/demo/demo.ts'
import type { Double } from '../src/demo/doubles.ts'
import { buildAgain } from '../src/resources/leads/duplicates/build.sql.ts'
import { buildKeys } from '../src/resources/leads/duplicates/build.ts'
import { countGroups } from '../src/resources/leads/duplicates/groups.sql.ts'
import { readGroups } from '../src/resources/leads/duplicates/groups.ts'
import { numberOf } from '../src/resources/leads/duplicates/keys.ts'
import { openAsSuperuser } from '../test/open-as-superuser.ts'
import { duration, type Line, median, short } from './figures.ts'

const doublesInHundred = 3

export async function measureDuplicates(
  { folder, leads }: { folder: string; leads: number },
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<Line[]> {
  const dataDir = join(folder, `duplicates-${leads}`)
  const { pool, close } = await openAsSuperuser({ dataDir, databaseUrl: undefined, poolSize: 2 })
  try {
    await migrate(pool)
    const truth: Double[] = []
    const { id_space: space } = await buildDemo(pool, {
      ...{ leads, seed: 1, now: new Date(), space: undefined, add: false, signal },
      ...{ duplicates: doublesInHundred, onDouble: (double) => void truth.push(double) },
    })
    say(`${short(leads)} leads, ${short(truth.length)} of them doubles`)
    await run(pool)`truncate lead_key`
    await buildAgain(pool, space)
    const built = await timed(() => buildKeys(pool, signal))
    await run(pool)`vacuum analyze lead_key`
    const page = { kinds: keyKinds, start: undefined, limit: 20, large: false }
    const times: number[] = []
    for (let round = 0; round < 9; round++) {
      times.push(await timed(() => readGroups(pool, space, page)))
    }
    const counted = await timed(() => countGroups(pool, space))
    say(`first page ${duration(median(times))}, all counted in ${duration(counted)}`)
    const lines = await Promise.all(keyKinds.map((kind) => quality(pool, space, kind, truth)))
    const rate = leads / (built / 1000)
    return [
      {
        ...{ operation: 'make keys', measured: duration(built), target: '1,000,000 in 180 s' },
        detail: `${short(rate)} leads a second`,
        isReached: rate >= 1_000_000 / 180,
      },
      {
        ...{ operation: 'first page of groups', measured: duration(median(times)) },
        ...{ target: 'within 300 ms', detail: `at first ${duration(times[0] ?? 0)}` },
        isReached: median(times) <= 300,
      },
      ...lines,
    ]
  } finally {
    await close()
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/**
 * Recall: true pairs of the kind that are in one group. Those of a large group are found too, but listed apart. Precision:
 * pairs of the other groups that are true, of any kind.
 */
async function quality(pool: Pool, space: string, kind: KeyKind, truth: Double[]): Promise<Line> {
  const number = numberOf(kind)
  const rows = await run<{ id: string; other: string }[]>(
    pool,
    kind === 'email_loose'
      ? sql`select least(a.id_lead, b.id_lead) as id, greatest(a.id_lead, b.id_lead) as other
          from lead_key a join lead_key b on b.id_space = ${space} and b.kind in (${number}, 1)
            and b.key = a.key and b.id_lead <> a.id_lead
          where a.id_space = ${space} and a.kind = ${number}`
      : sql`with large as (
            select key from lead_key where id_space = ${space} and kind = ${number}
            group by key having count(*) > ${largeGroup})
          select a.id_lead as id, b.id_lead as other
          from lead_key a join lead_key b on b.id_space = ${space} and b.kind = ${number}
            and b.key = a.key and b.id_lead > a.id_lead
          where a.id_space = ${space} and a.kind = ${number} and a.key not in (select key from large)`,
  )
  const nameOf = (one: { id: string; other: string }) => [one.id, one.other].toSorted().join()
  const found = new Set(rows.map(nameOf))
  const wanted = truth.filter((double) => double.kind === kind)
  const pairOf = ({ id, of }: Double) => nameOf({ id, other: of })
  const all = new Set(truth.map(pairOf))
  const missed = wanted.filter((double) => !found.has(pairOf(double)))
  const apart = await countEqual(pool, space, kind, missed)
  const hits = wanted.length - missed.length + apart
  const right = [...found].filter((name) => all.has(name)).length
  const isExact = !kind.startsWith('name_')
  return {
    operation: `doubles by ${kind}`,
    measured: `recall ${((hits / wanted.length) * 100).toFixed(1)} %`,
    target: isExact ? 'recall 100 %' : 'recall 95 %',
    detail: `${hits} of ${wanted.length}, ${apart} of them in large groups; precision ${((right / found.size) * 100).toFixed(1)} % of ${found.size} pairs`,
    isReached: hits / wanted.length >= (isExact ? 1 : 0.95),
  }
}

/** How many of these pairs have an equal key. */
async function countEqual(
  pool: Pool,
  space: string,
  kind: KeyKind,
  pairs: Double[],
): Promise<number> {
  const number = numberOf(kind)
  const rows = await run(pool)`select distinct pair.id, pair.of
      from unnest(${pairs.map(({ id }) => id)}::uuid[], ${pairs.map((pair) => pair.of)}::uuid[])
        as pair (id, of)
      join lead_key a on a.id_space = ${space} and a.id_lead = pair.id and a.kind = ${number}
      join lead_key b on b.id_space = ${space} and b.id_lead = pair.of and b.kind = ${number}
        and b.key = a.key`
  return rows.length
}
