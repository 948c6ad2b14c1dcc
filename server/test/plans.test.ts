// The plans of frequent requests, in a workspace with 25,000 leads and another one of the same size:
// PostgreSQL never reads the whole table of leads.

import { beforeAll, describe, expect, test } from 'vitest'
import { raw, run } from '../src/db/sql.ts'
import type { BigWorkspace } from './big-workspace.shape.ts'
import { fillBigWorkspaces } from './big-workspace.ts'
import { isOnCluster } from './databases.ts'
import { service, type Workspace } from './harness.ts'

const app = service()
let space: Workspace
let big: BigWorkspace
/** A small workspace beside the large ones. */
let small: Workspace
let few: BigWorkspace

beforeAll(async () => {
  const spaces = [await app.workspace(), await app.workspace(), await app.workspace()]
  const filled = await fillBigWorkspaces(
    app.db,
    spaces.map((each, at) => ({ ...each, leads: at < 2 ? 25_000 : 1_000 })),
  )
  small = spaces[2] as Workspace
  few = filled[2] as BigWorkspace
  space = spaces[1] as Workspace
  big = filled[1] as BigWorkspace
})

const id = (entries: { id: string }[], at = 0) => entries[at]?.id
const list = (filter: object) => ['/leads/list', { filter }] as const
const find = async (field: string) => {
  const [row] = await run(app.db)`
    select ${raw(field)} as value from lead
    where id_space = ${space.id_space} and not is_deleted and ${raw(field)} is not null
    order by id offset 1000 limit 1`
  return ['/leads/search', { [field]: row?.value }] as const
}
const attribute = (id: string, value: string) =>
  list({ attributes: [{ id, operator: 'equals', value }] })

type Request = readonly [path: string, body: object]

const requests: Record<string, () => Request | Promise<Request>> = {
  'the first page': () => list({}),
  'a tag of 1%': () => list({ tags: [id(big.tags)] }),
  'a tag of 30%': () => list({ tags: [id(big.tags, 1)] }),
  'a list of 10%': () => list({ lists: [id(big.lists)] }),
  'a list of 40%': () => list({ lists: [id(big.lists, 1)] }),
  'a list of 0.1%': () => list({ lists: [id(big.lists, 4)] }),
  'a status of a list': () => list({ status: [id(big.listStatuses, 1)] }),
  'a status of 30%': () => list({ status: [id(big.statuses)] }),
  'a status of 1%': () => list({ status: [id(big.statuses, 4)] }),
  'a status of 30% by place': () => [
    '/leads/list',
    { filter: { status: [id(big.statuses)] }, orderBy: [{ field: 'place' }] },
  ],
  'an owner of 50%': () => list({ owners: [id(big.owners)] }),
  'an owner of 5%': () => list({ owners: [id(big.owners, 3)] }),
  'a common word of four letters': () => list({ search: 'head' }),
  'a name of four letters': () => list({ search: 'borg' }),
  'two words': () => list({ search: 'grace hopper' }),
  'a word that no lead has': () => list({ search: 'qqqq' }),
  'an email': () => find('email'),
  'a phone number': () => find('phone'),
  'a linkedin_url': () => find('linkedin_url'),
  'a twitter_name': () => find('twitter_name'),
  'an attribute that equals a rare text': () => attribute(big.attributes.text, 'Code 42'),
  'an attribute that equals a common option': () =>
    attribute(big.attributes.select, id(big.options) as string),
  'an attribute that equals a rare option': () =>
    attribute(big.attributes.select, id(big.options, 4) as string),
}

/**
 * One statement finds the leads and their number, and one reads them. The first page without a filter is one
 * statement. For these, one more finds out that the sought leads are many.
 */
const many = new Set([
  'a common word of four letters',
  'a name of four letters',
  'an attribute that equals a common option',
  'an attribute that equals a rare option',
])

describe.each(Object.entries(requests))('%s', (name, request) => {
  let statements: Statement[]

  beforeAll(async () => {
    const [path, body] = await request()
    statements = await recorded(async () => {
      expect((await space.post(path, body)).status).toBe(200)
    })
    const isPage = path === '/leads/list' && name !== 'the first page'
    expect(statements).toHaveLength(many.has(name) ? 3 : isPage ? 2 : 1)
  })

  test.each(['force_custom_plan', 'auto'] as const)(
    'does not read the whole table of leads, with plan_cache_mode %s',
    async (mode) => {
      for (const statement of statements) {
        const plan = await explain(statement, mode)
        expect(tablesReadWhole(plan), `${statement.text}\n${JSON.stringify(plan)}`).not.toContain(
          'lead',
        )
      }
    },
  )
})

const onField = (field: string, operator: string, value?: unknown) => ({
  fields: [{ field, operator, ...(value !== undefined && { value }) }],
})

/** Conditions that no index answers: they may read all leads of their workspace, and of no other. */
const scans: Record<string, () => object> = {
  'a text': () => onField('city', 'is', 'London'),
  'no such text': () => onField('company', 'not_contains', 'robot'),
  'a value': () => onField('contract_value', 'greater_than', 10_000),
  'a relative day': () => onField('last_interaction_at', 'before', '-14d'),
  'a period': () => onField('created_at', 'this_quarter'),
  'an overdue reminder': () => ({ reminders: { due: 'overdue' } }),
  'a stage entered': () => ({ entered: { status: [id(few.statuses)], after: '2025-10-01' } }),
  'a stage left': () => ({ left: { status: [id(few.statuses)], before: '2025-10-01' } }),
  'calls of a member': () => ({
    noted: { kind: ['call'], by: [id(few.owners)], after: '2025-10-01' },
  }),
  'no note for 14 days': () => ({ notes: { none_since: '-14d' } }),
  'activity since a day': () => ({ activity: { since: '2025-10-01' } }),
  'no activity since a day': () => ({ activity: { none_since: '2025-10-01' } }),
  'none of a tag': () => ({ none: [{ tags: [id(few.tags, 1)] }] }),
  'any of a tag, a list and an owner': () => ({
    any: [{ tags: [id(few.tags)] }, { lists: [id(few.lists)] }, { owners: [id(few.owners)] }],
  }),
  'any of a search and a change, none of a status': () => ({
    any: [{ search: 'grace' }, { changed: { after: '2025-10-01' } }],
    none: [{ status: [id(few.statuses)] }],
  }),
}

/** The tables with rows of leads. A workspace has few rows in lead_count. */
const large = /^(lead|lead_(?!count).*|note|reminder|event)$/

test.each(Object.entries(scans))('%s: reads no other workspace', async (_name, filter) => {
  const statements = await recorded(async () => {
    expect((await small.post('/leads/list', { filter: filter() })).status).toBe(200)
  })
  await expectNarrow(statements)
})

interface Statement {
  text: string
  /** As the driver sends them. */
  parameters: (string | null)[]
  /** The ids of their types; 0 where PostgreSQL infers the type. */
  types: number[]
}

/** Returns the statements about leads, or about others, that the service sends during the work. */
async function recorded(work: () => Promise<void>, about = /\blead\b/): Promise<Statement[]> {
  const statements: Statement[] = []
  const options = app.pool.options as { debug: unknown }
  const before = options.debug
  // The driver later replaces the parameters in this same array by their text.
  options.debug = (_: number, text: string, parameters: Statement['parameters'], types: number[]) =>
    about.test(text) && statements.push({ text, parameters, types })
  await work()
  options.debug = before
  return statements
}

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Parent Relationship'?: string
  'Index Cond'?: string
  Plans?: Plan[]
}

/**
 * The plan of a prepared statement, because the driver prepares every statement. Mode
 * `force_custom_plan` plans for these parameters, as in the first executions. Mode `auto` is what
 * PostgreSQL chooses after ten executions.
 */
async function explain(
  { text, parameters, types }: Statement,
  mode: 'force_custom_plan' | 'auto',
): Promise<Plan> {
  const connection = await app.db.reserve()
  try {
    const names = await run<{ name: string }[]>(connection)`
      select coalesce(nullif(type, 0)::regtype::text, 'unknown') as name
      from unnest(${types}::oid[]) with ordinality as entry (type, place) order by place`
    const typeList = names.map(({ name }) => name).join(', ')
    const values = parameters.map((value) => (value === null ? 'null' : quoted(value))).join(', ')
    await connection.unsafe(`set plan_cache_mode = ${mode}`)
    await connection.unsafe(`prepare probe (${typeList}) as ${text}`)
    // Planning counts as an execution.
    const ask = () => connection.unsafe(`explain (format json) execute probe (${values})`)
    for (let times = 0; times < 10; times++) await ask()
    const [row] = await ask()
    return row?.['QUERY PLAN'][0].Plan
  } finally {
    await connection.unsafe('deallocate probe; reset plan_cache_mode')
    connection.release()
  }
}

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`

function tablesReadWhole({ Plans = [], ...plan }: Plan): string[] {
  const below = Plans.flatMap(tablesReadWhole)
  return plan['Node Type'] === 'Seq Scan' ? [plan['Relation Name'] ?? '', ...below] : below
}

/** Index conditions that are looked up again and again, for each row of another table. */
const repeated = ({ Plans = [], ...plan }: Plan): string[] =>
  Plans.flatMap((below) => [
    ...(plan['Node Type'] === 'Nested Loop' && below['Parent Relationship'] === 'Inner'
      ? [below['Index Cond'] ?? '']
      : []),
    ...repeated(below),
  ])

test('many ids: sorts them once, not for each lead of a new list', async () => {
  const { id: list } = (await space.post('/lists', { name: 'New' })).body
  const { id: other } = (await space.post('/lists', { name: 'Newer' })).body
  const { body } = await space.post('/leads/list', { pagination: { page_size: 500 } })
  const leads = body.leads.map(({ id }: { id: string }) => id)
  await space.post('/leads/add-list', { filter: { leads }, id_list: list })
  const statements = await recorded(async () => {
    const found = await space.post('/leads/list', { filter: { leads, lists: [list] } })
    expect(found.body.total).toBe(500)
    const move = { id_source: list, filter: {} }
    expect((await space.post(`/lists/${other}/move-leads`, move)).body).toBe('500 leads moved')
  })
  for (const statement of statements.filter(({ text }) => /^\s*(select|with)/.test(text))) {
    const plan = await explain(statement, 'force_custom_plan')
    expect(repeated(plan).filter((condition) => /= ANY/.test(condition))).toEqual([])
  }
})

// The coordinator of a cluster does not plan for rows.
test.skipIf(isOnCluster())(
  'a workspace that ANALYZE has not seen is planned as one of average size',
  async () => {
    const { id_space } = await app.workspace()
    for (const table of ['lead', 'lead_status', 'lead_list', 'event']) {
      const lines = await run<{ 'QUERY PLAN': string }[]>(
        app.db,
      )`explain select from ${raw(table)} where id_space = ${id_space}`
      const [, rows] = / rows=(\d+) /.exec(lines[0]?.['QUERY PLAN'] ?? '') ?? []
      expect(Number(rows), table).toBeGreaterThan(1)
    }
  },
)

/** No table with rows of leads is read whole. */
async function expectNarrow(statements: Statement[]): Promise<void> {
  for (const statement of statements) {
    for (const mode of ['force_custom_plan', 'auto'] as const) {
      const plan = await explain(statement, mode)
      const read = tablesReadWhole(plan).filter((table) => large.test(table))
      expect(read, `${statement.text}\n${JSON.stringify(plan)}`).toEqual([])
    }
  }
}

test('the deleted leads: reads no other workspace', async () => {
  await run(app.db)`update lead set is_deleted = true, is_deleted_at = created_at
      where id_space = any(${[space.id_space, small.id_space]}::uuid[])
        and (is_deleted or id::text like '%7')`
  const pages = await recorded(async () => {
    const { body } = await space.post('/leads/deleted', {})
    for (const [as, wanted] of [
      [space, { after: body.next }],
      [small, { filter: { search: 'grace' } }],
    ] as const) {
      expect(await as.post('/leads/deleted', wanted)).toMatchObject({ status: 200 })
    }
  })
  expect(pages).toHaveLength(9)
  await expectNarrow(pages)
})

test('recent changes: reads a part of the feed, and no other workspace', async () => {
  const statements = await recorded(async () => {
    for (const as of [space, small]) {
      const { body } = await as.get('/changes?limit=10')
      expect(body.next).toEqual(expect.any(String))
      const member = body.changes[0].actor.member
      const more = `/changes?period=last_month&member=${member}&kind=edited&after=${body.next}`
      for (const path of [more, '/changes/summary?period=this_week']) {
        expect((await as.get(path)).status).toBe(200)
      }
    }
  }, /\b(event|operation)\b/)
  expect(statements.length).toBeGreaterThan(12)
  await expectNarrow(statements)
})
