// Imports over HTTP. What concerns files and processes is in import-file.test.ts.

import { request } from 'node:http'
import { afterAll, describe, expect, test } from 'vitest'
import { expectExactCounts } from '../../../../../test/counts.ts'
import { isOnCluster } from '../../../../../test/databases.ts'
import { service, type Workspace } from '../../../../../test/harness.ts'
import { deleteSpace } from '../../../../access/access.sql.ts'
import { transaction } from '../../../../db/driver.ts'
import { run } from '../../../../db/sql.ts'
import { newId } from '../../../../ids.ts'

const app = service()
afterAll(() => expectExactCounts(app.db))

async function send(space: Workspace, content: string | Uint8Array, query = '', type = 'text/csv') {
  const response = await fetch(`${app.url}/rest/leads/import?${query}`, {
    method: 'POST',
    headers: { 'X-API-KEY': space.key, 'Content-Type': type },
    body: content,
  })
  return { status: response.status, body: JSON.parse(await response.text()) }
}

async function leadsOf(space: Workspace, orderBy = 'created_at') {
  const { body } = await space.post('/leads/list', {
    orderBy: [{ field: orderBy, type: 'asc' }],
    pagination: { all: true },
  })
  return body.leads
}

/** A column that no field is for. */
const unknownColumn = (header: string, samples: string[], type = 'TEXT') => ({
  ...{ header, field: null, why: 'no field has this name', more: null, samples, type, ask: null },
})

const names = (rows: { name: string }[]) => rows.map(({ name }) => name)

test('columns of other systems, tags, lists, statuses and owners', async () => {
  const space = await app.workspace()
  const member = await app.member(space)
  const csv = [
    'First Name;Last Name;E-mail Address;Company Name;Job Title;Mobile;LinkedIn;Labels;List;Stage;Owner;Colour',
    `Ada;Byron;ada@x.example;Engines;"Head of\nResearch";+44 20;linkedin.com/in/ada;Warm, Hot;Fair;Sales > Won;${member}@example.com;red`,
    'Grace;Hopper;grace@x.example;Navy;Admiral;;;"""A, B""";;;who@x.example;',
  ].join('\r\n')
  const { status, body } = await send(space, csv)
  expect(status).toBe(200)
  expect(body).toMatchObject({
    ...{ total: 2, created: 2, updated: 0, skipped: 0, rejected_total: 0, rejected: [] },
    ...{ separator: ';', dry_run: false },
    made: { lists: ['Fair', 'Sales'], status: ['Won'], tags: ['Warm', 'Hot', 'A, B'] },
    unknown_owners: [{ owner: 'who@x.example', rows: 1 }],
  })
  expect(body.columns.at(-1)).toMatchObject(unknownColumn('Colour', ['red']))
  const [ada, grace] = await leadsOf(space, 'email')
  expect(ada).toMatchObject({
    ...{ first_name: 'Ada', last_name: 'Byron', company: 'Engines', phone: '+44 20' },
    ...{ company_role: 'Head of\nResearch', linkedin_url: 'linkedin.com/in/ada' },
    ...{ usersId: space.owner, created_at: app.clock.now.toISOString() },
  })
  expect(names(ada.tags)).toEqual(['Warm', 'Hot'])
  expect(names(ada.lists)).toEqual(['Fair', 'Sales'])
  expect(names(ada.status)).toEqual(['Won'])
  expect(ada.owners.map(({ id }: { id: string }) => id)).toEqual([member])
  expect(names(grace.tags)).toEqual(['A, B'])
  // No company is made beside them.
  expect(await leadsOf(space)).toHaveLength(2)
})

test('attributes by name, slug and id, of every type', async () => {
  const space = await app.workspace()
  const make = async (type: string, name: string, more = {}) =>
    (await space.post('/attributes', { type, name, ...more })).body
  const options = { select_options: [{ name: 'Retail' }, { name: 'Health, Care' }] }
  const industry = await make('SELECT', 'Industry', { isMultiSelect: true, ...options })
  const budget = await make('NUMBER', 'Budget (k€)')
  const since = await make('DATE', 'Since', { slug: 'customer_since' })
  const place = await make('LOCATION', 'Place')
  const vip = await make('CHECKBOX', 'VIP')
  const csv = `name,Industry,budget k€,attribute:customer_since,${place.id},vip\nAda Byron,"retail; ""Health, Care""",12.5,2026-01-31,London,yes\nB,Fishing,1,2026-01-31,,\nC,,many,,,\nD,,,31.13.2026,,\n`
  const { body } = await send(space, csv)
  expect(body).toMatchObject({ created: 1, rejected_total: 3 })
  expect(body.rejected).toEqual([
    { row: 3, reason: 'Industry has no option "Fishing"' },
    { row: 4, reason: 'Budget (k€) must be a number, not "many"' },
    { row: 5, reason: 'Since must be a date such as 2026-01-31, not "31.13.2026"' },
  ])
  const [lead] = await leadsOf(space)
  expect(lead).toMatchObject({ first_name: 'Ada', last_name: 'Byron' })
  expect(lead.attributes).toEqual({
    [industry.id]: industry.select_options.map(({ id }: { id: string }) => id),
    [budget.id]: 12.5,
    [since.id]: '2026-01-31',
    [place.id]: { address: 'London' },
    [vip.id]: true,
  })
})

test('map, list and tag', async () => {
  const space = await app.workspace()
  const { body: list } = await space.post('/lists', { name: 'Fair' })
  const query = `map=X=email&map=email=-&list=${list.id}&list=New&tag=warm`
  const { body } = await send(space, 'X,email,x y\na@x.example,b,c\n', query)
  expect(body.columns).toEqual([
    {
      ...{ header: 'X', field: 'email', why: 'your mapping', more: null, samples: ['a@x.example'] },
      ...{ type: 'EMAIL', ask: null },
    },
    {
      ...{ header: 'email', field: null, why: 'your mapping', more: null, samples: ['b'] },
      ...{ type: 'TEXT', ask: null },
    },
    unknownColumn('x y', ['c']),
  ])
  const [lead] = await leadsOf(space)
  expect([lead.email, names(lead.lists), names(lead.tags)]).toEqual([
    'a@x.example',
    ['Fair', 'New'],
    ['warm'],
  ])
  for (const map of ['X=nothing', 'Y=email', 'X']) {
    const refused = await send(space, 'X\na\n', `map=${map}`)
    expect(refused).toMatchObject({ status: 400, body: { issues: [{ code: 'import' }] } })
  }
})

test('a new status is one of the list that every lead is added to, unless the file says otherwise', async () => {
  const space = await app.workspace()
  const { body: list } = await space.post('/lists', { name: 'Deals', auto_status: true })
  await space.post('/status', { name: 'New', id_list: list.id })
  const csv =
    'email,list,stage\na@x,,Parked\nb@x,Fair,parked\nc@x,,> Loose\nd@x,,Fair > Met\ne@x,,\n'
  for (const query of ['dry_run=true&', '']) {
    const { body } = await send(space, csv, `${query}list=Deals`)
    expect(body.made).toMatchObject({ lists: ['Fair'], status: ['Parked', 'Loose', 'Met'] })
  }
  const stages = (await space.get('/status')).body as { name: string; id_list: string }[]
  const home = Object.fromEntries(stages.map(({ name, id_list }) => [name, id_list]))
  expect(home).toMatchObject({ New: list.id, Parked: list.id, Loose: '' })
  expect(
    (await leadsOf(space, 'email')).map(({ status }: { status: { name: string }[] }) =>
      names(status).sort(),
    ),
  ).toEqual([...[['Parked'], ['Parked'], ['Loose', 'New'], ['Met', 'New'], ['New']]])
})

test('new tags have colors', async () => {
  const space = await app.workspace()
  await send(space, 'email,tags\na@x,Warm; Cold\n')
  const colors = (await space.get('/tags')).body.map(({ color }: { color: string }) => color)
  expect(new Set(colors).size).toBe(2)
  expect(colors).not.toContain('')
})

test('a new status is one of the only list of the file, or else of the list of the others in its column', async () => {
  const space = await app.workspace()
  const homes = async () => {
    const { body: lists } = await space.get('/lists')
    const { body: stages } = await space.get('/status')
    const nameOf = new Map(lists.map(({ id, name }: { id: string; name: string }) => [id, name]))
    return stages.map((stage: { name: string; id_list: string }) =>
      [stage.name, nameOf.get(stage.id_list) ?? '-'].join(' of '),
    )
  }
  await send(space, 'email,list,stage\na@x,Deals,Open\nb@x,,Won\n')
  expect(await homes()).toEqual(['Open of Deals', 'Won of Deals'])
  await send(space, 'email,stage\nc@x,won\nd@x,Talking\n')
  expect(await homes()).toContain('Talking of Deals')
  // Several lists, or none.
  await send(space, 'email,list,stage\ne@x,A,Met\nf@x,B,Met\n')
  await send(space, 'email,stage\ng@x,Parked\n')
  expect(await homes()).toEqual(expect.arrayContaining(['Met of -', 'Parked of -']))
})

describe('upsert', () => {
  test.each([
    ['email', ' ADA@x.example ', 'bob@x.example'],
    ['linkedin_url', 'https://www.linkedin.com/in/Ada/?x=1', 'linkedin.com/in/bob'],
    ['phone', '+44 (20) 1', '44202'],
    ['id', '', newId()],
  ])('by %s', async (field, other, another) => {
    const space = await app.workspace()
    const values: Record<string, string> = {
      ...{ email: 'ada@x.example', linkedin_url: 'linkedin.com/in/ada', phone: '44201' },
      id: newId(),
    }
    await space.post('/lead', { ...values, city: 'Rome', first_name: 'Ada' })
    const key = other || values[field]
    const csv = `${field},city,first_name,tags\n"${key}",London,,Hot\n${another},Paris,,\n"${key}",,Augusta,Warm\n`
    const { body } = await send(space, csv, `upsert_by=${field}`)
    expect(body).toMatchObject({ created: 1, updated: 2, rejected: [] })
    const leads = await leadsOf(space, 'city')
    expect(leads).toHaveLength(2)
    expect(leads[0]).toMatchObject({ city: 'London', first_name: 'Augusta', id: values.id })
    expect(names(leads[0].tags).sort()).toEqual(['Hot', 'Warm'])
    // The same once more changes what it created, and creates nothing.
    expect((await send(space, csv, `upsert_by=${field}`)).body).toMatchObject({
      ...{ created: 0, updated: 3 },
    })
  })

  test('two rows about one new lead are one lead', async () => {
    const space = await app.workspace()
    const csv = 'email,city,phone\na@x.example,Rome,1\nA@x.example,Oslo,\n'
    expect((await send(space, csv, 'upsert_by=email')).body).toMatchObject({
      ...{ created: 1, updated: 1 },
    })
    expect(await leadsOf(space)).toMatchObject([{ city: 'Oslo', phone: '1' }])
  })

  test.each([
    ['email', ['n/a', '-', 'none', 'not-an-email', 'a b@x.example', '@x.example']],
    ['linkedin_url', ['n/a', '-', 'none', 'linkedin.com', 'https://www.linkedin.com/']],
    ['phone', ['n/a', '-', 'none', '0', 'ext. 12']],
  ])('a value that is no %s finds nobody', async (field, values) => {
    const space = await app.workspace()
    const csv = [`${field},city`, ...[...values, ...values].map((value) => `"${value}",Rome`)]
    const created = { created: 2 * values.length, updated: 0, skipped: 0, rejected: [] }
    for (const query of ['dry_run=true', 'skip_existing=true', '']) {
      const { body } = await send(space, csv.join('\n'), `upsert_by=${field}&${query}`)
      expect(body, query).toMatchObject(created)
    }
    const stored = (await leadsOf(space)).map((lead: Record<string, string>) => lead[field])
    expect(stored.sort()).toEqual([...values, ...values, ...values, ...values].sort())
  })

  test('ids that are there are skipped, those of deleted leads refused', async () => {
    const space = await app.workspace()
    const [live, gone] = [newId(), newId()]
    await space.post('/lead', { id: live })
    await space.post('/lead', { id: gone })
    await space.remove(`/lead/${gone}`)
    const { body } = await send(space, `id,city\n${live},Rome\n${gone},Rome\nx,Rome\n`)
    expect(body).toMatchObject({ created: 0, skipped: 1 })
    expect(body.rejected).toEqual([
      { row: 3, reason: `A deleted lead has the id ${gone}. Restore it, or leave out the id.` },
      { row: 4, reason: 'id: "x" is not a UUID' },
    ])
  })
})

test('a dry run says the same and writes nothing', async () => {
  const space = await app.workspace()
  const csv = 'email,tags,lists,status\na@x.example,T,L,S\nA@x.example,T,,\n,,,\nb,,\n'
  const dump = async () => [
    await leadsOf(space),
    (await space.get('/tags')).body,
    (await space.get('/lists')).body,
    (await space.get('/status')).body,
  ]
  const before = await dump()
  const { body: dry } = await send(space, csv, 'upsert_by=email&dry_run=true')
  expect(await dump()).toEqual(before)
  const { body: real } = await send(space, csv, 'upsert_by=email')
  expect({ ...dry, dry_run: false, id: real.id }).toEqual(real)
  expect(real).toMatchObject({ total: 3, created: 1, updated: 1, rejected_total: 1 })
})

test('rows without a value to find a lead by are counted', async () => {
  const space = await app.workspace()
  const csv = 'first_name,email\nAda,n/a\nBob,\nCleo,cleo@x.example\n'
  const counted = async (query: string) => {
    const { created, unmatched } = (await send(space, csv, `${query}dry_run=true`)).body
    return { created, unmatched }
  }
  expect(await counted('upsert_by=email&')).toEqual({ created: 3, unmatched: 2 })
  expect(await counted('')).toEqual({ created: 3, unmatched: 0 })
})

test('rows that look like leads that are there are counted, and updated or skipped if asked for', async () => {
  const space = await app.workspace()
  const known = { first_name: 'Ada', last_name: 'King', phone: '+44 20 7946 0958' }
  const { id } = (await space.post('/lead', known)).body
  // Two of the file itself, and somebody else at the same number.
  const rows = [
    'King,Ada,+44 (0)20 79460958',
    'Bo,Dahl,+442079460958',
    'C,D,+4930123456',
    'C,D,+4930123456',
  ]
  const csv = `first_name,last_name,phone\n${rows.join('\n')}\n`
  const values = ['King Ada', '+44 (0)20 79460958']
  const alike = { rows: 1, sample: [{ row: 2, lead: id, values }] }
  const { body: dry } = await send(space, csv, 'dry_run=true&upsert_by=email')
  expect(dry).toMatchObject({ created: 4, updated: 0, duplicates: alike })
  const { body: skipped } = await send(space, csv, 'duplicates=skip&dry_run=true')
  expect(skipped).toMatchObject({ created: 3, skipped: 1, duplicates: alike })

  // One by one, whatever holds for the others.
  const one = await send(space, csv, 'duplicates=skip&duplicate_rows=update=2&dry_run=true')
  expect(one.body).toMatchObject({ created: 3, updated: 1, skipped: 0, duplicates: alike })
  const none = await send(
    space,
    csv,
    'duplicate_rows=update=2&duplicate_rows=skip=3,4&dry_run=true',
  )
  const range = await send(space, csv, 'duplicate_rows=skip=2-5&dry_run=true')
  expect(range.body).toMatchObject({ created: 3, skipped: 1, rejected_total: 0 })
  expect(none.body).toMatchObject({ created: 1, updated: 1, rejected_total: 2 })
  expect(none.body.rejected[0]).toMatchObject({
    row: 3,
    reason: expect.stringMatching(/^Nothing to decide/),
  })
  for (const [rows, message] of [
    ['skip=6', 'names row 6, which the file does not have'],
    ['skip=1-2', 'names row 1, which the file does not have'],
    ['skip=2&duplicate_rows=create=2', 'names row 2 twice'],
    ['skip=4-2', 'must be create, update, skip with rows'],
    ['maybe=2', 'must be create, update, skip with rows'],
  ]) {
    const { status, body } = await send(space, csv, `duplicate_rows=${rows}`)
    expect([status, body.issues[0].message]).toEqual([
      400,
      expect.stringContaining(String(message)),
    ])
  }
  // With upsert_by, a row that is to be skipped as an existing one is one that matches.
  const existing = 'upsert_by=email&skip_existing=true&duplicates=update&dry_run=true'
  expect((await send(space, csv, existing)).body).toMatchObject({ updated: 1, skipped: 0 })
  const { body: updated } = await send(space, csv, 'duplicates=update')
  expect(updated).toMatchObject({ created: 3, updated: 1, duplicates: alike })
  expect((await space.get(`/lead/${id}`)).body).toMatchObject({ first_name: 'King' })
  expect((await send(space, csv, 'duplicates=maybe')).status).toBe(400)

  // The number of a switchboard says nothing.
  const colleagues = Array.from({ length: 21 }, (_, at) => `E,F${at},+49 30 7654321`)
  await send(space, `first_name,last_name,phone\n${colleagues.join('\n')}\n`)
  const { body } = await send(space, 'phone\n+49307654321\n', 'duplicates=update')
  expect(body).toMatchObject({ created: 1, updated: 0, duplicates: { rows: 0 } })
})

test('companies beside persons, when asked for', async () => {
  const space = await app.workspace()
  await space.post('/lead', { company: 'navy ', is_company: true })
  const csv = 'name,company\nA,Navy\nB,Engines\nC,engines\nD,\n'
  expect((await send(space, csv, 'create_companies=true')).body).toMatchObject({
    ...{ created: 4, companies: 1 },
  })
  expect(await leadsOf(space)).toHaveLength(6)
})

describe('awkward files', () => {
  test.each([
    ['nothing', '', 'The file is empty.'],
    ['blank lines', '\n\r\n\n', 'The file is empty.'],
    ['no known column', 'x;y\n1;2\n', 'No column was recognized: x, y.'],
    ['a binary file', 'a\0b,c\n', 'The header contains NUL bytes'],
  ])('%s', async (_name, content, message) => {
    const { status, body } = await send(await app.workspace(), content)
    expect([status, body.issues[0].message.startsWith(message)]).toEqual([400, true])
  })

  test('a header only', async () => {
    const space = await app.workspace()
    for (const content of ['email', 'email,name\n', 'email,name\n,\n\n']) {
      const { status, body } = await send(space, content)
      expect([status, body.issues[0].message]).toEqual([
        400,
        'The file has a header but no rows. There is nothing to import.',
      ])
    }
  })

  test('rows with too few or too many cells, NUL bytes, values that are none', async () => {
    const space = await app.workspace()
    const csv =
      'first_name,contract_value,is_contract,created_at,contract_currency\nok,1.0,yes,2026-01-31,eur\nfew,1\nmany,1,no,,,x\nspare,1,no,,,\nn\0l,1,no,,\nv,many,no,,\nf,1,perhaps,,\nt,1,no,soon,\nc,1,no,,coins\n,,,,\n'
    const { body } = await send(space, csv)
    expect(body).toMatchObject({ total: 9, created: 2 })
    expect(body.rejected).toEqual([
      { row: 3, reason: 'Has 2 cells instead of 5' },
      { row: 4, reason: 'Has 6 cells instead of 5' },
      { row: 6, reason: 'Contains a NUL character, which cannot be stored' },
      {
        row: 7,
        reason: 'contract_value: "many" is not an amount such as 1,250.50, with up to 15 digits',
      },
      { row: 8, reason: 'is_contract: "perhaps" is not true or false' },
      {
        row: 9,
        reason: 'created_at: "soon" is not a date-time such as 2026-01-31T09:30:00Z',
      },
      { row: 10, reason: 'contract_currency: "coins" is not the code of a currency' },
    ])
    expect((await leadsOf(space))[0]).toMatchObject({
      ...{ contract_value: 1, is_contract: true, contract_currency: 'EUR' },
      created_at: '2026-01-31T00:00:00.000Z',
    })
  })

  test('two columns for one field: the first counts, the other is kept', async () => {
    const space = await app.workspace()
    const csv = 'Email,E-Mail,Tags,Tag\na@x.example,b@x.example,x,y\n,c@x.example,,\n'
    const { body } = await send(space, csv)
    expect(body.columns[1]).toMatchObject({
      ...{ field: 'email', why: 'its name; "Email" comes first', more: 'other_emails' },
    })
    expect(body.made).toMatchObject({ tags: ['x', 'y'], attributes: [] })
    const [first, second] = await leadsOf(space, 'email')
    expect([first.email, first.other_emails]).toEqual([
      'a@x.example',
      [{ value: 'b@x.example', label: 'E-Mail' }],
    ])
    expect([second.email, second.other_emails]).toEqual(['c@x.example', []])
  })

  test('three hundred columns, and a cell of 100 KB', async () => {
    const space = await app.workspace()
    const header = ['email', 'icebreaker', ...Array.from({ length: 298 }, (_, i) => `c${i}`)]
    const big = 'x "quoted"\n'.repeat(9_000).trim()
    const row = ['a@x.example', `"${big.replaceAll('"', '""')}"`, ...Array(298).fill('1')]
    const { body } = await send(space, `${header.join()}\n${row.join()}\n`)
    expect([body.created, body.columns.length]).toEqual([1, 300])
    expect((await leadsOf(space))[0].icebreaker).toBe(big)
  })

  const text = 'first_name;city\nZoë;Köln – “x”\n'
  const wide = Buffer.from(`\ufeff${text}`, 'utf16le')
  test.each([
    ['UTF-8', Buffer.from(text), 'utf-8'],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${text}`), 'utf-8'],
    ['UTF-16 LE', wide, 'utf-16'],
    ['UTF-16 BE', Buffer.from(wide).swap16(), 'utf-16'],
    ['Windows-1252', latin(text), 'latin1'],
  ])('%s', async (_name, content, encoding) => {
    const space = await app.workspace()
    const { body } = await send(space, content)
    expect([body.created, body.encoding]).toEqual([1, encoding])
    expect((await leadsOf(space))[0]).toMatchObject({ first_name: 'Zoë', city: 'Köln – “x”' })
  })

  test('bytes that are no UTF-8 in a file that is, and an encoding that is said', async () => {
    const bytes = Buffer.concat([Buffer.from('name\né\n'), Buffer.from([0x61, 0xe9, 0x0a])])
    const { body } = await send(await app.workspace(), bytes)
    expect(body.rejected).toEqual([
      { row: 3, reason: 'name: not valid UTF-8 (is the file in another encoding?)' },
    ])
    const said = await send(await app.workspace(), bytes, 'encoding=latin1')
    expect(said.body.created).toBe(2)
  })

  test('other line ends, tabs, and the line some spreadsheets put first', async () => {
    for (const content of [
      'email\tcity\ra\tRome\r',
      'sep=|\nemail|city\na|Rome',
      '\nemail,city\n\na,Rome\n\n',
    ]) {
      const space = await app.workspace()
      expect((await send(space, content)).body).toMatchObject({ total: 1, created: 1 })
      expect(await leadsOf(space)).toMatchObject([{ email: 'a', city: 'Rome' }])
    }
  })
})

/** Windows-1252, as far as these tests need it. */
function latin(text: string): Buffer {
  const more: Record<string, number> = { '–': 0x96, '“': 0x93, '”': 0x94 }
  return Buffer.from(Array.from(text, (char) => more[char] ?? char.charCodeAt(0)))
}

test('NDJSON: typed values, null clears, objects name records', async () => {
  const space = await app.workspace()
  const { body: tag } = await space.post('/tags', { name: 'Hot' })
  const { body: number } = await space.post('/attributes', { type: 'NUMBER', name: 'Size' })
  const id = newId()
  const lines = [
    JSON.stringify({ id, email: 'a@x.example', phone: 4420, tags: [{ id: tag.id, name: 'x' }] }),
    '{"email": "b@x.example", "attributes": {"size": 5}, "custom_fields": {"a": [1]}, "odd": 1}',
    'no json',
    '[1]',
    '{"email": "\\u0000"}',
    '{"attributes": {"nothing": 1}}',
    '{"attributes": {"size": "5"}}',
    '{"odd": 1}',
    '',
    `{"custom_fields": ${'['.repeat(600)}${']'.repeat(600)}}`,
  ]
  const { body } = await send(space, lines.join('\n'), '', 'application/x-ndjson')
  expect(body).toMatchObject({ created: 2, rejected_total: 7, separator: null })
  expect(body.rejected.map(({ row }: { row: number }) => row)).toEqual([3, 4, 5, 6, 7, 8, 10])
  expect(body.columns).toContainEqual(unknownColumn('odd', ['1'], 'NUMBER'))
  const clear = `{"id": "${id}", "phone": null, "city": "Rome"}`
  await send(space, clear, 'upsert_by=id', 'application/x-ndjson')
  const [first, second] = await leadsOf(space, 'email')
  expect(first).toMatchObject({ email: 'a@x.example', phone: null, city: 'Rome' })
  expect(names(first.tags)).toEqual(['Hot'])
  expect(second.attributes).toEqual({ [number.id]: 5 })
})

test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
  'a column, an attribute or a charset called %s is one that nobody knows',
  async (name) => {
    const space = await app.workspace()
    const ignored = unknownColumn(name, ['1'], 'NUMBER')
    const csv = await send(space, `email,${name}\na@x.example,1\n`)
    expect(csv.body).toMatchObject({ created: 1, columns: expect.arrayContaining([ignored]) })

    const lines = [
      `{"email": "b@x.example", "${name}": 1}`,
      `{"email": "c@x.example", "attributes": {"${name}": 1}}`,
    ].join('\n')
    const ndjson = await send(space, lines, '', 'application/x-ndjson')
    expect(ndjson.body).toMatchObject({ created: 1, rejected_total: 1 })
    expect(ndjson.body.columns).toContainEqual(ignored)

    const odd = await send(space, 'email\nd@x.example\n', '', `text/csv; charset=${name}`)
    expect(odd.body).toMatchObject({ created: 1, encoding: 'utf-8' })
  },
)

test('a relation may name a lead that comes later; one that never comes is counted', async () => {
  const space = await app.workspace()
  const { body: boss } = await space.post('/attributes', { type: 'RELATION', name: 'Boss' })
  const [a, b] = [newId(), newId()]
  const many = Array.from({ length: 2_500 }, (_, index) => `${newId()},x${index},\n`).join('')
  const csv = `id,city,Boss\n${a},first,${b}\n${many}${b},last,${newId()}\n`
  expect((await send(space, csv)).body).toMatchObject({ created: 2_502, lost_relations: 1 })
  expect((await space.get(`/lead/${a}`)).body.attributes).toEqual({ [boss.id]: b })
  expect((await space.get(`/lead/${b}`)).body.attributes).toEqual({})
  expect(await run(app.db)`select 1 from import_relation`).toHaveLength(0)
})

test('a name in the address that cannot be stored is refused', async () => {
  const space = await app.workspace()
  const { status, body } = await send(space, 'email\na@example.com\n', 'list=%00')
  expect(status).toBe(400)
  expect(body.issues).toMatchObject([{ path: ['list'], code: 'text' }])
})

test('more names than a workspace can want are refused', async () => {
  const space = await app.workspace()
  const rows = Array.from({ length: 1_005 }, (_, index) => `a${index},tag ${index}\n`)
  const { body } = await send(space, `email,tags\n${rows.join('')}`)
  expect([body.created, body.rejected_total]).toEqual([1_000, 5])
})

describe('over HTTP', () => {
  test('other content types and roles are refused', async () => {
    const space = await app.workspace()
    expect((await send(space, '{}', '', 'application/json')).status).toBe(415)
    expect((await send(space, 'a', '', 'text/plain')).status).toBe(415)
    expect((await space.call('POST', '/leads/list', 'a,b', 'text/csv')).status).toBe(415)
    const reader = { ...space, key: await app.key(space, 'read') }
    expect((await send(reader, 'email\na\n')).status).toBe(403)
    expect((await send(space, 'email\na\n', 'upsert_by=name')).status).toBe(400)
  })

  test('a client that goes away leaves nothing', async () => {
    const space = await app.workspace()
    const count = async () => (await space.post('/leads/list', { id_only: true })).body.total
    const upload = request(`${app.url}/rest/leads/import`, {
      method: 'POST',
      headers: { 'X-API-KEY': space.key, 'Content-Type': 'text/csv' },
      agent: false,
    })
    upload.on('error', () => {})
    const closed = new Promise((resolve) => upload.on('close', resolve))
    await new Promise((sent) => upload.write(`email\n${'a@x.example\n'.repeat(5_000)}`, sent))
    upload.destroy()
    await closed
    expect(await count()).toBe(0)
    // The service still answers, and takes the same body when it comes whole.
    const whole = await send(space, `email\n${'a@x.example\n'.repeat(5_000)}`)
    expect([whole.body.created, await count()]).toEqual([5_000, 5_000])
  })
})

// The coordinator of a cluster has no rows.
test.skipIf(isOnCluster())(
  'PostgreSQL knows at once how much a large import has written',
  async () => {
    const space = await app.workspace()
    const rows = Array.from({ length: 10_000 }, (_, n) => `Common,${n}`)
    expect((await send(space, ['first_name,last_name', ...rows].join('\n'))).status).toBe(200)
    const tables = await run(
      app.db,
    )`select relname from pg_class where relname in ('lead', 'lead_search') and reltuples >= 10000`
    expect(tables).toHaveLength(2)
  },
)

test('a workspace that is removed during an import leaves no leads behind', async () => {
  const space = await app.workspace()
  const count = async () => {
    const rows = await run<{ count: number }[]>(
      app.db,
    )`select count(*)::int as count from lead where id_space = ${space.id_space}`
    return rows[0]?.count
  }
  const rows = Array.from({ length: 9000 }, (_, row) => `Ada,ada${row}@example.com`)
  const imported = send(space, ['first_name,email', ...rows].join('\n'))
  await expect.poll(count, { interval: 5 }).toBeGreaterThan(0)
  await transaction(app.db, (tx) => deleteSpace(tx, space.id_space))
  expect((await imported).status).toBe(404)
  expect(await count()).toBe(0)
})
