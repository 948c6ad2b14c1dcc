// At every endpoint, ids of another workspace behave exactly like ids that do not exist. The tests go
// through the whole route list, so a new route is covered from its first day.

import { isDeepStrictEqual } from 'node:util'
import type { Route } from '@rapport/contract/route'
import { beforeAll, describe, expect, test } from 'vitest'
import { run } from '../src/db/sql.ts'
import { messageOf } from '../src/mcp/remote.ts'
import { resources } from '../src/resources/index.ts'
import { withConfirm } from './confirm.ts'
import { isOnCluster } from './databases.ts'
import { fillWorkspace } from './fixture.ts'
import { fixtureIds, freshIds, type Ids, type Kind, kinds } from './fixture-ids.ts'
import { service, type Workspace } from './harness.ts'
import type { Answer } from './http-client.ts'

type Example = Route['example']
type Path = (string | number)[]

const { attribute, otherOption: option, relation, lead } = fixtureIds

/** Fields that name records, each with a valid value. */
const namingFields: Record<string, unknown> = {
  ...each(['id_list', 'id_source'], fixtureIds.list),
  ...each(['id_lead'], lead),
  ...each(['id_parent'], fixtureIds.note),
  ...each(['id_member'], fixtureIds.member),
  ...each(['id_status'], fixtureIds.otherStatus),
  ...each(['leads', 'not_leads'], [fixtureIds.otherLead]),
  ...each(['lists', 'lists_connect'], [fixtureIds.otherList]),
  ...each(['status', 'status_connect', 'status_disconnect'], [fixtureIds.otherStatus]),
  ...each(['tags', 'tags_connect', 'tags_disconnect'], [fixtureIds.tag]),
  ...each(['owners', 'owners_connect', 'owners_disconnect', 'users'], [fixtureIds.member]),
  ...each(['campaigns', 'campaigns_connect'], [fixtureIds.campaign]),
  sequences_steps: { id: [fixtureIds.step], status: ['is_opened'] },
  changed: { by: [fixtureIds.member] },
  attribute: fixtureIds.date,
  // The first is for leads (a map), the second for filters (conditions).
  attributes: [
    { [attribute]: option, [relation]: lead },
    [
      { id: attribute, operator: 'equals', value: option },
      { id: relation, operator: 'not_equals', value: lead },
    ],
  ],
  attribute_definitions_order: [attribute],
  leads_order: [lead],
}

/** Fields that look as if they name records, but do not. */
const notNaming = ['thread_id', 'id_linkedin', 'id_twitter', 'id_only', 'reminder']

/** Operations that answer 200 also if there is no such record. */
const isSureToBeGone: string[] = ['deleteWebhook']

/** Ids that a caller chooses for a new record. An id that another workspace uses is free here. */
const chosenIds = ['POST /lead id']

const looksLikeNaming = (field: string) =>
  /(^|_)ids?(_|$)/.test(field) ||
  field === 'changed' ||
  /^(not_)?(leads?|lists?|status|tags?|owners?|users?|members?|campaigns?|notes?|reminders?|steps?|sequences?|attributes?|options?|parents?)(_|$)/.test(
    field,
  )

function each(fields: string[], value: unknown): Record<string, unknown> {
  return Object.fromEntries(fields.map((field) => [field, value]))
}

interface Schema {
  type?: string | string[]
  properties?: Record<string, Schema>
  items?: Schema
  patternProperties?: object
}

/** The fields of a body that name records, with their paths; those inside of arrays are in `nested`. */
function namingPaths(schema: Schema | undefined, path: Path = []): Path[] {
  return Object.entries(schema?.properties ?? {}).flatMap(([field, inner]) => {
    const at = [...path, field]
    if (looksLikeNaming(field) && takesIds(inner) && !notNaming.includes(field)) return [at]
    return namingPaths(inner, at)
  })
}

function takesIds({ type, items, properties, patternProperties }: Schema): boolean {
  const types = [type].flat()
  if (types.includes('string') || patternProperties) return true
  if (types.includes('array')) return items?.properties === undefined || 'id' in items.properties
  // An object with the name of a kind of record: { id: [...], ... }.
  return properties !== undefined && 'id' in properties
}

const routes = resources
  .flatMap(({ endpoints }) => endpoints.map(({ route }) => route))
  .map((route) => ({ route, name: `${route.method} ${route.path}` }))

interface Request {
  name: string
  example: Example
  /** Whether it succeeds with ids of the own workspace. */
  works: boolean
}

/** Bodies that name records inside of arrays. */
const nested: Record<string, unknown> = {
  'PATCH /status': {
    status: [
      { id: fixtureIds.status, order: 0 },
      { id: fixtureIds.otherStatus, order: 1 },
    ],
  },
  'POST /views': { name: 'View', columns: [{ field: attribute }] },
  'PATCH /views/{id}': { columns: [{ field: attribute }] },
  'POST /status/{id}/place': { id_lead: fixtureIds.otherLead, before: lead },
  'POST /leads/stats': { group_by: 'month', attribute: fixtureIds.date },
  'PATCH /attributes/{id}': {
    select_options: [{ id: fixtureIds.option, name: 'Trade fair' }, { name: 'Website' }],
  },
}

/** The example of a route, then the same with each field that names records and is not in it. */
function requestsOf({ route, name }: (typeof routes)[number]): Request[] {
  const { example, body } = route
  const added = namingPaths(body as Schema | undefined).flatMap((path): Request[] => {
    const field = String(path.at(-1))
    if (valueAt(example.body, path) !== undefined) return []
    const known = chosenIds.includes(`${name} ${path.join('.')}`) ? lead : namingFields[field]
    const isMap =
      field === 'attributes' && !path.includes('filter') && !path.includes('leads_filter')
    const value = field === 'attributes' ? (known as unknown[])[isMap ? 0 : 1] : known
    if (value === undefined) {
      throw new Error(`${name} takes ${path.join('.')}: add it to namingFields or to notNaming`)
    }
    return [
      {
        name: `with ${path.join('.')}`,
        example: { ...example, body: withValue(example.body ?? {}, path, value) },
        works: value !== lead || field !== 'id',
      },
    ]
  })
  const more = nested[name]
  if (more) added.push({ name: 'with arrays', example: { ...example, body: more }, works: true })
  return [{ name: 'as documented', example, works: true }, ...added]
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce((at, step) => (at as Record<string, unknown> | undefined)?.[step], value)
}

function withValue(target: unknown, [step, ...rest]: Path, value: unknown): unknown {
  if (step === undefined) return value
  const object = (target ?? {}) as Record<string, unknown>
  return { ...object, [step]: withValue(object[step], rest, value) }
}

const kindOf = new Map<string, Kind>(kinds.map((kind) => [fixtureIds[kind], kind]))

/** The paths of all ids in an example, even of ids that are keys, with their kinds. */
function placesOf(value: unknown, path: Path = []): { path: Path; kind: Kind }[] {
  if (typeof value === 'string') {
    const kind = kindOf.get(value)
    return kind ? [{ path, kind }] : []
  }
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const kind = kindOf.get(key)
    return [
      ...(kind ? [{ path: [...path, 'key', key], kind }] : []),
      ...placesOf(inner, [...path, key]),
    ]
  })
}

/** The example with other ids at these paths. */
function replaced(example: Example, places: { path: Path; kind: Kind }[], ids: Ids): Example {
  const wanted = new Map(places.map(({ path, kind }) => [path.join('.'), ids[kind]]))
  const visit = (value: unknown, path: Path): unknown => {
    if (typeof value === 'string') return wanted.get(path.join('.')) ?? value
    if (value === null || typeof value !== 'object') return value
    if (Array.isArray(value)) return value.map((item, index) => visit(item, [...path, index]))
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        wanted.get([...path, 'key', key].join('.')) ?? key,
        visit(item, [...path, key]),
      ]),
    )
  }
  return visit(example, []) as Example
}

const app = service()

/** A workspace with other ids than the caller's, and one with the same ids. */
let others: { space: Workspace; ids: Ids; label: string; before: string[] }[] = []
/** Texts and ids that only the other workspaces have. No response may contain them. */
let secrets: string[] = []
let tables: string[]

/** The outcome of each request when no other workspace exists. */
const alone = new Map<string, Outcome>()

beforeAll(async () => {
  const rows = await run<{ name: string }[]>(app.db)`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'id_space' order by table_name`
  tables = rows.map(({ name }) => name)
  for (const entry of routes) {
    for (const { name, example } of requestsOf(entry)) {
      alone.set(`${entry.name} ${name}`, await outcome(entry.route, example, freshIds()))
      if (!unchanged) await run(app.db)`delete from space`
    }
  }
  unchanged = undefined
  await run(app.db)`delete from space`
  const make = async (ids: Ids, label: string) => {
    const space = await app.workspace()
    await fillWorkspace(app.db, space, { ids, label, allRelated: true })
    const before = await dump(space)
    return { space, ids, label, before }
  }
  others = [await make(freshIds(), 'secret of others'), await make(fixtureIds, 'secret of a twin')]
  const uuids = others.flatMap(({ before }) => before.join().match(uuid) ?? [])
  const own = new Set<string>(Object.values(fixtureIds))
  secrets = [...new Set(uuids)].filter((id) => !own.has(id))
  secrets.push(...others.map(({ label }) => label))
})

/** Keys and links, and the end of a key that is shown. */
const secret = /r[kls]_[\w-]{43}|rk_[\w-]{3}…[\w-]{3}|whsec_[\w+/=]+|v1(\.[\w-]+){3}/g
const hash = /[0-9a-f]{64}/g
const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
const endOfBytes = /(?<="\\\\x[0-9a-f]*)[0-9a-f]{32}(?=")/g

/**
 * Every row of the workspace in every table, as text. The rows of the counter depend on which
 * connections were used, so only their sum counts.
 */
async function dump(space: Workspace): Promise<string[]> {
  const first = await dumpOnce(space)
  if (!isOnCluster()) return first
  // No snapshot spans the nodes, so that an event that is being numbered may be in no table, or in two.
  const second = await dumpOnce(space)
  return isDeepStrictEqual(first, second) ? first : dump(space)
}

async function dumpOnce({ id_space }: Workspace): Promise<string[]> {
  const selects = tables
    .map((table) => {
      const row = `to_jsonb(t) - '{id, part, seq, written_at, request_id, epoch}'::text[]`
      if (table === 'lead_count')
        return `select 'lead_count ' || sum(count) as row from lead_count t`
      // Events are numbered a little later, and so move from one table to the other.
      if (['event', 'event_new', 'event_head'].includes(table))
        return `select 'event ' || (${row})::text as row from ${table} t`
      // Also the place of an operation in the feed depends on when events got their numbers.
      if (table === 'operation')
        return `select 'operation ' || (to_jsonb(t) - 'since_seq')::text as row from operation t`
      return `select '${table} ' || to_jsonb(t)::text as row from ${table} t`
    })
    .map((select) => `${select} where id_space = $1`)
  // Prepared, because planning it takes longer than running it. For one workspace, because PostgreSQL would plan it
  // anew for each list of them.
  const rows = await app.db.unsafe<{ row: string | null }[]>(
    selects.join(' union all '),
    [id_space],
    { prepare: true },
  )
  return rows.flatMap(({ row }) => (row === null || isToldLater(row) ? [] : [row])).sort()
}

/** Notifications follow from events, which are numbered a little later. Those of the fixture are there at once. */
const isToldLater = (row: string) =>
  row.startsWith('notification ') && !row.includes('"created_at": "2026-02-01T08:00:00+00:00"')

interface Caller {
  space: Workspace
  before: string[]
}

/** The last caller's workspace, if its requests have changed nothing: the next request may have it. */
let unchanged: Caller | undefined

async function callerWorkspace(): Promise<Caller> {
  if (unchanged) return unchanged
  const space = await app.workspace()
  // Responses depend on whether events have their numbers.
  await fillWorkspace(app.db, space, { label: 'own', isNumbered: true })
  const before = await dump(space)
  return { space, before }
}

async function send(
  space: Workspace,
  { method, path, accepts, person }: Route,
  { id, body, query }: Example,
) {
  const texts = Object.entries(query ?? {}).map(([name, value]): [string, string] => [
    name,
    String(value),
  ])
  const search = texts.length > 0 ? `?${new URLSearchParams(texts)}` : ''
  const url = path.replace('{id}', id ?? '') + search
  const caller = person ? await app.person(space) : space
  return caller.call(method, url, await withConfirm(space, url, body), accepts?.[0])
}

/** The response has nothing of the others that was not in the request. */
function expectNoSecrets(sent: Example, answer: Answer): void {
  const brought = JSON.stringify(sent)
  const text = JSON.stringify(answer.body)
  expect(secrets.filter((secret) => text.includes(secret) && !brought.includes(secret))).toEqual([])
}

async function expectOthersAsBefore(): Promise<void> {
  const rows = await Promise.all(others.map(({ space }) => dump(space)))
  expect(rows).toEqual(others.map(({ before }) => before))
}

interface Outcome {
  status: number
  body: unknown
  rows: string[]
}

/**
 * The outcome of a request in a workspace as new: the response, and the rows of the workspace after it. To
 * make outcomes comparable, ids that were sent are replaced by their kind, and new ids by "new".
 */
async function outcome(route: Route, example: Example, sent: Ids): Promise<Outcome> {
  const caller = await callerWorkspace()
  const { space, before } = caller
  const answer = await send(space, route, example)
  expectNoSecrets(example, answer)
  const rows = await dump(space)
  unchanged = isDeepStrictEqual(rows, before) ? caller : undefined
  const names = new Map<string, string>([
    [space.id_space, 'this workspace'],
    [space.owner, 'its owner'],
    ...kinds.map((kind) => [fixtureIds[kind], `own ${kind}`] as const),
    ...kinds.map((kind) => [sent[kind], `unknown ${kind}`] as const),
  ])
  // The place of a lead in a status ends with its id, without dashes.
  for (const [id, name] of [...names]) names.set(id.replaceAll('-', ''), name)
  const named = (text: string) =>
    text
      .replaceAll(uuid, (id) => names.get(id) ?? 'new')
      .replaceAll(endOfBytes, (id) => names.get(id) ?? 'new')
      .replaceAll(secret, 'secret')
      .replaceAll(hash, 'hash')
      .replaceAll(/(?<="took_ms": ?)\d+/g, '1')
  return {
    status: answer.status,
    // The signature of a confirm is that of the key.
    body: JSON.parse(
      named(JSON.stringify(answer.body)).replace(/("confirm":"\w+\.\w+)\.[\w-]+/, '$1'),
    ),
    rows: rows
      .filter((row) => !row.startsWith('api_key '))
      .map(named)
      .sort(),
  }
}

describe.each(routes)('$name', (entry) => {
  const { route } = entry
  const requests = requestsOf(entry)

  test('its examples work, and a workspace with the same ids does not change their outcome', async () => {
    for (const { name, example, works } of requests) {
      const found = await outcome(route, example, freshIds())
      if (works) expect(found, name).toMatchObject({ status: 200 })
      expect(found, name).toEqual(alone.get(`${entry.name} ${name}`))
    }
    await expectOthersAsBefore()
  })

  test('ids of another workspace behave like ids that do not exist', async () => {
    // The requests of a route share most of their places: each is tested by itself once, and all of a request together.
    const tested = new Set<string>()
    for (const { name, example } of requests) {
      const places = placesOf(example)
      const added = places.filter(({ path }) => !tested.has(path.join('.')))
      for (const { path } of added) tested.add(path.join('.'))
      const choices = [...added.map((place) => [place]), ...(places.length > 1 ? [places] : [])]
      for (const some of choices) {
        const where = `${name}, at ${some.map(({ path }) => path.join('.')).join(' and ')}`
        const theirs = others[0]?.ids as Ids
        const unused = freshIds()
        const foreign = await outcome(route, replaced(example, some, theirs), theirs)
        const unknown = await outcome(route, replaced(example, some, unused), unused)
        expect(foreign, where).toEqual(unknown)
        expect(foreign.status, where).toBeLessThan(500)
        const answer = isSureToBeGone.includes(route.operationId) ? 200 : 404
        if (where.endsWith(', at id')) expect(foreign.status, where).toBe(answer)
      }
    }
    await expectOthersAsBefore()
  })

  test('its examples name a record wherever it takes one', () => {
    const places = requests.flatMap(({ example }) => placesOf(example))
    const inPath = places.filter(({ path }) => path[0] === 'id')
    const inBody = places.filter(({ path }) => path[0] === 'body')
    if (route.path.includes('{id}')) {
      expect(inPath, 'example.id is one of exampleIds').not.toEqual([])
    }
    if (namingPaths(route.body as Schema | undefined).length > 0) {
      expect(inBody, 'example.body has one of exampleIds').not.toEqual([])
    }
  })
})

test('the tools of agents: ids of another workspace behave like ids that do not exist', async () => {
  const { space } = await callerWorkspace()
  const ask = async (ids: Ids) => {
    const { list, status, tag, member, attribute, lead, operation } = ids
    const calls: [string, Record<string, unknown>][] = [
      ['find_leads', { filter: { leads: [lead], tags: [] } }],
      ...[{ lists: [list] }, { status: [status] }, { tags: [tag] }, { owners: [member] }].map(
        (filter): [string, Record<string, unknown>] => ['find_leads', { filter }],
      ),
      ['find_leads', { fields: [attribute] }],
      ['get_lead', { lead }],
      ['report', { group_by: 'tag', filter: { leads: [lead] } }],
      ['recent_changes', { member }],
      [
        'save_leads',
        {
          leads: [
            { id: lead, city: 'Bonn' },
            { first_name: 'A', tags: [tag] },
          ],
        },
      ],
      ['add_activity', { lead, kind: 'note', text: 'Hello' }],
      ['preview_change', { filter: { leads: [lead] }, set: { [attribute]: 'x' } }],
      ['preview_change', { filter: {}, add_owners: [member] }],
      ['undo_change', { operation }],
      ['undo_change', { lead, change: 1 }],
    ]
    const said: string[] = []
    for (const [name, args] of calls) {
      const { headers, body } = messageOf('tools/call', { name, arguments: args })
      const answer = await app.request('/mcp', {
        ...{ method: 'POST', headers: { ...headers, 'X-API-KEY': space.key }, body },
      })
      expect(answer.status).toBe(200)
      expectNoSecrets({ body }, answer)
      // Ids, and what was returned as the request's own.
      said.push(JSON.stringify(answer.body.result).replace(uuid, 'id'))
    }
    return said
  }
  const theirs = await ask(others[0]?.ids as Ids)
  expect(theirs).toEqual(await ask(freshIds()))
  await expectOthersAsBefore()
})

test('every kind of record is named by an example', () => {
  const used = new Set(
    routes
      .flatMap((entry) => requestsOf(entry).flatMap(({ example }) => placesOf(example)))
      .map(({ kind }) => kind),
  )
  const unused = kinds.filter((kind) => !used.has(kind) && kind !== 'company')
  expect(unused, 'put exampleIds of these kinds into the example of a route').toEqual([])
})

test('the other workspace has a row in every table of a workspace', () => {
  const filled = new Set(others[0]?.before.map((row) => row.slice(0, row.indexOf(' '))))
  expect(tables.filter((table) => !filled.has(table.replace(/^event_.*/, 'event')))).toEqual([])
})
