import { once } from 'node:events'
import { connect as connectSocket, type Socket } from 'node:net'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { type OpenStream, openStream } from '../../../test/event-stream.ts'
import { type Service, service, type Workspace } from '../../../test/harness.ts'
import { raw, run } from '../../db/sql.ts'
import { renewEpoch } from '../../feed/head.sql.ts'
import { timeLimits } from '../../http/limits.ts'

const app = service({ limits: { ...timeLimits, lookMs: 50 } })
const talkative = service({ limits: { ...timeLimits, lookMs: 50, commentMs: 100 } })
const small = service({ config: { maxRequests: 10 } })

const open: OpenStream[] = []
afterEach(() => {
  for (const stream of open.splice(0)) stream.close()
})

async function stream(
  { key }: Pick<Workspace, 'key'>,
  query = '',
  headers = {},
  { url }: Pick<Service, 'url'> = app,
): Promise<OpenStream> {
  const opened = await openStream(url, key, query, headers)
  open.push(opened)
  return opened
}

const addTag = async (space: Workspace, name = 'Warm') =>
  (await space.post('/tags', { name })).body.id

const epochOf = async (space: Workspace) =>
  (await space.get('/events?after=now')).body.next.split('.')[0]

describe('the text', () => {
  test('is server-sent events: a comment at once, then the events with their cursors', async () => {
    const space = await app.workspace()
    const epoch = await epochOf(space)
    const { status, headers, next } = await stream(space)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(headers.get('cache-control')).toBe('no-store, no-transform')
    expect(headers.get('x-accel-buffering')).toBe('no')
    expect((await next())?.lines).toEqual([': connected', `id: ${epoch}.0`])
    const id = await addTag(space, 'two\nlines \u2028 and more')
    const block = await next()
    expect(block?.lines).toEqual([`id: ${epoch}.1`, expect.stringMatching(/^data: \{[^\n]*\}$/)])
    const [listed] = (await space.get('/events')).body.events
    expect(block?.event).toEqual(listed)
    expect(listed.ids).toEqual([id])
  })

  test('has a comment when there was no event for a while', async () => {
    const space = await talkative.workspace()
    const epoch = await epochOf(space)
    const { next } = await stream(space, '?types=tag.deleted', {}, talkative)
    await next()
    expect((await next())?.lines).toEqual([': keep-alive', `id: ${epoch}.0`])
    await addTag(space)
    // Its place moves past the events that the filter omits.
    await expect.poll(async () => (await next())?.id).toBe(`${epoch}.1`)
  })
})

describe('where a stream begins', () => {
  test('without a place: with what comes from now on', async () => {
    const space = await app.workspace()
    await addTag(space)
    await expect.poll(async () => (await space.get('/events')).body.events.length).toBe(1)
    const { nextEvent } = await stream(space)
    const id = await addTag(space)
    expect((await nextEvent()).event.ids).toEqual([id])
  })

  test('behind the Last-Event-ID, which wins over the address', async () => {
    const space = await app.workspace()
    for (const name of ['1', '2', '3']) await addTag(space, name)
    await expect.poll(async () => (await space.get('/events')).body.events.length).toBe(3)
    const first = await stream(space, '?after=start')
    const { id } = await first.nextEvent()
    first.close()
    const second = await stream(space, '?after=start', { 'Last-Event-ID': id })
    expect((await second.nextEvent()).event.seq).toBe(2)
    expect((await second.nextEvent()).event.seq).toBe(3)
    // A browser that got no id yet sends an empty one.
    const third = await stream(space, '?after=start', { 'Last-Event-ID': '' })
    expect((await third.nextEvent()).event.seq).toBe(1)
  })

  test('no id is sent before the events it stands behind', async () => {
    const space = await app.workspace()
    for (const name of ['1', '2', '3']) await addTag(space, name)
    await expect.poll(async () => (await space.get('/events')).body.events.length).toBe(3)
    const epoch = await epochOf(space)
    const { next } = await stream(space, '?after=start')
    expect((await next())?.lines).toEqual([': connected'])
    for (const seq of [1, 2, 3]) expect((await next())?.id).toBe(`${epoch}.${seq}`)
  })

  test('many pages are read one after another', async () => {
    const space = await app.workspace()
    const { id_space } = space
    await run(app.db)`insert into event (id_space, seq, type, at, way, ids)
        select ${id_space}::uuid, n, 'tag.updated', now(), 'api', '{}' from generate_series(1, 320) n`
    await run(app.db)`update event_head set seq = 320 where id_space = ${id_space}`
    const { nextEvent } = await stream(space, '?after=start')
    for (let seq = 1; seq <= 320; seq++) expect((await nextEvent()).event.seq).toBe(seq)
  })
})

describe('a stream ends', () => {
  test.each(['revoked', 'expires'])('when its key %s, although nothing happens', async (what) => {
    const space = await app.workspace()
    const key = await app.key(space, 'read')
    const { next } = await stream({ key })
    await next()
    const end = new Date(app.clock.now.getTime() + 1_000).toISOString()
    await run(app.db)`update api_key set ${raw(`${what}_at`)} = ${end}
        where id_space = ${space.id_space} and role = 'read'`
    app.clock.advance(5_000)
    expect(await next()).toBeUndefined()
  })

  test('when the key is revoked while events come: none of them is sent', async () => {
    const space = await app.workspace()
    const key = await app.key(space, 'read')
    const { next } = await stream({ key })
    await next()
    await run(
      app.db,
    )`update api_key set revoked_at = now() where id_space = ${space.id_space} and role = 'read'`
    app.clock.advance(5_000)
    await addTag(space)
    expect(await next()).toBeUndefined()
  })

  test('when the feed cannot be continued; the next one is answered with 410', async () => {
    const space = await app.workspace()
    const { next } = await stream(space)
    const id = (await next())?.id
    await renewEpoch(app.db, space.id_space)
    await addTag(space)
    expect(await next()).toBeUndefined()
    const again = await stream(space, '', { 'Last-Event-ID': id })
    expect(again.status).toBe(410)
  })

  test('when the service stops: at once, also for those who do not read', async () => {
    const space = await app.workspace()
    const { id_space, key } = space
    const { url, app: second } = await app.another()
    // More than the buffers of the connection hold.
    await run(app.db)`insert into event (id_space, seq, type, at, way, ids, changed)
        select ${id_space}::uuid, n, 'tag.updated', now(), 'api', '{}',
          jsonb_build_object('name', array[repeat('x', 2000), repeat('y', 2000)])
        from generate_series(1, 10000) n`
    await run(app.db)`analyze event`
    await run(app.db)`update event_head set seq = 10000 where id_space = ${id_space}`
    const sockets: Socket[] = []
    second.server.on('connection', (socket) => sockets.push(socket))
    const lazy = connectSocket(Number(new URL(url).port), '127.0.0.1')
    lazy.pause()
    lazy.write(
      `GET /rest/events/stream?after=start HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${key}\r\n\r\n`,
    )
    await expect.poll(() => sockets[0]?.writableLength).toBeGreaterThan(0)
    const idle = await stream(space, '', {}, { url })
    await idle.next()
    const { next } = (await space.get('/events?after=now')).body
    const poll = fetch(`${url}/rest/events?after=now&wait=60`, { headers: { 'X-API-KEY': key } })
    const silent = connectSocket(Number(new URL(url).port), '127.0.0.1')
    await expect.poll(() => sockets.length).toBe(4)
    // Node warns of more listeners than ten, which would look like a leak in the log of every stop.
    const warnings: string[] = []
    const warned = ({ name }: Error) => void warnings.push(name)
    process.on('warning', warned)
    onTestFinished(() => void process.off('warning', warned))
    const started = performance.now()
    await second.close()
    expect(warnings).not.toContain('MaxListenersExceededWarning')
    // Long before the poll ends by itself, or a reader who does not read is given up: both take a minute.
    expect(performance.now() - started).toBeLessThan(30_000)
    expect(await idle.next()).toBeUndefined()
    expect(await (await poll).json()).toEqual({ events: [], next })
    lazy.destroy()
    silent.destroy()
  })
})

describe('streams and the load', () => {
  test('200 idle streams hold no connection to the database', async () => {
    const [one, two] = [await app.workspace(), await app.workspace()]
    const connections = async () =>
      (
        await run(
          app.db,
        )`select 1 from pg_stat_activity where datname = current_database() and state <> 'active'`
      ).length
    // Those of the pool, of keys and of the feed, and those of this test.
    const most = 13
    const streams = await Promise.all(
      Array.from({ length: 200 }, (_none, index) => stream(index % 2 ? one : two)),
    )
    await Promise.all(streams.map(({ next }) => next()))
    expect(await connections()).toBeLessThanOrEqual(most)
    const [id, otherId] = [await addTag(one), await addTag(two)]
    const seen = await Promise.all(streams.map(({ nextEvent }) => nextEvent()))
    // Each has the event of its own workspace, and no other.
    expect(seen.map(({ event }) => event.ids)).toEqual(
      streams.map((_none, index) => [index % 2 ? id : otherId]),
    )
    expect(await connections()).toBeLessThanOrEqual(most)
  })

  test('they have shares for each key, member and workspace, and are no requests in progress', async () => {
    const [one, two] = [await small.workspace(), await small.workspace()]
    const [member, third] = [await small.member(one), await small.member(one)]
    const key = async (of?: string) => ({ key: await small.key(one, 'read', of) })
    const start = async (of: Pick<Workspace, 'key'>, count: number) => {
      const started = await Promise.all(
        Array.from({ length: count }, () => stream(of, '', {}, small)),
      )
      return started.filter(({ status }) => status === 200)
    }
    const ofOne = await start(one, 3)
    expect(ofOne).toHaveLength(2)
    // Another key of the same member, other members, another workspace.
    expect(await start(await key(), 3)).toHaveLength(1)
    expect(await start(await key(member), 3)).toHaveLength(2)
    expect(await start(await key(third), 3)).toHaveLength(0)
    expect(await start(two, 3)).toHaveLength(2)
    const others = await Promise.all([member, third].map(() => small.workspace()))
    for (const other of others) await start(other, 2)
    // More than MAX_REQUESTS want to wait, and who does not wait is served.
    expect((await one.get('/events?wait=1')).status).toBe(503)
    expect((await one.get('/events')).status).toBe(200)
    expect((await one.get('/events?wait=0')).status).toBe(200)
    expect((await one.get('/tags')).status).toBe(200)
    // Whoever leaves makes room.
    ofOne[0]?.close()
    await expect.poll(async () => (await stream(one, '', {}, small)).status).toBe(200)
  })

  test('a client that goes away ends its stream, also behind another request', async () => {
    const space = await small.workspace()
    const socket = connectSocket(Number(new URL(small.url).port), '127.0.0.1')
    const get = (path: string) =>
      `GET /rest${path} HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${space.key}\r\n\r\n`
    // The second answer waits behind the first one.
    for (let sent = 0; sent < 5; sent++) socket.write(get('/events/stream'))
    await once(socket, 'data')
    await expect.poll(async () => (await stream(space, '', {}, small)).status).toBe(503)
    socket.destroy()
    await expect.poll(async () => (await stream(space, '', {}, small)).status).toBe(200)
  })
})
