// A workspace that has just grown from a few leads to thousands: PostgreSQL has no statistics yet, and still uses the
// plans of before. No request may compare each lead with each other one; for 5,000 leads, that once took a minute.
import { expect, test } from 'vitest'
import { raw, run } from '../src/db/sql.ts'
import { isOnCluster } from './databases.ts'
import { type Answer, service, type Workspace } from './harness.ts'

const connections = 2
/** After so many, each connection keeps its plan of every statement. */
const rounds = 6 * connections
const copies = 25
/** How many times a request may read each lead, or what belongs to it. */
const allowed = 60

const app = service({ connections })

type Body = Record<string, unknown>
type Send = (method: string, path: string, body?: Body) => Promise<Answer['body']>

const sender =
  (space: Workspace): Send =>
  async (method, path, body) => {
    const answer = await space.call(method, path, body)
    expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBe(200)
    return answer.body
  }

interface Records {
  member: string
  lists: string[]
  status: string
  tag: string
}

async function makeRecords(space: Workspace): Promise<Records> {
  const send = sender(space)
  const made = async (path: string, body: Body): Promise<string> =>
    (await send('POST', path, body)).id
  const lists = [await made('/lists', { name: 'Open' }), await made('/lists', { name: 'Later' })]
  const status = await made('/status', { name: 'New', id_list: lists[0] })
  const tag = await made('/tags', { name: 'Warm' })
  return { member: await app.member(space), lists, status, tag }
}

/** Two leads that are the same, each with everything that a lead can have. */
async function makeLeads(send: Send, name: string, { lists, status, tag }: Records) {
  const fields = { first_name: 'Ada', last_name: name, email: `${name}@a.example`, company: name }
  const ids: string[] = []
  for (let count = 0; count < 2; count++) {
    const { id } = await send('POST', '/lead', {
      ...{ ...fields, phone: '+49 30 901820', lists: [lists[0]], status: [status], tags: [tag] },
    })
    const at = { id_lead: id, date: '2026-04-01T08:00:00Z' }
    await send('POST', '/notes', { id_lead: id, content: 'Called', thread_id: 't' })
    await send('POST', '/reminders', { ...at, name: 'Call again' })
    ids.push(id)
  }
  return ids
}

/** What people and programs do to leads: a few, or all. */
async function change(send: Send, filter: Body, { lists, tag, member }: Records, owner: string) {
  const undo = async () => {
    const { operations } = await send('GET', '/operations?limit=1')
    await send('POST', `/operations/${operations[0].id}/undo`, {})
  }
  const operate = async (kind: string, data: Body) => {
    const { confirm } = await send('POST', '/operations/preview', { kind, filter, data })
    await send('POST', '/operations', { kind, filter, data, confirm })
    await undo()
  }
  await send('PATCH', '/leads/update-many', {
    filter,
    data: { city: 'Paris', email: 'a@b.example' },
  })
  await undo()
  await send('PATCH', '/leads/update-many', { filter, data: { tags_disconnect: [tag] } })
  await send('PATCH', '/leads/update-many', { filter, data: { tags_connect: [tag] } })
  await send('POST', '/leads/add-list', { filter, id_list: lists[1] })
  await send('POST', `/lists/${lists[1]}/remove-leads`, { filter })
  await send('POST', `/lists/${lists[1]}/move-leads`, { filter, id_source: lists[0] })
  await undo()
  await send('POST', '/leads/delete', { filter })
  await undo()
  await operate('hand-over', { from: owner, owners: [member] })
  await operate('merge', { by: 'email', survivor: 'oldest' })
}

async function read(send: Send, lead: string, { lists, status, tag, member }: Records) {
  await send('GET', `/lead/${lead}`)
  await send('GET', `/lead/${lead}/events`)
  await send('PATCH', `/lead/${lead}`, { city: 'London' })
  await send('POST', '/leads/search', { email: 'early0@a.example' })
  await send('GET', '/duplicates')
  await send('GET', '/duplicates/counts')
  await send('GET', '/lists/counts')
  await send('GET', '/changes')
  await send('GET', '/events')
  await send('POST', '/leads/stats', { group_by: 'list' })
  for (const filter of [
    {},
    { leads: [lead] },
    { search: 'ada' },
    { lists: [lists[0]], none: [{ tags: [tag] }] },
    { any: [{ status: [status] }, { owners: [member] }] },
    { notes: { none_since: '-14d' } },
    { reminders: { due: 'overdue' } },
    { noted: { by: [member] } },
    { entered: { status: [status], after: '2025-10-01' } },
    { activity: { since: '2025-10-01' } },
  ]) {
    await send('POST', '/leads/list', { filter })
  }
}

/** Copies every row about a lead, for other leads. */
async function copyLeads(): Promise<void> {
  const tables = await run<{ name: string; columns: string[] }[]>(app.db)`
    select table_name as name, array_agg(quote_ident(column_name)) as columns
    from information_schema.columns
    where table_schema = 'public' and is_generated = 'NEVER' and (table_name = 'lead' or table_name in (
      select table_name from information_schema.columns where column_name = 'id_lead'))
    group by table_name order by table_name <> 'lead', table_name`
  for (const { name, columns } of tables) {
    const values = {
      id: 'md5(row.id || copy::text)::uuid',
      id_lead: 'md5(row.id_lead || copy::text)::uuid',
      key: 'row.key || copy',
      company_claim: 'null',
    }
    const copied = columns.map((column) => values[column as keyof typeof values] ?? `row.${column}`)
    await run(app.db)`insert into ${raw(name)} (${raw(columns.join(', '))})
      select ${raw(copied.join(', '))}
      from ${raw(name)} row cross join generate_series(1, ${copies}::int) copy on conflict do nothing`
  }
  await run(app.db)`update lead_count set count = count * ${copies + 1}::int`
}

const counts = new Map<string, number>()

/** Rows read since the last time, of the table or by the index that was read most. */
async function mostRead(): Promise<{ name: string; rows: number }> {
  // Otherwise a connection tells what it has read once a second.
  const all = await Promise.all(Array.from({ length: connections }, () => app.pool.reserve()))
  for (const one of all) {
    await one.unsafe('select pg_stat_force_next_flush()')
    one.release()
  }
  const now = await run<{ name: string; count: number }[]>(app.db)`
    select indexrelname as name, idx_tup_read::float as count from pg_stat_user_indexes
    union all select relname, seq_tup_read::float from pg_stat_user_tables`
  const reads = now.map(({ name, count }) => ({ name, rows: count - (counts.get(name) ?? 0) }))
  for (const { name, count } of now) counts.set(name, count)
  return reads.reduce((most, one) => (one.rows > most.rows ? one : most))
}

// Older servers cannot be told (planner.sql.ts), and the coordinator of a cluster reads no rows.
test.skipIf(isOnCluster() || process.env.DATABASE_URL)(
  'no request compares each lead with each other one',
  async () => {
    const space = await app.workspace()
    const records = await makeRecords(space)
    const send = sender(space)
    for (let round = 0; round < rounds; round++) {
      const leads = await makeLeads(send, `early${round}`, records)
      await change(send, { leads }, records, space.owner)
      await read(send, leads[0] as string, records)
    }
    await copyLeads()
    await mostRead()
    const tooMany: string[] = []
    const measured: Send = async (method, path, body) => {
      const answer = await send(method, path, body)
      const { name, rows } = await mostRead()
      if (rows > allowed * 2 * rounds * copies) {
        tooMany.push(`${method} ${path} ${JSON.stringify(body)}: ${rows} rows of ${name}`)
      }
      return answer
    }
    const leads = await makeLeads(measured, 'late', records)
    await change(measured, { leads }, records, space.owner)
    await read(measured, leads[0] as string, records)
    await change(measured, {}, records, space.owner)
    expect(tooMany).toEqual([])
  },
  60_000,
)
