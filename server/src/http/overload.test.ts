import { once } from 'node:events'
import { connect as openSocket, type Socket } from 'node:net'
import { route } from '@rapport/contract/route'
import { Type } from 'typebox'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { type Answer, service, type Workspace } from '../../test/harness.ts'
import { run, sql } from '../db/sql.ts'
import { Json, resource } from './handler.ts'
import { createLoad } from './overload.ts'

/** Work that ends when the test says so. */
function held() {
  const going: (() => void)[] = []
  return {
    going,
    work: () => new Promise<string>((resolve) => going.push(() => resolve('done'))),
    finish(count = going.length) {
      for (const end of going.splice(0, count)) end()
    },
  }
}

describe('how much work', () => {
  const load = (patienceMs = 10_000) =>
    createLoad({ maxRequests: 1_000, connections: 10, patienceMs })

  test('ordinary requests are at work forty at a time, first come first served', async () => {
    const { run } = load()
    const { going, work, finish } = held()
    const order: number[] = []
    const all = Array.from({ length: 100 }, (_, i) =>
      run({}, 'a', () => {
        order.push(i)
        return work()
      }),
    )
    for (const places of [40, 40, 20]) {
      await vi.waitFor(() => expect(going).toHaveLength(places))
      finish()
    }
    expect(await Promise.all(all)).toHaveLength(100)
    expect(order).toEqual(order.toSorted((a, b) => a - b))
  })

  test('who would wait too long behind others is refused, and has done nothing', async () => {
    const { run } = load(10)
    const { going, work, finish } = held()
    const running = Array.from({ length: 40 }, () => run({}, 'a', work))
    await expect(run({}, 'a', work)).rejects.toMatchObject({ status: 503 })
    expect(going).toHaveLength(40)
    finish()
    await Promise.all(running)
    const next = run({}, 'a', work)
    finish()
    expect(await next).toBe('done')
  })

  test('work of clients who went away counts until it is done', async () => {
    const { run } = load()
    for (let i = 0; i < 1_040; i++) void run({}, 'a', held().work).catch(() => {})
    await expect(run({}, 'a', held().work)).rejects.toMatchObject({ status: 503 })
  })

  const bulk = { bulk: true } as const

  test('bulk operations and the pieces of long ones run few at a time', async () => {
    const { run, inTurn } = load()
    for (const [start, places] of [
      [(work: () => Promise<string>, i: number) => run(bulk, String(i), work), 5],
      [(work: () => Promise<string>, i: number) => inTurn(String(i), work), 2],
    ] as const) {
      const { going, work, finish } = held()
      const all = Array.from({ length: 12 }, (_, i) => start(work, i))
      for (let left = 12; left > 0; left -= places) {
        await vi.waitFor(() => expect(going).toHaveLength(Math.min(places, left)))
        finish()
      }
      expect(await Promise.all(all)).toHaveLength(12)
    }
  })

  test('who waits too long for a turn is refused, and has done nothing', async () => {
    const { run } = load(10)
    const { going, work, finish } = held()
    const running = Array.from({ length: 3 }, () => run(bulk, 'a', work))
    await expect(run(bulk, 'a', work)).rejects.toMatchObject({ status: 503 })
    expect(going).toHaveLength(3)
    finish()
    await Promise.all(running)
    const next = run(bulk, 'a', work)
    finish()
    expect(await next).toBe('done')
  })

  test('one workspace leaves places to others, and who has the fewest running is next', async () => {
    const { run } = load()
    const order: string[] = []
    const jobs = new Map<string, () => void>()
    const start = (name: string) =>
      run(bulk, name.charAt(0), () => {
        order.push(name)
        return new Promise<void>((resolve) => jobs.set(name, resolve))
      })
    const end = async (name: string, then: string[]) => {
      order.length = 0
      jobs.get(name)?.()
      await vi.waitFor(() => expect(order).toEqual(then))
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

  test('the row of those who wait has an end', async () => {
    const { run } = load()
    const { work, finish, going } = held()
    const all = Array.from({ length: 503 }, () => run(bulk, 'a', work))
    await expect(run(bulk, 'a', work)).rejects.toMatchObject({ status: 503 })
    while (going.length > 0) {
      finish()
      await new Promise(setImmediate)
    }
    expect(await Promise.all(all)).toHaveLength(503)
  })
})

describe('over HTTP', () => {
  const wait = held()
  const slow = resource(
    {
      name: 'Slow',
      description: 'Slow',
      routes: {
        wait: route({
          operationId: 'wait',
          method: 'GET',
          path: '/wait',
          role: 'read',
          summary: 'Answers when the test says so',
          description: 'Answers when the test says so',
          reply: Type.String(),
          example: {},
        }),
        endless: route({
          operationId: 'endless',
          method: 'GET',
          path: '/endless',
          role: 'read',
          summary: 'Answers without end',
          description: 'Answers without end',
          reply: Type.String(),
          example: {},
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
  const app = service({ resources: [slow], config: { maxRequests: 10 } })
  let space: Workspace
  beforeAll(async () => {
    space = await app.workspace()
  })

  test('one too many is 503 at once, and told to come back; health checks go on', async () => {
    const running = Array.from({ length: 10 }, () => space.get('/wait'))
    await vi.waitFor(() => expect(wait.going).toHaveLength(10))
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
    await expectRoom()
  })

  test('clients who go away, also with requests one behind another, give their places back', async () => {
    const { hostname, port } = new URL(app.url)
    const call = `GET /rest/wait HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${space.key}\r\n\r\n`
    const sockets: Socket[] = []
    for (let i = 0; i < 2; i++) {
      const socket = openSocket(Number(port), hostname, () => socket.write(call.repeat(5)))
      sockets.push(socket)
    }
    await vi.waitFor(() => expect(wait.going).toHaveLength(10))
    expect((await space.get('/wait')).status).toBe(503)
    for (const socket of sockets) socket.destroy()
    wait.finish()
    await expectRoom()
  })

  test('long answers have few places, which readers give back when they go', async () => {
    const { hostname, port } = new URL(app.url)
    const call = `GET /rest/endless HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${space.key}\r\n\r\n`
    const start = async (calls: string) => {
      const socket = openSocket(Number(port), hostname, () => socket.write(calls))
      const [bytes] = await once(socket, 'data')
      socket.pause()
      return { socket, status: Number(String(bytes).slice(9, 12)) }
    }
    for (let round = 0; round < 3; round++) {
      let first = await start(call)
      await vi.waitFor(async () => {
        if (first.status !== 200) first = await start(call)
        expect(first.status).toBe(200)
      })
      const second = await start(call)
      expect(second.status).toBe(503)
      expect((await app.request('/healthz')).status).toBe(200)
      second.socket.destroy()
      first.socket.destroy()
    }
  })

  /** For ten at a time again. */
  async function expectRoom() {
    await vi.waitFor(async () => {
      const running = Array.from({ length: 10 }, () => space.get('/wait'))
      const refused = Promise.race(running)
      await vi.waitFor(() => expect(wait.going).toHaveLength(10)).catch(() => {})
      wait.finish()
      await refused
      expect((await Promise.all(running)).every(({ status }) => status === 200)).toBe(true)
    })
  }
})

describe('a lead that somebody is changing for long', () => {
  const app = service({ lockTimeoutMs: 50 })

  test('a change of it is refused in time; changes of many and imports wait', async () => {
    const space = await app.workspace()
    const { body: lead } = await space.post('/lead', { email: 'a@x.example' })
    const file = `id,city\n${lead.id},Imported\n`
    let patient: Promise<Answer>[] = []
    await app.db.begin(async (tx) => {
      await run(tx, sql`select from lead where id = ${lead.id} for update`)
      patient = [
        space.patch('/leads/update-many', { data: { last_name: 'Changed' }, filter: {} }),
        space.call('POST', '/leads/import?upsert_by=id', file, 'text/csv'),
      ]
      await vi.waitFor(async () => {
        const waiting = await run(
          app.db,
          sql`
          select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`,
        )
        expect(waiting).toHaveLength(2)
      })
      // Each takes as long as the others have, and more.
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
