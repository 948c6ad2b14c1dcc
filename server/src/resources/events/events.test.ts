import { eventTypes } from '@rapport/contract'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fillWorkspace } from '../../../test/fixture.ts'
import { fixtureIds } from '../../../test/fixture-ids.ts'
import { service, type Workspace } from '../../../test/harness.ts'
import { run } from '../../db/sql.ts'
import { renewEpoch } from '../../feed/head.sql.ts'
import { newId } from '../../ids.ts'

const app = service()
let space: Workspace
beforeEach(async () => {
  space = await app.workspace()
})

const addTag = async (name: string, to = space) => (await to.post('/tags', { name })).body.id

/** Writes tags, and waits until their events have numbers. */
async function addTags(count: number, from = space): Promise<string[]> {
  const { next } = (await from.get('/events?after=now')).body
  const ids: string[] = []
  for (let number = 1; number <= count; number++) ids.push(await addTag(`tag ${number}`, from))
  const seen = await follow(from, next, count)
  expect(seen.map(({ ids: [id] }) => id)).toEqual(ids)
  return ids
}

interface Seen {
  seq: number
  type: string
  ids: string[]
  changed: Record<string, unknown>
}

/** Reads from the cursor on, page after page, until there were this many events. */
async function follow(from: Workspace, after: string, count: number, more = ''): Promise<Seen[]> {
  const seen: Seen[] = []
  let cursor = after
  while (seen.length < count) {
    const { status, body } = await from.get(`/events?after=${cursor}&wait=10${more}`)
    expect(status).toBe(200)
    expect(body.events, 'nothing came within 10 seconds').not.toEqual([])
    seen.push(...body.events)
    cursor = body.next
  }
  return seen
}

const setHead = (change: { pruned: number }) =>
  app.db.begin(async (tx) => {
    await run(
      tx,
    )`update event_head set pruned = ${change.pruned} where id_space = ${space.id_space}`
    await run(tx)`delete from event where id_space = ${space.id_space} and seq <= ${change.pruned}`
  })

test('a change is in the feed with who did it, and a reader goes on from its cursor', async () => {
  const start = (await space.get('/events?after=now')).body
  expect(start.events).toEqual([])
  const tag = (await space.post('/tags', { name: 'Warm', color: 'red' })).body
  const page = (await space.get(`/events?after=${start.next}&wait=10`)).body
  const request_id = expect.any(String)
  expect(page.events).toEqual([
    {
      seq: 1,
      type: 'tag.created',
      at: app.clock.now.toISOString(),
      actor: { member: space.owner, key: expect.any(String), way: 'api', request_id },
      cause: { request_id, operation: null, undo_of: null },
      ids: [tag.id],
      changed: expect.objectContaining({ name: [null, 'Warm'], color: [null, 'red'] }),
    },
  ])
  await space.patch(`/tags/${tag.id}`, { name: 'Hot', color: 'red' })
  const second = (await space.get(`/events?after=${page.next}&wait=10`)).body
  expect(second.events).toMatchObject([
    { seq: 2, type: 'tag.updated', changed: { name: ['Warm', 'Hot'] } },
  ])
})

test('a long value is cut at the same place, whoever writes the event', async () => {
  const { next } = (await space.get('/events?after=now')).body
  const company = '𝒜é'.repeat(1_500)
  const { id } = (await space.post('/lead', { company, create_company_if_not_exists: false })).body
  await space.patch('/leads/update-many', { filter: { leads: [id] }, data: { company: null } })
  const [created, cleared] = await follow(space, next, 2)
  const cut = { cut: company.slice(0, 3_000), length: 3_000 }
  expect(created?.changed.company).toEqual([null, cut])
  expect(cleared?.changed.company).toEqual([cut, null])
})

describe('pages', () => {
  test('limit and cursor cut the feed into pages without a gap', async () => {
    const ids = await addTags(7)
    const pages: string[][] = []
    let after = 'start'
    for (;;) {
      const { events, next } = (await space.get(`/events?after=${after}&limit=3`)).body
      if (events.length === 0) break
      pages.push(events.map((event: Seen) => event.ids[0]))
      after = next
    }
    expect(pages).toEqual([ids.slice(0, 3), ids.slice(3, 6), ids.slice(6)])
    // The same cursor gives the same page again.
    const again = (await space.get('/events?limit=3')).body
    expect(again.events.map(({ ids: [id] }: Seen) => id)).toEqual(ids.slice(0, 3))
  })

  test('a filter of types leaves others out, and its cursor passes them', async () => {
    const [first = '', second = ''] = await addTags(2)
    await space.remove(`/tags/${first}`)
    await space.patch(`/tags/${second}`, { name: 'Hot' })
    await follow(space, 'start', 4)
    const { events, next } = (await space.get('/events?types=tag.deleted')).body
    expect(events).toMatchObject([{ seq: 3, type: 'tag.deleted', ids: [first] }])
    // Behind the last event there is, not behind the last one that matched.
    expect(next).toMatch(/^[0-9a-f]{8}\.4$/)
    const two = (await space.get('/events?types=tag.deleted,%20tag.updated')).body.events
    expect(two.map(({ seq }: Seen) => seq)).toEqual([3, 4])
    const all = (await space.get('/events?types=tag.*,lead.created')).body.events
    expect(all.map(({ seq }: Seen) => seq)).toEqual([1, 2, 3, 4])
    const limited = (await space.get('/events?types=tag.created&limit=1')).body
    expect([limited.events[0].seq, limited.next.split('.')[1]]).toEqual([1, '1'])
  })

  test('a filter finds the one event that is behind very many others', async () => {
    const { id_space } = space
    await run(app.db)`insert into event (id_space, seq, type, at, way, ids)
        select ${id_space}::uuid, n, case when n = 45000 then 'tag.deleted' else 'tag.updated' end,
          now(), 'api', '{}' from generate_series(1, 45000) n`
    await run(app.db)`analyze event`
    await run(app.db)`update event_head set seq = 45000 where id_space = ${id_space}`
    const { events, next } = (await space.get('/events?types=tag.deleted')).body
    expect(events).toMatchObject([{ seq: 45_000 }])
    expect(next.split('.')[1]).toBe('45000')
    expect((await space.get('/events?types=lead.*')).body).toEqual({ events: [], next })
  })

  test('one workspace has no event of another', async () => {
    const other = await app.workspace()
    const [own] = await Promise.all([addTags(3), addTags(3, other)])
    const { events } = (await space.get('/events')).body
    expect(events.map(({ ids: [id] }: Seen) => id)).toEqual(own)
    expect(events.map(({ seq }: Seen) => seq)).toEqual([1, 2, 3])
  })
})

describe('wrong input', () => {
  test.each([
    ['after=x', 'after', 'cursor'],
    ['after=12345678.', 'after', 'cursor'],
    ['after=1234567.1', 'after', 'cursor'],
    ['after=12345678.-1', 'after', 'cursor'],
    ['after=12345678.1e3', 'after', 'cursor'],
    [`after=12345678.${'9'.repeat(16)}`, 'after', 'cursor'],
    ['limit=0', 'limit', 'integer'],
    ['limit=1001', 'limit', 'integer'],
    ['limit=1.5', 'limit', 'integer'],
    ['limit=ten', 'limit', 'integer'],
    ['wait=61', 'wait', 'integer'],
    ['wait=-1', 'wait', 'integer'],
    ['types=lead', 'types', 'type'],
    ['types=lead.created,tags.*', 'types', 'type'],
    ['types=*', 'types', 'type'],
    ['types=.*', 'types', 'type'],
  ])('%s is 400', async (query, path, code) => {
    const { status, body } = await space.get(`/events?${query}`)
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST'])
    expect(body.issues).toMatchObject([{ path: [path], code }])
  })

  test('values that are given twice or cannot be stored are 400', async () => {
    for (const query of ['limit=1&limit=2', 'after=%00', 'types=tag.created&types=tag.deleted']) {
      expect((await space.get(`/events?${query}`)).status, query).toBe(400)
    }
  })

  test('empty values count as absent', async () => {
    const { status, body } = await space.get('/events?after=&limit=&wait=&types=')
    expect([status, body.events]).toEqual([200, []])
  })

  test.each(['after=x', 'types=lead', 'after=12345678.1'])('a stream too: %s', async (query) => {
    const { status, body } = await space.get(`/events/stream?${query}`)
    expect(status).toBe(query.endsWith('.1') ? 410 : 400)
    expect(body.issues).toMatchObject([{ path: [query.split('=')[0]] }])
  })
})

describe('410', () => {
  const gone = (reason: RegExp, start: string) => ({
    status: 410,
    body: {
      code: 'GONE',
      message: 'The change feed cannot continue from this cursor',
      issues: [{ path: ['after'], code: 'gone', message: expect.stringMatching(reason) }],
      start,
    },
  })

  test('when the events after the cursor were deleted for their age', async () => {
    await addTags(5)
    const epoch = (await space.get('/events?after=now')).body.next.split('.')[0]
    await setHead({ pruned: 3 })
    for (const seq of [0, 2]) {
      expect(await space.get(`/events?after=${epoch}.${seq}`)).toMatchObject(
        gone(/have expired/, `${epoch}.5`),
      )
    }
    // Nothing is missing behind the last event that was deleted.
    const kept = (await space.get(`/events?after=${epoch}.3`)).body
    expect(kept.events.map(({ seq }: Seen) => seq)).toEqual([4, 5])
    expect((await space.get('/events?after=start')).body).toEqual(kept)
  })

  test('when a backup was restored, even to the same number; the answer says where to start', async () => {
    await addTags(2)
    const { next } = (await space.get('/events?after=now')).body
    await renewEpoch(app.db, space.id_space)
    const answer = await space.get(`/events?after=${next}`)
    const { start } = answer.body
    expect(start).not.toBe(next)
    expect(answer).toMatchObject(gone(/backup has been restored/, start))
    await addTag('after the restore')
    expect((await follow(space, start, 1)).map(({ seq }) => seq)).toEqual([3])
  })

  test('for a number that was never given, and for a cursor of another workspace', async () => {
    await addTags(1)
    const { next } = (await space.get('/events?after=now')).body
    const [epoch] = next.split('.')
    expect((await space.get(`/events?after=${epoch}.2`)).status).toBe(410)
    expect((await (await app.workspace()).get(`/events?after=${next}`)).status).toBe(410)
  })
})

describe('the history of a lead', () => {
  beforeEach(async () => {
    await fillWorkspace(app.db, space)
    const { id_space } = space
    const { lead, otherLead, note } = fixtureIds
    const row = (seq: number, type: string, ids: string[], leads: string[] | null) =>
      run(app.db)`insert into event (id_space, seq, type, at, way, ids, leads)
          values (${id_space}, ${seq}, ${type}, now(), 'api', ${ids}, ${leads})`
    await row(2, 'lead.updated', [otherLead, lead], null)
    await row(3, 'lead.updated', [otherLead], null)
    await row(4, 'note.created', [note], [lead])
    // Another kind of record with the same id.
    await row(5, 'tag.updated', [lead], null)
    await row(6, 'reminder.created', [newId()], [otherLead])
    await run(app.db)`update event_head set seq = 6 where id_space = ${id_space}`
  })

  const history = (query = '', id: string = fixtureIds.lead) =>
    space.get(`/lead/${id}/events${query}`)

  test('has its own events and those of its notes, newest first, in pages', async () => {
    // The event of the fixture that has no number yet gets one, too.
    await follow(space, 'start', 6)
    const seqs = async (query?: string) =>
      (await history(query)).body.events.map(({ seq }: Seen) => seq)
    expect((await seqs()).filter((seq: number) => seq < 7)).toEqual([4, 2, 1])
    const first = (await history('?limit=1&after=7')).body
    expect([first.events[0].seq, first.next]).toEqual([4, '4'])
    expect(await seqs('?limit=2&after=4')).toEqual([2, 1])
    expect((await history('?limit=3&after=4')).body.next).toBeNull()
  })

  test('of a lead that is deleted is there; of one that is unknown, 404', async () => {
    await space.remove(`/lead/${fixtureIds.lead}`)
    expect((await history()).status).toBe(200)
    expect((await history('', newId())).status).toBe(404)
    expect((await history('', 'x')).status).toBe(404)
    const other = await app.workspace()
    expect((await other.get(`/lead/${fixtureIds.lead}/events`)).status).toBe(404)
  })

  test.each(['limit=0', 'after=x', 'after=-1'])('%s is 400', async (query) => {
    const { status, body } = await history(`?${query}`)
    expect([status, body.issues[0].path]).toEqual([400, [query.split('=')[0]]])
  })
})

test('every type of the contract can be asked for', async () => {
  const { status } = await space.get(`/events?types=${eventTypes.join(',')}`)
  expect(status).toBe(200)
})

describe('a long poll', () => {
  let other: Workspace
  beforeAll(async () => {
    other = await app.workspace()
  })

  test('waits for an event of its own workspace', async () => {
    const { next } = (await space.get('/events?after=now')).body
    const answer = space.get(`/events?after=${next}&wait=30`)
    // It waits through the event of the other workspace, which has its number when this returns.
    await addTags(1, other)
    const id = await addTag('Warm')
    expect((await answer).body.events).toMatchObject([{ seq: 1, ids: [id] }])
  })

  test('with a filter waits through events of other types', async () => {
    const { next } = (await space.get('/events?after=now')).body
    const answer = space.get(`/events?after=${next}&wait=30&types=tag.deleted`)
    const [id] = await addTags(1)
    await space.remove(`/tags/${id}`)
    expect((await answer).body.events).toMatchObject([{ seq: 2, type: 'tag.deleted' }])
  })

  test('answers with the cursor it was given when nothing came', async () => {
    const { next } = (await space.get('/events?after=now')).body
    const { status, body } = await space.get(`/events?after=${next}&wait=1`)
    expect([status, body]).toEqual([200, { events: [], next }])
  })

  test('ends with 401 when the key is revoked meanwhile', async () => {
    const reader = app.as(await app.key(space, 'read'))
    const { next } = (await reader.get('/events?after=now')).body
    const answer = reader.get(`/events?after=${next}&wait=30`)
    await run(
      app.db,
    )`update api_key set revoked_at = now() where id_space = ${space.id_space} and role = 'read'`
    app.clock.advance(5_000)
    expect((await answer).status).toBe(401)
  })
})

describe('GET /changes', () => {
  const day = 86_400_000
  const changes = async (query = '', as: Pick<Workspace, 'get'> = space) =>
    (await as.get(`/changes?${query}`)).body
  /** All pages. */
  async function everything(query = '') {
    const all: Change[] = []
    for (let after: string | null = ''; after !== null; ) {
      const page: { changes: Change[]; next: string | null } = await changes(
        `${query}${after && `&after=${encodeURIComponent(after)}`}`,
      )
      all.push(...page.changes)
      after = page.next
    }
    return all
  }
  interface Change {
    at: string
    kind: string
    event?: Seen
    operation?: { id: string; kind: string; changed: number; undoable_until: string | null }
    leads: { id: string; name: string }[]
    undone_by: string | null
  }
  const saidOf = ({ event, operation }: Change) => event?.type ?? operation?.kind
  const numbered = (count: number) =>
    expect.poll(async () => (await space.get('/events?limit=1000')).body.events.length).toBe(count)
  const makeLead = async (first_name: string, as: Pick<Workspace, 'post'> = space) =>
    (await as.post('/lead', { first_name, auto_assign_owner: false })).body.id as string

  test('has operations and single events, newest first, page by page, with undo', async () => {
    const ids: string[] = []
    for (const name of ['Ada', 'Grace', 'Edsger']) {
      app.clock.advance(1000)
      ids.push(await makeLead(name))
    }
    app.clock.advance(1000)
    await space.patch('/leads/update-many', { filter: {}, data: { city: 'Rome' } })
    app.clock.advance(1000)
    await space.patch(`/lead/${ids[0]}`, { city: 'Oslo' })
    app.clock.advance(1000)
    await space.post('/notes', { id_lead: ids[1], content: 'Called' })
    await numbered(6)
    const expected = ['note.created', 'lead.updated', 'update', ...Array(3).fill('lead.created')]
    const all = await everything()
    expect(all.map(saidOf)).toEqual(expected)
    expect(all[0]?.leads).toEqual([{ id: ids[1], name: 'Grace', is_deleted: false }])
    expect(all[2]).toMatchObject({ kind: 'edited', operation: { changed: 3 }, undone_by: null })
    expect(all[2]?.operation?.undoable_until).toEqual(expect.any(String))
    expect(await everything('limit=1')).toEqual(all)
    expect(await everything('limit=4')).toEqual(all)

    // A change that is undone by itself says so, and its undo is a change.
    app.clock.advance(1000)
    const seq = all[1]?.event?.seq as number
    const { body: undo } = await space.post(`/lead/${ids[0]}/undo`, { seq })
    const after = await everything()
    expect(after.map(saidOf)).toEqual(['undo', ...expected])
    expect(after[2]?.undone_by).toBe(undo.id)
    expect((await everything('kind=edited')).map(saidOf)).toEqual(['lead.updated', 'update'])
    expect((await everything('kind=notes')).map(saidOf)).toEqual(['note.created'])
    expect((await everything('kind=undone&limit=1')).map(saidOf)).toEqual(['undo'])
  })

  test('answers who did what today and this week, in the time zone of the workspace', async () => {
    // Shortly after midnight in Auckland: of a Sunday, then of a Tuesday, and of a Thursday.
    app.clock.advance(Date.parse('2027-02-27T11:30:00Z') - app.clock.now.getTime())
    await space.patch('/workspace', { time_zone: 'Pacific/Auckland' })
    const colleague = await app.member(space)
    const other = app.as(await app.key(space, 'write', colleague))
    await makeLead('Last week')
    app.clock.advance(2 * day)
    const [a, b] = [await makeLead('Mine'), await makeLead('Theirs', other)]
    app.clock.advance(2 * day - 3_600_000)
    await other.patch('/leads/update-many', { filter: { leads: [a, b] }, data: { city: 'Rome' } })
    app.clock.advance(3_600_000)
    await other.remove(`/lead/${b}`)
    await other.patch(`/lead/${a}`, { city: 'Oslo', phone: '1', lists: [] })
    app.clock.advance(1000)
    const csv = `id,city\n${a},Bern\n,Rome\n,Rome\n`
    await other.call('POST', '/leads/import?upsert_by=id', csv, 'text/csv')
    await numbered(9)
    const said = async (query: string) => (await everything(query)).map(saidOf)
    expect(await said('period=today')).toEqual(['import', 'lead.updated', 'lead.deleted'])
    expect(await said('period=yesterday')).toEqual(['update'])
    expect(await said(`period=this_week&member=${space.owner}`)).toEqual(['lead.created'])
    expect(await said('period=last_week')).toEqual(['lead.created', 'workspace.updated'])
    expect(await said('period=this_month&member=nobody')).toEqual([])
    const summary = async (query: string) => (await space.get(`/changes/summary?${query}`)).body
    const none = {
      created: 0,
      edited: 0,
      deleted: 0,
      undone: 0,
      notes: 0,
      reminders: 0,
      settings: 0,
    }
    const week = await summary('period=this_week')
    expect(week.complete_since).toBeNull()
    expect(week.members).toHaveLength(2)
    expect(week.members).toContainEqual({ ...none, member: space.owner, created: 1 })
    const done = { created: 3, edited: 4, deleted: 1 }
    expect(week.members).toContainEqual({ ...none, member: colleague, ...done })
    const today = [{ ...none, member: colleague, created: 2, edited: 2, deleted: 1 }]
    expect((await summary('period=today')).members).toEqual(today)

    // One request may write many leads, in several events.
    const demo = await app.workspace()
    await demo.post('/demo', { leads: 501 })
    const created = async () => (await demo.get('/changes/summary')).body.members[0]?.created
    await expect.poll(created).toBe(501)
  })

  test('reads its own workspace only, with the role read, and refuses what it does not know', async () => {
    await makeLead('Mine')
    await numbered(1)
    const stranger = await app.workspace()
    expect(await changes('', stranger)).toEqual({ changes: [], next: null })
    expect((await stranger.get('/changes/summary')).body.members).toEqual([])
    const reader = app.as(await app.key(space, 'read'))
    expect((await changes('', reader)).changes).toHaveLength(1)
    for (const wrong of ['after=x', 'after=1/x/y', 'limit=0', 'limit=201', 'kind=x', 'period=x']) {
      expect((await space.get(`/changes?${wrong}`)).status, wrong).toBe(400)
    }
    expect((await space.get('/changes/summary?period=next_week')).status).toBe(400)
  })
})
