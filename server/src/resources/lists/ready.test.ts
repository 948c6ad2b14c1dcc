// The ready pipeline, and the first status of those who join a list.
import { readyStages, stageNamed } from '@rapport/contract/stages.values'
import { beforeAll, expect, test } from 'vitest'
import { service, type Workspace } from '../../../test/harness.ts'
import { authorOf } from '../../feed/author.ts'
import { makeReadyPipeline } from './ready.ts'

const app = service()
let space: Workspace
let list: string
/** Names of the statuses of the list → their ids. */
let stages: Record<string, string>

beforeAll(async () => {
  space = await app.workspace()
  await makeReadyPipeline(app.db, authorOf('command', space.id_space, app.clock.now))
  list = (await space.get('/lists')).body[0].id
  stages = Object.fromEntries((await statusesOf(list)).map(({ id, name }) => [name, id]))
})

interface Stage {
  id: string
  id_list: string
  name: string
  color: string
  success_rate: number
  type: string | null
}

async function statusesOf(id: string): Promise<Stage[]> {
  const { body } = await space.get('/status')
  return body.filter(({ id_list }: Stage) => id_list === id)
}

async function statusOf(lead: string): Promise<string[]> {
  const { body } = await space.get(`/lead/${lead}`)
  return body.status.map(({ name }: Stage) => name)
}

const newLead = async (body: object = {}) => (await space.post('/lead', body)).body.id as string

test('a ready pipeline is a list with stages, colors, chances and types', async () => {
  expect((await space.get('/lists')).body).toMatchObject([
    { name: 'New business', color: '#6366f1', auto_status: true },
  ])
  const made = await statusesOf(list)
  expect(made.map(({ name, success_rate, type }) => [name, success_rate, type])).toEqual([
    ['New', 5, null],
    ['Contacted', 10, null],
    ['Qualified', 30, null],
    ['Proposal', 60, null],
    ['Won', 100, 'DEAL_WON'],
    ['Lost', 0, 'DEAL_LOST'],
  ])
  expect(new Set(made.map(({ color }) => color)).size).toBe(6)
})

test('POST /status/ready sets up a list or the workspace, and adds only what is missing', async () => {
  const { id } = (await space.post('/lists', { name: 'Fair' })).body
  await space.post('/status', { name: 'Won', id_list: id, type: 'DEAL_WON', color: '#000000' })
  const { status, body } = await space.post('/status/ready', { id_list: id })
  expect(status).toBe(200)
  expect(body.map(({ name }: Stage) => name)).toEqual([
    ...['Won', 'New', 'Contacted', 'Qualified', 'Proposal', 'Lost'],
  ])
  expect(body[0]).toMatchObject({ color: '#000000', type: 'DEAL_WON' })
  expect((await space.post('/status/ready', { id_list: id })).body).toEqual(body)
  expect((await space.post('/status/ready')).body).toHaveLength(6)
  expect(await statusesOf('')).toHaveLength(6)
  const refused = await space.post('/status/ready', { id_list: space.owner })
  expect(refused.body.issues).toMatchObject([{ path: ['id_list'], code: 'unknown_record' }])
})

test('a new lead in the list has its first status, unless it says another', async () => {
  expect(await statusOf(await newLead({ id_list: list }))).toEqual(['New'])
  expect(await statusOf(await newLead({ lists: [list], status: [stages.Won] }))).toEqual(['Won'])
  expect(await statusOf(await newLead())).toEqual([])
  await space.patch(`/lists/${list}`, { auto_status: false })
  expect(await statusOf(await newLead({ lists: [list] }))).toEqual([])
  await space.patch(`/lists/${list}`, { auto_status: true })
})

test('a lead that joins the list gets the first status; one that is in it keeps what it has', async () => {
  const { id: other } = (await space.post('/lists', { name: 'Plain' })).body
  const change = (id: string, body: object) => space.patch(`/lead/${id}`, body)
  const ways: ((id: string) => Promise<unknown>)[] = [
    (id) => change(id, { lists: [list] }),
    (id) => change(id, { lists_connect: [list] }),
    (id) => space.post('/leads/add-list', { id_list: list, filter: { leads: [id] } }),
    async (id) => {
      await change(id, { lists_connect: [other] })
      const filter = { leads: [id] }
      await space.post(`/lists/${list}/move-leads`, { id_source: other, filter })
    },
    (id) =>
      space.call(
        'POST',
        '/leads/import?upsert_by=id',
        `id,lists\n${id},New business\n`,
        'text/csv',
      ),
  ]
  for (const join of ways) {
    const lead = await newLead()
    await join(lead)
    expect(await statusOf(lead)).toEqual(['New'])
    await change(lead, { status: [] })
    await join(lead)
    expect(await statusOf(lead)).toEqual([])
  }
  const lead = await newLead()
  await change(lead, { lists: [list], status_connect: [stages.Proposal] })
  expect(await statusOf(lead)).toEqual(['Proposal'])
  await change(lead, { lists: [] })
  await change(lead, { lists: [list], status: [] })
  expect(await statusOf(lead)).toEqual([])
})

test('undoing takes back the list and the status', async () => {
  const lead = await newLead()
  const wanted = { kind: 'add-list', filter: { leads: [lead] }, data: { id_list: list } }
  const { confirm } = (await space.post('/operations/preview', wanted)).body
  const { body } = await space.post('/operations', { ...wanted, confirm })
  expect(await statusOf(lead)).toEqual(['New'])
  expect((await space.post(`/operations/${body.id}/undo`)).status).toBe(200)
  const { body: after } = await space.get(`/lead/${lead}`)
  expect(after).toMatchObject({ lists: [], status: [] })
})

test('a stage gets its type, chance and color from its name', () => {
  const typeOf = (name: string) => stageNamed(name, []).type
  for (const name of ['Won', 'closed won', 'Closed-Won 🎉', 'closedwon', 'Gewonnen', 'Gagné']) {
    expect(typeOf(name)).toBe('DEAL_WON')
  }
  for (const name of ['LOST', 'Closed lost', 'Verloren', 'Perdido']) {
    expect(typeOf(name)).toBe('DEAL_LOST')
  }
  for (const name of ['Wonderful', 'Lost contact', 'Negotiation']) expect(typeOf(name)).toBeNull()
  expect(stageNamed('won', [])).toMatchObject({ success_rate: 100, color: '#16a34a' })
  expect(stageNamed('proposal', [])).toMatchObject({ success_rate: 60, color: '#f59e0b' })
  expect(stageNamed('A', []).success_rate).toBe(0)
  const others = readyStages.map((stage, order) => ({ ...stage, order }))
  expect(stageNamed('Negotiation', others)).toMatchObject({ success_rate: 60, type: null })
  expect(stageNamed('A', []).color).not.toBe(stageNamed('B', others.slice(0, 1)).color)
})

test('an import gives the stages and lists that it makes colors and types', async () => {
  const own = await app.workspace()
  const file =
    'first_name,status\nAda,Pipeline > Demo\nBo,Pipeline > Closed Won\nCy,Pipeline > Lost\n'
  await own.call('POST', '/leads/import', file, 'text/csv')
  const { body } = await own.get('/status')
  expect(body.map(({ name, type, success_rate }: Stage) => [name, type, success_rate])).toEqual([
    ['Demo', null, 0],
    ['Closed Won', 'DEAL_WON', 100],
    ['Lost', 'DEAL_LOST', 0],
  ])
  for (const { color } of body) expect(color).toMatch(/^#[0-9a-f]{6}$/)
  // Later ones come before those that end the pipeline.
  const later =
    'first_name,status\nDi,Pipeline > Negotiation\nEd,Pipeline > Perdu\nFy,Pipeline > Trial\n'
  await own.call('POST', '/leads/import', later, 'text/csv')
  expect((await own.get('/status')).body.map(({ name }: Stage) => name)).toEqual([
    ...['Demo', 'Negotiation', 'Trial', 'Closed Won', 'Lost', 'Perdu'],
  ])
  const { body: lists } = await own.get('/lists')
  expect(lists).toMatchObject([{ name: 'Pipeline', color: expect.stringMatching(/^#/) }])
})
