// The conditions beyond the interface, as callers use them: in lists, bulk changes, views, exports, reminders
// and numbers.
import { operatorsOf, takes } from '@rapport/contract/leads/field-operators.values'
import { type LeadField, leadFields } from '@rapport/contract/leads/fields'
import { beforeAll, describe, expect, test } from 'vitest'
import { service, type Workspace } from '../../test/harness.ts'
import { run } from '../db/sql.ts'

const app = service()
let space: Workspace
let tag: string
let stage: string
const leads: Record<string, string> = {}

const field = (name: string, operator: string, value?: unknown) => ({
  field: name,
  operator,
  ...(value !== undefined && { value }),
})
const dayMs = 86_400_000

/** The names of the leads that a filter selects. */
async function names(filter: object): Promise<string[]> {
  const { status, body } = await space.post('/leads/list', { filter, pagination: { all: true } })
  expect(status, JSON.stringify(body)).toBe(200)
  const found = body.leads.map(({ first_name }: { first_name: string }) => first_name)
  return found.sort()
}

beforeAll(async () => {
  space = await app.workspace()
  tag = (await space.post('/tags', { name: 'Partner' })).body.id
  stage = (await space.post('/status', { name: 'Proposal' })).body.id
  const make = async (first_name: string, more: object) => {
    leads[first_name] = (await space.post('/lead', { first_name, ...more })).body.id
  }
  const offer = { status: [stage], contract_value: 20_000 }
  await make('Ada', { ...offer, city: 'Berlin' })
  await make('Bob', { ...offer, city: 'PARIS' })
  await make('Cleo', { ...offer, city: 'Paris', tags: [tag] })
  await make('Dan', { ...offer, city: 'Rome' })
  await make('Eve', { ...offer, city: 'Paris', contract_value: 10_000 })
  await make('Finn', { ...offer, city: 'Paris' })
  await make('Gus', { contract_value: 50_000, city: 'Berlin' })
  app.clock.advance(20 * dayMs)
  await space.post('/notes', { id_lead: leads.Finn, content: 'Called' })
})

/** Proposals over 10,000 untouched for 14 days, not tagged Partner, in Berlin or Paris. */
const question = () => ({
  status: [stage],
  fields: [field('contract_value', 'greater_than', 10_000)],
  activity: { none_since: '-14d' },
  none: [{ tags: [tag] }],
  any: [{ fields: [field('city', 'is', 'berlin')] }, { fields: [field('city', 'is', 'Paris')] }],
})

test('proposals over 10,000 untouched for 14 days, not tagged, in one of two cities', async () => {
  expect(await names(question())).toEqual(['Ada', 'Bob'])
})

test('that a lead was created or imported is no activity, that somebody changed it is', async () => {
  const own = await app.workspace()
  const { id } = (await own.post('/lead', { first_name: 'Ada', email: 'ada@x.example' })).body
  const csv = 'email,city\nada@x.example,Rome\nben@x.example,Rome\n'
  const imported = await own.call('POST', '/leads/import?upsert_by=email', csv, 'text/csv')
  expect(imported.body).toMatchObject({ created: 1, updated: 1 })
  const total = async (activity: object) =>
    (await own.post('/leads/list', { filter: { activity } })).body.total
  expect([await total({ since: '-14d' }), await total({ none_since: '-14d' })]).toEqual([0, 2])
  await own.patch(`/lead/${id}`, { city: 'Bern' })
  expect([await total({ since: '-14d' }), await total({ none_since: '-14d' })]).toEqual([1, 1])
})

test('a bulk change that was undone is no activity, one that was redone is', async () => {
  const own = await app.workspace()
  for (const first_name of ['Ada', 'Ben']) await own.post('/lead', { first_name })
  const filter = { activity: { none_since: '-14d' } }
  const total = async () => (await own.post('/leads/list', { filter })).body.total
  const update = { kind: 'update', filter, data: { city: 'Bern' } }
  const { confirm } = (await own.post('/operations/preview', update)).body
  const undo = async (id: string) => (await own.post(`/operations/${id}/undo`)).body.id
  const done = (await own.post('/operations', { ...update, confirm, wait: true })).body.id
  expect(await total()).toBe(0)
  const undone = await undo(done)
  expect(await total()).toBe(2)
  await undo(undone)
  expect(await total()).toBe(0)
})

test('a saved view keeps the filter as it was sent', async () => {
  const { status, body } = await space.post('/views', { name: 'Stale', filter: question() })
  expect([status, body.filter]).toEqual([200, question()])
  const stored = (await space.get('/views')).body
  expect(stored.map((view: { filter: object }) => view.filter)).toEqual([question()])
  expect(await names(stored[0].filter)).toEqual(['Ada', 'Bob'])
})

test('a view refuses a fault deep in its filter', async () => {
  const filter = { none: [{ any: [{ fields: [field('city', 'is')] }] }] }
  const { status, body } = await space.post('/views', { name: 'Wrong', filter })
  expect(status).toBe(400)
  expect(body.issues).toEqual([
    {
      path: ['filter', 'none', 0, 'any', 0, 'fields', 0, 'value'],
      code: 'required',
      message: 'Required',
    },
  ])
})

test('an export has the same leads', async () => {
  const body = { filter: question(), format: 'csv', columns: ['first_name'] }
  const { status, body: text } = await space.post('/leads/export', body)
  expect([status, text.trim().split(/\r\n/).sort()]).toEqual([200, ['Ada', 'Bob', 'first_name']])
})

test('numbers and reminders use it too', async () => {
  const { body } = await space.post('/leads/stats', { filter: question(), group_by: 'status' })
  expect(body.groups).toMatchObject([{ key: stage, count: 2 }])
  const date = new Date(app.clock.now.getTime() + dayMs).toISOString()
  await space.post('/reminders', { name: 'Call', date, id_lead: leads.Gus })
  const count = await space.post('/reminders/count', {
    filter: { leads_filter: { none: [{ status: [stage] }] } },
  })
  expect(count.body).toEqual({ count: 1 })
})

test('a bulk change is previewed, done and undone', async () => {
  const wanted = { kind: 'update', filter: question(), data: { company_role: 'Chased' } }
  const preview = await space.post('/operations/preview', wanted)
  expect(preview.body).toMatchObject({ count: 2, changed: 2 })
  const { confirm } = preview.body
  const done = await space.post('/operations', { ...wanted, confirm })
  expect(done.body).toMatchObject({ state: 'done', changed: 2 })
  const chased = { fields: [field('company_role', 'is', 'Chased')] }
  expect(await names(chased)).toEqual(['Ada', 'Bob'])
  // They have been touched.
  expect(await names(question())).toEqual([])
  const undo = await space.post(`/operations/${done.body.id}/undo`)
  expect(undo.body).toMatchObject({ state: 'done', undone: 2, kept: 0 })
  expect(await names(chased)).toEqual([])
})

test('a filter that selects other leads than in the preview needs another one', async () => {
  const filter = { fields: [field('created_at', 'in_last', '1w')] }
  await space.post('/lead', { first_name: 'Hal' })
  const wanted = { kind: 'update', filter, data: { company_role: 'New' } }
  const { confirm } = (await space.post('/operations/preview', wanted)).body
  await space.post('/lead', { first_name: 'Ida' })
  const done = await space.post('/operations', { ...wanted, confirm })
  expect([done.status, done.body.preview.count]).toEqual([409, 2])
})

describe('days are those of the workspace', () => {
  let far: Workspace
  let lead: string

  /** The lead with this time, and whether a condition selects it. */
  async function selected(time: string, operator: string, value?: unknown): Promise<boolean> {
    await run(app.db)`update lead set last_interaction_at = ${time}
        where id_space = ${far.id_space} and id = ${lead}`
    const filter = { fields: [field('last_interaction_at', operator, value)] }
    return (await far.post('/leads/list', { filter })).body.total === 1
  }

  beforeAll(async () => {
    far = await app.workspace()
    lead = (await far.post('/lead', { first_name: 'Kim' })).body.id
    const zone = 'America/New_York'
    await run(app.db)`update space set time_zone = ${zone} where id_space = ${far.id_space}`
    // A Sunday, in the hour that summer time skips.
    app.clock.now = new Date('2026-03-08T07:30:00.000Z')
  })

  test.each([
    ['2026-03-08T05:00:00.000Z', 'today', undefined, true],
    ['2026-03-08T04:59:59.999Z', 'today', undefined, false],
    ['2026-03-09T03:59:59.999Z', 'today', undefined, true],
    ['2026-03-09T04:00:00.000Z', 'today', undefined, false],
    ['2026-03-09T04:00:00.000Z', 'tomorrow', undefined, true],
    ['2026-03-02T05:00:00.000Z', 'this_week', undefined, true],
    ['2026-03-09T04:00:00.000Z', 'this_week', undefined, false],
    ['2026-03-09T04:00:00.000Z', 'next_week', undefined, true],
    ['2026-01-01T05:00:00.000Z', 'this_quarter', undefined, true],
    ['2026-01-01T04:59:59.999Z', 'this_quarter', undefined, false],
    ['2026-01-01T04:59:59.999Z', 'last_year', undefined, true],
    ['2026-02-22T05:00:00.000Z', 'before', '-14d', false],
    ['2026-02-22T04:59:59.999Z', 'before', '-14d', true],
    ['2026-02-22T05:00:00.000Z', 'in_last', '2w', true],
    ['2026-02-22T04:59:59.999Z', 'in_last', '2w', false],
    ['2026-03-08T07:30:00.001Z', 'in_last', '2w', false],
    ['2026-02-22T05:00:00.000Z', 'more_than_ago', '2w', false],
    ['2026-02-22T04:59:59.999Z', 'more_than_ago', '2w', true],
    ['2026-03-08T07:29:59.999Z', 'in_next', '1d', false],
    ['2026-03-10T03:59:59.999Z', 'in_next', '1d', true],
    ['2026-03-10T04:00:00.000Z', 'in_next', '1d', false],
    ['2026-02-08T05:00:00.000Z', 'on', '-1m', true],
    ['2026-02-09T05:00:00.000Z', 'after', '-1m', true],
    ['2026-02-08T05:00:00.000Z', 'after', '-1m', false],
    ['2026-03-08T07:00:00.000Z', 'on', '2026-03-08T07:00:00Z', true],
    ['2026-03-08T07:00:00.000Z', 'after', '2026-03-08T07:00:00Z', false],
    ['2026-03-09T03:59:59.999Z', 'between', ['2026-03-01', '2026-03-08'], true],
    ['2026-03-09T04:00:00.000Z', 'between', ['2026-03-01', '2026-03-08'], false],
  ])('%s %s %j: %s', async (time, operator, value, expected) => {
    expect(await selected(time, operator, value)).toBe(expected)
  })
})

test('every field has every operator of its kind', async () => {
  const samples = { time: '2026-01-31', integer: 1, amount: 1, flag: true } as Record<
    string,
    unknown
  >
  for (const name of Object.keys(leadFields) as LeadField[]) {
    for (const operator of operatorsOf(name)) {
      const one = samples[leadFields[name].kind] ?? 'x'
      const value = { one, two: [one, one], span: '2w', nothing: undefined }[takes[operator]]
      const filter = { fields: [field(name, operator, value)] }
      expect((await space.post('/leads/list', { filter })).status, `${name} ${operator}`).toBe(200)
    }
  }
})
