// Changes of a tenth of the leads: over HTTP, by the same SQL sent directly, without change feed and
// values before, and by one simple statement that takes no locks against concurrent changes.
import { type Db, type Pool, transaction } from '../src/db/driver.ts'
import { run, sql } from '../src/db/sql.ts'
import { pickLeads } from '../src/resources/leads/leads.bulk.sql.ts'
import { leadCondition } from '../src/resources/leads/leads.filter.ts'
import { lockLists } from '../src/resources/references/lists.ts'
import { restRequest } from '../test/http-client.ts'
import type { BenchData } from './data.ts'
import { median } from './figures.ts'
import type { Running } from './processes.ts'

export interface Bulk {
  name: string
  /** Brings the data into the state before the change. */
  prepare(): Promise<unknown>
  overHttp(): Promise<unknown>
  sameSql(): Promise<unknown>
  plainSql(): Promise<unknown>
}

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
    run(
      db,
      sql`
    delete from lead_list where id_space = ${space} and id_list = any(${[source, target]}::uuid[])`,
    )
  const fill = (list: string) =>
    run(
      db,
      sql`
    insert into lead_list (id_space, id_lead, id_list)
    select id_space, id, ${list}::uuid from lead where ${tagged} on conflict do nothing`,
    )

  const enter = (tx: Db, ids: string) =>
    run(
      tx,
      sql`insert into lead_list (id_space, id_lead, id_list)
        select ${space}::uuid, id_lead, ${target}::uuid from unnest(${ids}::uuid[]) as id_lead
        on conflict do nothing`,
    )

  return [
    {
      name: 'update-many',
      prepare: () => run(db, sql`vacuum lead`),
      overHttp: () =>
        call('PATCH', '/leads/update-many', { filter, data: { contract_name: nextName() } }),
      sameSql: () =>
        transaction(db, async (tx) => {
          const condition = await leadCondition(tx, space, filter, [])
          const { ids } = await pickLeads(tx, space, condition)
          await run(
            tx,
            sql`update lead set contract_name = ${nextName()}, updated_at = ${new Date()}
              where id_space = ${space} and id = any(${ids}::uuid[])`,
          )
        }),
      plainSql: () =>
        run(
          db,
          sql`
        update lead set contract_name = ${nextName()}, updated_at = ${new Date()} where ${tagged}`,
        ),
    },
    {
      name: 'add-list',
      async prepare() {
        await emptyLists()
        await run(db, sql`vacuum lead_list`)
      },
      overHttp: () => call('POST', '/leads/add-list', { filter, id_list: target }),
      sameSql: () =>
        transaction(db, async (tx) => {
          await lockLists(tx, space, [target])
          const condition = await leadCondition(tx, space, filter, [])
          const { ids } = await pickLeads(tx, space, condition)
          await enter(tx, ids)
        }),
      plainSql: () => fill(target),
    },
    {
      name: 'move-leads',
      async prepare() {
        await emptyLists()
        await fill(source)
        await run(db, sql`vacuum lead_list`)
      },
      overHttp: () =>
        call('POST', `/lists/${target}/move-leads`, { id_source: source, filter: {} }),
      sameSql: () =>
        transaction(db, async (tx) => {
          await lockLists(tx, space, [target, source])
          const condition = sql`lead.id in (
            select id_lead from lead_list where id_space = ${space} and id_list = ${source})`
          const { ids } = await pickLeads(tx, space, condition)
          await enter(tx, ids)
          await run(
            tx,
            sql`delete from lead_list where id_space = ${space} and id_list = ${source}
              and id_lead = any(${ids}::uuid[])`,
          )
        }),
      plainSql: () =>
        run(
          db,
          sql`
        with gone as (
          delete from lead_list where id_space = ${space} and id_list = ${source}
          returning id_lead)
        insert into lead_list (id_space, id_lead, id_list)
        select ${space}::uuid, id_lead, ${target}::uuid from gone on conflict do nothing`,
        ),
    },
  ]
}

export interface BulkTimes {
  /** Milliseconds. */
  service: number
  /** The time of the service divided by the time of the direct SQL. */
  toSameSql: number
  /** The same for the simple statement. */
  toPlainSql: number
}

/** In turns, each after a checkpoint, so that all start in the same state. */
export async function compareBulk(db: Pool, bulk: Bulk, rounds: number): Promise<BulkTimes> {
  const service: number[] = []
  const sameSql: number[] = []
  const plainSql: number[] = []
  for (let round = 0; round < rounds; round++) {
    service.push(await timed(db, bulk, bulk.overHttp))
    sameSql.push(await timed(db, bulk, bulk.sameSql))
    plainSql.push(await timed(db, bulk, bulk.plainSql))
  }
  return {
    service: median(service),
    toSameSql: median(service) / median(sameSql),
    toPlainSql: median(service) / median(plainSql),
  }
}

export async function timed(
  db: Pool,
  { prepare }: Bulk,
  work: () => Promise<unknown>,
): Promise<number> {
  await prepare()
  await run(db, sql`checkpoint`)
  const started = performance.now()
  await work()
  return performance.now() - started
}
