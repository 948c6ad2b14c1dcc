// How much the service does at a time, and what happens to requests beyond that.
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { route } from '@rapport/contract/route'
import { Type } from 'typebox'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { type Answer, service, type Workspace } from '../../test/harness.ts'
import { expectLockWaits } from '../../test/lock-waits.ts'
import { writeRaw } from '../../test/raw-http.ts'
import type { Db } from '../db/driver.ts'
import { run } from '../db/sql.ts'
import { resources } from '../resources/index.ts'
import { Json, resource } from './handler.ts'
import { createLoad } from './overload.ts'

/** Work that ends when the test calls `finish`. */
function heldWork() {
  const running: (() => void)[] = []
  return {
    running,
    work: () => new Promise<string>((resolve) => running.push(() => resolve('done'))),
    finish() {
      for (const end of running.splice(0)) end()
    },
  }
}

describe('createLoad', () => {
  const load = (waitLimitMs = 10_000) =>
    createLoad({ maxRequests: 1_000, connections: 10, waitLimitMs })

  const who = (space: string, key = 'key') => ({ space, key })

  test('runs no more ordinary requests than there are connections', async () => {
    const { run, inTurn } = load()
    const { running, work, finish } = heldWork()
    const all = Array.from({ length: 100 }, (_, i) => run({}, who(String(i)), work))
    const pieces = ['a', 'b', 'c'].map((space) => inTurn(who(space), work))
    while (running.length > 0) {
      expect(running.length).toBeLessThanOrEqual(10)
      finish()
      await new Promise(setImmediate)
    }
    expect(await Promise.all([...all, ...pieces])).toHaveLength(103)
  })

  test('leaves slots to other workspaces, and to other keys of a workspace', async () => {
    const { run } = load()
    const order: string[] = []
    const jobs = new Map<string, () => void>()
    const start = (name: string) =>
      run({}, who(name.charAt(0), name.slice(0, 2)), () => {
        order.push(name)
        return new Promise<void>((resolve) => jobs.set(name, resolve))
      })
    const end = async (name: string, then: string[]) => {
      order.length = 0
      jobs.get(name)?.()
      await expect.poll(() => order).toEqual(then)
    }
    // a1 has the most that one key may have, a2 what is left for its workspace, and b1 the rest.
    const wanted = ['a11', 'a12', 'a13', 'a14', 'a15', 'a16', 'a17', 'a21', 'a22', 'b11', 'b12']
    const all = wanted.map(start)
    expect(order).toEqual(['a11', 'a12', 'a13', 'a14', 'a15', 'a16', 'a21', 'b11'])
    await end('a11', ['b12'])
    await end('a12', ['a22'])
    await end('b11', ['a17'])
    for (const name of wanted) jobs.get(name)?.()
    expect(await Promise.all(all)).toHaveLength(wanted.length)
  })

  test('leaves a slot to reads while all writes wait for something', async () => {
    const { run } = load()
    const { running, work, finish } = heldWork()
    const writes = Array.from({ length: 20 }, (_, i) => run({ role: 'write' }, who(`${i}`), work))
    expect(running).toHaveLength(7)
    const read = run({ role: 'read' }, who('0'), work)
    expect(running).toHaveLength(8)
    running.pop()?.()
    expect(await read).toBe('done')
    while (running.length > 0) {
      finish()
      await new Promise(setImmediate)
    }
    expect(await Promise.all(writes)).toHaveLength(20)
  })

  test('refuses an ordinary request that waited too long, before it has begun', async () => {
    const { run } = load(10)
    const { running, work, finish } = heldWork()
    const results = Array.from({ length: 6 }, () => run({}, who('a'), work))
    await expect(run({}, who('a'), work)).rejects.toMatchObject({ status: 503 })
    expect(running).toHaveLength(6)
    finish()
    await Promise.all(results)
    const next = run({}, who('a'), work)
    finish()
    expect(await next).toBe('done')
  })

  test('one workspace fills only its half of the queue', async () => {
    const { run } = load()
    const { running, work } = heldWork()
    for (let i = 0; i < 506; i++) void run({}, who('a'), work).catch(() => {})
    await expect(run({}, who('a'), work)).rejects.toMatchObject({ status: 503 })
    expect(running).toHaveLength(6)
    void run({}, who('b'), work)
    expect(running).toHaveLength(7)
  })

  test('one workspace has at most half of the requests that take slots by themselves', async () => {
    const { runWithoutSlot } = load()
    const { running, work, finish } = heldWork()
    const all = Array.from({ length: 500 }, () => runWithoutSlot(who('a'), work))
    await expect(runWithoutSlot(who('a', 'other'), work)).rejects.toMatchObject({ status: 503 })
    all.push(runWithoutSlot(who('b'), work))
    expect(running).toHaveLength(501)
    finish()
    await Promise.all(all)
  })

  const bulk = { bulk: true } as const

  test('runs 5 bulk operations and 2 pieces of long requests at a time', async () => {
    const { run, inTurn } = load()
    for (const [start, slots] of [
      [(work: () => Promise<string>, i: number) => run(bulk, who(String(i)), work), 5],
      [(work: () => Promise<string>, i: number) => inTurn(who(String(i)), work), 2],
    ] as const) {
      const { running, work, finish } = heldWork()
      const all = Array.from({ length: 12 }, (_, i) => start(work, i))
      for (let left = 12; left > 0; left -= slots) {
        await expect.poll(() => running).toHaveLength(Math.min(slots, left))
        finish()
      }
      expect(await Promise.all(all)).toHaveLength(12)
    }
  })

  test('refuses a bulk operation that waited too long, before it has begun', async () => {
    const { run } = load(10)
    const { running, work, finish } = heldWork()
    const results = Array.from({ length: 3 }, () => run(bulk, who('a'), work))
    await expect(run(bulk, who('a'), work)).rejects.toMatchObject({ status: 503 })
    expect(running).toHaveLength(3)
    finish()
    await Promise.all(results)
    const next = run(bulk, who('a'), work)
    finish()
    expect(await next).toBe('done')
  })

  test('leaves bulk slots to other workspaces; the workspace with the fewest running is next', async () => {
    const { run } = load()
    const order: string[] = []
    const jobs = new Map<string, () => void>()
    const start = (name: string) =>
      run(bulk, who(name.charAt(0)), () => {
        order.push(name)
        return new Promise<void>((resolve) => jobs.set(name, resolve))
      })
    const end = async (name: string, then: string[]) => {
      order.length = 0
      jobs.get(name)?.()
      await expect.poll(() => order).toEqual(then)
    }
    const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'b3', 'c1', 'a5'].map(start)
    expect(order).toEqual(['a1', 'a2', 'a3', 'b1', 'b2'])
    await end('a1', ['c1'])
    await end('c1', ['a4'])
    await end('b1', ['b3'])
    await end('b2', [])
    await end('a2', ['a5'])
    for (const finish of jobs.values()) finish()
    expect(await Promise.all(all)).toHaveLength(9)
  })

  test('refuses a bulk operation when too many wait already', async () => {
    const { run } = load()
    const { work, finish, running } = heldWork()
    const all = Array.from({ length: 503 }, () => run(bulk, who('a'), work))
    await expect(run(bulk, who('a'), work)).rejects.toMatchObject({ status: 503 })
    while (running.length > 0) {
      finish()
      await new Promise(setImmediate)
    }
    expect(await Promise.all(all)).toHaveLength(503)
  })
})

describe('over HTTP', () => {
  const wait = heldWork()
  const slow = resource(
    {
      name: 'Slow',
      description: 'Slow',
      routes: {
        wait: route('GET /wait', {
          operationId: 'wait',
          role: 'read',
          summary: 'Answers when the test says so',
          description: 'Answers when the test says so',
          reply: Type.String(),
        }),
        endless: route('GET /endless', {
          operationId: 'endless',
          role: 'read',
          summary: 'Answers without end',
          description: 'Answers without end',
          reply: Type.String(),
        }),
      },
    },
    {
      wait: wait.work,
      endless: () =>
        new Json(
          (async function* () {
            for (;;) yield 'x'.repeat(65_536)
          })(),
        ),
    },
  )
  const app = service({ resources: [slow], config: { maxRequests: 10 }, connections: 20 })
  let space: Workspace
  beforeAll(async () => {
    space = await app.workspace()
  })

  test('one request too many gets 503 and Retry-After at once; health checks still work', async () => {
    const running = Array.from({ length: 10 }, () => space.get('/wait'))
    await expect.poll(() => wait.running).toHaveLength(10)
    const { status, body, headers } = await space.get('/wait')
    expect(status).toBe(503)
    expect(body).toEqual({
      code: 'INTERNAL_SERVER_ERROR',
      message: 'Internal server error',
      issues: [],
    })
    expect(headers.get('retry-after')).toBe('1')
    expect((await app.request('/healthz')).status).toBe(200)
    expect((await app.request('/readyz')).status).toBe(200)
    wait.finish()
    expect((await Promise.all(running)).map((answer) => answer.status)).toEqual(Array(10).fill(200))
    await expectFreeSlots()
  })

  test('clients that disconnect release their slots, also those of pipelined requests', async () => {
    const call = `GET /rest/wait HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${space.key}\r\n\r\n`
    const sockets = [1, 2].map(() => writeRaw(app.url, call.repeat(5)))
    await expect.poll(() => wait.running).toHaveLength(10)
    expect((await space.get('/wait')).status).toBe(503)
    for (const socket of sockets) socket.destroy()
    wait.finish()
    await expectFreeSlots()
  })

  test('streamed responses have few slots, and release them when the client disconnects', async () => {
    const call = `GET /rest/endless HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${space.key}\r\n\r\n`
    const start = async () => {
      const socket = writeRaw(app.url, call)
      const [bytes] = await once(socket, 'data')
      socket.pause()
      return { socket, status: Number(String(bytes).slice(9, 12)) }
    }
    for (let round = 0; round < 3; round++) {
      let first = await start()
      const isStarted = async () => {
        if (first.status !== 200) first = await start()
        return first.status
      }
      await expect.poll(isStarted).toBe(200)
      const second = await start()
      expect(second.status).toBe(503)
      expect((await app.request('/healthz')).status).toBe(200)
      second.socket.destroy()
      first.socket.destroy()
    }
  })

  /** All ten slots are free again. */
  async function expectFreeSlots() {
    const areFree = async () => {
      const running = Array.from({ length: 10 }, () => space.get('/wait'))
      const refused = Promise.race(running)
      await vi.waitFor(() => expect(wait.running).toHaveLength(10)).catch(() => {})
      wait.finish()
      await refused
      return (await Promise.all(running)).every(({ status }) => status === 200)
    }
    await expect.poll(areFree).toBe(true)
  }
})

describe('a lead that another transaction has locked for long', () => {
  const app = service({ lockTimeoutMs: 50 })

  test('an ordinary change of it is refused in time; bulk operations and imports wait', async () => {
    const space = await app.workspace()
    const { body: lead } = await space.post('/lead', { email: 'a@x.example' })
    const file = `id,city\n${lead.id},Imported\n`
    let patient: Promise<Answer>[] = []
    await app.db.begin(async (tx) => {
      await run(
        tx,
      )`select from lead where id_space = ${space.id_space} and id = ${lead.id} for update`
      patient = [
        space.patch('/leads/update-many', { data: { last_name: 'Changed' }, filter: {} }),
        space.call('POST', '/leads/import?upsert_by=id', file, 'text/csv'),
      ]
      await expectLockWaits(app.db, 2)
      // Each ordinary change waits for the lock timeout. So by then the two have waited longer than it.
      for (let times = 0; times < 2; times++) {
        const { status, headers } = await space.patch(`/lead/${lead.id}`, { city: 'Single' })
        expect(status).toBe(503)
        expect(headers.get('retry-after')).toBe('1')
      }
    })
    for (const answer of await Promise.all(patient)) expect(answer.status).toBe(200)
    const { body } = await space.get(`/lead/${lead.id}`)
    expect(body).toMatchObject({ city: 'Imported', last_name: 'Changed' })
  })
})

describe('a statement that takes long', () => {
  const common = {
    summary: 'Sleeps in the database',
    description: 'Sleeps in the database',
    reply: Type.String(),
  }
  const sleep = async (db: Db) => {
    await run(db)`select pg_sleep(60)`
    return 'done'
  }
  const sleepers = resource(
    {
      name: 'Sleepers',
      description: 'Sleepers',
      routes: {
        read: route('GET /read', { operationId: 'r', role: 'read', ...common }),
        inTransaction: route('GET /transaction', {
          ...{ operationId: 't', role: 'read', ...common },
        }),
        write: route('POST /write', {
          operationId: 'w',
          role: 'write',
          ...common,
        }),
        bulk: route('POST /bulk', {
          ...{ operationId: 'b', role: 'write', ...common },
          bulk: true,
        }),
      },
    },
    {
      read: sleep,
      inTransaction: (db) => db.begin(sleep),
      write: sleep,
      bulk: sleep,
    },
  )
  const timeouts = { ordinary: 0, bulk: 50, transfer: 0, background: 0 }
  const app = service({ resources: [sleepers, ...resources], config: { timeouts } })
  let space: Workspace
  beforeAll(async () => {
    space = await app.workspace()
  })
  const sleeping = async () => {
    const rows = await run<{ pid: number }[]>(app.db)`select pid from pg_stat_activity
        where state = 'active' and query like '%pg_sleep(60)%' and pid <> pg_backend_pid()`
    return rows.map(({ pid }) => pid)
  }

  test('gets 503 at the end of its time', async () => {
    const { status, headers } = await space.post('/bulk')
    expect(status).toBe(503)
    expect(headers.get('retry-after')).toBe('1')
    expect(await sleeping()).toEqual([])
  })

  test('is canceled when the client of a read has left, and leaves nothing behind', async () => {
    const calls = ['GET /rest/read', 'GET /rest/transaction'].map(
      (line) => `${line} HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${space.key}\r\n\r\n`,
    )
    // Two of them run at a time, and the others wait.
    const sockets = [...calls, ...calls].map((call) => writeRaw(app.url, call))
    await expect.poll(sleeping).toHaveLength(2)
    for (const socket of sockets) socket.destroy()
    await expect.poll(sleeping).toEqual([])
    // All connections and slots are free.
    const answers = await Promise.all(Array.from({ length: 10 }, () => space.get('/tags')))
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
  })

  test('goes on when the client of a write has left', async () => {
    const head = `POST /rest/write HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${space.key}\r\n`
    const socket = writeRaw(app.url, `${head}Content-Length: 0\r\n\r\n`)
    await expect.poll(sleeping).toHaveLength(1)
    socket.destroy()
    // A read that is canceled in between shows that there was time to cancel the write.
    const read = writeRaw(
      app.url,
      `GET /rest/read HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${space.key}\r\n\r\n`,
    )
    await expect.poll(sleeping).toHaveLength(2)
    read.destroy()
    await expect.poll(sleeping).toHaveLength(1)
    await run(app.db)`select pg_cancel_backend(pid) from unnest(${await sleeping()}::int[]) pid`
  })
})

describe('a flood of sign-ins', () => {
  // A quarter of them may be sign-ins: 8, and 4 of one client.
  const app = service({ config: { maxRequests: 32, trustProxy: ['127.0.0.1'] } })
  const from = (client: string) => ({
    'Sec-Fetch-Site': 'same-origin',
    'X-Forwarded-For': client,
    'Content-Type': 'application/json',
  })
  const look = (client: string) =>
    app.request('/session/link/look', {
      method: 'POST',
      headers: from(client),
      body: JSON.stringify({ token: 'x' }),
    })

  test('takes no database connection of requests with a key', async () => {
    const space = await app.workspace()
    const looks = await app.db.begin(async (tx) => {
      await tx.unsafe('lock table sign_in_link in access exclusive mode')
      // As many as may be in progress, which is more than the service has connections.
      const looks = ['10.0.0.1', '10.0.0.2'].flatMap((client) =>
        [1, 2, 3, 4].map(() => look(client)),
      )
      await expectLockWaits(app.db, 2)
      expect((await space.get('/tags')).status).toBe(200)
      return looks
    })
    expect((await Promise.all(looks)).map(({ status }) => status)).toEqual(Array(8).fill(404))
  })

  test('takes no slot of requests with a key, and leaves some to other clients', async () => {
    const space = await app.workspace()
    /** Begins to send a body, and does not go on. */
    const begin = (client: string) => {
      const headers = Object.entries({ Host: 'x', ...from(client), 'Content-Length': 100 })
      const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
      return writeRaw(app.url, `POST /session/password HTTP/1.1\r\n${lines}\r\n{`)
    }
    const sockets: Socket[] = []
    // A look has a slot for a moment, in which the service may refuse a request: so another one is begun each time.
    const beginUntilRefused = (sender: string, looker: string) =>
      expect
        .poll(async () => {
          sockets.push(begin(sender))
          return (await look(looker)).status
        })
        .toBe(503)
    await beginUntilRefused('2001:db8:0:1::1', '2001:db8:0:1::9')
    expect((await look('2001:db8:0:2::9')).status).toBe(404)
    await beginUntilRefused('10.0.0.1', '10.0.0.2')
    expect((await space.get('/tags')).status).toBe(200)
    for (const socket of sockets) socket.destroy()
    await expect.poll(async () => (await look('2001:db8:0:1::9')).status).toBe(404)
  })
})
