// What is deleted for its age, and that readers learn of it.
import { beforeEach, expect, test } from 'vitest'
import { service, type Workspace } from '../test/harness.ts'
import { run } from './db/sql.ts'
import { keepHouse } from './housekeeping.ts'
import { newId } from './ids.ts'

const app = service()
const day = 86_400_000
let space: Workspace
beforeEach(async () => {
  space = await app.workspace()
})

const keep = (signal = new AbortController().signal) =>
  keepHouse({ db: app.db, now: app.clock.now, config, signal })

const config = { eventsKeepMs: 365 * day, undoKeepMs: 30 * day, deletedKeepMs: 90 * day }

/** Events of these ages in days, oldest number first. */
async function addEvents(...ages: number[]): Promise<void> {
  const { id_space } = space
  for (const [index, age] of ages.entries()) {
    const at = new Date(app.clock.now.getTime() - age * day)
    await run(app.db)`insert into event (id_space, seq, type, at, way, ids)
        values (${id_space}, ${index + 1}, 'tag.updated', ${at}, 'api', '{}')`
  }
  await run(app.db)`update event_head set seq = ${ages.length} where id_space = ${id_space}`
}

const seqs = async () =>
  (await space.get('/events?limit=1000')).body.events.map(({ seq }: { seq: number }) => seq)

test('events are kept for EVENTS_KEEP days', async () => {
  await addEvents(366, 365.5, 364, 1)
  const { next } = (await space.get('/events?limit=1')).body
  await keep()
  expect(await seqs()).toEqual([3, 4])
  const gone = await space.get(`/events?after=${next}`)
  expect([gone.status, gone.body.start.split('.')[1]]).toEqual([410, '4'])
  app.clock.advance(400 * day)
  await keep()
  expect(await seqs()).toEqual([])
  // A reader that was at the end has missed nothing, and numbers continue.
  expect((await space.get(`/events?after=${gone.body.start}`)).status).toBe(200)
  await space.post('/tags', { name: 'Warm' })
  const { body } = await space.get(`/events?after=${gone.body.start}&wait=10`)
  expect(body.events).toMatchObject([{ seq: 5 }])
})

test('an event that is young keeps those behind it', async () => {
  await addEvents(400, 10, 400)
  await keep()
  expect(await seqs()).toEqual([2, 3])
})

test('many are deleted in several transactions, and not after the stop', async () => {
  const { id_space } = space
  const at = new Date(app.clock.now.getTime() - 400 * day)
  await run(app.db)`insert into event (id_space, seq, type, at, way, ids)
      select ${id_space}::uuid, n, 'tag.updated', ${at}, 'api', '{}' from generate_series(1, 2500) n`
  await run(app.db)`update event_head set seq = 2500 where id_space = ${id_space}`
  await keep(AbortSignal.abort())
  expect((await seqs())[0]).toBe(1)
  await keep()
  expect(await seqs()).toEqual([])
})

test('a reader never sees a gap while events are deleted', async () => {
  await addEvents(...Array.from({ length: 300 }, (_none, index) => (index < 200 ? 400 : 1)))
  const epoch = (await space.get('/events?after=now')).body.next.split('.')[0]
  const [, ...answers] = await Promise.all([
    keep(),
    ...Array.from({ length: 60 }, () => space.get(`/events?after=${epoch}.0&limit=1000`)),
  ])
  for (const { status, body } of answers) {
    if (status === 200) expect(body.events[0].seq).toBe(1)
    else expect(status).toBe(410)
  }
})

test('values before are kept for UNDO_KEEP days, deleted leads for DELETED_KEEP days', async () => {
  const { id } = (await space.post('/lead', { first_name: 'Ada' })).body
  const { headers } = await space.post('/leads/delete', { filter: { leads: [id] } })
  const rows = async () => {
    const [row] = await run<[{ befores: number; leads: number }]>(app.db)`select
        (select count(*) from operation_before where id_space = ${space.id_space}) as befores,
        (select count(*) from lead where id_space = ${space.id_space}) as leads`
    return row
  }
  app.clock.advance(29 * day)
  await keep()
  expect(await rows()).toEqual({ befores: 1, leads: 1 })
  app.clock.advance(2 * day)
  await keep()
  expect(await rows()).toEqual({ befores: 0, leads: 1 })
  const operation = `/operations/${headers.get('x-operation-id')}`
  expect((await space.get(operation)).body.undoable_until).toBeNull()
  app.clock.advance(60 * day)
  await keep()
  expect(await rows()).toEqual({ befores: 0, leads: 0 })
  app.clock.advance(365 * day)
  await keep()
  expect((await space.get(operation)).status).toBe(404)
})

test('so are those of an import whose process died', async () => {
  const csv = 'email,city\na@a.example,Rome\n'
  const { headers } = await space.call('POST', '/leads/import', csv, 'text/csv')
  const id = headers.get('x-operation-id')
  await run(app.db)`update operation set state = 'running', done_at = null
      where id_space = ${space.id_space} and id = ${id}`
  app.clock.advance(31 * day)
  await keep()
  const left = await run(
    app.db,
  )`select from operation_before where id_space = ${space.id_space} and id_operation = ${id}`
  expect(left).toEqual([])
})

test('the answers of requests with an Idempotency-Key are kept for a day', async () => {
  const { id_space } = space
  const keys = async () => {
    const rows = await run<{ key: string }[]>(
      app.db,
    )`select key from idempotency where id_space = ${id_space} order by key limit 3`
    return rows.map(({ key }) => key)
  }
  const add = (key: string, from: number, to: number) =>
    run(app.db)`insert into idempotency (id_space, id_key, key, fingerprint, created_at)
        select ${id_space}::uuid, ${space.owner}::uuid, ${key}::text || n, '', ${app.clock.now}::timestamptz
        from generate_series(${from}::int, ${to}::int) n`
  await add('old', 1, 2500)
  app.clock.advance(day - 1)
  await add('young', 1, 1)
  await keep()
  expect(await keys()).toEqual(['old1', 'old10', 'old100'])
  app.clock.advance(1)
  await keep(AbortSignal.abort())
  expect(await keys()).toEqual(['old1', 'old10', 'old100'])
  await keep()
  expect(await keys()).toEqual(['young1'])
})

test('rejected rows of imports are kept as long as an import can be undone', async () => {
  const { body } = await space.call(
    'POST',
    '/leads/import?once=true&file=fair.csv',
    'First name,Score\nAda,much\nGrace,7\n',
    'text/csv',
  )
  const rows = async () => (await space.get(`/imports/${body.id}/rejected`)).body
  app.clock.advance(29 * day)
  await keep()
  expect(await rows()).toContain('Ada,much')
  app.clock.advance(2 * day)
  await keep()
  expect(await rows()).toBe('')
  expect((await space.get('/imports')).body).toMatchObject([{ rejected: 1, has_rejected: false }])
})

/** A database that is a day older than its last migrations, or one that is as old as they are. */
async function migrateAt(at: Date, databaseDays = 1): Promise<void> {
  const made = new Date(at.getTime() - databaseDays * day)
  await run(app.db)`update schema_migration
    set leads_checked_at = null, applied_at = case version when 1 then ${made} else ${at} end`
}

test('the leads of a new database are left alone: no older release has written them', async () => {
  const written = async () => {
    const [lead] = await run<{ id: string }[]>(app.db)`
      insert into lead (id_space, id, first_name, created_at, updated_at)
      values (${space.id_space}, ${newId()}, 'Grâce', ${app.clock.now}, ${app.clock.now}) returning id`
    return lead?.id
  }
  const found = async () => {
    const { body } = await space.post('/leads/list', { filter: { search: 'grace' } })
    return body.leads.map(({ id }: { id: string }) => id)
  }
  await migrateAt(app.clock.now, 0)
  const lead = await written()
  await keep()
  expect(await found()).toEqual([])
  await migrateAt(app.clock.now)
  await keep()
  expect(await found()).toEqual([lead])
})

test('leads that an older release has written after a migration are found, and their events told, once', async () => {
  const { id_space } = space
  const { now } = app.clock
  await migrateAt(now)
  // More than one batch, in the order of their ids.
  await run(app.db)`insert into lead (id_space, id, created_at, updated_at)
      select ${id_space}, lpad(to_hex(n), 32, '0')::uuid, ${now}::timestamptz - interval '1 day',
        ${now}::timestamptz - interval '1 day'
      from generate_series(1, 2000) n`
  const { body: known } = await space.post('/lead', { first_name: 'Ada', auto_assign_owner: false })
  // Without what a release from before the tables of texts and events writes.
  const insert = async (at: Date) => {
    const id = newId()
    await run(app.db)`insert into lead (id_space, id, first_name, created_at, updated_at)
        values (${id_space}, ${id}, 'Grâce', ${at}, ${at})`
    return id
  }
  const unknown = await insert(now)
  await run(app.db)`update lead set last_name = 'Lovelace', updated_at = ${now}
      where id_space = ${id_space} and id = ${known.id}`
  const found = async (search: string) => {
    const { body } = await space.post('/leads/list', { filter: { search } })
    return body.leads.map(({ id }: { id: string }) => id).sort()
  }
  const expectRepaired = async (...graces: string[]) => {
    expect([await found('grace'), await found('lovelace')]).toEqual([graces, [known.id]])
    const created = async () => {
      const { events } = (await space.get('/events?types=lead.created')).body
      return events.flatMap(({ ids }: { ids: string[] }) => ids).sort()
    }
    await expect.poll(created).toEqual([known.id, ...graces].sort())
  }
  expect([await found('grace'), await found('lovelace')]).toEqual([[], []])
  await keep()
  await expectRepaired(unknown)
  // The older server has written one more. It has stopped by the next time, which is the last.
  const later = await insert(now)
  app.clock.advance(day / 24)
  await keep()
  await expectRepaired(unknown, later)
  await insert(now)
  await keep()
  await expectRepaired(unknown, later)
})

test('leads that are changed while they are looked at keep what was written', async () => {
  await migrateAt(app.clock.now)
  const ids: string[] = []
  for (let count = 0; count < 5; count++) {
    const { body } = await space.post('/lead', { first_name: 'Ada', email: `a${count}@a.example` })
    ids.push(body.id)
  }
  for (let round = 0; round < 20; round++) {
    const change = { phone: `+49 30 9018${10 + round}` }
    const [, ...changed] = await Promise.all([
      keep(),
      ...ids.map((id) => space.patch(`/lead/${id}`, change)),
    ])
    expect(changed.map(({ status }) => status)).toEqual(ids.map(() => 200))
  }
})
