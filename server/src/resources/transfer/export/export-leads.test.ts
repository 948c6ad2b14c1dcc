// What an export writes, an import reads back to the same leads.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { service, type Workspace } from '../../../../test/harness.ts'
import { run } from '../../../db/sql.ts'
import { newId } from '../../../ids.ts'

const app = service()

type Attribute = { id: string; slug: string; select_options: { id: string; name: string }[] }

/** Two of them have the same attributes, statuses and members, under other ids. */
async function furnished() {
  const space = await app.workspace()
  const attributes: Record<string, Attribute> = {}
  const select = { select_options: [{ name: 'One, two' }, { name: 'three' }, { name: ' " ' }] }
  for (const [type, more] of [
    ['TEXT', {}],
    ['NUMBER', {}],
    ['CHECKBOX', {}],
    ['DATE', {}],
    ['TIMESTAMP', {}],
    ['LOCATION', {}],
    ['RELATION', {}],
    ['SELECT', { ...select, isMultiSelect: true }],
  ] as const) {
    attributes[type] = (await space.post('/attributes', { type, name: type, ...more })).body
  }
  const { body: list } = await space.post('/lists', { name: 'Sales' })
  for (const id_list of [list.id, '']) await space.post('/status', { name: 'Won', id_list })
  return { space, attributes, member: await memberAt(space, 'tom@x.example') }
}

async function memberAt(space: Workspace, email: string): Promise<string> {
  const member = await app.member(space)
  await run(app.db)`update member set email = ${email} where id = ${member}`
  return member
}

/** Everything but ids of records that have names, and who made it. */
async function comparable(space: Workspace, attributes: Record<string, Attribute>) {
  const { body } = await space.post('/leads/list', {
    orderBy: [{ field: 'id' }],
    pagination: { all: true },
  })
  const found = await run<{ id: string; custom_fields: unknown; id_twitter: string }[]>(app.db)`
    select id, custom_fields, id_twitter from lead where id_space = ${space.id_space} order by id`
  const option = new Map(
    Object.values(attributes).flatMap(({ select_options }) =>
      select_options.map(({ id, name }) => [id, name]),
    ),
  )
  const slug = new Map(Object.values(attributes).map(({ id, slug }) => [id, slug]))
  const names = (rows: { name: string }[]) => rows.map(({ name }) => name).sort()
  const lists = (await space.get('/lists')).body as { id: string; name: string }[]
  // biome-ignore lint/suspicious/noExplicitAny: leads as the service answers them
  return body.leads.map(({ id_space: _, usersId: __, ...lead }: any, index: number) => ({
    ...lead,
    ...found[index],
    lists: names(lead.lists),
    tags: names(lead.tags),
    status: lead.status
      .map((status: { name: string; id_list: string }) => [
        status.name,
        lists.find(({ id }) => id === status.id_list)?.name,
      ])
      .sort(),
    owners: lead.owners.map(({ email }: { email: string }) => email).sort(),
    attributes: Object.fromEntries(
      Object.entries(lead.attributes).map(([id, value]) => [
        slug.get(id),
        Array.isArray(value) ? value.map((item) => option.get(item)).sort() : value,
      ]),
    ),
  }))
}

const text = fc.string({ minLength: 1, unit: fc.constantFrom(...'aé ,;"\n\r\t=@+-\'1', '😀', '|') })
const name = fc.string({ minLength: 1, unit: fc.constantFrom(...'abé,;"|/=-\'') })

const leadOf = ({ attributes, member }: Awaited<ReturnType<typeof furnished>>) => {
  const value = (type: string, values: fc.Arbitrary<unknown>) =>
    [attributes[type]?.id as string, values] as const
  const options = attributes.SELECT?.select_options.map(({ id }) => id) ?? []
  return fc.record(
    {
      first_name: text,
      city: text,
      phone: text,
      is_company: fc.boolean(),
      contract_value: fc.maxSafeInteger(),
      contract_currency: fc.constantFrom('USD', 'EUR'),
      id_twitter: text,
      custom_fields: fc.jsonValue({ maxDepth: 2, noUnicodeString: true }).filter((v) => v !== null),
      email_bounce_score: fc.integer(),
      tags: fc.array(name, { maxLength: 2 }),
      lists: fc.array(name, { maxLength: 2 }),
      status: fc.subarray([0, 1]),
      owners: fc.subarray([member]),
      attributes: fc.record(
        Object.fromEntries([
          value('TEXT', text),
          value(
            'NUMBER',
            fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0),
          ),
          value('CHECKBOX', fc.boolean()),
          value('DATE', fc.constantFrom('2026-01-31', '1999-12-31')),
          value('TIMESTAMP', fc.constant('2026-01-31T09:30:00.123Z')),
          value(
            'LOCATION',
            fc.oneof(fc.record({ latitude: fc.integer({ min: -90, max: 90 }) }), text),
          ),
          value('SELECT', fc.subarray(options, { minLength: 1 })),
        ]),
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: [] },
  )
}

async function send(space: Workspace, content: string, type: string) {
  return space.call('POST', '/leads/import', content, type)
}

describe.each([
  ['csv', 'text/csv', {}],
  ['csv', 'text/csv', { labels: true }],
  ['ndjson', 'application/x-ndjson', {}],
])('%s (%s, %j)', (format, type, more) => {
  test('random leads into another workspace and back', async () => {
    const from = await furnished()
    const statuses = (await from.space.get('/status')).body.map(({ id }: { id: string }) => id)
    const leads = fc.sample(leadOf(from), { seed: 7, numRuns: 40 })
    const known: Record<'tags' | 'lists', Map<string, string>> = {
      ...{ tags: new Map(), lists: new Map() },
    }
    const idsOf = async (kind: 'tags' | 'lists', wanted: string[] = []) => {
      for (const one of wanted) {
        if (known[kind].has(one)) continue
        known[kind].set(one, (await from.space.post(`/${kind}`, { name: one })).body.id)
      }
      return wanted.map((one) => known[kind].get(one))
    }
    const ids: string[] = []
    for (const { id_twitter, custom_fields, email_bounce_score, ...lead } of leads) {
      const { status, body } = await from.space.post('/lead', {
        ...lead,
        tags: await idsOf('tags', lead.tags),
        lists: await idsOf('lists', lead.lists),
        status: lead.status?.map((index) => statuses[index]) ?? [],
        auto_assign_owner: false,
      })
      expect(status).toBe(200)
      ids.push(body.id)
      const change = { id_twitter, custom_fields, email_bounce_score }
      expect((await from.space.patch(`/lead/${body.id}`, change)).status).toBe(200)
    }
    // Each names the next: most of those come later.
    for (const [index, id] of ids.entries()) {
      await from.space.patch(`/lead/${id}`, {
        attributes: { [from.attributes.RELATION?.id as string]: ids[(index + 1) % ids.length] },
      })
    }
    const { body: content } = await from.space.post('/leads/export', { format, ...more })
    const to = await furnished()
    const { status, body } = await send(to.space, content, type)
    expect([status, body.rejected]).toEqual([200, []])
    expect(body).toMatchObject({ created: ids.length, lost_relations: 0, unknown_owners: [] })
    const before = await comparable(from.space, from.attributes)
    expect(await comparable(to.space, to.attributes)).toEqual(before)
    // And into the workspace it came from: everything is there.
    expect((await send(from.space, content, type)).body).toMatchObject({ skipped: ids.length })
    expect(await comparable(from.space, from.attributes)).toEqual(before)
  })

  test('a filter that selects nobody', async () => {
    const space = await app.workspace()
    await space.post('/lead', { first_name: 'Ada' })
    const answer = await space.post('/leads/export', { format, filter: { leads: [] } })
    expect(answer.headers.get('content-type')).toBe(`${type}; charset=utf-8`)
    expect(answer.body.split('\n')).toHaveLength(format === 'csv' ? 2 : 1)
    const refused = await space.post('/leads/export', { format, filter: { tag: [newId()] } })
    expect(refused.status).toBe(400)
  })
})

test('attributes that the other workspace does not have are created, also from a CSV file', async () => {
  const space = await app.workspace()
  const budget = { type: 'CURRENCY', name: 'Budget', currency: 'EUR' }
  const since = { type: 'DATE', name: 'Customer since' }
  const values: [string, unknown][] = []
  for (const [attribute, value] of [
    [budget, 12.5],
    [since, '2026-01-31'],
  ]) {
    values.push([(await space.post('/attributes', attribute)).body.id, value])
  }
  await space.post('/lead', { first_name: 'Ada', attributes: Object.fromEntries(values) })
  const other = await app.workspace()
  for (const labels of [true, false]) {
    const { body: content } = await space.post('/leads/export', { format: 'csv', labels })
    expect((await send(other, content, 'text/csv')).body).toMatchObject({ rejected: [] })
  }
  expect((await other.get('/attributes')).body).toMatchObject([budget, since])
  const [lead] = (await other.post('/leads/list', {})).body.leads
  expect(Object.values(lead.attributes)).toEqual([12.5, '2026-01-31'])
})

test('columns and order of a view, by a request or by a link', async () => {
  const space = await app.workspace()
  const { body: size } = await space.post('/attributes', { type: 'NUMBER', name: 'Size' })
  const people = [
    { first_name: 'Ada', last_name: 'Byron', company: 'Engines', city: 'London' },
    { first_name: 'Grace', city: 'Arlington', attributes: { [size.id]: 7 } },
  ]
  const off = { create_company_if_not_exists: false, auto_assign_owner: false }
  for (const lead of people) await space.post('/lead', { ...lead, ...off })
  const ask = {
    columns: [size.id, 'name', 'tags'],
    orderBy: [{ field: 'city', type: 'asc' }],
  }
  const expected = [
    'attribute:size,first_name,last_name,company,tags',
    '7,Grace,,,',
    ',Ada,Byron,Engines,',
    '',
  ].join('\r\n')
  const link = (request: unknown) =>
    space.get(`/leads/export?${new URLSearchParams({ request: String(request) })}`)
  expect((await space.post('/leads/export', ask)).body).toBe(expected)
  const byLink = await link(JSON.stringify(ask))
  expect(byLink.body).toBe(expected)
  expect(byLink.headers.get('content-disposition')).toBe('attachment; filename="leads.csv"')
  const lines = await link(JSON.stringify({ ...ask, format: 'ndjson' }))
  expect(JSON.parse(lines.body.split('\n')[0])).toEqual({
    ...{ first_name: 'Grace', last_name: null, company: null, tags: [], attributes: { size: 7 } },
  })

  expect((await link('{')).status).toBe(400)
  expect((await space.get('/leads/export')).status).toBe(400)
  const wrong = await link(JSON.stringify({ columns: ['name', 'nothing'], orderBy: [] }))
  expect(wrong.body.issues).toMatchObject([{ path: ['columns', 1] }])
  const order = await link(JSON.stringify({ orderBy: [{ field: 'tags' }] }))
  expect(order.status).toBe(400)
})

test('for people: headers are labels, which an import takes back, unless they mean something else', async () => {
  const space = await app.workspace()
  const ids: Record<string, string> = {}
  for (const name of ['Size', 'Role', 'Phone type', 'Record ID', 'Twice', 'twice', 'Zoë, Z']) {
    ids[name] = (await space.post('/attributes', { type: 'TEXT', name })).body.id
  }
  const attributes = Object.fromEntries(Object.entries(ids).map(([name, id]) => [id, `${name}!`]))
  const { body: lead } = await space.post('/lead', {
    ...{ first_name: 'Ada', company_role: 'Countess', phone: '+44 1', auto_assign_owner: false },
    attributes,
  })
  const columns = ['id', 'name', 'company_role', 'phone', 'status', ...Object.values(ids)]
  const query = { request: JSON.stringify({ columns, labels: true }), name: 'Zoë’s "view"' }
  const answer = await fetch(`${app.url}/rest/leads/export?${new URLSearchParams(query)}`, {
    headers: { 'X-API-KEY': space.key },
  })
  expect(answer.headers.get('content-disposition')).toBe(
    `attachment; filename="Zo_s _view_.csv"; filename*=UTF-8''Zo%C3%AB%E2%80%99s%20_view_.csv`,
  )
  const content = Buffer.from(await answer.arrayBuffer()).toString()
  expect(content.split('\r\n')[0]).toBe(
    '\ufeffID,First name,Last name,Company,company_role,Phone,Status,Size,attribute:role,' +
      'attribute:phone_type,attribute:record_id,Twice,attribute:twice_2,"Zoë, Z"',
  )
  await space.patch(`/lead/${lead.id}`, {
    ...{ first_name: 'X', company_role: 'X', phone: 'X' },
    attributes: Object.fromEntries(Object.values(ids).map((id) => [id, 'X'])),
  })
  const back = await space.call('POST', '/leads/import?upsert_by=id', content, 'text/csv')
  expect(back.body).toMatchObject({ updated: 1, rejected: [] })
  expect((await space.get(`/lead/${lead.id}`)).body).toMatchObject({
    ...{ first_name: 'Ada', company_role: 'Countess', phone: '+44 1' },
    attributes,
  })
})

test('for people: values have their currencies, which an import takes back', async () => {
  const space = await app.workspace()
  const budget = { type: 'CURRENCY', name: 'Budget', currency: 'EUR' }
  const { id } = (await space.post('/attributes', budget)).body
  const value = { contract_value: 900, contract_currency: 'CHF' }
  const { body: lead } = await space.post('/lead', { ...value, attributes: { [id]: 1.5 } })
  const ask = { columns: ['id', 'contract_value', id], labels: true }
  const { body: content } = await space.post('/leads/export', ask)
  expect(content).toBe(`ID,Contract value,Currency,Budget (EUR)\r\n${lead.id},900,CHF,1.5\r\n`)
  const change = { contract_currency: null, contract_value: null, attributes: { [id]: null } }
  await space.patch(`/lead/${lead.id}`, change)
  await space.call('POST', '/leads/import?upsert_by=id', content, 'text/csv')
  expect((await space.get(`/lead/${lead.id}`)).body).toMatchObject({
    ...value,
    attributes: { [id]: 1.5 },
  })
  // Programs get the columns that they ask for.
  const plain = await space.post('/leads/export', { ...ask, labels: false })
  expect(plain.body.split('\r\n')[0]).toBe('id,contract_value,attribute:budget')
})

test('cells that a spreadsheet would run begin with an apostrophe, which an import removes', async () => {
  const space = await app.workspace()
  const cells: [value: string, cell: string][] = [
    ['=1+1', "'=1+1"],
    ["=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['+A1', "'+A1"],
    ['-1+1', "'-1+1"],
    ['\t=1', '"\'\t=1"'],
    ['\r=1', '"\'\r=1"'],
    ['\n=1', '"\'\n=1"'],
    // What begins like this by itself gets one too, so that it comes back.
    ["'=1+1", "''=1+1"],
    ["''+49 30 1234", "'''+49 30 1234"],
    // Numbers, phone numbers and text.
    ['-12.5', '-12.5'],
    ['+1.5e-7', '+1.5e-7'],
    ['+49 30 1234', '+49 30 1234'],
    ['+49 (30) 1234-5/6', '+49 (30) 1234-5/6'],
    ['-', '-'],
    ["O'Neill", "O'Neill"],
    ["'quoted'", "'quoted'"],
    ['a=1', 'a=1'],
  ]
  for (const [index, [city]] of cells.entries()) {
    await space.post('/lead', { first_name: `L${index + 10}`, city, auto_assign_owner: false })
  }
  const ask = { columns: ['first_name', 'city'], orderBy: [{ field: 'first_name' }] }
  const lines = (found: string[]) =>
    ['first_name,city', ...found.map((cell, index) => `L${index + 10},${cell}`), ''].join('\r\n')
  const { body: content } = await space.post('/leads/export', ask)
  expect(content).toBe(lines(cells.map(([, cell]) => cell)))
  const rawCells = cells.map(([value]) => (/\s=/.test(value) ? `"${value}"` : value))
  const raw = { ...ask, raw: true }
  expect((await space.post('/leads/export', raw)).body).toBe(lines(rawCells))
  const link = new URLSearchParams({ request: JSON.stringify(raw) })
  expect((await space.get(`/leads/export?${link}`)).body).toBe(lines(rawCells))

  const to = await app.workspace()
  expect((await send(to, content, 'text/csv')).body).toMatchObject({ created: cells.length })
  const { body: found } = await to.post('/leads/list', {
    orderBy: [{ field: 'first_name', type: 'asc' }],
    pagination: { all: true },
  })
  // Blanks around a value are no part of it, except in exports of everything.
  expect(found.leads.map(({ city }: { city: string }) => city)).toEqual(
    cells.map(([value]) => value.trim()),
  )
})

test('an NDJSON export brings everything that its leads need to an empty workspace, once', async () => {
  const from = await app.workspace()
  const colors = [
    { name: 'Gold', color: '#ffd700' },
    { name: 'Silver', color: '#c0c0c0' },
    { name: 'gold', color: '' },
  ]
  const definitions = [
    { type: 'SELECT', name: 'Tier', isMultiSelect: true, select_options: colors },
    { type: 'CURRENCY', name: 'Budget', slug: 'money', currency: 'EUR', description: 'A year' },
    { type: 'RELATION', name: 'Introduced by' },
  ]
  const attributes = []
  for (const one of definitions) attributes.push((await from.post('/attributes', one)).body)
  const [tier, budget, by] = attributes
  const { body: list } = await from.post('/lists', { name: 'Partners', color: '#123456' })
  const stages = ['Met', 'Signed', 'Gone'].map((name, at) => ({ name, success_rate: 30 * at }))
  const ids: string[] = []
  for (const stage of stages) {
    const status = { ...stage, id_list: list.id, color: '#0000ff', type: null }
    ids.push((await from.post('/status', status)).body.id)
  }
  const { body: tag } = await from.post('/tags', { name: 'Warm', color: '#ff0000' })
  const tom = await memberAt(from, 'tom@move.example')
  const nina = await memberAt(from, 'nina@move.example')
  const [gold, , small] = tier.select_options
  const leads: string[] = []
  for (let at = 0; at < 20; at++) {
    const { body } = await from.post('/lead', {
      ...{ first_name: `Lead ${at}`, auto_assign_owner: false, lists: [list.id], tags: [tag.id] },
      ...{ status: [ids[at % 2]], owners: at % 2 ? [tom] : [nina] },
      attributes: {
        ...{ [tier.id]: [gold.id, small.id], [budget.id]: at },
        ...(at > 0 && { [by.id]: leads[at - 1] }),
      },
    })
    leads.push(body.id)
  }
  const [first = '', second = '', third = ''] = leads
  // In the list, but in no stage of it.
  expect((await from.patch(`/lead/${third}`, { status: [] })).status).toBe(200)
  const note = await from.post('/notes', { id_lead: first, content: 'Asked for numbers' })
  await from.post('/notes', { id_parent: note.body.id, content: 'Sent them' })
  await from.post('/notes', { id_lead: first, kind: 'call', duration: 5, outcome: 'no_answer' })
  await from.patch(`/notes/${note.body.id}`, { is_pinned: true })
  const date = new Date(app.clock.now.getTime() + 3_600_000).toISOString()
  const reminders = [
    { id_lead: first, name: 'Call', date, users: [tom, nina] },
    { id_lead: second, name: 'Weekly', cron: '0 9 * * 1', users: [tom] },
  ]
  for (const reminder of reminders) await from.post('/reminders', reminder)

  const { body: content } = await from.post('/leads/export', { format: 'ndjson' })
  const to = await app.workspace()
  await memberAt(to, 'tom@move.example')
  const send = (more = '') =>
    to.call('POST', `/leads/import${more}`, content, 'application/x-ndjson')
  expect((await send('?dry_run=true')).body).toMatchObject({ created: 20, rejected: [] })
  expect((await send()).body).toMatchObject({
    ...{ created: 20, rejected: [], lost_relations: 0 },
    made: {
      ...{ lists: ['Partners'], status: ['Met', 'Signed', 'Gone'], tags: ['Warm'] },
      attributes: ['Tier', 'Budget', 'Introduced by'],
    },
    // Ten leads and one reminder.
    unknown_owners: [{ owner: 'nina@move.example', rows: 11 }],
  })

  const found = await everythingIn(to, leads)
  const before = await everythingIn(from, leads)
  const withoutNina = (emails: string[]) => emails.filter((one) => !one.startsWith('nina'))
  expect(found).toEqual({
    ...before,
    leads: before.leads.map((lead) => ({ ...lead, owners: withoutNina(lead.owners) })),
    reminders: before.reminders.map((one) => ({ ...one, users: withoutNina(one.users) })),
  })
  expect([found.notes, found.reminders]).toMatchObject([{ length: 3 }, { length: 2 }])

  // Again: nothing is there twice, whether rows are skipped or update what is there.
  for (const [more, counts] of [
    ['', { created: 0, skipped: 20 }],
    ['?upsert_by=id', { created: 0, updated: 20 }],
  ] as const) {
    expect((await send(more)).body).toMatchObject({ ...counts, rejected: [] })
    expect(await everythingIn(to, leads)).toEqual(found)
  }
})

// biome-ignore lint/suspicious/noExplicitAny: records as the service answers them
type Any = any

/** What an export has to carry, with names in place of the ids of this workspace. */
async function everythingIn(space: Workspace, ids: string[]) {
  const all = { pagination: { all: true } }
  const [attributes, lists, status, tags, members, leads, notes, reminders] = await Promise.all([
    space.get('/attributes'),
    space.get('/lists'),
    space.get('/status'),
    space.get('/tags'),
    space.get('/members'),
    space.post('/leads/list', { ...all, filter: { leads: ids }, orderBy: [{ field: 'id' }] }),
    space.post('/notes/list', {}),
    space.post('/reminders/list', {}),
  ])
  const names = new Map<string, string>(
    [
      ...attributes.body.flatMap(({ id, slug, select_options }: Any) => [
        { id, name: slug },
        ...select_options,
      ]),
      ...members.body.map(({ id, email }: Any) => ({ id, name: email })),
    ].map(({ id, name }: Any) => [id, name]),
  )
  const nameOf = (id: string) => names.get(id) ?? id
  const named = (rows: Any[]) => rows.map(({ name }) => name)
  const only = (rows: Any[], keys: string[]) =>
    rows.map((row) => Object.fromEntries(keys.map((key) => [key, row[key]])))
  return {
    attributes: attributes.body.map(({ select_options, ...one }: Any) => ({
      ...only([one], ['type', 'name', 'slug', 'description', 'currency', 'isMultiSelect'])[0],
      options: only(select_options, ['name', 'color']),
    })),
    lists: only(lists.body, ['name', 'color', 'emoji', 'description', 'auto_status']),
    status: only(status.body, ['name', 'color', 'success_rate', 'type', 'order']),
    tags: only(tags.body, ['name', 'color']),
    leads: leads.body.leads.map((lead: Any) => ({
      ...only([lead], ['id', 'first_name', 'created_at'])[0],
      ...{ lists: named(lead.lists), status: named(lead.status), tags: named(lead.tags) },
      owners: lead.owners.map(({ email }: Any) => email) as string[],
      attributes: Object.fromEntries(
        Object.entries(lead.attributes).map(([id, value]) => [
          nameOf(id),
          [value].flat().map((one) => nameOf(one as string)),
        ]),
      ),
    })) as Any[],
    notes: only(notes.body, [
      ...['id', 'id_lead', 'content', 'created_at', 'is_pinned', 'id_parent'],
      ...['kind', 'happened_at', 'duration', 'outcome'],
    ]),
    reminders: reminders.body.data.map((one: Any) => ({
      ...only([one], ['id', 'id_lead', 'name', 'date', 'cron', 'is_done'])[0],
      users: one.users.map(nameOf).sort(),
    })) as Any[],
  }
}
