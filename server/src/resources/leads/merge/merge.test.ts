// Leads that are the same become one, and come back as they were.
import type { Event } from '@rapport/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectExactCounts } from '../../../../test/counts.ts'
import { service, type Workspace } from '../../../../test/harness.ts'
import { raw, run } from '../../../db/sql.ts'
import { importCampaigns } from '../../campaigns/campaigns.import.ts'

const app = service()
let space: Workspace
let lists: string[]
let statuses: string[]
let tags: string[]
let colleague: string
let size: string
let boss: string
beforeAll(async () => {
  space = await app.workspace()
  const id = async (path: string, body: object) => (await space.post(path, body)).body.id as string
  lists = [await id('/lists', { name: 'Fair' }), await id('/lists', { name: 'Partners' })]
  statuses = [
    await id('/status', { name: 'Open', id_list: lists[0] }),
    await id('/status', { name: 'Won', id_list: lists[0] }),
    await id('/status', { name: 'New', id_list: lists[1] }),
  ]
  tags = [await id('/tags', { name: 'Warm' }), await id('/tags', { name: 'Cold' })]
  colleague = await app.member(space)
  size = await id('/attributes', { name: 'Size', type: 'TEXT' })
  boss = await id('/attributes', { name: 'Boss', type: 'RELATION' })
})

const lead = async (body: object): Promise<string> =>
  (await space.post('/lead', { auto_assign_owner: false, ...body })).body.id
const read = async (id: string) => (await space.get(`/lead/${id}`)).body

const preview = (leads: string[], data: object) =>
  space.post('/operations/preview', { kind: 'merge', filter: { leads }, data })

async function merge(leads: string[], data: object) {
  const wanted = { kind: 'merge', filter: { leads }, data }
  const { body } = await space.post('/operations/preview', wanted)
  const done = await space.post('/operations', { ...wanted, confirm: body.confirm })
  expect(done.body).toMatchObject({ kind: 'merge', state: 'done', count: leads.length })
  return done.body.id as string
}

const ids = (records: { id: string }[]) => records.map(({ id }) => id).sort()

describe('a merge', () => {
  test('makes one lead of several, says so before, and is undone', async () => {
    const ada = await lead({
      ...{ first_name: 'Ada', email: 'ada@one.example', phone: '030 1', owners: [space.owner] },
      ...{ tags: [tags[0]], lists: [lists[0]], status: [statuses[0]] },
    })
    const other = await lead({
      ...{ first_name: 'Augusta Ada', last_name: 'King', email: 'ada@two.example', city: 'London' },
      ...{ other_emails: [{ value: 'ADA@one.example', label: 'Home' }], owners: [colleague] },
      ...{ tags: [tags[1]], lists: [lists[0], lists[1]], status: [statuses[1], statuses[2]] },
      ...{ attributes: { [size]: 'large' }, contract_value: 500, contract_currency: 'EUR' },
    })
    const worker = await lead({ first_name: 'Charles', attributes: { [boss]: other } })
    const note = (await space.post('/notes', { id_lead: other, content: 'Met in London' })).body.id
    const reminder = (
      await space.post('/reminders', { id_lead: other, name: 'Call', date: '2030-01-01T09:00:00Z' })
    ).body.id
    const before = [await read(ada), await read(other), await read(worker)]

    const { body } = await preview([ada, other], { survivor: ada })
    expect(body).toMatchObject({ count: 2, changed: 2, groups: 1, merged: 1 })
    expect(body.sample).toMatchObject([
      {
        ...{ id: ada, merged: [other] },
        before: { last_name: null, city: null },
        after: { last_name: 'King', city: 'London' },
      },
    ])
    expect([await read(ada), await read(other), await read(worker)]).toEqual(before)

    const operation = await merge([ada, other], { survivor: ada })
    const merged = await read(ada)
    expect(merged).toMatchObject({
      ...{ first_name: 'Ada', last_name: 'King', city: 'London', email: 'ada@one.example' },
      ...{ other_emails: [{ value: 'ada@two.example', label: '' }], phone: '030 1' },
      ...{ contract_amount: 500, contract_currency: 'EUR', attributes: { [size]: 'large' } },
      merged_from: [other],
    })
    expect(ids(merged.tags)).toEqual([...tags].sort())
    expect(ids(merged.owners)).toEqual([space.owner, colleague].sort())
    expect(ids(merged.lists)).toEqual([...lists].sort())
    expect(ids(merged.status)).toEqual([statuses[0], statuses[2]].sort())
    expect((await read(worker)).attributes).toEqual({ [boss]: ada })
    expect(await read(other)).toEqual(merged)
    for (const id_lead of [ada, other]) {
      expect(await space.post('/notes/list', { id_lead })).toMatchObject({ body: [{ id: note }] })
      expect(await space.post('/reminders/list', { filter: { id_lead } })).toMatchObject({
        body: { data: [{ id: reminder, id_lead: ada }] },
      })
    }
    await expectExactCounts(app.db)

    const undo = await space.post(`/operations/${operation}/undo`)
    expect(undo.body).toMatchObject({ state: 'done', kept: 0, undone: 3 })
    const plain = ({ updated_at: _, ...lead }: Record<string, unknown>) => lead
    const after = [await read(ada), await read(other), await read(worker)]
    expect(after.map(plain)).toEqual(before.map(plain))
    expect((await space.post('/notes/list', { id_lead: other })).body).toMatchObject([{ id: note }])
    expect((await space.post('/notes/list', { id_lead: ada })).body).toEqual([])
    await expectExactCounts(app.db)
    const redo = await space.post(`/operations/${undo.body.id}/undo`)
    expect(redo.body).toMatchObject({ state: 'done', kept: 0 })
    expect(plain(await read(other))).toEqual(plain(merged))
    await expectExactCounts(app.db)
  })

  test('leads from the old ids to the lead that stays, in requests, in the feed and in the history', async () => {
    const [a, b, c] = [
      await lead({ first_name: 'Ada' }),
      await lead({ city: 'Rome' }),
      await lead({ company_role: 'Countess' }),
    ]
    await merge([a, b], { survivor: b })
    const second = await merge([b, c], { survivor: 'newest' })
    expect(await read(a)).toMatchObject({ id: c, first_name: 'Ada', city: 'Rome' })
    expect((await read(c)).merged_from).toEqual([a, b].sort())
    expect((await space.patch(`/lead/${a}`, { city: 'Oslo' })).body).toMatchObject({ id: c })
    expect((await space.post('/notes', { id_lead: a, content: 'Hi' })).body.id_lead).toBe(c)
    const placed = await space.post(`/status/${statuses[0]}/place`, { id_lead: a, before: null })
    expect(placed.body).toMatchObject({ id: c, status: [{ id: statuses[0] }] })
    const due = { id_lead: b, name: 'Call', date: '2030-01-01T09:00:00Z' }
    expect((await space.post('/reminders', due)).body.id_lead).toBe(c)
    const file = `id,company\n${a},Engines\n`
    const imported = await space.call('POST', '/leads/import?upsert_by=id', file, 'text/csv')
    expect(imported.body).toMatchObject({ updated: 1, rejected_total: 0 })
    expect(await read(c)).toMatchObject({ id: c, company: 'Engines' })
    expect((await space.post('/leads/deleted', { filter: { leads: [a, b] } })).body.total).toBe(0)
    const restore = { kind: 'restore', filter: { leads: [a, b] }, data: {} }
    expect((await space.post('/operations/preview', restore)).body.count).toBe(0)
    const worker = await lead({ attributes: { [boss]: a.toUpperCase() } })
    expect((await read(worker)).attributes).toEqual({ [boss]: c })
    const follower = await lead({})
    await space.patch(`/lead/${follower}`, { attributes: { [boss]: b } })
    expect((await read(follower)).attributes).toEqual({ [boss]: c })
    const rows = `id,Boss\n${follower},${a}\n`
    const related = await space.call('POST', '/leads/import?upsert_by=id', rows, 'text/csv')
    expect(related.body).toMatchObject({ updated: 1, rejected_total: 0 })
    expect((await read(follower)).attributes).toEqual({ [boss]: c })
    const found = async (filter: object) => {
      const { total, leads } = (await space.post('/leads/list', { filter })).body
      return [total, ...leads.map(({ id }: { id: string }) => id)]
    }
    expect(await found({ leads: [a] })).toEqual([1, c])
    expect(await found({ leads: [a, b, c] })).toEqual([1, c])
    expect(await found({ any: [{ leads: [b] }, { leads: [a] }] })).toEqual([1, c])
    expect(await found({ leads: [c], none: [{ leads: [a] }] })).toEqual([0])
    expect(await found({ leads: [c], not_leads: [a] })).toEqual([0])
    const refers = (value: string) => ({ id: boss, operator: 'equals', value })
    expect(await found({ leads: [worker], attributes: [refers(a)] })).toEqual([1, worker])
    const others = [{ ...refers(b.toUpperCase()), operator: 'not_equals' }]
    expect(await found({ leads: [worker], attributes: others })).toEqual([0])
    const order = { id: statuses[0], leads_order: [a, worker] }
    expect((await space.patch('/status', { status: [order] })).status).toBe(200)
    const stages = (await space.get('/status')).body as { id: string; leads_order: unknown }[]
    expect(stages.find(({ id }) => id === statuses[0])?.leads_order).toEqual([c, worker])
    const beside = { id_lead: worker, before: b }
    expect((await space.post(`/status/${statuses[0]}/place`, beside)).status).toBe(200)
    const track = { kind: 'track', filter: { leads: [a, b] }, data: {} }
    expect((await space.post('/operations/preview', track)).body).toMatchObject({ count: 1 })
    const exported = { format: 'ndjson', filter: { leads: [a] } }
    expect(JSON.stringify((await space.post('/leads/export', exported)).body)).toContain(c)
    expect((await space.post('/duplicates/dismiss', { leads: [a, worker] })).status).toBe(200)
    const alike = { email: 'same@old.example' }
    for (const id of [a, worker]) await space.patch(`/lead/${id}`, alike)
    const listed = async () => (await space.get('/duplicates?kind=email')).body.groups
    expect(await listed()).toEqual([])
    const said = { leads: [b, worker] }
    expect((await space.post('/duplicates/undismiss', said)).status).toBe(200)
    expect(await listed()).toMatchObject([{ key: 'same@old.example', size: 2 }])
    await space.patch(`/lead/${c}`, { email: null })

    // Events get their numbers a moment later.
    await expect
      .poll(async () => (await space.get('/events?types=lead.merged&limit=1000')).body.events)
      .toEqual(
        expect.arrayContaining([
          expect.objectContaining({ ids: [a], changed: { merged_into: [null, b] } }),
          expect.objectContaining({ ids: [b], changed: { merged_into: [null, c] } }),
        ]),
      )
    for (const id of [a, c]) {
      const history = (await space.get(`/lead/${id}/events`)).body.events as Event[]
      const created = history.filter(({ type }) => type === 'lead.created')
      expect(created.flatMap(({ ids }) => ids).sort()).toEqual([a, b, c].sort())
    }
    const undo = await space.post(`/operations/${second}/undo`)
    expect(undo.body).toMatchObject({ undone: 2, kept: 1, kept_reasons: [{ leads: 1 }] })
    expect(await read(a)).toMatchObject({ id: b, city: 'Rome', merged_from: [a] })
    expect(await read(c)).toMatchObject({ id: c, first_name: null, city: 'Oslo' })
    expect(await space.remove(`/lead/${a}`)).toMatchObject({ status: 200 })
    expect(await space.get(`/lead/${b}`)).toMatchObject({ status: 404 })
    expect(await space.get(`/lead/${a}`)).toMatchObject({ status: 404 })
    await expectExactCounts(app.db)
  })

  test('leads from the old ids to the lead that stays, also once that is deleted', async () => {
    const [stays, old] = [await lead({ first_name: 'Ada' }), await lead({ city: 'Rome' })]
    await merge([stays, old], { survivor: stays })
    expect(await space.remove(`/lead/${old}`)).toMatchObject({ status: 200 })
    const filter = { leads: [old] }
    const deleted = await space.post('/leads/deleted', { filter })
    expect(deleted.body.leads).toMatchObject([{ id: stays }])
    const rows = `id,city\n${old},Oslo\n`
    const imported = await space.call('POST', '/leads/import?upsert_by=id', rows, 'text/csv')
    expect(imported.body).toMatchObject({ updated: 0, rejected_total: 1 })
    const restore = { kind: 'restore', filter }
    const { confirm } = (await space.post('/operations/preview', restore)).body
    await space.post('/operations', { ...restore, confirm })
    expect(await read(old)).toMatchObject({ id: stays, city: 'Rome' })
    await space.remove(`/lead/${stays}`)
    const erase = { kind: 'erase', filter, data: { deleted: true } }
    const wanted = (await space.post('/operations/preview', erase)).body
    const how = { filter, deleted: true, confirm: wanted.confirm }
    expect((await space.post('/leads/erase', how)).body).toMatchObject({ erased: 2 })
    await expectExactCounts(app.db)
  })

  test('is shown where members were told of a lead that it took', async () => {
    const own = await app.workspace()
    const add = async (body: object) => (await own.post('/lead', body)).body.id as string
    const member = await app.member(own)
    const mate = app.as(await app.key(own, 'write', member))
    const told = async () => (await mate.get('/notifications')).body.notifications
    const [stays, goes] = [await add({ first_name: 'Ada' }), await add({ owners: [member] })]
    await expect.poll(told).toMatchObject([{ lead: { id: goes, is_deleted: false } }])
    const wanted = { kind: 'merge', filter: { leads: [stays, goes] }, data: { survivor: stays } }
    const { confirm } = (await own.post('/operations/preview', wanted)).body
    await own.post('/operations', { ...wanted, confirm })
    expect(await told()).toMatchObject([
      { kind: 'assigned', lead: { id: stays, name: 'Ada', is_deleted: false } },
    ])
  })

  test('makes no lead refer to itself', async () => {
    const stays = await lead({ first_name: 'Ada' })
    const goes = await lead({ attributes: { [boss]: stays, [size]: stays } })
    await merge([stays, goes], { survivor: stays })
    expect((await read(stays)).attributes).toEqual({ [size]: stays })
  })

  test('takes the values that the rule or a choice says', async () => {
    const [a, b] = [
      await lead({ first_name: 'Al', city: 'Rome', phone: '1', company: 'A', company_role: 'x' }),
      await lead({ first_name: 'Albert', city: 'Oslo', phone: '2', company: 'Bee' }),
    ]
    const fields = {
      city: { value: 'Bern' },
      phone: { from: b },
      company: 'survivor',
      company_role: { value: null },
      [size]: { value: 'small' },
    }
    await merge([a, b], { survivor: 'oldest', rule: 'longest', fields })
    expect(await read(b)).toMatchObject({
      ...{
        id: a,
        first_name: 'Albert',
        city: 'Bern',
        phone: '2',
        company: 'A',
        company_role: null,
      },
      ...{ other_phones: [{ value: '1', label: '' }], attributes: { [size]: 'small' } },
    })
  })

  test.each([
    ['one lead', 1, { survivor: 'oldest' }, ['filter']],
    [
      'a lead that is not selected',
      2,
      { survivor: '01920000-0000-7000-8000-0000000000ff' },
      ['data', 'survivor'],
    ],
    ['no such rule', 2, { survivor: 'best' }, ['data', 'survivor']],
    [
      'no such field',
      2,
      { survivor: 'oldest', fields: { colour: 'newest' } },
      ['data', 'fields', 'colour'],
    ],
    ['no choice', 2, { survivor: 'oldest', fields: { city: 'Rome' } }, ['data', 'fields', 'city']],
    [
      'a wrong value',
      2,
      { survivor: 'oldest', fields: { is_company: { value: 'x' } } },
      ['data', 'fields', 'is_company'],
    ],
  ])('is refused for %s', async (_, count, data, path) => {
    const leads = []
    for (let number = 0; number < count; number++) leads.push(await lead({ city: 'Rome' }))
    const { status, body } = await preview(leads, data)
    expect(status).toBe(400)
    expect(body.issues[0].path).toEqual(path)
  })
})

test('what campaigns did and earlier stages are known of the one that stays: who unsubscribed, has', async () => {
  const stays = await lead({ email: 'stays@a.example' })
  const goes = await lead({ email: 'goes@a.example', status: [statuses[0]] })
  await space.patch(`/lead/${goes}`, { status: [statuses[1]] })
  const states = (address: string, ...status: string[]) => {
    return { lead: address, steps: [{ step: 'Hello', status }] }
  }
  const steps = [{ name: 'Hello', subject: 'Hello' }]
  const people = [
    states('stays@a.example', 'is_sent', 'is_opened'),
    states('goes@a.example', 'is_sent', 'is_unsubscribed'),
  ]
  const campaigns = [{ name: 'Spring', steps, leads: people }]
  await importCampaigns(app.db, space.id_space, JSON.stringify({ campaigns }), app.clock.now)
  const rows = async () =>
    run(app.db)`select 'step' as what, is_opened::text, is_unsubscribed::text from lead_step
          where id_space = ${space.id_space} and id_lead = ${stays}
        union all
        select 'stay', id_status::text, '' from lead_stage
          where id_space = ${space.id_space} and id_lead = ${stays}`
  const before = await rows()
  const operation = await merge([stays, goes], { survivor: stays })
  expect(await rows()).toEqual([
    { what: 'step', is_opened: 'true', is_unsubscribed: 'true' },
    { what: 'stay', is_opened: statuses[0], is_unsubscribed: '' },
  ])
  const undo = await space.post(`/operations/${operation}/undo`)
  expect(await rows()).toEqual(before)
  await space.post(`/operations/${undo.body.id}/undo`)
  expect(await rows()).toHaveLength(2)
})

describe('at the same time', () => {
  test('of two merges with a lead in common one is done, and the other is told to look again', async () => {
    const [shared, ...others] = [await lead({}), await lead({}), await lead({})]
    const both = async (survivors: string[]) => {
      const wanted = survivors.map((survivor) => {
        return {
          kind: 'merge',
          filter: { leads: [shared, others[0], survivor] },
          data: { survivor },
        }
      })
      const tokens = await Promise.all(
        wanted.map(async (each) => (await space.post('/operations/preview', each)).body.confirm),
      )
      const done = await Promise.all(
        wanted.map((each, at) => space.post('/operations', { ...each, confirm: tokens[at] })),
      )
      expect(done.map(({ status }) => status).sort()).toEqual([200, 409])
      return done.find(({ status }) => status === 409)?.body
    }
    // The loser would merge with what the winner has made.
    const apart = [await lead({}), await lead({})]
    expect(await both(apart)).toMatchObject({ preview: { groups: 1, merged: 1 } })
    const pair = [await lead({}), await lead({})]
    const same = { kind: 'merge', filter: { leads: pair }, data: { survivor: 'oldest' } }
    const { confirm } = (await space.post('/operations/preview', same)).body
    const twice = await Promise.all(
      [1, 2].map(() => space.post('/operations', { ...same, confirm })),
    )
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(twice.find(({ status }) => status === 409)?.body.message).toBe(
      'The leads have changed since the preview. Select 2 to 20 leads. The filter selects 1',
    )
    await expectExactCounts(app.db)
  })

  test('a preview waits for nobody, and nobody for it', async () => {
    const leads = [await lead({ tags: [tags[0]] }), await lead({ email: 'free@a.example' })]
    await app.db.begin(async (tx) => {
      for (const table of ['space', 'list', 'attribute', 'lead'] as const) {
        await run(tx)`select from ${raw(table)} where id_space = ${space.id_space} for update`
      }
      const { body } = await preview(leads, { survivor: leads[1] })
      expect(body.sample).toMatchObject([{ after: { tags: [{ id: tags[0] }] } }])
    })
  })

  test('what an import changes arrives, before the merge or after it', async () => {
    const stays = await lead({ first_name: 'Race' })
    const goes = await lead({ email: 'race@a.example' })
    const file = 'email,city\nrace@a.example,Oslo\n'
    const imported = () => space.call('POST', '/leads/import?upsert_by=email', file, 'text/csv')
    const [, { status }] = await Promise.all([
      merge([stays, goes], { survivor: stays }),
      imported(),
    ])
    expect(status).toBe(200)
    expect(await read(stays)).toMatchObject({ city: 'Oslo', email: 'race@a.example' })
    await expectExactCounts(app.db)
  })
})

describe('a merge by a key', () => {
  test('takes no longer in a new workspace, of which the database has no statistics', async () => {
    const own = await app.workspace()
    const rows = Array.from({ length: 3_000 }, (_, at) => `n${at % 1_500}@x.example`)
    await own.call('POST', '/leads/import', `email\n${rows.join('\n')}\n`, 'text/csv')
    const wanted = { kind: 'merge', filter: {}, data: { by: 'email', survivor: 'oldest' } }
    const { body } = await own.post('/operations/preview', wanted)
    expect(body).toMatchObject({ count: 3_000, groups: 1_500 })
  }, 60_000)

  test('keeps colleagues with one phone number apart', async () => {
    const own = await app.workspace()
    const add = async (first_name: string, last_name: string, phone: string) =>
      (await own.post('/lead', { first_name, last_name, phone })).body.id
    await add('Ada', 'King', '+49 30 901820')
    await add('Bob', 'Jones', '0049 30 901820')
    await add('Cleo', 'Falk', '+49 30 901821')
    await add('Cleo', 'Falk', '0049 30 901821')
    const wanted = { kind: 'merge', filter: {}, data: { by: 'phone', survivor: 'oldest' } }
    const { body } = await own.post('/operations/preview', wanted)
    expect(body).toMatchObject({
      groups: 1,
      merged: 1,
      skipped: 1,
      sample: [{ name: 'Cleo Falk' }],
    })
  })

  test('leaves out a group that is too large to be merged, and says so', async () => {
    const own = await app.workspace()
    const add = (email: string, more: object) => own.post('/lead', { email, ...more })
    const long = 'x'.repeat(70_000)
    await add('big@a.example', { icebreaker: long })
    await add('big@a.example', { icebreaker_2: long })
    await add('long@a.example', { icebreaker: long })
    await add('long@a.example', { icebreaker: long })
    const wanted = { kind: 'merge', filter: {}, data: { by: 'email', survivor: 'oldest' } }
    const { body } = await own.post('/operations/preview', wanted)
    expect(body).toMatchObject({ count: 4, groups: 1, merged: 1, skipped: 1, too_large: 1 })
    const done = await own.post('/operations', { ...wanted, confirm: body.confirm })
    expect(done.body).toMatchObject({
      ...{ state: 'done', count: 4, kept: 2 },
      kept_reasons: [{ reason: 'too large to be merged at once', leads: 2 }],
    })
    expect((await own.post('/leads/list', {})).body.total).toBe(3)
    const undo = await own.post(`/operations/${done.body.id}/undo`)
    expect(undo.body).toMatchObject({ kept: 0 })
  })

  test('makes one lead of each group, and skips what is large or was dismissed', async () => {
    const own = await app.workspace()
    const add = async (first_name: string, email: string, more: object = {}) =>
      (await own.post('/lead', { first_name, email, auto_assign_owner: false, ...more })).body.id
    const ada = [
      await add('Ada', 'ada@a.example'),
      await add('A.', 'ADA@a.example', { city: 'Rome' }),
    ]
    // One has an address in common with each of the others.
    const bob = [
      await add('Bob', 'bob@a.example'),
      await add('Bob', 'bob@a.example', { other_emails: ['robert@a.example'] }),
      await add('Robert', 'robert@a.example'),
    ]
    const cy = [await add('Cy', 'cy@a.example'), await add('Cyd', 'cy@a.example')]
    const info: string[] = []
    for (let number = 0; number < 21; number++)
      info.push(await add(`I ${number}`, 'info@a.example'))
    await add('Dan', 'dan@a.example')
    await own.post('/duplicates/dismiss', { leads: cy })
    const wanted = { kind: 'merge', filter: {}, data: { by: 'email', survivor: 'fullest' } }
    const { body } = await own.post('/operations/preview', wanted)
    expect(body).toMatchObject({ count: 28, changed: 5, groups: 2, merged: 3, skipped: 2 })
    const merged = body.sample.map((each: { id: string; merged: string[] }) =>
      [each.id, ...each.merged].sort(),
    )
    expect(merged.sort()).toEqual([[...ada].sort(), [...bob].sort()].sort())
    const done = await own.post('/operations', { ...wanted, confirm: body.confirm })
    expect(done.body).toMatchObject({ state: 'done', count: 28 })
    expect((await own.get(`/lead/${ada[0]}`)).body).toMatchObject({
      id: ada[1],
      merged_from: [ada[0]],
    })
    expect((await own.get(`/lead/${cy[0]}`)).body).toMatchObject({ id: cy[0] })
    // Large is what many have, even if few of them are selected.
    const few = { ...wanted, filter: { leads: info.slice(0, 2) } }
    const none = { groups: 0, skipped: 1 }
    expect((await own.post('/operations/preview', few)).body).toMatchObject(none)
    // Whoever is not the same as a lead is not the same as what it was merged into.
    const whole = { kind: 'merge', filter: { leads: [cy[0], ada[1]] }, data: { survivor: ada[1] } }
    const { confirm } = (await own.post('/operations/preview', whole)).body
    const again = await own.post('/operations', { ...whole, confirm })
    const same = { ...wanted, filter: { leads: [cy[1], ada[1]] } }
    expect((await own.post('/operations/preview', same)).body).toMatchObject(none)
    const listed = async () => (await own.get('/duplicates?kind=email')).body.groups
    expect(await listed()).toEqual([])
    expect((await own.get('/duplicates/counts')).body.counts.email).toBe(0)
    await own.post(`/operations/${again.body.id}/undo`)
    expect((await own.post('/operations/preview', wanted)).body).toMatchObject({
      groups: 0,
      skipped: 2,
    })
    const undo = await own.post(`/operations/${done.body.id}/undo`)
    expect(undo.body).toMatchObject({ kept: 0 })
    expect((await own.post('/operations/preview', wanted)).body).toMatchObject({
      groups: 2,
      merged: 3,
    })
    await expectExactCounts(app.db)
  })
})
