// Dates, numbers, several values in a cell, ids of other systems, notes and new attributes: whatever
// system a file comes from.

import { describe, expect, test } from 'vitest'
import { service, type Workspace } from '../../../../../test/harness.ts'
import { run } from '../../../../db/sql.ts'

const app = service()

async function send(space: Workspace, content: string, query = '', type = 'text/csv') {
  const response = await fetch(`${app.url}/rest/leads/import?${query}`, {
    method: 'POST',
    headers: { 'X-API-KEY': space.key, 'Content-Type': type },
    body: content,
  })
  return { status: response.status, body: JSON.parse(await response.text()) }
}

async function leadsOf(space: Workspace) {
  const orderBy = [{ field: 'email', type: 'asc' }]
  return (await space.post('/leads/list', { orderBy, pagination: { all: true } })).body.leads
}

/** Attributes by name: type and the values of each lead. */
async function attributesOf(space: Workspace) {
  const leads = await leadsOf(space)
  const { body } = await space.get('/attributes')
  return Object.fromEntries(
    // biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the service sent
    body.map(({ id, name, type, select_options }: any) => [
      name,
      [
        type,
        // biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the service sent
        ...leads.map((lead: any) => {
          const value = lead.attributes[id]
          return select_options.find((option: { id: string }) => option.id === value)?.name ?? value
        }),
      ],
    ]),
  )
}

const rows = (header: string, cells: string[]) =>
  `email;${header}\n${cells.map((cell, index) => `${String.fromCharCode(97 + index)}@x.example;"${cell}"\n`).join('')}`

describe('dates', () => {
  const created = async (cells: string[], query = '') => {
    const space = await app.workspace()
    const { status, body } = await send(space, rows('created_at', cells), query)
    if (status !== 200) return body.issues[0].message
    if (body.rejected_total > 0) return body.rejected
    return (await leadsOf(space)).map(({ created_at }: { created_at: string }) => created_at)
  }
  const day = '2025-03-14T00:00:00.000Z'

  test('in a column of any name are no phone numbers', async () => {
    const space = await app.workspace()
    const file = rows('Signed up', ['03/04/2025', '05/06/2025'])
    const ignored = await send(space, file, 'dry_run=true')
    expect(ignored.body.columns[1]).toMatchObject({ header: 'Signed up', field: null })
    const refused = await send(space, file, 'create_attributes=true')
    expect([refused.status, refused.body.issues[0].message]).toEqual([
      400,
      expect.stringContaining('Dates are ambiguous in "Signed up"'),
    ])
    expect(await leadsOf(space)).toEqual([])
  })

  test.each([
    [
      'ISO',
      ['2025-03-14', '2025-03-14T00:00:00Z', '20250314', '2025/03/14', '2025-03-14 01:00+01:00'],
    ],
    ['with points', ['14.03.2025', '14.3.25', '14. 3. 2025']],
    ['days first', ['14/03/2025', '14-3-2025']],
    ['months first', ['3/14/2025', '03/14/25', '3/14/2025 12:00 AM']],
    [
      'English',
      ['14 Mar 2025', 'March 14, 2025', 'Mar 14 2025', '14-Mar-25', 'Friday, March 14th, 2025'],
    ],
    ['German', ['14. März 2025', '14 Mrz. 2025', 'Freitag, 14. März 2025']],
    ['French, Spanish, Italian', ['14 mars 2025', '14 de marzo de 2025', '14 marzo 2025']],
    ['counts', ['1741910400', '1741910400000', '45730']],
  ])('%s', async (_name, cells) => {
    expect(await created(cells)).toEqual(cells.map(() => day))
  })

  test('one value decides for the whole column, also after thousands', async () => {
    const many = Array.from({ length: 5_000 }, (_, index) => `p${index}@x.example;4/5/2025\n`)
    const csv = `email;created_at\n${many.join('')}z@x.example;31/5/2025\n`
    const space = await app.workspace()
    expect((await send(space, csv)).body).toMatchObject({ created: 5_001, rejected: [] })
    const leads = await leadsOf(space)
    expect(leads[0].created_at).toBe('2025-05-04T00:00:00.000Z')
  })

  test('a column that can be read in both ways is refused, with the choice', async () => {
    const cells = ['4/5/2025', '6/7/2025 9:30 PM']
    expect(await created(cells)).toMatch(/ambiguous in "created_at" .*: dates=dmy .*mdy/)
    expect(await created(cells, 'dates=dmy')).toEqual([
      ...['2025-05-04T00:00:00.000Z', '2025-07-06T21:30:00.000Z'],
    ])
    expect(await created(cells, 'dates=mdy')).toEqual([
      ...['2025-04-05T00:00:00.000Z', '2025-06-07T21:30:00.000Z'],
    ])
    // Values of both orders do not decide for the third.
    expect(await created(['14/3/2025', '3/14/2025', '4/5/2025'])).toMatch('ambiguous')
    expect(await created(['14/3/2025', '3/14/2025', '5/5/2025'])).toHaveLength(3)
    expect(await created(['14/3/2025', '3/14/2025'], 'dates=dmy')).toMatchObject([{ row: 3 }])
  })

  test('another column of the file decides', async () => {
    const space = await app.workspace()
    const csv = 'email,Create Date,Last activity\na@x.example,4/5/2025,31/5/2025\n'
    await send(space, csv)
    expect((await leadsOf(space))[0]).toMatchObject({
      ...{
        created_at: '2025-05-04T00:00:00.000Z',
        last_interaction_at: '2025-05-31T00:00:00.000Z',
      },
    })
  })

  test('a date, and a time without a zone, are those of the workspace', async () => {
    const space = await app.workspace()
    await space.patch('/workspace', { time_zone: 'America/New_York' })
    const cells = [
      ['2025-03-14', '2025-03-14T04:00:00.000Z'],
      ['14 Jan 2025', '2025-01-14T05:00:00.000Z'],
      ['2025-03-14 09:30', '2025-03-14T13:30:00.000Z'],
      ['3/14/2025 9:30 PM', '2025-03-15T01:30:00.000Z'],
      ['2025-03-14T09:30:00Z', '2025-03-14T09:30:00.000Z'],
      ['2025-03-14 09:30+01:00', '2025-03-14T08:30:00.000Z'],
      ['45730', '2025-03-14T04:00:00.000Z'],
      // Seconds since 1970.
      ['1741944600', '2025-03-14T09:30:00.000Z'],
    ] as const
    const csv = rows(
      'created_at',
      cells.map(([cell]) => cell),
    )
    expect((await send(space, csv)).body.rejected).toEqual([])
    const times = (await leadsOf(space)).map((lead: { created_at: string }) => lead.created_at)
    expect(times).toEqual(cells.map(([, time]) => time))
  })

  test('nothing is written, not even an attribute', async () => {
    const space = await app.workspace()
    const { status } = await send(space, rows('Since', ['4/5/2025']), 'create_attributes=true')
    expect([status, await leadsOf(space), (await space.get('/attributes')).body]).toEqual([
      ...[400, [], []],
    ])
  })

  test('days that do not exist are refused', async () => {
    expect(await created(['31.02.2025'])).toMatchObject([{ row: 2 }])
    expect(await created(['2025-13-01'])).toMatchObject([{ row: 2 }])
  })
})

describe('numbers', () => {
  const values = async (cells: string[], query = '') => {
    const space = await app.workspace()
    const { status, body } = await send(space, rows('Deal value', cells), query)
    if (status !== 200) return body.issues[0].message
    if (body.rejected_total > 0) return body.rejected
    return (await leadsOf(space)).map((lead: Record<string, unknown>) => [
      lead.contract_amount,
      lead.contract_currency,
    ])
  }

  test.each([
    [
      ['1,234.56', '$1,200.50', 'US$ 1,000,000'],
      [
        [1234.56, null],
        [1200.5, 'USD'],
        [1_000_000, 'USD'],
      ],
    ],
    [
      ['1.234,56', '€12.500,00', '12 500,00 €'],
      [
        [1234.56, null],
        [12_500, 'EUR'],
        [12_500, 'EUR'],
      ],
    ],
    [
      ['CHF 1’000', "CHF 1'234.50", '£5'],
      [
        [1000, 'CHF'],
        [1234.5, 'CHF'],
        [5, 'GBP'],
      ],
    ],
    [
      ['-1,5', '(200)', '1.25E7'],
      [
        [-1.5, null],
        [-200, null],
        [12_500_000, null],
      ],
    ],
    [
      ['12,500', '1,234.56'],
      [
        [12_500, null],
        [1234.56, null],
      ],
    ],
    [
      ['12.500', '1.234,56'],
      [
        [12_500, null],
        [1234.56, null],
      ],
    ],
    [
      ['$38,145', '37.9k', '€1.200,50', '1 200', '1.5M EUR'],
      [
        [38_145, 'USD'],
        [37_900, null],
        [1200.5, 'EUR'],
        [1200, null],
        [1_500_000, 'EUR'],
      ],
    ],
    [
      ['EUR 12.500.000,00', 'USD 1.200,50'],
      [
        [12_500_000, 'EUR'],
        [1200.5, 'USD'],
      ],
    ],
  ])('%j', async (cells, expected) => {
    expect(await values(cells)).toEqual(expected)
  })

  test('a column that can be read in both ways is refused, with the choice', async () => {
    expect(await values(['12.500', '1.000'])).toMatch(/ambiguous in "Deal value".*decimal=point/)
    expect(await values(['12.500', '1.000'], 'decimal=comma')).toEqual([
      [12_500, null],
      [1000, null],
    ])
    expect(await values(['12.500', '1.000'], 'decimal=point')).toEqual([
      [12.5, null],
      [1, null],
    ])
  })

  test('an exact amount is a contract value, and a currency that is not known is kept', async () => {
    const space = await app.workspace()
    const csv =
      'email,Deal value,Currency\na@x.example,1200.25,DEM\nb@x.example,5.5549999999,SEK\nc@x.example,1e17,EUR\n'
    expect((await send(space, csv)).body.rejected).toMatchObject([
      { reason: 'contract_value: "1e17" is not an amount such as 1,250.50, with up to 15 digits' },
    ])
    expect(await leadsOf(space)).toMatchObject([
      { contract_value: 1200, contract_amount: 1200.25, contract_currency: null },
      { contract_value: 6, contract_amount: 5.555, contract_currency: 'SEK' },
    ])
    expect(await attributesOf(space)).toEqual({ Currency: ['TEXT', 'DEM', undefined] })
  })
})

describe('what stands in the cells', () => {
  test('tells what a column is, whatever it is called', async () => {
    const space = await app.workspace()
    const csv =
      'Kolumna,Lien,Strona,Kontakt,Numer\nAda,https://www.linkedin.com/in/ada,linkedin.com/company/engines,ada@x.example,+44 20 7946 0000\n'
    const { body } = await send(space, csv, 'map=Kolumna=first_name')
    expect(body.columns.map(({ field }: { field: string }) => field)).toEqual([
      ...['first_name', 'linkedin_url', 'linkedin_company_url', 'email', 'phone'],
    ])
    expect(body.columns[1]).toMatchObject({
      ...{ why: 'its values', samples: ['https://www.linkedin.com/in/ada'] },
    })
  })

  test('tells when a name means something else', async () => {
    const space = await app.workspace()
    const csv =
      'Email,Title,Website,Photo\na@x.example,Dr.,none,/img/1\nb@x.example,Prof. Dr.,unknown,/img/2\n'
    const { body } = await send(space, csv)
    expect(body.columns.map(({ field }: { field: string | null }) => field)).toEqual([
      ...['email', null, null, null],
    ])
  })

  test('several values: the first goes into the field, the others are kept', async () => {
    const space = await app.workspace()
    const csv =
      'E-mail,Phone,Mobile,Labels\n"a@x.example; A2@x.example",+41 31 1000 ::: +41 79 2000,+41 79 3000,* myContacts ::: Warm\nb@x.example,,\'+41 79 4000,"Warm ::: Hot, urgent"\n'
    const { body } = await send(space, csv)
    expect(body.rejected).toEqual([])
    expect(await leadsOf(space)).toMatchObject([
      {
        ...{ email: 'a@x.example', phone: '+41 31 1000', tags: [{ name: 'Warm' }] },
        other_emails: [{ value: 'A2@x.example', label: '' }],
        other_phones: [
          { value: '+41 79 2000', label: '' },
          { value: '+41 79 3000', label: 'Mobile' },
        ],
      },
      { email: 'b@x.example', phone: '+41 79 4000', other_phones: [] },
    ])
    expect(body.made.tags).toEqual(['Warm', 'Hot, urgent'])
    expect(await attributesOf(space)).toEqual({})
    // The same file again changes nothing.
    const before = await leadsOf(space)
    expect((await send(space, csv, 'upsert_by=email')).body).toMatchObject({ updated: 2 })
    const contactsOf = ({ phone, other_emails, other_phones }: Record<string, unknown>) => [
      ...[phone, other_emails, other_phones],
    ]
    expect((await leadsOf(space)).map(contactsOf)).toEqual(before.map(contactsOf))
  })

  test('lines before the header and behind the rows', async () => {
    const space = await app.workspace()
    const csv =
      'Report: leads, open\n"Made by Ada, on Monday"\n\nFirst Name;E-mail;City\nAda;a@x.example;Rome\nB;b@x.example;Bonn\n\nTotal: 2\nConfidential\n'
    const { body } = await send(space, csv)
    expect(body).toMatchObject({ created: 2, rejected: [], separator: ';', other_lines: 5 })
    // Without an empty line before it, a short row is a broken row.
    const broken = await send(space, 'First Name;E-mail;City\nAda;c@x.example;Rome\nfew\n')
    expect(broken.body).toMatchObject({ created: 1, rejected_total: 1, other_lines: 0 })
  })
})

test('owners by name, email and "Last, First"; two of one name are none', async () => {
  const space = await app.workspace()
  for (const name of ['Maria Keller', 'Same Name', 'Same Name']) {
    const member = await app.member(space)
    await run(
      app.db,
    )`update member set name = ${name} where id_space = ${space.id_space} and id = ${member}`
  }
  const csv =
    'email,Owner\na@x.example,maria keller\nb@x.example,"Keller, Maria"\nc@x.example,Same Name\n'
  const { body } = await send(space, csv)
  expect(body.unknown_owners).toEqual([{ owner: 'Same Name', rows: 1 }])
  const owners = (await leadsOf(space)).map(({ owners: found }: { owners: { name: string }[] }) =>
    found.map(({ name }) => name),
  )
  expect(owners).toEqual([['Maria Keller'], ['Maria Keller'], []])
})

test('notes become notes, once', async () => {
  const space = await app.workspace()
  const csv = 'email,Notes,Comments\na@x.example,"Met, at\r\nthe fair",Call\nb@x.example,,\n'
  await send(space, csv)
  await send(space, csv.replace('Call', 'Call again'), 'upsert_by=email')
  const [lead] = await leadsOf(space)
  const { body } = await space.post('/notes/list', { id_lead: lead.id })
  expect(body.map(({ content }: { content: string }) => content).sort()).toEqual([
    ...['Call', 'Call again', 'Met, at\nthe fair'],
  ])
})

describe('ids of other systems', () => {
  test('are kept, and found again', async () => {
    const space = await app.workspace()
    const csv = (city: string) =>
      `Record ID,First Name,Email,City,Lead Status\n5,Ada,a@x.example,${city},New\n6,B,b@x.example,${city},New\n`
    const { body } = await send(space, csv('Rome'))
    expect(body).toMatchObject({ system: 'HubSpot contacts', created: 2 })
    expect(body.columns[0]).toMatchObject({ field: 'attribute:hubspot_contact_id' })
    for (const key of ['foreign_id', 'attribute:hubspot_contact_id']) {
      const again = await send(space, csv(key), `upsert_by=${key}`)
      expect(again.body).toMatchObject({ created: 0, updated: 2, rejected: [] })
      expect((await leadsOf(space)).map(({ city }: { city: string }) => city)).toEqual([key, key])
    }
    const { body: attributes } = await space.get('/attributes')
    const found = await space.post('/leads/list', {
      filter: { attributes: [{ id: attributes[0].id, operator: 'equals', value: '5' }] },
    })
    expect(found.body.leads).toMatchObject([{ first_name: 'Ada' }])
    // Company 5 is someone else.
    const companies = await send(
      space,
      'Record ID,Company name,Company owner\n5,Engines,\n',
      'upsert_by=foreign_id',
    )
    expect(companies.body).toMatchObject({ system: 'HubSpot companies', created: 1 })
  })

  test('of Salesforce have 15 or 18 characters', async () => {
    const space = await app.workspace()
    const csv = (id: string) => `Lead ID,Last Name,Company / Account\n${id},Byron,Engines\n`
    await send(space, csv('00Q5g000003Kx1A'))
    for (const id of ['00Q5g000003Kx1AEAS', '00Q5g000003Kx1A']) {
      const { body } = await send(space, csv(id), 'upsert_by=foreign_id')
      expect(body).toMatchObject({ created: 0, updated: 1 })
    }
    const other = await send(space, csv('00Q5g000003kx1a'), 'upsert_by=foreign_id')
    expect(other.body).toMatchObject({ created: 1, updated: 0 })
  })

  test('of a system that is not known are kept too; ours stay ours', async () => {
    const space = await app.workspace()
    const { body } = await send(space, 'ID,Email\nK-1,a@x.example\n')
    expect(body.columns[0]).toMatchObject({ field: 'attribute:foreign_id' })
    const uuid = '55ebb4c0-536e-11ea-87d0-d1171b17f601'
    await send(space, `id,Email\n${uuid},b@x.example\n`)
    expect((await leadsOf(space))[1].id).toBe(uuid)
    const none = await send(space, 'Email\nc@x.example\n', 'upsert_by=foreign_id')
    expect([none.status, none.body.issues[0].message]).toEqual([
      ...[400, expect.stringContaining('no column with the id of another system')],
    ])
  })
})

test('new attributes get their type from all values', async () => {
  const space = await app.workspace()
  const table: Record<string, [string, ...string[]]> = {
    Employees: ['NUMBER', '1,200', '35', '1,000.5', '7'],
    Revenue: ['CURRENCY', '€1.000,00', '€ 5', '€7,50', '€1'],
    Budget: ['TEXT', '€1', '$2', '€3', '$4'],
    Since: ['DATE', '3/14/2025', '1/2/2025', '', '4/4/2025'],
    'Last seen': ['TIMESTAMP', '2025-03-14 09:12', '2025-03-15', '', ''],
    Newsletter: ['CHECKBOX', 'yes', 'no', 'Yes', ''],
    Approver: ['EMAIL', 'x@x.example', '', 'y@x.example', ''],
    Fax: ['PHONENUMBER', '+49 30 1234567', '+49 30 7654321', '', ''],
    'Zip code': ['TEXT', '01067', '50667', '10115', '80331'],
    Plan: ['SELECT', 'Gold', 'Gold', 'Gold', 'Gold'],
    Story: ['TEXTAREA', 'one\ntwo', '', '', ''],
    Slogan: ['TEXT', 'a', 'b', 'c', 'd'],
    Empty: ['', '', '', '', ''],
  }
  const quoted = (cells: string[]) => cells.map((cell) => `"${cell}"`).join('\t')
  const lines = [0, 1, 2, 3].map(
    (index) =>
      `${quoted([`${index}@x.example`, ...Object.values(table).map((cells) => cells[index + 1] ?? '')])}\n`,
  )
  const csv = `${quoted(['Email', ...Object.keys(table)])}\n${lines.join('')}`
  const dry = await send(space, csv, 'create_attributes=true&dry_run=true')
  expect((await space.get('/attributes')).body).toEqual([])
  const { body } = await send(space, csv, 'create_attributes=true')
  expect(body.rejected).toEqual([])
  expect({ ...dry.body, dry_run: false, id: body.id }).toEqual(body)
  const found = await attributesOf(space)
  expect(Object.fromEntries(Object.entries(found).map(([name, [type]]) => [name, type]))).toEqual(
    Object.fromEntries(
      Object.entries(table).flatMap(([name, [type]]) => (type ? [[name, type]] : [])),
    ),
  )
  expect(found).toMatchObject({
    Employees: ['NUMBER', 1200, 35, 1000.5, 7],
    Revenue: ['CURRENCY', 1000, 5, 7.5, 1],
    Since: ['DATE', '2025-03-14', '2025-01-02', undefined, '2025-04-04'],
    Newsletter: ['CHECKBOX', true, false, true, undefined],
    Plan: ['SELECT', 'Gold', 'Gold', 'Gold', 'Gold'],
  })
  // With the option, a select attribute gets the choices that are missing; without it, it does not.
  const plan = 'Email,Plan\nx@x.example,Silver\n'
  expect((await send(space, plan)).body.rejected).toMatchObject([
    { reason: 'Plan has no option "Silver"' },
  ])
  for (const run of ['&dry_run=true', '']) {
    const { body: more } = await send(space, plan, `create_attributes=true${run}`)
    expect([more.created, more.rejected]).toEqual([1, []])
  }
  expect((await attributesOf(space)).Plan).toEqual([
    ...['SELECT', 'Gold', 'Gold', 'Gold', 'Gold', 'Silver'],
  ])
  // A later file needs no option.
  const later = await send(space, 'Email,Employees\nz@x.example,9\n')
  expect(later.body.columns[1]).toMatchObject({ field: 'attribute:employees' })
})
