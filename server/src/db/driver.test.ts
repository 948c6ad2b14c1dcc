import { connect as connectSocket, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { inDatabase } from '../../test/database.ts'
import { service } from '../../test/harness.ts'
import { commitTogether, connect, isUnavailable, type Pool, transaction } from './driver.ts'
import { run, runText, sql } from './sql.ts'

const app = service()

test('arrays are stored and read unchanged', async () => {
  const texts = ['a', '', 'b c', '"', '\\', '{x,y}', 'NULL', "o'k", 'é🦊', 'a\nb']
  const uuids = ['01920000-0000-7000-8000-000000000001', '01920000-0000-7000-8000-000000000002']
  const [row] = await run(
    app.db,
    sql`
    select ${texts}::text[] as texts, ${uuids}::uuid[] as uuids, ${[]}::text[] as none,
      cardinality(${texts}::text[]) as count, ${[1, -2]}::int[] as numbers`,
  )
  expect(row).toEqual({
    texts,
    uuids,
    none: [],
    count: texts.length,
    numbers: [1, -2],
  })
})

test('timestamps are read as ISO 8601 in UTC with milliseconds, bigints as numbers', async () => {
  const [row] = await run(
    app.db,
    sql`
    select timestamptz '2026-03-02 10:00:00.5+01' as at, 9007199254740991::bigint as big`,
  )
  expect(row).toEqual({ at: '2026-03-02T09:00:00.500Z', big: 9007199254740991 })
})

test('a statement that fails after its first rows does not spoil the next one', async () => {
  const pool = connect(inDatabase(inject('server'), app.db.options.database), { max: 1 })
  const fails = () => run(pool, sql`select 10 / (3 - n) from generate_series(1, ${5}::int) n`)
  try {
    await expect(fails()).rejects.toThrow('division by zero')
    expect(await run(pool, sql`select ${7}::int as seven`)).toEqual([{ seven: 7 }])
    await expect(fails()).rejects.toThrow('division by zero')
    const bytes = await runText(pool, 'select $1::int, 8', [7])
    expect(bytes?.map(String)).toEqual(['7', '8'])
    await expect(fails()).rejects.toThrow('division by zero')
    const two = await transaction(pool, (tx) => run(tx, sql`select generate_series(1, 2) as n`))
    expect(two).toEqual([{ n: 1 }, { n: 2 }])
    await expect(fails()).rejects.toThrow('division by zero')
    expect(await run(pool, sql`select where false`)).toHaveLength(0)
  } finally {
    await pool.end({ timeout: 0 })
  }
})

test('the pool works again after a connection was lost in a transaction', async () => {
  const pool = connect(inDatabase(inject('server'), app.db.options.database), { max: 1 })
  try {
    const cut = transaction(pool, async (tx) => {
      const [session] = await run<{ pid: number }[]>(tx, sql`select pg_backend_pid() as pid`)
      const terminate = run(app.db, sql`select pg_terminate_backend(${session?.pid ?? 0}::int)`)
      await Promise.all([run(tx, sql`select pg_sleep(60)`), terminate])
    })
    // This query waits for the connection. The driver may reject it with the error of the lost one.
    const waiting = run(pool, sql`select 2`).catch((error) =>
      expect(error).toSatisfy(isUnavailable),
    )
    await expect(cut).rejects.toSatisfy(isUnavailable)
    await waiting
    expect(await transaction(pool, (tx) => run(tx, sql`select 3 as three`))).toEqual([{ three: 3 }])
  } finally {
    await pool.end({ timeout: 0 })
  }
})

describe('statements that are sent together with COMMIT', () => {
  let pool: Pool
  beforeAll(async () => {
    pool = connect(inDatabase(inject('server'), app.db.options.database), { max: 1 })
    await run(pool, sql`create temp table number (n int primary key)`)
  })
  afterAll(() => pool.end({ timeout: 0 }))
  const adding = (n: number) => sql`insert into number values (${n}::int) returning n`
  const last = (...numbers: number[]) => ({
    statements: numbers.map(adding),
    result: (rows: Record<string, unknown>[][]) => rows.map(([row]) => row?.n),
  })
  const numbers = async () =>
    (await run(pool, sql`select n::int from number order by n`)).map(({ n }) => n)

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
      const sent = commitTogether(pool, async (tx) => {
        await run(tx, adding(40))
        return last(...each)
      })
      await expect(sent).rejects.toThrow('duplicate key')
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
    await run(pool, sql`alter table number alter n type bigint`)
    // The driver finds out by an error that it has to prepare the statement anew.
    const results = await two(71).catch(() => [])
    expect((await numbers()).filter((n) => Number(n) > 70)).toEqual(results)
    expect(await two(73)).toEqual([73, 74])
  })

  test('in a transaction they belong to it', async () => {
    const work = transaction(pool, async (tx) => {
      const within: Pool = Object.assign(Object.create(pool), {
        unsafe: tx.unsafe,
        begin: (work: never) => (tx as unknown as { savepoint: Pool['begin'] }).savepoint(work),
        isTransaction: true,
      })
      await expect(commitTogether(within, async () => last(81, 81))).rejects.toThrow(
        'duplicate key',
      )
      await run(tx, adding(82))
    })
    await work
    expect(await numbers()).toEqual(expect.arrayContaining([82]))
    expect(await numbers()).not.toContain(81)
  })

  test('a lost connection rejects', async () => {
    const own = connect(inDatabase(inject('server'), app.db.options.database), { max: 1 })
    try {
      const cut = commitTogether(own, async (tx) => {
        const [session] = await run<{ pid: number }[]>(tx, sql`select pg_backend_pid() as pid`)
        await run(app.db, sql`select pg_terminate_backend(${session?.pid ?? 0}::int)`)
        return { statements: [sql`select 1`, sql`select 2`], result: () => {} }
      })
      await expect(cut).rejects.toSatisfy(isUnavailable)
      // The driver may reject the next one with the same error.
      const three = () => run(own, sql`select 3 as three`)
      await three().catch((error) => expect(error).toSatisfy(isUnavailable))
      expect(await three()).toEqual([{ three: 3 }])
    } finally {
      await own.end({ timeout: 0 })
    }
  })
})

test('a query that is sent just when the connection breaks gets its result', async () => {
  const { path, host, port, user, pass, database } = app.db.options
  const clients = new Set<Socket>()
  const proxy = createServer((client) => {
    const server = path ? connectSocket(path) : connectSocket(port[0] as number, host[0])
    for (const socket of [client, server]) socket.on('error', () => {})
    client.on('close', () => server.destroy())
    client.pipe(server).pipe(client)
    clients.add(client)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const address = proxy.address() as { port: number }
  const target = { host: '127.0.0.1', port: address.port, database, username: user }
  const pool = connect({ ...target, password: String(pass ?? '') }, { max: 1 })
  try {
    const query = () => run(pool, sql`select ${1}::int as one`)
    const sleep = (seconds: number) => run(pool, sql`select pg_sleep(${seconds})`)
    // After this the driver has prepared both statements, and could pipeline them.
    await query()
    await sleep(0)
    const cut = sleep(60)
    const next = cut.then(() => [], query)
    await expect
      .poll(() =>
        run(
          app.db,
          sql`select from pg_stat_activity where query like '%pg_sleep%'
      and wait_event = 'PgSleep'`,
        ),
      )
      .toHaveLength(1)
    for (const client of clients) client.resetAndDestroy()
    expect(await next).toEqual([{ one: 1 }])
    expect(await query()).toEqual([{ one: 1 }])
    expect(await query()).toEqual([{ one: 1 }])
  } finally {
    await pool.end({ timeout: 0 })
    proxy.close()
  }
})
