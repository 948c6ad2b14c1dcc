// Every example of the OpenAPI document, run as it stands there; every response as the document says,
// with nothing beyond.
import { contract, type ExampleKind, exampleIds } from '@rapport/contract'
import { attributeTypes } from '@rapport/contract/attributes'
import type { Route } from '@rapport/contract/route'
import { afterAll, describe, expect, test } from 'vitest'
import { rowValues, run } from '../src/db/sql.ts'
import { openapi } from '../src/http/openapi.ts'
import { newId } from '../src/ids.ts'
import { version } from '../src/version.ts'
import { withConfirm, withSeq } from './confirm.ts'
import { expectExactCounts } from './counts.ts'
import { isOnCluster } from './databases.ts'
import { exactSchemas } from './exact-schema.ts'
import { fillWorkspace } from './fixture.ts'
import { fixtureIds, freshIds } from './fixture-ids.ts'
import { type Answer, service, type Workspace } from './harness.ts'
import { expectWritten, noteAnew } from './statements.ts'

interface Operation {
  parameters?: { name: string; in: string; example?: unknown }[]
  /** By content type; the first has the example. */
  requestBody?: { content: Record<string, { example?: unknown }> }
  responses: { 200: { content: Record<string, { schema: object }> } }
}

interface Document {
  paths: Record<string, Record<string, Operation>>
  components: object
}

noteAnew()
const app = service()
afterAll(() => expectExactCounts(app.db))
const document: Document = JSON.parse(JSON.stringify(openapi(contract, version)))

const operationsOf = ({ paths }: Document) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      operation,
    })),
  )
type Described = ReturnType<typeof operationsOf>[number]
const operations = operationsOf(document)

const needsPerson = (method: string, path: string) =>
  Object.values(contract).some(({ routes }) =>
    Object.values<Route>(routes).some(
      (route) => route.method === method && route.path === path && route.person,
    ),
  )

/** Sends the example as it is in the document, with the token of a preview where it needs one. */
async function sendExample(
  space: Workspace,
  { method, path, operation }: Described,
): Promise<Answer> {
  const examples = (operation.parameters ?? []).filter(({ example }) => example !== undefined)
  const query = examples
    .filter((parameter) => parameter.in === 'query')
    .flatMap(({ name, example }) =>
      [example].flat().map((one): [string, string] => [name, String(one)]),
    )
  const url = examples
    .filter((parameter) => parameter.in === 'path')
    .reduce((text, { name, example }) => text.replace(`{${name}}`, String(example)), path)
  const [[type, content] = []] = Object.entries(operation.requestBody?.content ?? {})
  const search = query.length > 0 ? `?${new URLSearchParams(query)}` : ''
  const body = await withSeq(space, url, await withConfirm(space, path, content?.example))
  const caller = needsPerson(method, path) ? await app.person(space) : space
  return caller.call(method, url + search, body, type)
}

const compile = exactSchemas(document.components)

/** Returns what is wrong with a response; nothing when it matches the schema. */
function faults(schema: object, body: unknown): unknown[] {
  const check = compile(schema)
  check(body)
  return (check.errors ?? []).map(({ instancePath, message, params }) => ({
    instancePath,
    message,
    params,
  }))
}

const component = (name: string) => ({ $ref: `#/components/schemas/${name}` })

function answerSchema(method: string, path: string): object {
  const operation = document.paths[path]?.[method.toLowerCase()] as Operation
  const [answer] = Object.values(operation.responses[200].content)
  return answer?.schema ?? {}
}

async function filledWorkspace(): Promise<Workspace> {
  const space = await app.workspace()
  await fillWorkspace(app.db, space)
  return space
}

describe.each(operations)('$name', (described) => {
  const { method, path, operation } = described
  test('has an example for its body and for its id', () => {
    const [content] = Object.values(operation.requestBody?.content ?? {})
    if (content) expect(content.example).toBeDefined()
    for (const parameter of operation.parameters ?? []) {
      if (parameter.in === 'path') expect(parameter.example).toBeDefined()
    }
  })

  test('answers its example as the document says', async () => {
    const answer = await sendExample(await filledWorkspace(), described)
    expect(answer).toMatchObject({ status: 200 })
    const [type] = answer.headers.get('content-type')?.split(';') ?? []
    expect(Object.keys(operation.responses[200].content)).toContain(type)
    expect(faults(answerSchema(method, path), answer.body)).toEqual([])
  })
})

describe('examples, sent one after the other in the order of the document', () => {
  const served = async (key?: string): Promise<Document> => {
    const { status, body } = await app.request('/openapi.json', {
      headers: key ? { Authorization: `Bearer ${key}` } : {},
    })
    expect(status).toBe(200)
    return body
  }

  async function expectSuccess(space: Workspace, described: Described): Promise<void> {
    const answer = await sendExample(space, described)
    expect(answer, described.name).toMatchObject({ status: 200 })
  }

  test('on an empty workspace, with the ids that the served document has by then', async () => {
    const space = await app.workspace()
    const { id_space, owner: id_member } = space
    // Without a mail server, no request makes one.
    const mail = { id_space, id: newId(), id_member, kind: 'digest', state: 'failed', content: {} }
    const row = { ...mail, created_at: app.clock.now, not_before: app.clock.now }
    await run(app.db)`insert into mail_out ${rowValues(row)}`
    for (const { name } of operations) {
      const now = operationsOf(await served(space.key)).find((one) => one.name === name)
      await expectSuccess(space, now as Described)
    }
  })

  test('on an empty workspace without looking at the document again, unless they need a record', async () => {
    const space = await app.workspace()
    const ids = Object.values(exampleIds)
    const needsRecord = ({ operation }: Described) =>
      ids.some((id) => JSON.stringify(operation).includes(id))
    const described = operationsOf(await served())
    const free = described.filter((one) => !needsRecord(one))
    const needing = described.filter((one) => needsRecord(one) && !one.path.includes('{id}'))
    expect(needing.length).toBeLessThanOrEqual(5)
    for (const described of free) await expectSuccess(space, described)
    // And again: nothing in them can be used only once.
    for (const described of free) await expectSuccess(space, described)
  })

  test('on a filled workspace, with the ids that the served document had at first', async () => {
    const space = await app.workspace()
    await fillWorkspace(app.db, space, { ids: freshIds() })
    for (const described of operationsOf(await served(space.key))) {
      await expectSuccess(space, described)
    }
  })
})

describe('the document for a caller with a key', () => {
  const served = (key: string) => app.request('/openapi.json', { headers: { 'X-API-KEY': key } })
  const plain = async () => (await app.request('/openapi.json')).body

  test('has ids of the own workspace, and nothing else is different', async () => {
    const [space, other] = [await app.workspace(), await app.workspace()]
    const [ids, others] = [freshIds(), freshIds()]
    await fillWorkspace(app.db, space, { ids })
    await fillWorkspace(app.db, other, { ids: others })
    const text = JSON.stringify((await served(space.key)).body)
    const uuids = new Set(text.match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g))
    expect(uuids).not.toEqual(new Set())
    for (const id of Object.values(others)) expect(uuids).not.toContain(id)
    for (const id of Object.values(exampleIds)) expect(uuids).not.toContain(id)
    const swapped = Object.entries(exampleIds).reduce(
      (json, [kind, id]) => json.replaceAll(ownId(text, kind as ExampleKind), id),
      text,
    )
    expect(JSON.parse(swapped)).toEqual(await plain())
  })

  /** The id in the place where the plain document has the one of this kind. */
  function ownId(text: string, kind: ExampleKind): string {
    const at = JSON.stringify(document).indexOf(exampleIds[kind])
    return text.slice(at, at + exampleIds[kind].length)
  }

  test('has the usual ids where the workspace has no record, or only deleted ones', async () => {
    const space = await app.workspace()
    expect((await served(space.key)).body).toEqual(await plain())
    const { body: lead } = await space.post('/lead', { first_name: 'Grace' })
    const { body: note } = await space.post('/notes', { id_lead: lead.id, content: 'Called' })
    const { body: list } = await space.post('/lists', { name: 'Fair' })
    const text = async () => JSON.stringify((await served(space.key)).body)
    for (const { id } of [lead, note, list]) expect(await text()).toContain(id)
    await space.remove(`/lead/${lead.id}`)
    await space.remove(`/lists/${list.id}`)
    for (const { id } of [lead, note, list]) expect(await text()).not.toContain(id)
  })

  test('a read key gets it, a wrong one is refused', async () => {
    const space = await app.workspace()
    const reader = await app.key(space, 'read')
    expect((await served(reader)).status).toBe(200)
    expect(await served(`${reader}x`)).toMatchObject({
      status: 401,
      body: { code: 'UNAUTHORIZED' },
    })
  })
})

test('the document has the query of every example', () => {
  const missing = Object.values(contract).flatMap(({ routes }) =>
    Object.values<Route>(routes).flatMap(({ method, path, example }) => {
      const parameters = document.paths[path]?.[method.toLowerCase()]?.parameters ?? []
      return Object.entries(example.query ?? {})
        .filter(
          ([name, value]) =>
            !parameters.some((p) => p.name === name && String(p.example) === String(value)),
        )
        .map(([name]) => `${method} ${path}?${name}`)
    }),
  )
  expect(missing).toEqual([])
})

// PostgreSQL builds the JSON of these responses, so that no serializer corrects it.
describe('leads with everything', () => {
  const values: Record<string, unknown> = {
    TEXT: 'text "with" quotes \\ and\nlines',
    TEXTAREA: 'lines\nof text',
    NUMBER: 9.5,
    EMAIL: 'Ada <ada@analytical.example>',
    CHECKBOX: false,
    DATE: '2026-01-31',
    TIMESTAMP: '2026-01-31T09:30:00+01:00',
    CURRENCY: 12_000,
    LOCATION: { latitude: 51.5, longitude: -0.1, address: 'London' },
    PHONENUMBER: '+44 20 7946 0000',
    RELATION: fixtureIds.company,
  }

  /** The leads of the fixture, and one more in two lists that has a value of every attribute type. */
  async function richWorkspace(): Promise<Workspace> {
    const space = await filledWorkspace()
    const attributes: Record<string, unknown> = {}
    for (const type of attributeTypes) {
      const { body } = await space.post('/attributes', {
        type,
        name: type,
        ...(type === 'SELECT' && { isMultiSelect: true, select_options: [{ name: 'One' }] }),
      })
      attributes[body.id] = type === 'SELECT' ? [body.select_options[0].id] : values[type]
    }
    const { list, otherList, status, otherStatus, tag, member } = fixtureIds
    const { status: code } = await space.post('/lead', {
      lists: [list, otherList],
      status: [status, otherStatus],
      tags: [tag],
      owners: [member],
      contract_value: -9_007_199_254_740_991,
      attributes,
    })
    expect(code).toBe(200)
    return space
  }

  const list = answerSchema('POST', '/leads/list')
  const page = ['next_cursor', 'page', 'page_size']
  const variants: [body: object, item: object | 'id', pagination: string[]][] = [
    [{}, component('LeadWithRelations'), page],
    [{ include: true }, component('LeadWithRelations'), page],
    [{ include: false }, component('Lead'), page],
    [{ id_only: true }, 'id', page],
    [{ id_only: true, include: true }, 'id', page],
    [{ mode: 'pipeline' }, component('LeadWithRelations'), page],
    [{ mode: 'pipeline', include: false }, component('Lead'), page],
    [{ pagination: { page: 2, page_size: 3 } }, component('LeadWithRelations'), page],
    [{ cursor: 1, pagination: { page_size: 2 } }, component('LeadWithRelations'), page],
    [{ filter: { leads: [] } }, component('LeadWithRelations'), page],
    [{ pagination: { all: true } }, component('LeadWithRelations'), ['all']],
    [{ pagination: { all: true }, include: false }, component('Lead'), ['all']],
    [{ pagination: { all: true }, id_only: true }, 'id', ['all']],
    [{ pagination: { all: true }, mode: 'pipeline' }, component('LeadWithRelations'), ['all']],
    [{ pagination: { all: true }, filter: { leads: [] } }, component('Lead'), ['all']],
  ]

  test.each(variants)('POST /leads/list %j', async (body, item, pagination) => {
    const space = await richWorkspace()
    const answer = await space.post('/leads/list', body)
    expect(answer).toMatchObject({ status: 200 })
    expect(faults(list, answer.body)).toEqual([])
    expect(Object.keys(answer.body.pagination).sort()).toEqual(pagination)
    for (const lead of answer.body.leads) {
      if (item === 'id') expect(Object.keys(lead)).toEqual(['id'])
      else expect(faults(item, lead)).toEqual([])
    }
    const selectsNothing = JSON.stringify(body).includes('"leads":[]')
    if (selectsNothing) expect(answer.body).toMatchObject({ leads: [], total: 0 })
    else expect(answer.body.total).toBe(4)
  })

  const single = async (space: Workspace, id: string): Promise<Answer> => space.get(`/lead/${id}`)

  test('GET /lead/{id} is the item of the list, value by value', async () => {
    const space = await richWorkspace()
    const { body } = await space.post('/leads/list', {})
    for (const lead of body.leads) {
      const answer = await single(space, lead.id)
      expect(faults(answerSchema('GET', '/lead/{id}'), answer.body)).toEqual([])
      expect(answer.body).toEqual(lead)
    }
  })

  test('POST /leads/search', async () => {
    const space = await richWorkspace()
    const schema = answerSchema('POST', '/leads/search')
    for (const field of ['email', 'phone', 'linkedin_url', 'twitter_name', 'whatsapp_username']) {
      const { body: lead } = await single(space, fixtureIds.lead)
      const answer = await space.post('/leads/search', { [field]: lead[field] })
      expect(answer).toMatchObject({ status: 200, body: { id: fixtureIds.lead } })
      expect(faults(schema, answer.body)).toEqual([])
      expect(JSON.parse(answer.body.company_enrich).id).toBe(fixtureIds.company)
      expect(JSON.parse(answer.body.custom_fields)).toEqual({ text: 'fixture' })
      expect(JSON.parse(answer.body.custom_fields_schema)).toHaveLength(15)
    }
  })

  test('POST /lead and PATCH /lead/{id} with every field that can be sent', async () => {
    const space = await filledWorkspace()
    const { attribute, option, ...ids } = fixtureIds
    const texts = Object.fromEntries(
      ['company', 'first_name', 'last_name', 'email', 'city', 'contract_name', 'icebreaker'].map(
        (field) => [field, 'Text'],
      ),
    )
    const fields = {
      ...texts,
      phone: 441234,
      contract_value: 12,
      contract_currency: 'EUR',
      is_contract: true,
      is_draft: true,
      id_list: ids.otherList,
      attributes: { [attribute]: option, [ids.relation]: ids.company },
      lists: [ids.list],
      status: [ids.status],
      tags: [ids.tag],
      owners: [ids.member],
    }
    const created = await space.post('/lead', fields)
    expect(created).toMatchObject({ status: 200, body: { ...texts, phone: '441234' } })
    expect(faults(component('Lead'), created.body)).toEqual([])
    const changed = await space.patch(`/lead/${created.body.id}`, {
      ...fields,
      custom_fields: [1],
      campaigns: [ids.campaign],
      email_bounce_score: 1,
    })
    expect(changed).toMatchObject({ status: 200, body: { email_bounce_score: 1 } })
    expect(faults(answerSchema('PATCH', '/lead/{id}'), changed.body)).toEqual([])
  })
})

// A cluster gets some statements that one server does not need.
test.skipIf(isOnCluster())(
  'docs/sql has the statements that the requests of this file send',
  () => {
    expectWritten(app.sent)
  },
)
