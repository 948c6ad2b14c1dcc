// The text that the search covers, and several emails and phones of a lead, which it finds too.
import { answeredFields, maxContacts } from '@rapport/contract/leads/fields'
import { beforeAll, describe, expect, test } from 'vitest'
import { service, type Workspace } from '../../../../test/harness.ts'
import { insertLead } from '../../../../test/insert-lead.ts'
import { run, sql } from '../../../db/sql.ts'
import { refreshSearch, searchTextOf } from './text.sql.ts'

const app = service()

test.each([
  {},
  { first_name: 'Ada', email: 'Ada@Example.COM', phone: '+49 30 1234' },
  { phone: '+49301234' },
  { phone: 'ask ٣ for (0)' },
  { first_name: 'Đorđe', last_name: 'ΣΊΣΥΦΟΣ', company: 'Straße & Søn', city: 'ŁÓDŹ' },
  {
    phone: '030 1',
    other_emails: [
      { value: 'ADA@Home.example', label: 'Home' },
      { value: 'Bücher@x.example', label: '' },
    ],
    other_phones: [
      { value: '+49 (30) 12-34', label: '' },
      { value: '0301234', label: 'Old' },
    ],
  },
  { company_role: 'CEO', website_url: 'https://bücher.example/Ä', twitter_name: 'ＡＣＭＥ' },
  // Accents at the start of a field, behind the end of the previous one.
  { first_name: 'a\n', last_name: '\u0301b', linkedin_url: 'x', facebook_username: '\u0308' },
])('the text of a lead is the same from here as from the database: %j', async (fields) => {
  const space = await app.workspace()
  const id = await insertLead(app, space, fields)
  const { id_space } = space
  const ofLead = sql`id_space = ${id_space} and id_lead = ${id}`
  await run(app.db)`update lead_search set text = '' where ${ofLead}`
  await app.db.begin((tx) => refreshSearch(tx, id_space, sql`array[${id}]::uuid[]`))
  const [row] = await run(app.db)`select text from lead_search where ${ofLead}`
  expect(searchTextOf(fields)).toBe(row?.text)
})

describe('several emails and phones', () => {
  let space: Workspace
  beforeAll(async () => {
    space = await app.workspace()
  })
  const read = async (id: string) => (await space.get(`/lead/${id}`)).body
  const email = (value: string, label = '') => ({ value, label })
  const found = async (wanted: object) => {
    const { status, body } = await space.post('/leads/search', wanted)
    return status === 404 ? undefined : body.id
  }
  const selected = async (filter: object) =>
    (await space.post('/leads/list', { filter, id_only: true })).body.leads.map(
      ({ id }: { id: string }) => id,
    )

  test('they are beside the first ones, and found like them', async () => {
    const { status, body: ada } = await space.post('/lead', {
      ...{ first_name: 'Ada', email: 'ada@work.example', phone: '+49 30 1' },
      other_emails: [
        ' Ada@Home.example ',
        email('AdA@Old.example', ' Old '),
        'ada@home.EXAMPLE',
        '',
      ],
      other_phones: [{ value: '+49 (171) 555-01', label: 'Mobile' }],
    })
    expect([status, Object.keys(ada).toSorted()]).toEqual([200, answeredFields.toSorted()])
    const contacts = {
      ...{ email: 'ada@work.example', phone: '+49 30 1' },
      other_emails: [email('Ada@Home.example'), email('AdA@Old.example', 'Old')],
      other_phones: [email('+49 (171) 555-01', 'Mobile')],
    }
    expect(await read(ada.id)).toMatchObject(contacts)
    const { body: bob } = await space.post('/lead', { email: 'bob@x.example' })
    expect(await read(bob.id)).toMatchObject({ other_emails: [], other_phones: [] })

    for (const wanted of [
      ...[{ email: 'ADA@old.example ' }, { email: 'ada@home.example' }, { phone: '4917155501' }],
      { email: 'nobody@x.example', phone: '+49 171 555 01' },
    ]) {
      expect(await found(wanted)).toBe(ada.id)
    }
    for (const value of ['old.example', '[', ', ', '"', 'ada']) {
      expect(await found({ email: value })).toBeUndefined()
    }
    // Two criteria of one lead win over one of another.
    expect(await found({ email: 'bob@x.example', phone: '' })).toBe(bob.id)
    expect(await selected({ search: 'home.example 17155501' })).toEqual([ada.id])
    const field = (operator: string, value?: string, name = 'other_emails') => ({
      fields: [{ field: name, operator, ...(value && { value }) }],
      leads: [ada.id, bob.id],
    })
    expect(await selected(field('is', 'ada@OLD.example'))).toEqual([ada.id])
    expect(await selected(field('is', 'Old'))).toEqual([])
    expect(await selected(field('ends_with', '.example'))).toEqual([ada.id])
    expect(await selected(field('not_contains', 'home'))).toEqual([bob.id])
    expect(await selected(field('is_empty'))).toEqual([bob.id])
    expect(await selected(field('is_not_empty', undefined, 'other_phones'))).toEqual([ada.id])

    // The new main one takes the place of the former.
    const other_emails = [email('ada@work.example'), email('AdA@Old.example', 'Old')]
    const swapped = { email: 'Ada@Home.example', other_emails }
    const { body: after } = await space.patch(`/lead/${ada.id}`, swapped)
    expect(after).toMatchObject(swapped)
    expect(await found({ email: 'ada@work.example' })).toBe(ada.id)
    const events = async () => (await space.get(`/lead/${ada.id}/events`)).body.events
    const changed = {
      email: ['ada@work.example', 'Ada@Home.example'],
      other_emails: [contacts.other_emails, other_emails],
    }
    await expect.poll(events).toContainEqual(expect.objectContaining({ changed }))
    const [{ seq }] = await events()
    expect((await space.post(`/lead/${ada.id}/undo`, { seq })).status).toBe(200)
    expect(await read(ada.id)).toMatchObject(contacts)

    const clear = { data: { other_emails: [], other_phones: null }, filter: { leads: [ada.id] } }
    const cleared = await space.patch('/leads/update-many', clear)
    expect(await read(ada.id)).toMatchObject({ other_emails: [], other_phones: [] })
    expect(await found({ email: 'ada@old.example' })).toBeUndefined()
    expect(await selected({ search: 'home.example' })).toEqual([])
    await space.post(`/operations/${cleared.headers.get('x-operation-id')}/undo`)
    expect(await read(ada.id)).toMatchObject(contacts)
    expect(await selected({ search: 'home.example' })).toEqual([ada.id])
  })

  test.each([
    [{ other_emails: 'a@x.example' }, ['other_emails']],
    [{ other_emails: [1] }, ['other_emails', 0]],
    [{ other_phones: [{ label: 'Home' }] }, ['other_phones', 0, 'value']],
    [{ other_phones: ['1'.repeat(321)] }, ['other_phones', 0]],
    [{ other_phones: Array.from({ length: maxContacts + 1 }, String) }, ['other_phones']],
  ])('%j is refused', async (body, path) => {
    const { status, body: fault } = await space.post('/lead', body)
    expect([status, fault.issues[0]?.path]).toEqual([400, path])
  })

  test('they survive an export and an import, as CSV and as NDJSON', async () => {
    const own = await app.workspace()
    const contacts = {
      ...{ email: 'eve@x.example', phone: '1' },
      other_emails: [email('eve;1@x.example', 'At home, evenings'), email('eve2@x.example')],
      other_phones: [email('+49 30 (12)', 'Work (old)'), email('030/33', 'Desk')],
    }
    const plain = { ...contacts, other_phones: [email('+49 30 (12)'), email('030/33', 'Desk')] }
    await own.post('/lead', { first_name: 'Eve', ...contacts })
    await own.post('/lead', { first_name: 'Zoe', ...plain })
    for (const [format, type] of [
      ['csv', 'text/csv'],
      ['ndjson', 'application/x-ndjson'],
    ] as const) {
      const { body: file } = await own.post('/leads/export', { format })
      if (format === 'csv') expect(file).toContain('+49 30 (12); 030/33 (Desk)')
      const other = await app.workspace()
      const text = typeof file === 'string' ? file : JSON.stringify(file)
      expect((await other.call('POST', '/leads/import', text, type)).body).toMatchObject({
        created: 2,
      })
      const order = [{ field: 'first_name', type: 'asc' }]
      const { leads } = (await other.post('/leads/list', { orderBy: order })).body
      expect(leads).toMatchObject([contacts, plain])
    }
  })

  test('an import finds leads by them, keeps the first ones and adds others', async () => {
    const { body: kim } = await space.post('/lead', {
      ...{ first_name: 'Kim', email: 'kim@work.example', other_emails: ['kim@home.example'] },
    })
    const csv = [
      'Email,City,Private email,Phone,Mobile phone',
      'KIM@home.example,Bern,kim@new.example,031 1,079 12345',
      'kim@new.example,Basel,kim@work.example,,079 12345',
      'lee@x.example,Genf,,,022 45678',
    ].join('\n')
    const send = (query: string) => space.call('POST', `/leads/import?${query}`, csv, 'text/csv')
    const dry = await send('upsert_by=email&dry_run=true')
    expect(dry.body).toMatchObject({ created: 1, updated: 2, made: { attributes: [] } })
    expect(dry.body.columns).toMatchObject([
      { field: 'email', more: null },
      { field: 'city' },
      { field: 'email', more: 'other_emails' },
      { field: 'phone', more: null },
      { field: 'phone', more: 'other_phones' },
    ])
    const { body } = await send('upsert_by=email')
    expect(body).toMatchObject({ created: 1, updated: 2 })
    expect(await read(kim.id)).toMatchObject({
      ...{ city: 'Basel', email: 'kim@work.example', phone: '031 1' },
      other_emails: [email('kim@home.example'), email('kim@new.example', 'Private email')],
      other_phones: [email('079 12345', 'Mobile phone')],
    })
    // A lead without a first one gets it.
    const lee = await found({ email: 'lee@x.example' })
    expect(await read(lee)).toMatchObject({ phone: '022 45678', other_phones: [] })
    await space.post(`/operations/${body.id}/undo`)
    expect(await read(kim.id)).toMatchObject({
      ...{ city: null, phone: null, other_phones: [] },
      other_emails: [email('kim@home.example')],
    })
  })

  test('erasing a lead erases them wherever they are', async () => {
    const { body: sam } = await space.post('/lead', { other_emails: ['sam.secret@x.example'] })
    const filter = { search: 'sam.secret@x.example' }
    const { body: view } = await space.post('/views', { name: 'Sam', filter })
    await space.patch(`/lead/${sam.id}`, { other_emails: ['sam.other@x.example'] })
    const erased = { filter: { leads: [sam.id] } }
    const preview = await space.post('/operations/preview', { kind: 'erase', data: {}, ...erased })
    const { confirm } = preview.body
    expect((await space.post('/leads/erase', { ...erased, confirm })).status).toBe(200)
    expect(JSON.stringify((await space.get('/views')).body)).not.toContain('sam.secret')
    expect(view.filter).toEqual(filter)
  })
})
