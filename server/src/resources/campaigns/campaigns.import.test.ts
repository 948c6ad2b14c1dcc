// The commands `campaigns import` and `campaigns list`.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  inject,
  test,
  vi,
} from 'vitest'
import { inDatabase } from '../../../test/database.ts'
import { writtenEvents } from '../../../test/events.ts'
import { service, type Workspace } from '../../../test/harness.ts'
import { raw, rowValues, run } from '../../db/sql.ts'
import { newId } from '../../ids.ts'
import { main } from '../../main.ts'
import { importCampaigns } from './campaigns.import.ts'

const app = service()
const folder = mkdtempSync(join(tmpdir(), 'rapport-campaigns-'))
const file = join(folder, 'campaigns.json')
const example = fileURLToPath(
  new URL('../../../../docs/examples/campaigns-with-leads.json', import.meta.url),
)
let space: Workspace

beforeAll(() => {
  const { url, host, port, username, password } = inject('server')
  const { database } = app.db.options
  vi.stubEnv('DATABASE_URL', url ? inDatabase({ url }, database).url : `postgres:///${database}`)
  if (!url) {
    vi.stubEnv('PGHOST', host)
    vi.stubEnv('PGPORT', String(port))
    vi.stubEnv('PGUSER', username)
    vi.stubEnv('PGPASSWORD', password ?? '')
  }
})
beforeEach(async () => {
  space = await app.workspace()
})
afterEach(() => {
  process.exitCode = undefined
})
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

/** Runs a command. Returns its output and its exit code. */
async function rapport(...args: string[]) {
  const said: string[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((text) => said.push(text))
  const error = vi.spyOn(console, 'error').mockImplementation((text) => said.push(text))
  process.exitCode = 0
  await main(['campaigns', ...args])
  log.mockRestore()
  error.mockRestore()
  return { text: said.join('\n'), code: process.exitCode as number }
}

const load = (content: unknown) => {
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2))
  return rapport('import', file, '--space', space.id_space, '--json')
}

async function newLead(email: string | null = null): Promise<string> {
  const id = newId()
  const { id_space } = space
  await run(
    app.db,
  )`insert into lead ${rowValues({ id_space, id, email, created_at: app.clock.now.toISOString() })}`
  return id
}

const campaigns = async () => (await space.get('/campaigns')).body.data
const rows = (table: string, by = space) =>
  run(app.db)`select * from ${raw(table)} where id_space = ${by.id_space}`
const result = (campaigns: number, steps: number, leads: number, states: number) => {
  const written = (count: number) => expect.objectContaining({ written: count })
  return {
    campaigns: written(campaigns),
    steps: written(steps),
    leads: written(leads),
    states: written(states),
  }
}

test('the example file is imported; a second import changes nothing', async () => {
  const ada = await newLead('Ada@Example.com ')
  const grace = await newLead('grace@example.com')
  const first = await rapport('import', example, '--space', space.id_space)
  expect(first).toEqual({
    code: 0,
    text: 'Written: 2 campaigns, 3 steps, 3 leads in campaigns, 3 states of leads.',
  })
  const expected = JSON.parse(readFileSync(example, 'utf8')).campaigns[0]
  const { steps, leads, ...fields } = expected
  const [stored] = (await campaigns()).filter(({ name }: { name: string }) => name === fields.name)
  expect(stored).toMatchObject({ ...fields, start_date: '2026-03-02T08:00:00.000Z' })

  const tables = ['campaign', 'campaign_step', 'lead_campaign', 'lead_step']
  const before = await Promise.all(tables.map((table) => rows(table)))
  expect(before[3]).toHaveLength(3)
  const opened = before[3]?.filter(({ is_opened }) => is_opened)
  expect(opened).toMatchObject([
    { id_lead: ada, id_step: steps[0].id, is_sent: true, is_replied: false },
  ])
  const inCampaign = (id: string) => before[2]?.filter(({ id_lead }) => id_lead === id).length
  expect([inCampaign(ada), inCampaign(grace)]).toEqual([1, 2])

  const again = await rapport('import', example, '--space', space.id_space)
  expect(again).toEqual({
    code: 0,
    text: 'Nothing changed: 2 campaigns are already up to date.',
  })
  expect(await Promise.all(tables.map((table) => rows(table)))).toEqual(before)
})

test('the lead filter finds what was imported', async () => {
  const ada = await newLead('ada@example.com')
  await newLead('grace@example.com')
  await rapport('import', example, '--space', space.id_space)
  const found = async (leads_filter: object) => {
    const reminder = (
      await space.post('/reminders', { name: 'x', cron: '0 9 * * *', id_lead: ada })
    ).body
    const { body } = await space.post('/reminders/list', { filter: { leads_filter } })
    await space.remove(`/reminders/${reminder.id}`)
    return body.data.length
  }
  const [step, followUp] = JSON.parse(readFileSync(example, 'utf8')).campaigns[0].steps
  expect(await found({ campaigns: ['01920000-0000-7000-8000-000000000101'] })).toBe(1)
  expect(await found({ sequences_steps: { id: [step.id], status: ['is_opened'] } })).toBe(1)
  expect(await found({ sequences_steps: { id: [followUp.id], status: ['is_opened'] } })).toBe(0)
})

describe('a file that changed', () => {
  test('changes what it contains and leaves the rest', async () => {
    const ada = await newLead('ada@example.com')
    const bob = await newLead()
    const one = { name: 'One', icon: '🌱', steps: [{ name: 'A', subject: 'a' }, { name: 'B' }] }
    const told = { lead: ada, steps: [{ step: 'A', status: ['is_sent'] }] }
    const first = await load({ campaigns: [{ ...one, leads: [told] }] })
    expect(JSON.parse(first.text)).toEqual(result(1, 2, 1, 1))
    const [before] = await campaigns()
    const [a] = await rows('campaign_step')

    const opened = {
      lead: ' ADA@example.com',
      steps: [{ step: a?.id, status: ['is_sent', 'is_opened'] }],
    }
    const later = { name: 'One', days: '6,7', steps: [{ name: 'B' }, { name: 'C' }] }
    const second = await load({ campaigns: [{ ...later, leads: [opened, { lead: bob }] }] })
    expect(JSON.parse(second.text)).toEqual(result(1, 2, 1, 1))
    expect(await campaigns()).toEqual([
      { ...before, days: '6,7', updated_at: expect.not.stringMatching(before.updated_at) },
    ])
    const steps = await rows('campaign_step')
    const shape = steps.map(({ name, subject, position }) => [name, subject, position])
    expect(shape.sort()).toEqual([
      ['A', 'a', 0],
      ['B', '', 0],
      ['C', '', 1],
    ])
    expect(await rows('lead_step')).toMatchObject([
      { is_sent: true, is_opened: true, is_clicked: false },
    ])
    expect(await rows('lead_campaign')).toHaveLength(2)
  })

  test('changes the name of a campaign and a step that it gives by id', async () => {
    const [id, step] = [newId(), newId()]
    await load({ campaigns: [{ id, name: 'Old', steps: [{ id: step, name: 'Old step' }] }] })
    const renamed = [{ id: id.toUpperCase(), name: 'New', steps: [{ id: step, name: 'New step' }] }]
    expect(JSON.parse((await load({ campaigns: renamed })).text)).toEqual(result(1, 1, 0, 0))
    expect(await campaigns()).toMatchObject([{ id, name: 'New' }])
    expect(await rows('campaign_step')).toMatchObject([{ id: step, name: 'New step' }])
  })

  test('concurrent imports create one campaign', async () => {
    const source = JSON.stringify({ campaigns: [{ name: 'Same', steps: [{ name: 'A' }] }] })
    const load = () => importCampaigns(app.db, space.id_space, source, app.clock.now)
    const results = await Promise.all([load(), load(), load()])
    expect(results.map(({ campaigns }) => campaigns.written).sort()).toEqual([0, 0, 1])
    expect(await campaigns()).toHaveLength(1)
    expect(await rows('campaign_step')).toHaveLength(1)
  })
})

test('an email is compared as the search compares it', async () => {
  await newLead('\tAda@Example.com\u00a0')
  const { code, text } = await load({
    campaigns: [{ name: 'C', leads: [{ lead: 'ada@example.com ' }] }],
  })
  expect([code, text]).toEqual([0, expect.stringContaining('"leads":{"written":1')])
})

describe('a bad file imports nothing, and the message names line and field', () => {
  const good = '{ "name": "Good" }'
  const inFile = (entry: string) => `{\n  "campaigns": [\n    ${good},\n    ${entry}\n  ]\n}\n`

  test.each<[string, string, string]>([
    ['text that is not JSON', '{\n "campaigns": [\n  nonsense\n', 'line 3: Expected a value'],
    ['a missing bracket', '{\n "campaigns": [\n  {"name": "a"}\n}', 'line 4: Expected "," or "]"'],
    ['a missing colon', '{\n "campaigns" []\n}', 'line 2: Expected ":" after "campaigns"'],
    [
      'a comma too many',
      '{ "campaigns": [\n{"name": "a",}] }',
      'line 2: Expected a field name in double quotes',
    ],
    ['a string without end', '{ "campaigns": [\n\n{"name": "a] }', 'line 3: Expected text'],
    ['text after the end', '{ "campaigns": [] }\n\nx', 'line 3: Unexpected text after the end'],
    ['an empty file', '', 'line 1: Expected a value'],
    [
      'a field twice',
      '{ "campaigns": [\n{"name": "a",\n"name": "b"}] }',
      'line 3: Duplicate field "name"',
    ],
    [
      'a NUL',
      '{ "campaigns": [\n{"name":\n"a\\u0000"}] }',
      'line 3: Contains a character that cannot be stored',
    ],
    ['another shape', '[]', 'line 1: Must be object'],
    ['no campaigns', '\n{}', 'line 2: campaigns: Required'],
    ['a missing name', inFile('{\n"status": "RUNNING" }'), 'line 4: campaigns[1].name: Required'],
    ['a blank name', inFile('{\n"name": " " }'), 'line 5: campaigns[1].name: Must not be empty'],
    [
      'a wrong type',
      inFile('{ "name": "b",\n\n"start_hour": "9" }'),
      'line 6: campaigns[1].start_hour: Must be integer',
    ],
    [
      'a misspelt field',
      inFile('{ "name": "b",\n"statsu": "x" }'),
      'line 5: campaigns[1].statsu: Unknown field',
    ],
    ['bad days', inFile('{ "name": "b", "days": "Mon" }'), 'line 4: campaigns[1].days: Must match'],
    [
      'a date without zone',
      inFile('{ "name": "b", "end_date": "2026-01-01T00:00:00" }'),
      'line 4: campaigns[1].end_date: ',
    ],
    [
      'a time that is none',
      inFile('{ "name": "b", "end_date": "2026-12-31T23:59:60Z" }'),
      'line 4: campaigns[1].end_date: Not a valid time',
    ],
    [
      'an unknown zone',
      inFile('{ "name": "b",\n"timezone": "AET" }'),
      'line 5: campaigns[1].timezone: Unknown time zone',
    ],
    [
      'a campaign twice',
      inFile(good),
      'line 4: campaigns[1]: This campaign is already in the file',
    ],
    [
      'a step twice',
      inFile('{ "name": "b", "steps": [\n{ "name": "s" },\n{ "name": "s" }] }'),
      'line 6: campaigns[1].steps[1]: This step is already in the file',
    ],
    [
      'an unknown lead',
      inFile('{ "name": "b", "leads": [\n{\n"lead": "nobody@example.com" }] }'),
      'line 6: campaigns[1].leads[0].lead: No such lead in this workspace',
    ],
    [
      'an unknown lead id',
      inFile(`{ "name": "b", "leads": [{ "lead": "${newId()}" }] }`),
      'line 4: campaigns[1].leads[0].lead: No such lead in this workspace',
    ],
    [
      'an ambiguous email',
      inFile('{ "name": "b", "leads": [{ "lead": "twin@example.com" }] }'),
      'campaigns[1].leads[0].lead: Several leads have this email. Use the id.',
    ],
    [
      'a lead twice',
      inFile(
        '{ "name": "b", "leads": [{ "lead": "ada@example.com" },\n{ "lead": "ADA@example.com" }] }',
      ),
      'line 5: campaigns[1].leads[1].lead: This lead is already in the campaign',
    ],
    [
      'an unknown step',
      inFile(
        '{ "name": "b", "leads": [{ "lead": "ada@example.com", "steps": [\n{ "step": "s", "status": [] }] }] }',
      ),
      'line 5: campaigns[1].leads[0].steps[0].step: No such step in this campaign',
    ],
    [
      'an unknown status',
      inFile(
        '{ "name": "b", "leads": [{ "lead": "x", "steps": [{ "step": "s", "status": [\n"is_read"] }] }] }',
      ),
      'line 5: campaigns[1].leads[0].steps[0].status[0]: Must be one of is_sent',
    ],
  ])('%s', async (_name, content, expected) => {
    for (const email of ['ada@example.com', 'twin@example.com', 'twin@example.com'])
      await newLead(email)
    const { text, code } = await load(content)
    expect(code).toBe(1)
    expect(text).toContain(`${file}, line `)
    expect(text).toContain(expected)
    expect(text).toMatch(/\nNothing was imported\.(\nImport the leads first, [^\n]*)?$/)
    expect(await campaigns()).toEqual([])
  })

  test('every fault at once', async () => {
    const { text } = await load({ campaigns: [{ name: 1 }, { name: 'a', icon: 2 }] })
    expect(text.split('\n')).toEqual([
      `${file}, line 4: campaigns[0].name: Must be string`,
      `${file}, line 8: campaigns[1].icon: Must be string`,
      'Nothing was imported.',
    ])
  })

  test('a step of another campaign', async () => {
    const id = newId()
    await load({ campaigns: [{ name: 'a', steps: [{ id, name: 's' }] }] })
    const { text } = await load({ campaigns: [{ name: 'b', steps: [{ id, name: 's' }] }] })
    expect(text).toContain('campaigns[0].steps[0].id: This step belongs to another campaign')
  })

  test('a lead of another workspace', async () => {
    const lead = await newLead('only@example.com')
    space = await app.workspace()
    for (const name of [lead, 'only@example.com']) {
      const { text } = await load({ campaigns: [{ name: 'a', leads: [{ lead: name }] }] })
      expect(text).toContain('campaigns[0].leads[0].lead: No such lead')
    }
  })

  test('a name that several campaigns have', async () => {
    await load({
      campaigns: [
        { id: newId(), name: 'a' },
        { id: newId(), name: 'a' },
      ],
    })
    const { text } = await load({ campaigns: [{ name: 'a' }] })
    expect(text).toContain('campaigns[0].name: Several have this name. Use the id.')
  })
})

describe('the command', () => {
  test('explains itself', async () => {
    const { text } = await rapport('--help')
    expect(text).toContain('campaigns import <file.json>')
  })

  test.each<[string[], string, number]>([
    [[], 'Missing action: import or list.', 2],
    [['import'], 'Missing the file to import.', 2],
    [['import', 'no-such-file.json'], 'No file no-such-file.json in ', 1],
    [['import', 'a', 'b'], 'Too many arguments: b.', 2],
    [['list', 'a'], 'Too many arguments: a.', 2],
    [['list', '--space', 'nonsense'], 'No workspace "nonsense".', 1],
  ])('%j: %s', async (args, expected, code) => {
    const answer = await rapport(...args)
    expect(answer.text).toContain(expected)
    expect(answer.code).toBe(code)
  })

  test('a file that is not UTF-8', async () => {
    writeFileSync(file, Buffer.from([0x7b, 0xff]))
    expect((await rapport('import', file)).text).toContain('is not valid UTF-8')
  })

  test('lists campaigns with their sizes', async () => {
    const lead = await newLead()
    await load({ campaigns: [{ name: 'Listed', steps: [{ name: 's' }], leads: [{ lead }] }] })
    const { text } = await rapport('list', '--space', space.id_space)
    expect(text).toMatch(/^id +name +status +steps +leads +created_at\n.* Listed +RUNNING +1 +1 /)
    const json = await rapport('list', '--space', space.id_space, '--json')
    expect(JSON.parse(json.text)).toMatchObject([{ name: 'Listed', steps: 1, leads: 1 }])
  })

  test('needs no --space if there is only one workspace', async () => {
    await run(app.db)`delete from space where id_space <> ${space.id_space}`
    writeFileSync(file, '\ufeff{ "campaigns": [{ "name": "Only" }] }')
    expect((await rapport('import', file)).code).toBe(0)
    expect(await campaigns()).toMatchObject([{ name: 'Only' }])
  })
})

test('an import leaves events of campaigns and of their leads, a second one none', async () => {
  const ada = await newLead('ada@example.com')
  const campaign = {
    ...{ name: 'Spring', created_at: '2025-01-02T03:04:05.000Z', steps: [{ name: 'Hello' }] },
    leads: [{ lead: ada, steps: [{ step: 'Hello', status: ['is_sent'] }] }],
  }
  const events = () => writtenEvents(app.db, space)
  await load({ campaigns: [campaign] })
  const [stored] = await campaigns()
  const first = await events()
  expect(first).toMatchObject([
    { type: 'campaign.created', ids: [stored.id], way: 'command', id_member: null, id_key: null },
    { type: 'lead.updated', ids: [ada], changed: { campaigns: [[], [stored.id]] } },
    { type: 'lead.updated', ids: [ada], changed: null },
  ])
  expect(first[0]?.changed).toMatchObject({
    name: [null, 'Spring'],
    created_at: [null, campaign.created_at],
    steps: [null, [{ name: 'Hello', position: 0 }]],
  })
  await load({ campaigns: [campaign] })
  expect(await events()).toEqual(first)

  app.clock.advance(1000)
  const created_at = '2025-02-02T03:04:05.000Z'
  const steps = [{ name: 'Hello', subject: 'Hi' }]
  await load({ campaigns: [{ ...campaign, created_at, steps }] })
  const [change, ...rest] = (await events()).slice(first.length)
  expect(rest).toEqual([])
  expect(change).toMatchObject({
    type: 'campaign.updated',
    changed: {
      created_at: [campaign.created_at, created_at],
      steps: [[{ name: 'Hello', subject: '' }], [{ name: 'Hello', subject: 'Hi' }]],
    },
  })
  expect(Object.keys(change?.changed ?? {}).sort()).toEqual(['created_at', 'steps'])
})
