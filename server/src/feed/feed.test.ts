// The order of events, under concurrent writers, several processes, open transactions and lost
// connections.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { service, type Workspace } from '../../test/harness.ts'
import { expectLockWaits } from '../../test/lock-waits.ts'
import type { Db } from '../db/driver.ts'
import { run } from '../db/sql.ts'
import { newId } from '../ids.ts'
import { authorOf } from './author.ts'
import { createHub } from './hub.ts'
import { record } from './record.sql.ts'

const app = service()
let space: Workspace
beforeEach(async () => {
  space = await app.workspace()
})

interface Seen {
  seq: number
  type: string
  ids: string[]
  changed: Record<string, [unknown, unknown]>
}

/** Reads everything from the cursor on, until there were this many events. */
async function follow(count: number, from: Pick<Workspace, 'get'> = space): Promise<Seen[]> {
  const seen: Seen[] = []
  let cursor = 'start'
  while (seen.length < count) {
    const { body } = await from.get(`/events?after=${cursor}&wait=10&limit=7`)
    expect(body.events, `nothing came after ${seen.length} events`).not.toEqual([])
    seen.push(...body.events)
    cursor = body.next
  }
  return seen
}

const write = (db: Db, changed: Seen['changed'] = {}, id = newId()) =>
  record(db, authorOf('command', space.id_space, new Date()), {
    type: 'tag.updated',
    ids: [id],
    changed,
  })

const numbersTo = (count: number) => Array.from({ length: count }, (_none, index) => index + 1)

test('16 concurrent writers: no gap, no duplicate, and the changes of a record in their order', async () => {
  const writers = 16
  const rounds = 12
  const shared = (await space.post('/tags', { name: '0' })).body.id
  const made: string[] = [shared]
  await Promise.all([
    ...Array.from({ length: writers }, async (_none, writer) => {
      for (let round = 0; round < rounds; round++) {
        made.push((await space.post('/tags', { name: `${writer} ${round}` })).body.id)
        // Everybody changes the same record as well.
        const { status } = await space.patch(`/tags/${shared}`, { name: `${writer}-${round}` })
        expect(status).toBe(200)
      }
    }),
    // A reader in between.
    follow(writers * rounds),
  ])
  const events = await follow(1 + 2 * writers * rounds)
  expect(events.map(({ seq }) => seq)).toEqual(numbersTo(1 + 2 * writers * rounds))
  const created = events.filter(({ type }) => type === 'tag.created')
  expect(new Set(created.map(({ ids: [id] }) => id))).toEqual(new Set(made))
  // Each change of the shared record begins with what the previous one left.
  const names = events
    .filter(({ type }) => type === 'tag.updated')
    .map(({ changed }) => changed.name)
  names.reduce((before, pair) => {
    expect(pair?.[0]).toBe(before)
    return pair?.[1]
  }, '0' as unknown)
  expect((await space.get('/tags')).body.find(({ id }: { id: string }) => id === shared).name).toBe(
    names.at(-1)?.[1],
  )
})

test('a transaction that stays open delays only its own events', async () => {
  const id = newId()
  await app.db.begin(async (tx) => {
    await write(tx, {}, id)
    const tag = (await space.post('/tags', { name: 'Warm' })).body
    expect(await follow(1)).toMatchObject([{ seq: 1, ids: [tag.id] }])
  })
  expect(await follow(2)).toMatchObject([{ seq: 1 }, { seq: 2, ids: [id] }])
})

test('a transaction that holds a snapshot delays nothing', async () => {
  await app.db.begin('isolation level repeatable read', async (tx) => {
    await run(tx)`select count(*) from event where id_space = ${space.id_space}`
    await space.post('/tags', { name: 'Warm' })
    expect(await follow(1)).toMatchObject([{ seq: 1 }])
  })
})

test('a change that is rolled back leaves no event and no gap', async () => {
  const undo = new Error('Undo')
  await app.db
    .begin(async (tx) => {
      await write(tx)
      throw undo
    })
    .catch((error) => expect(error).toBe(undo))
  await space.post('/tags', { name: 'Warm' })
  expect(await follow(1)).toMatchObject([{ seq: 1, type: 'tag.created' }])
})

test('more events than one run moves keep their order', async () => {
  await app.db.begin(async (tx) => {
    for (const part of [0, 1, 2, 3, 4]) {
      await run(tx)`insert into event_new (id_space, id, part, type, at, way, ids, changed)
          select ${space.id_space}::uuid, ${newId()}::uuid, n, 'tag.updated', now(), 'api', '{}',
            jsonb_build_object('order', jsonb_build_array(null, ${part}::int * 1000 + n))
          from generate_series(1, 1000) n`
    }
  })
  const order: unknown[] = []
  let cursor = 'start'
  while (order.length < 5000) {
    const { body } = await space.get(`/events?after=${cursor}&limit=1000&wait=10`)
    expect(body.events).not.toEqual([])
    order.push(...body.events.map(({ changed }: Seen) => changed.order?.[1]))
    cursor = body.next
  }
  expect(order).toEqual(numbersTo(5000))
})

describe('two services on one database', () => {
  let other: Pick<Workspace, 'get' | 'post'> & { close(): Promise<void> }
  beforeAll(async () => {
    const { url, app: second } = await app.another()
    const send = async (method: string, path: string, body?: unknown) => {
      const answer = await fetch(`${url}/rest${path}`, {
        method,
        headers: { 'X-API-KEY': space.key, 'Content-Type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const { status, headers } = answer
      const text = await answer.text()
      return { status, headers, text, body: JSON.parse(text) }
    }
    other = {
      get: (path) => send('GET', path),
      post: (path, body) => send('POST', path, body),
      close: () => second.close(),
    }
  })
  afterAll(() => other.close())

  test('wake each other, and number every event once', async () => {
    const waiting = other.get('/events?wait=30')
    const { id } = (await space.post('/tags', { name: 'here' })).body
    expect((await waiting).body.events).toMatchObject([{ seq: 1, ids: [id] }])
    await Promise.all(
      Array.from({ length: 60 }, (_none, index) =>
        (index % 2 ? other : space).post('/tags', { name: `tag ${index}` }),
      ),
    )
    const [here, there] = await Promise.all([follow(61), follow(61, other)])
    expect(here.map(({ seq }) => seq)).toEqual(numbersTo(61))
    expect(there).toEqual(here)
    expect(new Set(here.map(({ ids: [only] }) => only)).size).toBe(61)
  })

  test('a listener that lost its connection wakes its readers again', async () => {
    const listeners = () =>
      run<{ pid: number }[]>(app.db)`select pid from pg_stat_activity
          where datname = current_database() and query ilike 'listen%'`
    const before = await listeners()
    expect(before).toHaveLength(2)
    for (const { pid } of before) await run(app.db)`select pg_terminate_backend(${pid}::int)`
    const pids = new Set(before.map(({ pid }) => pid))
    await expect
      .poll(async () => (await listeners()).filter(({ pid }) => !pids.has(pid)).length)
      .toBe(2)
    const waiting = other.get('/events?wait=30')
    await space.post('/tags', { name: 'again' })
    expect((await waiting).body.events).toHaveLength(1)
  })
})

test.each([
  // The statement that moves events waits for the first lock, the one that moves the head for the second.
  ['before it has moved the events', 'event', 'exclusive', 'insert into event ('],
  ['after it has moved the events', 'event_head', 'share', 'update event_head'],
])(
  'a sequencer that is killed %s: they are numbered once, later',
  async (_when, table, mode, text) => {
    const ids = [newId(), newId()]
    await write(app.db, {}, ids[0])
    await follow(1)
    await app.db.begin(async (tx) => {
      await tx.unsafe(`lock table ${table} in ${mode} mode`)
      await write(app.db, {}, ids[1])
      await expectLockWaits(app.db, 1, text)
      await run(app.db)`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`
    })
    ids.push((await space.post('/tags', { name: 'and one more' })).body.id)
    const events = await follow(3)
    expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3])
    expect(events.map(({ ids: [id] }) => id)).toEqual(ids)
  },
)

describe('those who wait', () => {
  const { signal } = new AbortController()

  test('do not wait when the news came while they were reading', async () => {
    const hub = createHub()
    for (const wake of [() => hub.wake('a'), hub.wakeAll]) {
      const seen = hub.version('a')
      wake()
      await hub.wait('a', seen, 60_000, signal)
    }
  })

  test('share equal reads that run at the same time, but not with those of another version', async () => {
    const hub = createHub()
    let reads = 0
    const read = async () => ++reads
    const both = await Promise.all([hub.share('a 1', read), hub.share('a 1', read)])
    expect(both).toEqual([1, 1])
    expect(await Promise.all([hub.share('a 1', read), hub.share('a 2', read)])).toEqual([2, 3])
  })
})
