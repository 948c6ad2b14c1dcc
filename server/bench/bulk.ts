// Changes of a tenth of the leads: over HTTP, by the same SQL sent directly, without change feed and
// old values, and as a ceiling by one plain statement on a copy of the table that has only its primary
// key. That takes no locks against concurrent changes, keeps no index, and leaves nothing to undo.
import { type Db, type Pool, transaction } from '../src/db/driver.ts'
import { raw, run, type Sql, sql } from '../src/db/sql.ts'
import { lockLists } from '../src/references/lists.ts'
import { pickLeads } from '../src/resources/leads/change/pick.sql.ts'
import { leadCondition } from '../src/resources/leads/list/filter.ts'
import { restRequest } from '../test/http-client.ts'
import type { BenchData } from './data.ts'
import { median } from './figures.ts'
import type { Running } from './processes.ts'

export interface Bulk {
  name: string
  /** Brings the data into the state before the change. */
  prepare(): Promise<unknown>
  overHttp(): Promise<unknown>
  /** The direct SQL, and at most how many times its time. */
  sameSql?: { run(): Promise<unknown>; most: number }
  /** The plain statement on the copy, and at most how many times its time. */
  ceiling?: { table: 'lead' | 'lead_list'; statement: Sql; most: number }
}

/** The service also writes the change feed and the old values; the direct SQL does not. */
const sameSqlTarget = 1.25

const copyOf = (table: string) => raw(`bench_${table}`)

export function bulkOperations(db: Pool, data: BenchData, service: Running): Bulk[] {
  const { id_space: space, tags, lists } = data.workspace
  // A tenth of the leads have the tag. The lists have few leads.
  const [tag, target, source] = [tags[2]?.id, lists[4]?.id, lists[3]?.id] as [
    string,
    string,
    string,
  ]
  const filter = { tags: [tag] }
  const tagged = sql`
    id_space = ${space} and not is_deleted
    and id in (select id_lead from lead_tag where id_space = ${space} and id_tag = ${tag})`
  let names = 0
  const nextName = () => `Offer ${names++}`
  const call = async (method: string, path: string, body: object) => {
    const answer = await service.send(restRequest(data.key, method, path, body))
    // An operation that changes no leads would be fast and prove nothing.
    if (answer.text.startsWith('"0 ')) throw new Error(`${path}: ${answer.text}`)
  }
  const emptyLists = () =>
    run(db)`
    delete from lead_list where id_space = ${space} and id_list = any(${[source, target]}::uuid[])`
  const fill = (table: Sql, list: string) =>
    sql`insert into ${table} (id_space, id_lead, id_list)
      select id_space, id, ${list}::uuid from lead where ${tagged} on conflict do nothing`
  const enter = (tx: Db, ids: string) =>
    run(tx)`insert into lead_list (id_space, id_lead, id_list)
        select ${space}::uuid, id_lead, ${target}::uuid from unnest(${ids}::uuid[]) as id_lead
        on conflict do nothing`
  const set = (column: string): Sql =>
    sql`update ${copyOf('lead')} set ${raw(column)} = ${nextName()}, updated_at = ${new Date()}
      where ${tagged}`

  return [
    {
      name: 'update-many of a tenth',
      prepare: () => run(db)`vacuum lead`,
      overHttp: () =>
        call('PATCH', '/leads/update-many', { filter, data: { contract_name: nextName() } }),
      sameSql: {
        most: sameSqlTarget,
        run: () =>
          transaction(db, async (tx) => {
            const condition = await leadCondition(tx, { space, now: new Date() }, filter, [])
            const { ids } = await pickLeads(tx, space, condition)
            await run(tx)`update lead set contract_name = ${nextName()}, updated_at = ${new Date()}
                where id_space = ${space} and id = any(${ids}::uuid[])`
          }),
      },
      ceiling: { table: 'lead', statement: set('contract_name'), most: 2.5 },
    },
    {
      name: 'update-many of a tenth, a searched field',
      prepare: () => run(db)`vacuum`,
      overHttp: () => call('PATCH', '/leads/update-many', { filter, data: { city: nextName() } }),
      ceiling: { table: 'lead', statement: set('city'), most: 6 },
    },
    {
      name: 'add-list of a tenth',
      async prepare() {
        await emptyLists()
        await run(db)`vacuum lead_list`
      },
      overHttp: () => call('POST', '/leads/add-list', { filter, id_list: target }),
      sameSql: {
        most: sameSqlTarget,
        run: () =>
          transaction(db, async (tx) => {
            await lockLists(tx, space, [target])
            const condition = await leadCondition(tx, { space, now: new Date() }, filter, [])
            const { ids } = await pickLeads(tx, space, condition)
            await enter(tx, ids)
          }),
      },
      ceiling: { table: 'lead_list', statement: fill(copyOf('lead_list'), target), most: 3 },
    },
    {
      name: 'move-leads of a tenth',
      async prepare() {
        await emptyLists()
        await run(db, fill(raw('lead_list'), source))
        await run(db)`vacuum lead_list`
      },
      overHttp: () =>
        call('POST', `/lists/${target}/move-leads`, { id_source: source, filter: {} }),
      sameSql: {
        most: sameSqlTarget,
        run: () =>
          transaction(db, async (tx) => {
            await lockLists(tx, space, [target, source])
            const condition = sql`lead.id in (
              select id_lead from lead_list where id_space = ${space} and id_list = ${source})`
            const { ids } = await pickLeads(tx, space, condition)
            await enter(tx, ids)
            await run(tx)`delete from lead_list where id_space = ${space} and id_list = ${source}
                and id_lead = any(${ids}::uuid[])`
          }),
      },
    },
    {
      name: 'delete of a tenth',
      async prepare() {
        await bringBack(db, space)
        await run(db)`vacuum lead`
      },
      overHttp: () => call('POST', '/leads/delete', { filter }),
      ceiling: {
        table: 'lead',
        statement: sql`update ${copyOf('lead')} set is_deleted = true, is_deleted_at = ${new Date()},
          updated_at = ${new Date()} where ${tagged}`,
        most: 2.5,
      },
    },
  ]
}

/** The leads that were deleted by a measurement. Those of the data have no time of deletion. */
export async function bringBack(db: Pool, space: string): Promise<void> {
  await run(db)`with back as (
        update lead set is_deleted = false, is_deleted_at = null
        where id_space = ${space} and is_deleted and is_deleted_at is not null returning 1)
      update lead_count set count = count + (select count(*) from back)
      where id_space = ${space} and slot = (
        select min(slot) from lead_count where id_space = ${space})`
}

export interface BulkTimes {
  /** Milliseconds. */
  service: number
  /** The time of the service divided by the time of the direct SQL. */
  toSameSql: number | undefined
  /** The same for the plain statement on the copy. */
  toCeiling: number | undefined
}

/** The milliseconds over HTTP. */
export async function alone(db: Pool, bulk: Bulk, rounds: number): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    times.push(await timed(db, bulk.prepare, bulk.overHttp))
  }
  return median(times)
}

/** In turns, each after a checkpoint, so that all start in the same state. */
export async function compareBulk(db: Pool, bulk: Bulk, rounds: number): Promise<BulkTimes> {
  const service: number[] = []
  const sameSql: number[] = []
  const ceiling: number[] = []
  for (let round = 0; round < rounds; round++) {
    service.push(await timed(db, bulk.prepare, bulk.overHttp))
    if (bulk.sameSql) sameSql.push(await timed(db, bulk.prepare, bulk.sameSql.run))
    if (bulk.ceiling) {
      const { table, statement } = bulk.ceiling
      await bulk.prepare()
      ceiling.push(
        await timed(
          db,
          () => copyTable(db, table),
          () => run(db, statement),
        ),
      )
      await run(db)`drop table ${copyOf(table)}`
    }
  }
  const ratio = (times: number[]) =>
    times.length > 0 ? median(service) / median(times) : undefined
  return { service: median(service), toSameSql: ratio(sameSql), toCeiling: ratio(ceiling) }
}

async function copyTable(db: Pool, table: string): Promise<void> {
  const copy = copyOf(table)
  const key = table === 'lead' ? raw('id_space, id') : raw('id_space, id_lead, id_list')
  await run(db)`drop table if exists ${copy}`
  await run(db)`create table ${copy} as select * from ${raw(table)}`
  await run(db)`alter table ${copy} add primary key (${key})`
  await run(db)`vacuum analyze ${copy}`
}

async function timed(
  db: Pool,
  prepare: () => Promise<unknown>,
  work: () => Promise<unknown>,
): Promise<number> {
  await prepare()
  await run(db)`checkpoint`
  const started = performance.now()
  await work()
  return performance.now() - started
}
