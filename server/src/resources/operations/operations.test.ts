import type { Event } from '@rapport/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { recount } from '../../../test/counts.ts'
import { service, type Workspace } from '../../../test/harness.ts'
import type { Db } from '../../db/driver.ts'
import { run } from '../../db/sql.ts'
import { authorOf } from '../../feed/author.ts'
import type { BackgroundWork } from '../../http/handler.ts'
import { beginInBackground } from './perform.ts'
import type { Wanted } from './preview.ts'
import { deleteBefores } from './store/operation.sql.ts'

const app = service()
let space: Workspace
let list: string
let other: string
let tag: string
beforeAll(async () => {
  space = await app.workspace()
  list = (await space.post('/lists', { name: 'Fair' })).body.id
  other = (await space.post('/lists', { name: 'Partners' })).body.id
  tag = (await space.post('/tags', { name: 'Warm' })).body.id
})

let batches = 0
/** Leads that only this filter selects. */
async function makeLeads(cities: (string | null)[]) {
  const word = `batch${batches++}x`
  const ids: string[] = []
  for (const city of cities) {
    const body = { first_name: word, city, auto_assign_owner: false }
    ids.push((await space.post('/lead', body)).body.id)
  }
  return { ids, filter: { search: word } }
}

const cityOf = async (id: string) => (await space.get(`/lead/${id}`)).body.city

/** Previews and does it. */
async function operate(kind: string, filter: object, data: object, more = {}, as = space) {
  const { body } = await as.post('/operations/preview', { kind, filter, data })
  return as.post('/operations', { kind, filter, data, confirm: body.confirm, ...more })
}

describe('POST /operations/preview', () => {
  test('counts what is selected and what would change, and shows it before and after', async () => {
    const { ids, filter } = await makeLeads(['Rome', 'Paris', 'Rome'])
    const { status, body } = await space.post('/operations/preview', {
      kind: 'update',
      filter,
      data: { city: 'Paris' },
    })
    expect(status).toBe(200)
    expect(body).toEqual({
      kind: 'update',
      count: 3,
      changed: 2,
      sample: expect.any(Array),
      confirm: expect.any(String),
      expires_at: new Date(app.clock.now.getTime() + 600_000).toISOString(),
    })
    expect(body.sample).toHaveLength(2)
    expect(body.sample[0]).toEqual({
      id: ids[0],
      name: filter.search,
      before: { city: 'Rome' },
      after: { city: 'Paris' },
    })
    expect(await cityOf(ids[0] as string)).toBe('Rome')
  })

  test.each([
    ['track', {}, { is_tracked: null }, { is_tracked: true }],
    ['add-list', () => ({ id_list: list }), { lists: [] }, { lists: [{ name: 'Fair' }] }],
    ['delete', {}, { is_deleted: false }, { is_deleted: true }],
    ['update', () => ({ tags: [tag] }), { tags: [] }, { tags: [{ name: 'Warm' }] }],
  ] as const)('shows what %s does', async (kind, data, before, after) => {
    const { filter } = await makeLeads(['Rome'])
    const wanted = { kind, filter, data: typeof data === 'function' ? data() : data }
    const { body } = await space.post('/operations/preview', wanted)
    expect(body).toMatchObject({ count: 1, changed: 1, sample: [{ before, after }] })
  })

  test.each([
    [{ kind: 'update', filter: { city: 'x' }, data: {} }, ['filter', 'city'], 'unknown_field'],
    [{ kind: 'explode', filter: {} }, ['kind'], 'enum'],
    [{ kind: 'add-list', filter: {}, data: {} }, ['data', 'id_list'], 'required'],
    [
      { kind: 'add-list', filter: {}, data: { id_list: 'x' } },
      ['data', 'id_list'],
      'unknown_record',
    ],
    [{ kind: 'update', filter: {}, data: { city: 7 } }, ['data', 'city'], 'type'],
    [{ kind: 'update', filter: {}, data: { tags: ['x'] } }, ['data', 'tags', 0], 'unknown_record'],
    [{ kind: 'update', data: { city: 'x' } }, ['filter'], 'required'],
  ])('refuses %j', async (body, path, code) => {
    const answer = await space.post('/operations/preview', body)
    expect(answer.status).toBe(400)
    expect(answer.body.issues[0]).toMatchObject({ path, code })
  })
})

describe('POST /operations', () => {
  test('does what was previewed, says who, and is listed', async () => {
    const { ids, filter } = await makeLeads(['Rome', 'Paris'])
    const { status, body, headers } = await operate('update', filter, { city: 'Paris' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      ...{ kind: 'update', state: 'done', count: 2, changed: 1, filter, data: { city: 'Paris' } },
      actor: { member: space.owner, way: 'api' },
      undoable_until: new Date(app.clock.now.getTime() + 30 * 86_400_000).toISOString(),
      ...{ undo_of: null, undone_by: null },
    })
    expect(headers.get('x-operation-id')).toBe(body.id)
    expect(await cityOf(ids[0] as string)).toBe('Paris')
    expect((await space.get('/operations')).body.operations[0]).toEqual(body)
    expect((await space.get(`/operations/${body.id}`)).body).toEqual(body)
  })

  test('refuses with a fresh preview when the number of leads has moved', async () => {
    const { ids, filter } = await makeLeads(['Rome', 'Rome'])
    const wanted = { kind: 'delete', filter, data: {} }
    const { confirm } = (await space.post('/operations/preview', wanted)).body
    await space.remove(`/lead/${ids[0]}`)
    const { status, body } = await space.post('/operations', { ...wanted, confirm })
    expect(status).toBe(409)
    expect(body).toMatchObject({ code: 'CONFLICT', preview: { count: 1, changed: 1 } })
    expect((await space.get(`/lead/${ids[1]}`)).status).toBe(200)
    const again = await space.post('/operations', { ...wanted, confirm: body.preview.confirm })
    expect(again.body).toMatchObject({ state: 'done', count: 1 })
  })

  test('a token is for one key, kind, filter and data, and for ten minutes', async () => {
    const { filter } = await makeLeads(['Rome'])
    const wanted = { kind: 'update', filter, data: { city: 'Oslo', phone: '1' } }
    const { confirm } = (await space.post('/operations/preview', wanted)).body
    const stranger = app.as(await app.key(space, 'write'))
    expect((await stranger.post('/operations', { ...wanted, confirm })).status).toBe(409)
    const otherData = { ...wanted, data: { city: 'Bonn' }, confirm }
    expect((await space.post('/operations', otherData)).status).toBe(409)
    expect((await space.post('/operations', { ...wanted, confirm: 'made up' })).status).toBe(409)
    expect((await space.post('/operations', { ...wanted, kind: 'delete', confirm })).status).toBe(
      409,
    )
    // The same data in another order.
    const same = { ...wanted, data: { phone: '1', city: 'Oslo' }, confirm }
    expect((await space.post('/operations', same)).status).toBe(200)
    const late = (await space.post('/operations/preview', wanted)).body.confirm
    app.clock.advance(600_000)
    expect((await space.post('/operations', { ...wanted, confirm: late })).status).toBe(409)
    expect((await space.post('/operations', wanted)).status).toBe(400)
  })

  test('wait: false returns at once, and the work goes on', async () => {
    const { ids, filter } = await makeLeads(['Rome', 'Rome'])
    const { body } = await operate('update', filter, { city: 'Bern' }, { wait: false })
    expect(body).toMatchObject({ state: 'running', undoable_until: null })
    const done = await untilDone(body.id)
    expect(done).toMatchObject({ state: 'done', count: 2, changed: 2 })
    expect(await cityOf(ids[0] as string)).toBe('Bern')
  })

  test('an operation that fails in the background says so and changes nothing', async () => {
    const { ids, filter } = await makeLeads(['Rome'])
    const gone = (await space.post('/tags', { name: 'Gone' })).body.id
    const wanted = { kind: 'update', filter, data: { city: 'Bern', tags: [gone] } }
    const { confirm } = (await space.post('/operations/preview', wanted)).body
    await space.remove(`/tags/${gone}`)
    const { body } = await space.post('/operations', { ...wanted, confirm, wait: false })
    expect(await untilDone(body.id)).toMatchObject({ state: 'failed', error: expect.any(String) })
    expect(await cityOf(ids[0] as string)).toBe('Rome')
    expect((await space.post(`/operations/${body.id}/undo`)).status).toBe(409)
  })

  test('an operation whose commit only seemed to fail is done', async () => {
    const { ids, filter } = await makeLeads(['Rome'])
    const wanted: Wanted = { kind: 'update', filter, data: { city: 'Bern' } }
    const author = authorOf('api', space.id_space, app.clock.now)
    let work: BackgroundWork | undefined
    const inBackground = (given: BackgroundWork) => {
      work = given
    }
    const { id, start } = await beginInBackground(app.db, { ...author, inBackground }, wanted, {
      count: 1,
    })
    start()
    const begin = async (run: (tx: Db) => Promise<unknown>) => {
      await app.db.begin(run)
      throw new Error('The connection was lost')
    }
    const pool = new Proxy(app.db, {
      get: (db, name) => (name === 'begin' ? begin : Reflect.get(db, name)),
    })
    await expect(work?.(pool)).rejects.toThrow('lost')
    expect(await cityOf(ids[0] as string)).toBe('Bern')
    expect((await space.get(`/operations/${id}`)).body).toMatchObject({ state: 'done', changed: 1 })
  })
})

describe('owners', () => {
  type Team = Awaited<ReturnType<typeof team>>

  /** A workspace of its own, with three members beside the owner. */
  async function team() {
    const own = await app.workspace()
    const [ann, ben, cem] = [await app.member(own), await app.member(own), await app.member(own)]
    return { own, ann, ben, cem }
  }

  async function insertLeads({ own }: Team, number: number): Promise<void> {
    await run(app.db)`insert into lead (id_space, id, created_at)
        select ${own.id_space}, gen_random_uuid(), ${app.clock.now}::timestamptz
        from generate_series(1, ${number}::int)`
    await recount(app.db)
  }

  /** Lead → its owners. */
  async function ownersOf({ own }: Team): Promise<Record<string, string[]>> {
    const { body } = await own.post('/leads/list', { pagination: { all: true } })
    return Object.fromEntries(
      body.leads.map((lead: { id: string; owners: { id: string }[] }) => [
        lead.id,
        lead.owners.map(({ id }) => id).sort(),
      ]),
    )
  }

  const countOf = (owners: Record<string, string[]>, ...ids: string[]) =>
    Object.values(owners).filter((has) => has.join() === ids.toSorted().join()).length

  test('242 leads are distributed over three members and taken back', async () => {
    const made = await team()
    const { own, ann, ben, cem } = made
    await insertLeads(made, 245)
    const leads = Object.keys(await ownersOf(made))
    const set = (ids: string[], owners: string[]) =>
      own.patch('/leads/update-many', { filter: { leads: ids }, data: { owners } })
    // Three that stay as they are: two of Cem, one of Ann.
    await set(leads.slice(0, 2), [cem])
    await set(leads.slice(2, 3), [ann])
    await set(leads.slice(3, 60), [own.owner])
    await set(leads.slice(60, 90), [ben, own.owner])
    const before = await ownersOf(made)
    const filter = { not_leads: leads.slice(0, 3) }
    const data = { owners: [cem, ann, ben] }
    const preview = await own.post('/operations/preview', { kind: 'distribute', filter, data })
    expect(preview.body).toMatchObject({
      ...{ count: 242, changed: 242 },
      // Who owns the fewest comes first and gets what is left over: now Ann 1, Cem 2, Ben 30.
      shares: [
        { id: ann, leads: 81, owns: 82 },
        { id: cem, leads: 81, owns: 83 },
        { id: ben, leads: 80, owns: 80 },
      ],
    })
    const done = await operate('distribute', filter, data, {}, own)
    expect(done.body).toMatchObject({ state: 'done', count: 242, changed: 242 })
    const after = await ownersOf(made)
    expect([ann, cem, ben].map((id) => countOf(after, id))).toEqual([82, 83, 80])
    // The sample is what came.
    for (const lead of preview.body.sample) {
      expect(lead.after.owners.map(({ id }: { id: string }) => id)).toEqual(after[lead.id])
    }
    const again = await own.post('/operations/preview', { kind: 'distribute', filter: {}, data })
    expect(again.body.count).toBe(245)
    const undo = await own.post(`/operations/${done.body.id}/undo`)
    expect(undo.body).toMatchObject({ undone: 242, kept: 0 })
    expect(await ownersOf(made)).toEqual(before)
    await own.post(`/operations/${undo.body.id}/undo`)
    expect(await ownersOf(made)).toEqual(after)
  })

  test('what is distributed as it is already does not change', async () => {
    const made = await team()
    const { own, ann, ben } = made
    await insertLeads(made, 5)
    const data = { owners: [ann, ben] }
    await operate('distribute', {}, data, {}, own)
    const { body } = await own.post('/operations/preview', { kind: 'distribute', filter: {}, data })
    // Now Ben has fewer, so that every lead would change hands.
    expect(body).toMatchObject({ count: 5, changed: 5, shares: [{ id: ben }, { id: ann }] })
    const same = { kind: 'distribute', filter: { owners: [ann] }, data: { owners: [ann] } }
    expect((await own.post('/operations/preview', same)).body).toMatchObject({
      ...{ count: 3, changed: 0, sample: [], shares: [{ id: ann, leads: 3, owns: 3 }] },
    })
    const nobody = { ...same, filter: { leads: [] } }
    expect((await own.post('/operations/preview', nobody)).body).toMatchObject({
      ...{ count: 0, changed: 0, shares: [{ id: ann, leads: 0, owns: 3 }] },
    })
  })

  test('a member is replaced where they are an owner; other owners stay', async () => {
    const made = await team()
    const { own, ann, ben, cem } = made
    await insertLeads(made, 6)
    const leads = Object.keys(await ownersOf(made))
    const set = (id: number, owners: string[]) => own.patch(`/lead/${leads[id]}`, { owners })
    await set(0, [ann])
    await set(1, [ann, cem])
    await set(2, [ann, ben])
    await set(3, [ben])
    await set(4, [ann])
    const before = await ownersOf(made)
    const filter = { not_leads: [leads[4]] }
    const data = { from: ann, owners: [ben] }
    const preview = await own.post('/operations/preview', { kind: 'hand-over', filter, data })
    expect(preview.body).toMatchObject({
      ...{ count: 3, changed: 3, shares: [{ id: ben, leads: 3, owns: 4 }] },
    })
    const done = await operate('hand-over', filter, data, {}, own)
    expect(done.body).toMatchObject({ count: 3, changed: 3 })
    const after = await ownersOf(made)
    expect(leads.map((id) => after[id])).toEqual([
      [ben],
      [ben, cem].sort(),
      [ben],
      [ben],
      [ann],
      [],
    ])
    await own.post(`/operations/${done.body.id}/undo`)
    expect(await ownersOf(made)).toEqual(before)
  })

  test('a leaver’s 5,000 leads and open reminders are handed over in one operation', async () => {
    const made = await team()
    const { own, ann, ben, cem } = made
    await insertLeads(made, 5_001)
    const leads = Object.keys(await ownersOf(made)).sort()
    const set = (filter: object, owners: string[]) =>
      own.patch('/leads/update-many', { filter, data: { owners } })
    await set({}, [ann])
    await set({ leads: [leads[0]] }, [ben])
    await set({ leads: [leads[1]] }, [ann, own.owner])
    const remind = async (body: object) =>
      (await own.post('/reminders', { name: 'Call', date: '2026-04-01T09:00:00Z', ...body })).body
        .id as string
    const users = async (id: string) => (await own.get(`/reminders/${id}`)).body.users
    const ofLead = await remind({ id_lead: leads[2], users: [ann] })
    const shared = await remind({ users: [ann, ben] })
    const done = await remind({ users: [ann] })
    await own.patch(`/reminders/${done}`, { is_done: true })
    const wrong = [
      `hand_over_to=${ann}`,
      `hand_over_to=${ben},${ben}`,
      `hand_over_to=${space.owner}`,
      'hand_over_to=',
      `handover_to=${ben}`,
    ]
    for (const query of wrong) {
      expect((await own.remove(`/members/${ann}?${query}`)).status).toBe(400)
    }
    expect((await own.get('/members')).body).toHaveLength(4)

    // While the member is there, it is taken back.
    const before = await ownersOf(made)
    const data = { from: ann, owners: [ben, cem], reminders: true }
    const tried = await operate('hand-over', {}, data, {}, own)
    expect(tried.body).toMatchObject({ changed: 5_000 })
    const back = await own.post(`/operations/${tried.body.id}/undo`)
    expect(back.body).toMatchObject({ undone: 5_000, kept: 0 })
    expect(await ownersOf(made)).toEqual(before)
    const { next } = (await own.get('/events?after=now')).body

    const began = performance.now()
    const removed = await own.remove(`/members/${ann}?hand_over_to=${ben},${cem}`)
    const tookMs = performance.now() - began
    expect(removed).toMatchObject({ status: 200, body: 'Member removed' })
    const id = removed.headers.get('x-operation-id')
    expect((await own.get(`/operations/${id}`)).body).toMatchObject({
      ...{ kind: 'hand-over', state: 'done', count: 5_000, changed: 5_000 },
      data: { from: ann, owners: [ben, cem], reminders: true, member_removed: true },
      undoable_until: null,
    })
    const after = await ownersOf(made)
    // Cem had none, Ben had one: Cem is the first.
    expect(countOf(after, ben)).toBe(2_501)
    expect(countOf(after, cem)).toBe(2_499)
    expect(after[leads[1] as string]).toEqual([cem, own.owner].sort())
    expect(await users(ofLead)).toEqual(after[leads[2] as string])
    expect((await users(shared)).length).toBeGreaterThan(0)
    expect(await users(shared)).not.toContain(ann)
    expect(await users(done)).toEqual([])
    // With those of the undo before, which take back what the members were told.
    const events = await eventsOf(id, next, own)
    expect(performance.now() - began).toBeLessThan(15 * tookMs)
    expect(events.filter(({ type }) => type === 'reminder.updated')).not.toEqual([])

    // Nobody is there to give them back to.
    const undo = await own.post(`/operations/${id}/undo`)
    expect(undo).toMatchObject({ status: 409, body: { issues: [{ code: 'member_removed' }] } })
    expect(await ownersOf(made)).toEqual(after)
  })

  test('reminders are handed over and taken back, whoever owns the leads', async () => {
    const made = await team()
    const { own, ann, ben, cem } = made
    const remind = async (users: string[], cron?: string) => {
      const body = { name: 'Call', date: '2026-04-01T09:00:00Z', users, ...(cron && { cron }) }
      return (await own.post('/reminders', body)).body.id as string
    }
    const ids = [
      await remind([ann]),
      await remind([ann, ben]),
      await remind([cem]),
      await remind([ann], '0 9 * * 1'),
    ]
    // A recurring one comes again.
    await own.patch(`/reminders/${ids[3]}`, { is_done: true })
    const users = () =>
      Promise.all(ids.map(async (id) => (await own.get(`/reminders/${id}`)).body.users))
    const before = await users()
    const data = { from: ann, owners: [ben], reminders: true }
    const { body } = await operate('hand-over', {}, data, {}, own)
    expect(body).toMatchObject({ state: 'done', count: 0, changed: 0 })
    const after = await users()
    expect(after).toEqual([[ben], [ben], [cem], [ben]])
    const undo = await own.post(`/operations/${body.id}/undo`)
    expect(undo.body).toMatchObject({ state: 'done', kept: 0 })
    expect(await users()).toEqual(before)
    await own.post(`/operations/${undo.body.id}/undo`)
    expect(await users()).toEqual(after)
  })

  const nobody = '01920000-0000-7000-8000-0000000000ff'
  test.each([
    ['distribute', {}, ['data', 'owners'], 'required'],
    ['distribute', { owners: [] }, ['data', 'owners'], 'minItems'],
    ['distribute', { owners: 'ann' }, ['data', 'owners'], 'type'],
    ['distribute', { owners: ['ann', 'ANN'] }, ['data', 'owners', 1], 'duplicate'],
    ['distribute', { owners: ['ann', nobody] }, ['data', 'owners', 1], 'unknown_record'],
    ['distribute', { owners: ['ann', 'stranger'] }, ['data', 'owners', 1], 'unknown_record'],
    ['distribute', { owners: ['ann'], from: 'ben' }, ['data', 'from'], 'unknown_field'],
    ['hand-over', { owners: ['ann'] }, ['data', 'from'], 'required'],
    ['hand-over', { from: 'ben', owners: [] }, ['data', 'owners'], 'minItems'],
    ['hand-over', { from: nobody, owners: ['ann'] }, ['data', 'from'], 'unknown_record'],
    ['hand-over', { from: 'stranger', owners: ['ann'] }, ['data', 'from'], 'unknown_record'],
    ['hand-over', { from: 'ben', owners: ['ann', 'BEN'] }, ['data', 'owners', 1], 'duplicate'],
    ['hand-over', { from: 'ben', owner: ['ann'] }, ['data', 'owners'], 'required'],
  ])('%s refuses %j', async (kind, named, path, code) => {
    const ann = await app.member(space)
    const ids: Record<string, string> = {
      ...{ ann, ANN: ann.toUpperCase(), ben: space.owner, BEN: space.owner.toUpperCase() },
      stranger: (await app.workspace()).owner,
    }
    const data = JSON.parse(JSON.stringify(named), (_, value) => ids[value] ?? value)
    const { filter } = await makeLeads(['Rome'])
    const answer = await space.post('/operations/preview', { kind, filter, data })
    expect(answer.status).toBe(400)
    expect(answer.body.issues[0]).toMatchObject({ path, code })
    const misspelled = { kind, filter: { owner: [ann] }, data: { owners: [ann] } }
    const wrong = await space.post('/operations/preview', misspelled)
    expect(wrong.body.issues[0]).toMatchObject({ path: ['filter', 'owner'], code: 'unknown_field' })
  })
})

async function untilDone(id: string) {
  for (;;) {
    const { body } = await space.get(`/operations/${id}`)
    if (body.state !== 'running') return body
    await space.get('/events?after=now&wait=1')
  }
}

describe('the bulk routes', () => {
  test('are recorded as operations and say which', async () => {
    const { filter } = await makeLeads(['Rome'])
    const answer = await space.patch('/leads/update-many', { filter, data: { city: 'Lima' } })
    expect(answer.body).toBe('1 lead updated')
    const operation = await space.get(`/operations/${answer.headers.get('x-operation-id')}`)
    expect(operation.body).toMatchObject({ kind: 'update', count: 1, changed: 1, filter })
  })

  test('a failed one leaves no operation', async () => {
    const before = (await space.get('/operations')).body.operations.length
    await space.patch('/leads/update-many', { filter: {}, data: { tags: ['x'] } })
    expect((await space.get('/operations')).body.operations).toHaveLength(before)
  })

  test('write events of at most 500 ids with the values before and after', async () => {
    const { ids, filter } = await makeLeads(['Rome', 'Rome', null])
    const { next } = (await space.get('/events?after=now')).body
    const { headers } = await space.patch('/leads/update-many', { filter, data: { city: 'Lima' } })
    const events = await eventsOf(headers.get('x-operation-id'), next)
    expect(events).toHaveLength(2)
    const changes = events.map((event: Event) => event.changed)
    expect(changes).toContainEqual({ city: ['Rome', 'Lima'] })
    expect(changes).toContainEqual({ city: [null, 'Lima'] })
    expect(events.flatMap(({ ids }: Event) => ids).sort()).toEqual(ids.sort())
  })
})

/** Those of earlier tests may be numbered later, and come first. */
async function eventsOf(operation: string | null, cursor: string, own = space): Promise<Event[]> {
  for (let after = cursor; ; ) {
    const page = (await own.get(`/events?after=${after}&wait=10`)).body
    const found = page.events.filter((event: Event) => event.cause.operation === operation)
    if (found.length > 0) return found
    after = page.next
  }
}

describe('very many different values', () => {
  test('are in the history of each lead while they are kept, not in the feed', async () => {
    const own = await app.workspace()
    const warm = (await own.post('/tags', { name: 'Warm' })).body.id
    const rows = Array.from({ length: 120 }, (_, at) => `lead${at}@a.example,City ${at}`)
    await own.call('POST', '/leads/import', `email,city\n${rows.join('\n')}\n`, 'text/csv')
    const { id } = (await own.post('/leads/search', { email: 'lead77@a.example' })).body
    const { next } = (await own.get('/events?after=now')).body
    const data = { city: 'Lima', tags: [warm] }
    const { headers } = await own.patch('/leads/update-many', { filter: {}, data })
    const operation = headers.get('x-operation-id')
    const { events } = (await own.get(`/events?after=${next}&types=lead.updated&wait=10`)).body
    expect(events[0]).toMatchObject({ cause: { operation }, changed: {} })
    expect(events[0].ids).toHaveLength(120)
    const changes = async () => {
      const page = (await own.get(`/lead/${id}/events`)).body.events
      return page.map((event: Event) => event.changed).slice(0, 3)
    }
    // Newest first. The step of the tags has events with its own values.
    await expect
      .poll(changes)
      .toEqual([{ tags: [[], [warm]] }, { city: ['City 77', 'Lima'] }, expect.anything()])
    await own.post(`/operations/${operation}/undo`)
    await expect.poll(changes).toContainEqual({ city: ['Lima', 'City 77'] })
    await deleteBefores(app.db, new Date(app.clock.now.getTime() + 1))
    expect(await changes()).not.toContainEqual({ city: ['Lima', 'City 77'] })
  })
})

describe('POST /operations/{id}/undo', () => {
  test('gives back what is still as the operation left it, and keeps later changes', async () => {
    const { ids, filter } = await makeLeads(['Rome', 'Paris', 'Oslo'])
    const [first, second, third] = ids as [string, string, string]
    const { body } = await operate('update', filter, { city: 'Bern', phone: '7' })
    await space.patch(`/lead/${second}`, { city: 'Kyiv' })
    const undo = await space.post(`/operations/${body.id}/undo`)
    expect(undo.body).toMatchObject({
      ...{ kind: 'undo', state: 'done', undo_of: body.id, undone: 3, kept: 1 },
      kept_reasons: [{ reason: 'changed since', leads: 1 }],
    })
    expect(await cityOf(first)).toBe('Rome')
    expect((await space.get(`/lead/${second}`)).body).toMatchObject({ city: 'Kyiv', phone: null })
    expect(await cityOf(third)).toBe('Oslo')
    expect((await space.get(`/operations/${body.id}`)).body).toMatchObject({
      ...{ undone_by: undo.body.id, undone: 3, undoable_until: null },
    })
    expect((await space.post(`/operations/${body.id}/undo`)).status).toBe(409)
  })

  test('an undo can be undone, and then the operation again', async () => {
    const { ids, filter } = await makeLeads(['Rome'])
    const { body } = await operate('update', filter, { city: 'Bern' })
    const undo = (await space.post(`/operations/${body.id}/undo`)).body
    expect(await cityOf(ids[0] as string)).toBe('Rome')
    const redo = (await space.post(`/operations/${undo.id}/undo`)).body
    expect(redo).toMatchObject({ undone: 1, kept: 0 })
    expect(await cityOf(ids[0] as string)).toBe('Bern')
    expect((await space.post(`/operations/${body.id}/undo`)).status).toBe(200)
    expect(await cityOf(ids[0] as string)).toBe('Rome')
  })

  test('however often an undo is undone, each operation says whether it is in force', async () => {
    const { ids, filter } = await makeLeads(['Rome'])
    const chain: string[] = [(await operate('update', filter, { city: 'Bern' })).body.id]
    for (let undos = 1; undos <= 5; undos++) {
      chain.push((await space.post(`/operations/${chain.at(-1)}/undo`)).body.id)
      expect(await cityOf(ids[0] as string)).toBe(undos % 2 === 1 ? 'Rome' : 'Bern')
      // The newest is in force, so what it undid is not, and so on.
      const undoneBy = async (id: string) => (await space.get(`/operations/${id}`)).body.undone_by
      for (const [index, id] of chain.toReversed().entries()) {
        expect(await undoneBy(id)).toBe(index % 2 === 1 ? chain.at(-index) : null)
      }
    }
  })

  test('deleted leads come back, are counted, and their company claim does not clash', async () => {
    const own = await app.workspace()
    await own.post('/lead', { first_name: 'Ada', company: 'Navy' })
    const total = async () => (await own.post('/leads/list', {})).body.total
    expect(await total()).toBe(2)
    const { headers } = await own.post('/leads/delete', { filter: {} })
    expect(await total()).toBe(0)
    // The same company anew.
    await own.post('/lead', { first_name: 'Bob', company: 'Navy' })
    const undo = await own.post(`/operations/${headers.get('x-operation-id')}/undo`)
    expect(undo.body).toMatchObject({ undone: 2, kept: 0 })
    expect(await total()).toBe(4)
    const redo = await own.post(`/operations/${undo.body.id}/undo`)
    expect(redo.body).toMatchObject({ undone: 2 })
    expect(await total()).toBe(2)
  })

  test('a list that was left comes back with its status', async () => {
    const status = (await space.post('/status', { name: 'Open', id_list: list })).body.id
    const { ids, filter } = await makeLeads(['Rome'])
    await space.patch(`/lead/${ids[0]}`, { status: [status] })
    const moved = await space.post(`/lists/${other}/move-leads`, { id_source: list, filter })
    expect((await space.get(`/lead/${ids[0]}`)).body).toMatchObject({
      lists: [{ id: other }],
      status: [],
    })
    await space.post(`/operations/${moved.headers.get('x-operation-id')}/undo`)
    expect((await space.get(`/lead/${ids[0]}`)).body).toMatchObject({
      lists: [{ id: list }],
      status: [{ id: status }],
    })
  })

  test('what was deleted since cannot come back, and that is said', async () => {
    const gone = (await space.post('/tags', { name: 'Gone' })).body.id
    const { ids, filter } = await makeLeads(['Rome', 'Rome'])
    await space.patch('/leads/update-many', { filter, data: { tags: [gone] } })
    const { body } = await operate('update', filter, { tags: [tag], city: 'Bern' })
    await space.remove(`/tags/${gone}`)
    const undo = await space.post(`/operations/${body.id}/undo`)
    expect(undo.body).toMatchObject({
      ...{ undone: 2, kept: 2 },
      kept_reasons: [{ reason: 'tag deleted since', leads: 2 }],
    })
    expect((await space.get(`/lead/${ids[0]}`)).body).toMatchObject({ city: 'Rome', tags: [] })
  })

  test('a lead that was deleted since stays deleted', async () => {
    const { ids, filter } = await makeLeads(['Rome', 'Rome'])
    const { body } = await operate('update', filter, { city: 'Bern' })
    await space.remove(`/lead/${ids[0]}`)
    const undo = await space.post(`/operations/${body.id}/undo`)
    expect(undo.body).toMatchObject({
      ...{ undone: 1, kept: 1 },
      kept_reasons: [{ reason: 'lead deleted since', leads: 1 }],
    })
  })

  test('attributes come back, those of a deleted attribute do not', async () => {
    const make = async (name: string) =>
      (await space.post('/attributes', { name, type: 'TEXT' })).body.id as string
    const [a, b] = [await make(`A ${batches}`), await make(`B ${batches}`)]
    const { ids, filter } = await makeLeads(['Rome'])
    await space.patch(`/lead/${ids[0]}`, { attributes: { [a]: 'one', [b]: 'two' } })
    const { body } = await operate('update', filter, { attributes: { [a]: null, [b]: 'new' } })
    await space.remove(`/attributes/${b}`)
    const undo = await space.post(`/operations/${body.id}/undo`)
    expect(undo.body).toMatchObject({ undone: 1, kept: 1 })
    expect((await space.get(`/lead/${ids[0]}`)).body.attributes).toEqual({ [a]: 'one' })
  })

  test('needs the right to write, and the values before', async () => {
    const { filter } = await makeLeads(['Rome'])
    const { body } = await operate('update', filter, { city: 'Bern' })
    const reader = app.as(await app.key(space, 'read'))
    expect((await reader.post(`/operations/${body.id}/undo`)).status).toBe(403)
    expect((await reader.get(`/operations/${body.id}`)).status).toBe(200)
    app.clock.advance(30 * 86_400_000)
    const late = await space.post(`/operations/${body.id}/undo`)
    expect(late).toMatchObject({ status: 409, body: { issues: [{ code: 'too_old' }] } })
  })

  test('two undos at once: one wins', async () => {
    const { filter } = await makeLeads(['Rome', 'Paris'])
    const { body } = await operate('update', filter, { city: 'Bern' })
    const undos = await Promise.all([1, 2, 3].map(() => space.post(`/operations/${body.id}/undo`)))
    expect(undos.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  })
})

describe('imports', () => {
  const header = 'email,first_name,city,notes'
  const send = (rows: string[], query = '') =>
    space.call('POST', `/leads/import${query}`, `${[header, ...rows].join('\n')}\n`, 'text/csv')

  test('are operations: an undo deletes what they created and restores what they updated', async () => {
    const known = (await space.post('/lead', { email: 'known@a.example', city: 'Rome' })).body.id
    const total = async () => (await space.post('/leads/list', {})).body.total
    const before = await total()
    const rows = [
      'known@a.example,Ada,Paris,met',
      'new@a.example,Bob,Oslo,',
      'edited@a.example,Cy,,',
    ]
    const { headers, body } = await send(rows, '?upsert_by=email&create_companies=false')
    expect(body).toMatchObject({ created: 2, updated: 1 })
    const id = headers.get('x-operation-id')
    expect((await space.get(`/operations/${id}`)).body).toMatchObject({
      ...{ kind: 'import', state: 'done', count: 3, actor: { way: 'import' } },
    })
    const edited = (await space.post('/leads/search', { email: 'edited@a.example' })).body.id
    await space.patch(`/lead/${edited}`, { tags_connect: [tag] })
    const undo = await space.post(`/operations/${id}/undo`)
    expect(undo.body).toMatchObject({ undone: 2, kept: 1 })
    expect((await space.get(`/lead/${known}`)).body).toMatchObject({
      city: 'Rome',
      first_name: null,
    })
    expect((await space.post('/notes/list', { id_lead: known })).body.notes ?? []).toEqual([])
    expect((await space.post('/leads/search', { email: 'new@a.example' })).status).toBe(404)
    expect((await space.get(`/lead/${edited}`)).status).toBe(200)
    expect(await total()).toBe(before + 1)
    await space.post(`/operations/${undo.body.id}/undo`)
    expect((await space.get(`/lead/${known}`)).body.city).toBe('Paris')
    expect(await total()).toBe(before + 2)
  })
})

describe('the trash', () => {
  const trash = async (body: object = {}, as = space) =>
    (await as.post('/leads/deleted', body)).body
  const idsOf = ({ leads }: { leads: { id: string }[] }) => leads.map(({ id }) => id)
  const remove = async (id: string) => {
    app.clock.advance(1000)
    await space.remove(`/lead/${id}`)
  }

  test('has the deleted leads, the last deleted first, page by page', async () => {
    const { ids, filter } = await makeLeads(['Rome', 'Paris', 'Oslo', 'Rome'])
    const [a, b, c, d] = ids as [string, string, string, string]
    await space.patch(`/lead/${b}`, { tags: [tag] })
    for (const id of [c, a, b]) await remove(id)
    const page = await trash({ filter, page_size: 2 })
    expect(page).toMatchObject({ total: 3, kept_days: null })
    expect(page.leads).toMatchObject([
      { id: b, is_deleted: true, is_deleted_at: app.clock.now.toISOString(), tags: [{ id: tag }] },
      { id: a, city: 'Rome' },
    ])
    // The cursor stays good when the lead that it names is restored.
    await operate('restore', { leads: [a] }, {})
    const rest = await trash({ filter, page_size: 2, after: page.next })
    expect(rest).toMatchObject({ total: 2, next: null, leads: [{ id: c }] })
    expect((await space.get(`/lead/${d}`)).status).toBe(200)
    const author = async () => (await trash({ filter: { leads: [b] } })).leads[0].deleted_by
    await expect.poll(author).toBe(space.owner)
    expect(idsOf(await trash({ filter: { ...filter, tags: [tag] } }))).toEqual([b])
  })

  test('restores the leads that a filter selects, as they were, and that can be undone', async () => {
    const { ids, filter } = await makeLeads(['Rome', 'Paris', 'Oslo'])
    const [a, b, live] = ids as [string, string, string]
    await space.patch(`/lead/${a}`, { tags: [tag], lists: [list] })
    const { body: before } = await space.get(`/lead/${a}`)
    const total = async () => (await space.post('/leads/list', {})).body.total
    const count = await total()
    await space.post('/leads/delete', { filter: { leads: [a, b] } })
    const { body: preview } = await space.post('/operations/preview', { kind: 'restore', filter })
    expect(preview).toMatchObject({ count: 2, changed: 2 })
    expect(preview.sample).toHaveLength(2)
    const { body: done } = await operate('restore', filter, {})
    expect(done).toMatchObject({ kind: 'restore', state: 'done', count: 2, changed: 2 })
    const { body: after } = await space.get(`/lead/${a}`)
    expect(after).toEqual({ ...before, updated_at: after.updated_at })
    expect(await total()).toBe(count)
    expect(idsOf(await trash({ filter }))).toEqual([])
    const { body: undo } = await space.post(`/operations/${done.id}/undo`)
    expect(undo).toMatchObject({ undone: 2, kept: 0 })
    expect(idsOf(await trash({ filter })).sort()).toEqual([a, b].sort())
    expect((await space.get(`/lead/${live}`)).status).toBe(200)
    expect(await total()).toBe(count - 2)
  })

  test('is read with the role read, restored from with the role write, and only one’s own', async () => {
    const { ids } = await makeLeads(['Rome'])
    const filter = { leads: ids }
    await remove(ids[0] as string)
    const reader = app.as(await app.key(space, 'read'))
    expect(idsOf(await trash({ filter }, reader as Workspace))).toEqual(ids)
    const { body } = await reader.post('/operations/preview', { kind: 'restore', filter })
    const confirmed = { kind: 'restore', filter, data: {}, confirm: body.confirm }
    expect((await reader.post('/operations', confirmed)).status).toBe(403)
    const stranger = await app.workspace()
    expect(await trash({ filter }, stranger)).toMatchObject({ leads: [], total: 0 })
    expect((await operate('restore', filter, {}, {}, stranger)).body.changed).toBe(0)
    expect(idsOf(await trash({ filter }))).toEqual(ids)
  })

  test.each([
    [{ after: 'nonsense' }, ['after']],
    [{ after: '2026-13-45T99:99:99.999Z/01920000-0000-7000-8000-0000000000ff' }, ['after']],
    [{ after: `2026-01-01T00:00:00.000Z/x` }, ['after']],
    [{ filter: { citty: 'Rome' } }, ['filter', 'citty']],
    [{ page_size: 0 }, ['page_size']],
    [{ page_size: 1001 }, ['page_size']],
  ])('refuses %j', async (body, path) => {
    const answer = await space.post('/leads/deleted', body)
    expect(answer.status).toBe(400)
    expect(answer.body.issues[0].path).toEqual(path)
  })
})
