// The stays of leads in their stages: every way to change a status keeps them, and reports and filters tell them.
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { service, type Workspace } from '../../../../test/harness.ts'

const app = service()
const day = 86_400_000
let space: Workspace
let list: string
let other: string
let status: Record<'open' | 'won' | 'lost' | 'elsewhere', string>

beforeAll(async () => {
  space = await app.workspace()
  const make = async (path: string, body: object): Promise<string> =>
    (await space.post(path, body)).body.id
  list = await make('/lists', { name: 'Deals' })
  other = await make('/lists', { name: 'Others' })
  const stage = (name: string, id_list: string, type?: string) =>
    make('/status', { name, id_list, ...(type && { type }) })
  status = {
    open: await stage('Open', list),
    won: await stage('Won', list, 'DEAL_WON'),
    lost: await stage('Lost', list, 'DEAL_LOST'),
    elsewhere: await stage('Elsewhere', other),
  }
})

// Each test has days of its own.
beforeEach(() => app.clock.advance(100 * day))

const today = () => app.clock.now.toISOString().slice(0, 10)

async function create(body: object = { status: [status.open] }): Promise<string> {
  return (await space.post('/lead', { first_name: 'Ada', ...body })).body.id
}

async function selected(filter: object): Promise<string[]> {
  const { status, body } = await space.post('/leads/list', { filter, id_only: true })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.leads.map(({ id }: { id: string }) => id)
}

/** What the route says of one status, for one lead. */
async function times(lead: string, id_status: string, period: object = {}) {
  const body = { filter: { leads: [lead] }, ...period }
  const { stages } = (await space.post('/leads/stage-times', body)).body
  return stages.find((stage: { id_status: string }) => stage.id_status === id_status)
}

const isOver = (days: number) => ({ left: 1, median: days, average: days, now: 0 })
const goesOn = (days: number) => ({ left: 0, now: 1, median_now: days })

/** Each takes the lead out of the stage Open. */
const ways: Record<string, (lead: string) => Promise<unknown>> = {
  'PATCH /lead': (lead) => space.patch(`/lead/${lead}`, { status: [status.won] }),
  'PATCH /lead, without another status': (lead) =>
    space.patch(`/lead/${lead}`, { status_disconnect: [status.open] }),
  'update-many': (lead) =>
    space.patch('/leads/update-many', {
      data: { status_connect: [status.won] },
      filter: { leads: [lead] },
    }),
  'a move on the board': (lead) => space.post(`/status/${status.lost}/place`, { id_lead: lead }),
  'move-leads': (lead) =>
    space.post(`/lists/${other}/move-leads`, { id_source: list, filter: { leads: [lead] } }),
  'an import': (lead) =>
    space.call(
      'POST',
      `/leads/import?upsert_by=id&list=${list}`,
      `id,status\n${lead},Won\n`,
      'text/csv',
    ),
}

test.each(Object.entries(ways))('%s ends the stay', async (_name, leave) => {
  const lead = await create()
  app.clock.advance(3 * day)
  expect(await times(lead, status.open)).toMatchObject(goesOn(3))
  expect(await leave(lead)).toMatchObject({ status: 200 })
  expect(await times(lead, status.open)).toMatchObject(isOver(3))
  const left = { status: [status.open], after: today() }
  expect(await selected({ left })).toEqual([lead])
  expect(await selected({ left: { ...left, before: today() } })).toEqual([])
  expect(await selected({ entered: { status: [status.open], after: today() } })).toEqual([])
})

test('a change that leaves the status as it is does not begin it anew', async () => {
  const lead = await create()
  app.clock.advance(2 * day)
  await space.patch(`/lead/${lead}`, { status: [status.open], city: 'Paris' })
  await space.post(`/status/${status.open}/place`, { id_lead: lead })
  expect(await times(lead, status.open)).toMatchObject(goesOn(2))
})

test('a lead counts once for a stage that it left twice, and each stay has its time', async () => {
  const lead = await create()
  for (const days of [1, 5]) {
    app.clock.advance(days * day)
    await space.patch(`/lead/${lead}`, { status: [status.won] })
    app.clock.advance(day)
    await space.patch(`/lead/${lead}`, { status: [status.open] })
  }
  const period = { after: '2026-01-01' }
  expect(await times(lead, status.open, period)).toMatchObject({ left: 1, median: 3, average: 3 })
  expect(await times(lead, status.won, { ...period, before: '2026-01-02' })).toBeUndefined()
})

test('an undo lets the stay go on, as if nothing had happened', async () => {
  const lead = await create({ status: [status.won] })
  const since = today()
  app.clock.advance(4 * day)
  const change = { data: { status: [status.lost] }, filter: { leads: [lead] } }
  const { headers } = await space.patch('/leads/update-many', change)
  app.clock.advance(day)
  const undone = await space.post(`/operations/${headers.get('x-operation-id')}/undo`, {})
  expect(undone.status).toBe(200)
  expect(await times(lead, status.won)).toMatchObject(goesOn(5))
  expect(await times(lead, status.lost)).toBeUndefined()
  expect(await selected({ entered: { status: [status.won], after: since } })).toEqual([lead])
  expect(await selected({ left: { after: since } })).toEqual([])

  app.clock.advance(day)
  const redone = await space.post(`/operations/${undone.body.id}/undo`, {})
  app.clock.advance(2 * day)
  expect(await times(lead, status.won, { after: since })).toMatchObject(isOver(6))
  expect(await times(lead, status.lost)).toMatchObject(goesOn(2))
  await space.post(`/operations/${redone.body.id}/undo`, {})
  expect(await times(lead, status.won)).toMatchObject(goesOn(8))
  expect(await times(lead, status.lost)).toBeUndefined()
})

test('an undo resumes no stay that was over before the operation', async () => {
  const lead = await create({ status: [status.lost] })
  const since = today()
  app.clock.advance(day)
  const change = async (id: string) => {
    const body = { data: { status: [id] }, filter: { leads: [lead] } }
    return (await space.patch('/leads/update-many', body)).headers.get('x-operation-id')
  }
  await change(status.won)
  app.clock.advance(day)
  const again = await change(status.lost)
  app.clock.advance(day)
  const { body } = await space.post(`/operations/${again}/undo`, {})
  app.clock.advance(day)
  await space.post(`/operations/${body.id}/undo`, {})
  app.clock.advance(day)
  expect(await times(lead, status.lost, { after: since })).toMatchObject({
    ...{ left: 1, median: 1, now: 1, median_now: 1 },
  })
})

test('a list that gives the first status begins a stay', async () => {
  await space.patch(`/lists/${other}`, { auto_status: true })
  const lead = await create({})
  app.clock.advance(day)
  await space.post('/leads/add-list', { id_list: other, filter: { leads: [lead] } })
  app.clock.advance(day)
  expect(await times(lead, status.elsewhere)).toMatchObject(goesOn(1))
  await space.patch(`/lists/${other}`, { auto_status: false })
})

test('lost leads by reason, whatever the case, and those without one', async () => {
  const since = today()
  const lost = (lost_reason: string | null) => create({ status: [status.lost], lost_reason })
  const leads = await Promise.all(['Too expensive', 'too EXPENSIVE', ' ', null].map(lost))
  const filter = { entered: { status: [status.lost], after: since } }
  const { body } = await space.post('/leads/stats', { filter, group_by: 'lost_reason' })
  expect(body.groups.map(({ count }: { count: number }) => count).toSorted()).toEqual([2, 2])
  const ofGroup = async (key: string | null) => {
    const fields = [
      key === null
        ? { field: 'lost_reason', operator: 'is_empty' }
        : { field: 'lost_reason', operator: 'is', value: key },
    ]
    return (await selected({ ...filter, fields })).toSorted()
  }
  const { key } = body.groups.find(({ key }: { key: string | null }) => key !== null)
  expect(await ofGroup(key)).toEqual(leads.slice(0, 2).toSorted())
  expect(await ofGroup(null)).toEqual(leads.slice(2).toSorted())
  expect((await space.get(`/lead/${leads[0]}`)).body.lost_reason).toBe('Too expensive')
})

test('notes, calls and meetings by member and kind', async () => {
  const since = today()
  const member = await app.member(space)
  const colleague = app.as(await app.key(space, 'write', member))
  const [one, two] = [await create(), await create()]
  const note = (id_lead: string, kind: string, more = {}, as: Pick<Workspace, 'post'> = space) =>
    as.post('/notes', { id_lead, kind, content: 'Hello', ...more })
  await note(one, 'call')
  await note(one, 'call')
  await note(two, 'note')
  await note(two, 'call', {}, colleague)
  // It took place earlier.
  await note(two, 'meeting', { happened_at: '2026-01-01T12:00:00Z' })
  const deleted = (await note(one, 'meeting')).body.id
  await space.remove(`/notes/${deleted}`)

  const ask = async (filter: object) =>
    (await space.post('/leads/note-counts', { filter, after: since })).body.counts
  const counts = await ask({})
  const expected = [
    { id_member: space.owner, kind: null, count: 3, leads: 2 },
    { id_member: space.owner, kind: 'call', count: 2, leads: 1 },
    { id_member: space.owner, kind: 'note', count: 1, leads: 1 },
    { id_member: member, kind: null, count: 1, leads: 1 },
    { id_member: member, kind: 'call', count: 1, leads: 1 },
  ]
  expect(counts).toHaveLength(expected.length)
  expect(counts).toEqual(expect.arrayContaining(expected))
  for (const { id_member, kind, leads } of counts) {
    const noted = { by: [id_member], after: since, ...(kind && { kind: [kind] }) }
    expect(await selected({ noted })).toHaveLength(leads)
  }
  expect(await ask({ leads: [one] })).toHaveLength(2)
})

test.each(['/leads/stage-times', '/leads/note-counts'])(
  '%s refuses what is no day',
  async (path) => {
    const { status, body } = await space.post(path, { before: '2026-02-30', filter: {} })
    expect(status).toBe(400)
    expect(body.issues).toMatchObject([{ path: ['before'], code: 'value' }])
    const wrong = await space.post(path, { filter: { nothing: true } })
    expect(wrong.body.issues).toMatchObject([{ path: ['filter', 'nothing'] }])
  },
)
