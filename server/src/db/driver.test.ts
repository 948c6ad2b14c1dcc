import { connect as connectSocket, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { inDatabase } from '../../test/database.ts'
import { service } from '../../test/harness.ts'
import { commitTogether, NotCommitted } from './commit-together.ts'
import { type Begun, connect, type Db, isUnavailable, type Pool, transaction } from './driver.ts'
import { run, runText, sql } from './sql.ts'

const app = service()

test('arrays are stored and read unchanged', async () => {
  const texts = ['a', '', 'b c', '"', '\\', '{x,y}', 'NULL', "o'k", 'é🦊', 'a\nb']
  const uuids = ['01920000-0000-7000-8000-000000000001', '01920000-0000-7000-8000-000000000002']
  const [row] = await run(app.db)`
    select ${texts}::text[] as texts, ${uuids}::uuid[] as uuids, ${[]}::text[] as none,
      cardinality(${texts}::text[]) as count, ${[1, -2]}::int[] as numbers`
  expect(row).toEqual({
    texts,
    uuids,
    none: [],
    count: texts.length,
    numbers: [1, -2],
  })
})

test('timestamps are read as ISO 8601 in UTC with milliseconds, bigints as numbers', async () => {
  const [row] = await run(app.db)`
    select timestamptz '2026-03-02 10:00:00.5+01' as at, 9007199254740991::bigint as big`
  expect(row).toEqual({ at: '2026-03-02T09:00:00.500Z', big: 9007199254740991 })
})

test('a statement that fails after its first rows does not spoil the next one', async () => {
  const pool = connect(inDatabase(inject('server'), app.db.options.database), { max: 1 })
  const fails = () => run(pool)`select 10 / (3 - n) from generate_series(1, ${5}::int) n`
  try {
    await expect(fails()).rejects.toThrow('division by zero')
    expect(await run(pool)`select ${7}::int as seven`).toEqual([{ seven: 7 }])
    await expect(fails()).rejects.toThrow('division by zero')
    const bytes = await runText(pool, 'select $1::int, 8', [7], { sender: 'test' })
    expect(bytes?.map(String)).toEqual(['7', '8'])
    await expect(fails()).rejects.toThrow('division by zero')
    const two = await transaction(pool, (tx) => run(tx)`select generate_series(1, 2) as n`)
    expect(two).toEqual([{ n: 1 }, { n: 2 }])
    await expect(fails()).rejects.toThrow('division by zero')
    expect(await run(pool)`select where false`).toHaveLength(0)
  } finally {
    await pool.end({ timeout: 0 })
  }
})

test('the pool works again after a connection was lost in a transaction', async () => {
  const pool = connect(inDatabase(inject('server'), app.db.options.database), { max: 1 })
  try {
    const cut = transaction(pool, async (tx) => {
      const [session] = await run<{ pid: number }[]>(tx)`select pg_backend_pid() as pid`
      const terminate = run(app.db)`select pg_terminate_backend(${session?.pid ?? 0}::int)`
      await Promise.all([run(tx)`select pg_sleep(60)`, terminate])
    })
    // This query waits for the connection. The driver may reject it with the error of the lost one.
    const waiting = run(pool)`select 2`.catch((error) => expect(error).toSatisfy(isUnavailable))
    await expect(cut).rejects.toSatisfy(isUnavailable)
    await waiting
    expect(await transaction(pool, (tx) => run(tx)`select 3 as three`)).toEqual([{ three: 3 }])
  } finally {
    await pool.end({ timeout: 0 })
  }
})

describe('statements that are sent together with COMMIT', () => {
  let pool: Pool
  beforeAll(async () => {
    pool = connect(inDatabase(inject('server'), app.db.options.database), { max: 1 })
    await run(pool)`create temp table number (n int primary key)`
  })
  afterAll(() => pool.end({ timeout: 0 }))
  const adding = (n: number) => sql`insert into number values (${n}::int) returning n`
  const last = (...numbers: number[]) => ({
    statements: numbers.map(adding),
    result: numbers,
  })
  const numbers = async () =>
    (await run(pool)`select n::int from number order by n`).map(({ n }) => n)

  // Twice: the first time, the driver has yet to prepare them.
  test.each([10, 20])('are all written: from %i on', async (from) => {
    const results = await commitTogether(pool, async (tx) => {
      await run(tx, adding(from))
      return last(from + 1, from + 2)
    })
    expect(results).toEqual([from + 1, from + 2])
    expect(await numbers()).toEqual(expect.arrayContaining([from, from + 1, from + 2]))
  })

  test.each([[[30, 30]], [[31, 30, 31, 32]], [[30, 31, 10]]])(
    'or none of them: %j',
    async (each) => {
      const before = await numbers()
      const send = async (tx: Db) => {
        await run(tx, adding(40))
        return last(...each)
      }
      await expect(commitTogether(pool, send)).rejects.toBeInstanceOf(NotCommitted)
      expect(await numbers()).toEqual(before)
    },
  )

  test('none of them if the work fails before', async () => {
    const before = await numbers()
    const failed = commitTogether(pool, async (tx) => {
      await run(tx, adding(50))
      throw new Error('no')
    })
    await expect(failed).rejects.toThrow('no')
    expect(await numbers()).toEqual(before)
  })

  test('none of them alone, after the type of a column has changed', async () => {
    const two = (from: number) => commitTogether(pool, async () => last(from, from + 1))
    await run(pool)`alter table number alter n type bigint`
    // The driver finds out by an error that it has to prepare the statement anew.
    await expect(two(71)).rejects.toBeInstanceOf(NotCommitted)
    expect((await numbers()).filter((n) => Number(n) > 70)).toEqual([])
    await transaction(pool, (tx) => run(tx, adding(75))).catch(() => {})
    expect(await two(73)).toEqual([73, 74])
  })

  test('a transaction that does not begin writes nothing', async () => {
    const before = await numbers()
    const begin = async (tx: Begun) => {
      await tx.begun.catch(() => {})
      await run(tx, adding(80))
    }
    await expect(pool.begin('nonsense', begin, true)).rejects.toThrow('syntax error')
    expect(await numbers()).toEqual(before)
  })

  test('a lost connection rejects', async () => {
    const own = connect(inDatabase(inject('server'), app.db.options.database), { max: 1 })
    try {
      const cut = commitTogether(own, async (tx) => {
        const [session] = await run<{ pid: number }[]>(tx)`select pg_backend_pid() as pid`
        await run(app.db)`select pg_terminate_backend(${session?.pid ?? 0}::int)`
        return { statements: [sql`select 1`, sql`select 2`], result: () => {} }
      })
      await expect(cut).rejects.toSatisfy(isUnavailable)
      // The driver may reject the next one with the same error.
      const three = () => run(own)`select 3 as three`
      await three().catch((error) => expect(error).toSatisfy(isUnavailable))
      expect(await three()).toEqual([{ three: 3 }])
    } finally {
      await own.end({ timeout: 0 })
    }
  })
})

/** A proxy in front of the database. `isOpen` decides about each new connection. */
async function startProxy(isOpen = () => true) {
  const { path, host, port, user, pass, database } = app.db.options
  const clients = new Set<Socket>()
  const proxy = createServer((client) => {
    client.on('error', () => {})
    if (!isOpen()) return client.destroy()
    const server = path ? connectSocket(path) : connectSocket(port[0] as number, host[0])
    server.on('error', () => {})
    client.on('close', () => server.destroy())
    server.on('close', () => client.destroy())
    client.pipe(server).pipe(client)
    clients.add(client)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const address = proxy.address() as { port: number }
  const target = { host: '127.0.0.1', port: address.port, database, username: user }
  return {
    clients,
    close: () => proxy.close(),
    pool: connect({ ...target, password: String(pass ?? '') }, { max: 1 }),
  }
}

test('of several servers, the one that answers is found', async () => {
  const proxy = await startProxy()
  const { port, user, pass, database } = proxy.pool.options
  const url = `postgres://${user}:${pass}@127.0.0.1:1,127.0.0.1:${port[0]}/${database}?target_session_attrs=read-write`
  const pool = connect({ url }, { max: 1 })
  try {
    expect(await run(pool)`select 1 as one`).toEqual([{ one: 1 }])
  } finally {
    await Promise.all([pool.end(), proxy.pool.end()])
    proxy.close()
  }
})

test('a connection that breaks at any moment of a query can be used again', async () => {
  const proxy = await startProxy()
  const one = () => run(proxy.pool)`select ${1}::int as one`
  try {
    // The driver gathers writes until the end of a turn of the event loop: break the connection in each part
    // of a turn.
    for (let turns = 0; turns < 10; turns++) {
      expect(await one()).toEqual([{ one: 1 }])
      for (const client of proxy.clients) client.resetAndDestroy()
      proxy.clients.clear()
      for (let turn = 0; turn < turns; turn++) {
        await new Promise<void>((next) => (turn % 2 ? setImmediate(next) : process.nextTick(next)))
      }
      await one().catch(({ code }) => expect(code).toMatch(/^(ECONNRESET|CONNECTION_CLOSED)$/))
    }
  } finally {
    await proxy.pool.end({ timeout: 0 })
    proxy.close()
  }
})

test('a query gets its result when the first connections close before they can say anything', async () => {
  let attempts = 0
  const proxy = await startProxy(() => ++attempts > 3)
  try {
    expect(await run(proxy.pool)`select ${1}::int as one`).toEqual([{ one: 1 }])
    expect(attempts).toBe(4)
  } finally {
    await proxy.pool.end({ timeout: 0 })
    proxy.close()
  }
})

test('a transaction that has lost its connection writes nothing more, on no other connection', async () => {
  const proxy = await startProxy()
  const { pool } = proxy
  const name = `lost_${Date.now()}`
  try {
    await run(app.db)`create table if not exists lost_statement (name text)`
    let commitOther = () => {}
    const isCommitted = new Promise<void>((resolve) => {
      commitOther = resolve
    })
    let other: Promise<unknown> | undefined
    const cut = transaction(pool, async (tx) => {
      await run(tx)`select 1`
      // The only connection is lost, and opened again for the other transaction.
      await new Promise<void>((isOpen) => {
        other = transaction(pool, async (again) => {
          await run(again)`select 2`
          isOpen()
          await isCommitted
        })
        for (const client of proxy.clients) client.resetAndDestroy()
      })
      const late = await Promise.allSettled([
        run(tx)`insert into lost_statement values (${name}::text)`,
        run(tx)`insert into lost_statement values (${name}::text)`,
      ])
      expect(late.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
      commitOther()
    })
    await expect(cut).rejects.toSatisfy(isUnavailable)
    await other
    expect(await run(pool)`select 3 as three`).toEqual([{ three: 3 }])
    const written = sql`select from lost_statement where name = ${name}::text`
    expect(await run(app.db, written)).toHaveLength(0)
  } finally {
    await run(app.db)`drop table if exists lost_statement`
    await pool.end({ timeout: 0 })
    proxy.close()
  }
})

test('a reserved connection that is lost rejects, and its place can be used again', async () => {
  const proxy = await startProxy()
  const { pool } = proxy
  try {
    const reserved = await pool.reserve()
    await run(reserved)`select 1`
    const cut = run(reserved)`select pg_sleep(60)`
    const next = cut.catch(() => run(reserved)`select 2`)
    for (const client of proxy.clients) client.resetAndDestroy()
    await expect(cut).rejects.toSatisfy(isUnavailable)
    await expect(next).rejects.toSatisfy(isUnavailable)
    reserved.release()
    expect(await run(pool)`select 3 as three`).toEqual([{ three: 3 }])
    const again = await pool.reserve()
    expect(await run(again)`select 4 as four`).toEqual([{ four: 4 }])
    again.release()
  } finally {
    await pool.end({ timeout: 0 })
    proxy.close()
  }
})

test('a query that is sent just when the connection breaks gets its result', async () => {
  const proxy = await startProxy()
  const { pool } = proxy
  try {
    const query = () => run(pool)`select ${1}::int as one`
    const sleep = (seconds: number) => run(pool)`select pg_sleep(${seconds})`
    // After this the driver has prepared both statements, and could pipeline them.
    await query()
    await sleep(0)
    const cut = sleep(60)
    const next = cut.then(() => [], query)
    await expect
      .poll(
        () =>
          run(app.db)`select from pg_stat_activity where query like '%pg_sleep%'
      and wait_event = 'PgSleep'`,
      )
      .toHaveLength(1)
    for (const client of proxy.clients) client.resetAndDestroy()
    expect(await next).toEqual([{ one: 1 }])
    expect(await query()).toEqual([{ one: 1 }])
    expect(await query()).toEqual([{ one: 1 }])
  } finally {
    await pool.end({ timeout: 0 })
    proxy.close()
  }
})
