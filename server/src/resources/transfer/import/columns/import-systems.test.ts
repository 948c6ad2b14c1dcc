// Files as other systems export them go in without any option: every row, into the right fields.

import { expect, test } from 'vitest'
import { service, type Workspace } from '../../../../../test/harness.ts'
import {
  contentOf,
  type Expected,
  expectedOf,
  importFixtures,
  mendRows,
  recordsOf,
  textOf,
  withAwkwardRows,
} from '../../../../../test/import-fixtures.ts'
import { workbook } from '../../../../../test/workbook.ts'
import { run } from '../../../../db/sql.ts'
import { newId } from '../../../../ids.ts'

const app = service()

/** The people whom the fixtures name as owners. */
const people = ['Maria Keller', 'Tom "TJ" Jones', 'Lars Sørensen']

async function workspace(): Promise<Workspace> {
  const space = await app.workspace()
  for (const name of people) {
    const first = name.split(' ')[0]?.toLowerCase()
    const email = { maria: 'maria.keller', tom: 'tom.jones' }[first ?? ''] ?? first
    await run(app.db)`insert into member (id_space, id, name, email, role, created_at)
        select ${space.id_space}::uuid, ${newId()}::uuid, ${name},
          ${`${email}@rapport.example`}, 'write', ${app.clock.now}::timestamptz`
  }
  return space
}

async function send(
  space: Workspace,
  name: string,
  query = '',
  { type, body }: { type: string; body: Buffer } = { type: 'text/csv', body: contentOf(name) },
) {
  const response = await fetch(`${app.url}/rest/leads/import?${query}`, {
    method: 'POST',
    headers: { 'X-API-KEY': space.key, 'Content-Type': type },
    body,
  })
  return { status: response.status, body: JSON.parse(await response.text()) }
}

/** The slug that the id of each system is kept under. */
const slugs: Record<string, string> = {
  hubspot: 'hubspot_contact_id',
  'hubspot-company': 'hubspot_company_id',
  'hubspot-deal': 'hubspot_deal_id',
  pipedrive: 'pipedrive_person_id',
  'pipedrive-organization': 'pipedrive_organization_id',
  'pipedrive-deal': 'pipedrive_deal_id',
  'pipedrive-lead': 'pipedrive_lead_id',
  apollo: 'apollo_contact_id',
  'apollo-account': 'apollo_account_id',
  salesforce: 'salesforce_id',
  zoho: 'zoho_id',
  close: 'close_id',
}

/** The leads of the workspace in the form of the expectations. */
async function stored(space: Workspace) {
  const { body } = await space.post('/leads/list', {
    orderBy: [{ field: 'id', type: 'asc' }],
    pagination: { all: true },
  })
  const { body: attributes } = await space.get('/attributes')
  const byId = new Map(attributes.map((row: { id: string }) => [row.id, row]))
  const notes = await run<{ id_lead: string; content: string }[]>(
    app.db,
  )`select id_lead, content from note where id_space = ${space.id_space} order by id`
  // biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the service sent
  return body.leads.map((lead: any) => ({
    lead,
    names: (kind: string) => lead[kind].map(({ name }: { name: string }) => name),
    notes: notes.filter(({ id_lead }) => id_lead === lead.id).map(({ content }) => content),
    attributes: Object.entries(lead.attributes).map(([id, value]) => ({
      definition: byId.get(id) as Definition,
      value,
    })),
  }))
}

interface Definition {
  name: string
  slug: string
  type: string
  description: string
  select_options: { id: string; name: string }[]
}

const relations = ['status', 'tags', 'lists', 'owners', 'notes', 'foreign_id', 'attributes']
const fieldsOf = (row: Expected) =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !relations.includes(name)))

/** Fields that an import fills. What a fixture does not expect must be empty. */
const filled = [
  ...['first_name', 'last_name', 'email', 'phone', 'company', 'company_role', 'city'],
  ...['website_url', 'linkedin_url', 'linkedin_company_url', 'twitter_name', 'avatar_url'],
  ...['twitter_company_name', 'contract_name', 'contract_value', 'contract_currency'],
  ...['last_interaction_at', 'facebook_username', 'score', 'timezone'],
]

function expectFields(found: Awaited<ReturnType<typeof stored>>, rows: Expected[]): void {
  expect(found).toHaveLength(rows.length)
  for (const [index, row] of rows.entries()) {
    const { lead, names, notes, attributes } = found[index]
    const nothing = Object.fromEntries(filled.map((name) => [name, null]))
    const none = { is_company: false, other_emails: [], other_phones: [] }
    const wanted = { ...nothing, ...none, ...fieldsOf(row) }
    const actual = Object.fromEntries(Object.keys(wanted).map((name) => [name, lead[name]]))
    expect(actual, `row ${index + 1}`).toEqual(wanted)
    expect(names('status'), `row ${index + 1}`).toEqual(row.status ? [row.status] : [])
    expect(names('tags').sort(), `row ${index + 1}`).toEqual([...(row.tags ?? [])].sort())
    expect(names('lists').sort(), `row ${index + 1}`).toEqual([...(row.lists ?? [])].sort())
    const owners = lead.owners.flatMap(({ name, email }: { name: string; email: string }) =>
      row.owners?.includes(email) ? [email] : [name],
    )
    expect(owners, `row ${index + 1}`).toEqual(row.owners ?? [])
    expect(notes, `row ${index + 1}`).toEqual(row.notes ?? [])
    const ids = attributes.filter(({ definition }: { definition: Definition }) =>
      Object.values(slugs).includes(definition.slug),
    )
    expect(
      ids.map(({ definition, value }: Value) => [definition.slug, value]),
      `row ${index + 1}`,
    ).toEqual(row.foreign_id ? [[slugs[row.foreign_id.system], row.foreign_id.id]] : [])
  }
}

interface Value {
  definition: Definition
  value: unknown
}

/** The value of an attribute as the cell had it; dates and numbers are compared by what they say. */
function isSame({ definition, value }: Value, text: string): boolean {
  const { type, select_options: options } = definition
  if (type === 'SELECT') return options.find(({ id }) => id === value)?.name === text
  if (type === 'CHECKBOX') return value === /^(true|yes)$/i.test(text)
  if (type === 'NUMBER' || type === 'CURRENCY') {
    return value === Number(text.replace(/^\D+/, '').replaceAll(',', ''))
  }
  if (type === 'DATE' || type === 'TIMESTAMP') {
    const digits = (some: string) => some.match(/\d+/g)?.map(Number).sort().join() ?? ''
    return digits(String(value).slice(0, 10)) === digits(text.split(/[T ]/)[0] ?? '')
  }
  return value === text
}

test.each(importFixtures)('%s goes in without any option', async (name) => {
  const space = await workspace()
  const rows = expectedOf(name)
  const { status, body } = await send(space, name)
  expect(body.rejected ?? body.issues).toEqual([])
  expect([status, body.created]).toEqual([200, rows.length])
  expectFields(await stored(space), rows)
})

test.each(importFixtures)('%s: its refused rows go in when they are mended', async (name) => {
  const space = await workspace()
  const rows = expectedOf(name)
  const { content, ...file } = withAwkwardRows(name)
  const once = 'once=true'
  const { body } = await send(space, name, once, { type: 'text/csv', body: content })
  expect(body).toMatchObject({ created: rows.length, rejected_total: 3 })
  const { body: rejected } = await space.get(`/imports/${body.id}/rejected`)
  const mended = { type: 'text/csv', body: Buffer.from(mendRows(rejected, file)) }
  expect((await send(space, name, once, mended)).body).toMatchObject({ created: 3 })
  const [first = {}] = rows
  expectFields(await stored(space), [...rows, first, first, first])
})

/** The cells of the file as a spreadsheet would save them, all of them texts. */
function asWorkbook(name: string) {
  const rows = recordsOf(textOf(contentOf(name))).records.map(({ cells }) =>
    cells.map((cell) => cell || null),
  )
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  return { type, body: Buffer.from(workbook({ Export: rows })) }
}

test.each(importFixtures)('%s goes in as a workbook', async (name) => {
  const space = await workspace()
  const rows = expectedOf(name)
  const { body } = await send(space, name, '', asWorkbook(name))
  expect(body.rejected ?? body.issues).toEqual([])
  expectFields(await stored(space), rows)
})

test.each(importFixtures)('%s keeps every other column with create_attributes', async (name) => {
  const space = await workspace()
  const rows = expectedOf(name)
  const { body } = await send(space, name, 'create_attributes=true')
  expect(body.rejected ?? body.issues).toEqual([])
  const found = await stored(space)
  expectFields(found, rows)
  for (const [index, row] of rows.entries()) {
    const others = found[index].attributes.filter(
      ({ definition }: Value) => !Object.values(slugs).includes(definition.slug),
    )
    const wanted = Object.entries(row.attributes ?? {})
    expect(
      others.map(({ definition }: Value) => definition.name).sort(),
      `row ${index + 1}`,
    ).toEqual(wanted.map(([header]) => header).sort())
    for (const value of others) {
      const text = row.attributes?.[value.definition.name] ?? ''
      expect(
        isSame(value, text),
        `row ${index + 1}, ${value.definition.name}: ${value.definition.type} ${JSON.stringify(value.value)} for "${text}"`,
      ).toBe(true)
    }
  }
})

test('unknown statuses and options: created, mapped, left empty or rejected, as it is said', async () => {
  const space = await app.workspace()
  await space.post('/status', { name: 'Negotiation' })
  const options = [{ name: 'Referral' }, { name: 'Web' }]
  const source = (
    await space.post('/attributes', { name: 'Source', type: 'SELECT', select_options: options })
  ).body
  const csv = [
    'Email,Stage,Source,Company',
    'a@x.example,Negotation,Refferal,Engines',
    'b@x.example,Negotation,Fair,engines',
    'c@x.example,Parked,Web,Navy',
    'd@x.example,negotiation,Cold call,',
  ].join('\n')
  const post = async (said: Record<string, string | string[]>) => {
    const query = new URLSearchParams()
    for (const [name, values] of Object.entries(said)) {
      for (const value of [values].flat()) query.append(name, value)
    }
    return space.call('POST', `/leads/import?${query}`, csv, 'text/csv')
  }
  const checked = (await post({ dry_run: 'true', create_companies: 'true' })).body
  expect(checked).toMatchObject({ created: 1, rejected_total: 3, companies: 1 })
  const [negotiation] = (await space.get('/status')).body
  const nearest = { id: negotiation.id, name: 'Negotiation' }
  const referral = { id: source.select_options[0].id, name: 'Referral' }
  const inStage = { column: 2, header: 'Stage', field: 'status' }
  const inSource = { column: 3, header: 'Source', field: 'attribute:source' }
  expect(checked.unknown_values).toEqual([
    { ...inSource, value: 'Refferal', rows: 1, nearest: referral },
    { ...inSource, value: 'Fair', rows: 1, nearest: null },
    { ...inSource, value: 'Cold call', rows: 1, nearest: null },
    { ...inStage, value: 'Parked', rows: 1, nearest: null },
  ])
  const left = await post({ dry_run: 'true', unknown: 'empty' })
  expect(left.body).toMatchObject({ created: 4, made: { status: [] } })
  expect(left.body.unknown_values).toContainEqual({
    ...inStage,
    value: 'Negotation',
    rows: 2,
    nearest,
  })
  const rejected = await post({ dry_run: 'true', unknown: 'reject' })
  expect(rejected.body).toMatchObject({ created: 0, rejected_total: 4 })

  const said = [
    'Stage=Negotation=>Negotiation',
    '#2=Parked=>-',
    `Source=refferal=>${referral.id}`,
    'Source=Fair=>+',
    'Source=Cold call=>!',
  ]
  const done = (await post({ value: said, create_companies: 'true' })).body
  expect(done).toMatchObject({
    ...{ created: 3, rejected_total: 1, companies: 2, unknown_values: [] },
    made: { status: [], attributes: [] },
    rejected: [{ row: 5, reason: 'Source has no option "Cold call"' }],
  })
  const operation = (await space.get(`/operations/${done.id}`)).body
  expect(operation).toMatchObject({ changed: 5, data: { created: 3, updated: 0, companies: 2 } })
  const { body } = await space.post('/leads/list', { orderBy: [{ field: 'email', type: 'asc' }] })
  const found = body.leads
    .filter(({ is_company }: { is_company: boolean }) => !is_company)
    .map(({ status, attributes }: { status: { name: string }[]; attributes: object }) => [
      status.map(({ name }) => name),
      Object.values(attributes),
    ])
  const after = (await space.get('/attributes')).body.find(
    ({ id }: { id: string }) => id === source.id,
  ).select_options
  expect(after.map(({ name }: { name: string }) => name)).toEqual(['Referral', 'Web', 'Fair'])
  const [first, web, fair] = after.map(({ id }: { id: string }) => id)
  expect(found).toEqual([
    [['Negotiation'], [first]],
    [['Negotiation'], [fair]],
    [[], [web]],
  ])
  // What it made goes with its undo.
  expect((await space.post(`/operations/${done.id}/undo`)).body.data.removed).toEqual([
    { kind: 'option', name: 'Fair' },
  ])
  for (const value of ['Stage', 'Nowhere=a=>b', 'Company=a=>b']) {
    expect((await post({ value })).status).toBe(400)
  }
})
