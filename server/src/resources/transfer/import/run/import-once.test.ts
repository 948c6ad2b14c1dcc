// Imports over HTTP that are remembered: what the columns would become, progress, stop, continuing, and the
// rejected rows as a file.
import { request } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { expectExactCounts } from '../../../../../test/counts.ts'
import { isOnCluster } from '../../../../../test/databases.ts'
import { service, type Workspace } from '../../../../../test/harness.ts'
import { run, sql } from '../../../../db/sql.ts'

const app = service()
afterAll(() => expectExactCounts(app.db))

async function send(space: Workspace, content: string, query: string, type = 'text/csv') {
  const answer = await app.request(`/rest/leads/import?${query}`, {
    method: 'POST',
    headers: { 'X-API-KEY': space.key, 'Content-Type': type },
    body: content,
  })
  return { status: answer.status, body: answer.body }
}

interface Told {
  event: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it freely
  data: any
}

/** Sends a file and hears its events. `leaveAt` says at which the connection is closed. */
function hear(
  space: Workspace,
  content: string,
  query: string,
  leaveAt: (told: Told) => boolean = () => false,
): Promise<Told[]> {
  return new Promise((resolve, reject) => {
    const events: Told[] = []
    const call = request(
      `${app.url}/rest/leads/import?progress=true&${query}`,
      { method: 'POST', headers: { 'X-API-KEY': space.key, 'Content-Type': 'text/csv' } },
      (response) => {
        let text = ''
        response.on('data', (chunk) => {
          text += chunk
          for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
            const [, event = '', data] = /^event: (\w+)\ndata: (.*)$/.exec(text.slice(0, end)) ?? []
            text = text.slice(end + 2)
            if (!data) continue
            const told = { event, data: JSON.parse(data) }
            events.push(told)
            if (leaveAt(told)) {
              call.destroy()
              resolve(events)
            }
          }
        })
        response.on('end', () => resolve(events))
        response.on('error', () => resolve(events))
      },
    )
    call.on('error', (error) => (events.length > 0 ? resolve(events) : reject(error)))
    call.end(content)
  })
}

const many = (rows: number) =>
  [
    'First name,Score,Email',
    ...Array.from({ length: rows }, (_, at) => `P${at},7,p${at}@x.example`),
  ].join('\n')

const total = async (space: Workspace) =>
  (await space.post('/leads/list', { pagination: { page_size: 1 } })).body.total

const imports = async (space: Workspace) => (await space.get('/imports')).body

test('the columns alone: what they would become, what must be said, and nothing is written', async () => {
  const space = await app.workspace()
  const csv = 'Name,Since,Size,Nothing\nAda Byron,3/4/2026,12,\nGrace Hopper,5/6/2026,40,\n'
  const query = 'columns_only=true&map=Since%3Dcreated_at'
  const { status, body } = await send(space, csv, query)
  expect(status).toBe(200)
  expect(body).toMatchObject({ id: null, rows: 2, total: 0, created: 0, before: null })
  expect(body.columns).toMatchObject([
    { header: 'Name', field: 'name', ask: null },
    { header: 'Since', field: 'created_at', ask: 'dates' },
    { header: 'Size', field: null, type: 'NUMBER' },
    { header: 'Nothing', field: null, type: null },
  ])
  const unknown = await send(space, 'Colour,Shape\nred,round\n', 'columns_only=true')
  expect(unknown).toMatchObject({ status: 200, body: { columns: [{ field: null }, {}] } })
  expect(await total(space)).toBe(0)
  expect(await imports(space)).toEqual([])
  expect((await space.get('/attributes')).body).toEqual([])
})

test('a column becomes a new attribute, of the type that was found or said', async () => {
  const space = await app.workspace()
  const rows = ['a@x.example,12,Gold,0012', 'b@x.example,40,Blue,0013', 'c@x.example,7,gold,0014']
  const csv = `Email,Size,Plan,Code\n${rows.join('\n')}\n`
  const map = ['Size=new', 'Plan=new:SELECT', 'Code=new:TEXT']
  const query = map.map((entry) => `map=${encodeURIComponent(entry)}`).join('&')
  const { status, body } = await send(space, csv, `${query}&once=true`)
  expect([status, body.created, body.made.attributes]).toEqual([200, 3, ['Size', 'Plan', 'Code']])
  const { body: attributes } = await space.get('/attributes')
  expect(attributes).toMatchObject([
    { name: 'Size', type: 'NUMBER' },
    { name: 'Plan', type: 'SELECT', select_options: [{ name: 'Gold' }, { name: 'Blue' }] },
    { name: 'Code', type: 'TEXT' },
  ])
  // The second file finds what the first one made.
  const more = csv.replaceAll('x.example', 'y.example').replace('Gold', 'Green')
  expect((await send(space, more, query)).body).toMatchObject({ created: 3, rejected_total: 0 })
  expect((await space.get('/attributes')).body).toHaveLength(3)
  const wrong = await send(space, csv, 'map=Size%3Dnew:SIZE')
  expect(wrong.status).toBe(400)
  expect(wrong.body.issues[0].message).toContain('unknown type "SIZE"')
})

test('columns are told apart by their place, where headers repeat or are missing', async () => {
  const space = await app.workspace()
  const csv = 'Email,Extra,Extra,\na@x.example,one,two,Ada\n'
  const query = ['#2=new', '#3=new', '#4=first_name']
    .map((entry) => `map=${encodeURIComponent(entry)}`)
    .join('&')
  expect((await send(space, csv, query)).body).toMatchObject({
    made: { attributes: ['Extra', 'Extra'] },
    columns: [{}, {}, {}, { field: 'first_name' }],
  })
  // A second file, and an import that continues, find both.
  const { body } = await send(space, csv, query)
  expect(body.made.attributes).toEqual([])
  expect(body.columns.map(({ field }: { field: string }) => field)).toEqual([
    ...['email', 'attribute:extra', 'attribute:extra_2', 'first_name'],
  ])
  for (const wrong of ['%235=email', '%230=email', '%234=new']) {
    expect((await send(space, csv, `map=${wrong}`)).status).toBe(400)
  }
})

test('a file is imported once, unless it is said again; the rejected rows are a file to correct', async () => {
  const space = await app.workspace()
  const csv =
    'First name,Score,Email\nAda,high,ada@x.example\n"Grace, H",12,grace@x.example\nZoë,low,\n'
  const first = await send(space, csv, 'once=true&file=fair%2026.csv')
  expect(first.body).toMatchObject({ created: 1, rejected_total: 2 })
  const [entry] = await imports(space)
  expect(entry).toMatchObject({
    ...{ id: first.body.id, file: 'fair 26.csv', created: 1, rejected: 2, has_rejected: true },
    finished_at: app.clock.now.toISOString(),
  })
  const file = await space.get(`/imports/${entry.id}/rejected`)
  expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(file.headers.get('content-disposition')).toBe(
    'attachment; filename="fair 26.rejected.csv"',
  )
  const lines = file.body.split('\n')
  expect(lines[0]).toBe('reason,First name,Score,Email')
  expect(lines[1]).toBe('"score: ""high"" is not a whole number",Ada,high,ada@x.example')
  expect(lines).toHaveLength(4)

  const again = await send(space, csv, 'once=true')
  expect(again.status).toBe(400)
  expect(again.body.issues[0].message).toContain('once=again')
  expect((await send(space, csv, 'columns_only=true')).body.before).toMatchObject({ id: entry.id })

  const corrected = file.body.replace(',high,', ',50,').replace(',low,', ',7,')
  expect((await send(space, corrected, 'once=true')).body).toMatchObject({
    ...{ created: 2, rejected_total: 0 },
  })
  expect(await total(space)).toBe(3)
  expect((await send(space, csv, 'once=again&upsert_by=email')).body).toMatchObject({
    ...{ created: 0, updated: 1, rejected_total: 2 },
  })
  expect((await space.get(`/imports/${entry.id}/rejected`)).status).toBe(404)
})

test('an import tells how far it is, stops when its caller leaves, and goes on with the same file', async () => {
  const space = await app.workspace()
  const rows = 9_000
  // A row near the end looks like a lead that is there, and is to be skipped.
  const { body: there } = await space.post('/lead', { email: `P${rows - 1}@x.example` })
  const csv = `${many(rows)}\nLast,much,\n`
  const begun = await hear(
    space,
    csv,
    `once=true&tag=Fair&file=big.csv&duplicate_rows=skip=${rows + 1}`,
    ({ data }) => data.phase === 'importing' && data.done > 0,
  )
  expect(begun.at(-1)?.data).toMatchObject({ phase: 'importing', rows: rows + 1 })
  const stateOf = async () => (await space.get('/operations')).body.operations[0].state
  await expect.poll(stateOf).toBe('stopped')
  const [half] = await imports(space)
  expect(half.finished_at).toBeNull()
  expect(half.created).toBeGreaterThan(0)
  expect(half.created).toBeLessThan(rows)
  expect(await total(space)).toBe(half.created + 1)

  const other = await send(space, csv, 'once=true')
  expect(other.body.issues[0].message).toContain('had other options')
  const rest = await hear(space, csv, 'once=continue')
  expect(rest.at(-1)).toMatchObject({
    event: 'result',
    data: { id: half.id, total: rows + 1, created: rows - 1, skipped: 1, rejected_total: 1 },
  })
  expect(await total(space)).toBe(rows)
  const { body: tags } = await space.get('/tags')
  const tagged = { filter: { tags: [tags[0].id] }, pagination: { page_size: 1 } }
  expect((await space.post('/leads/list', tagged)).body.total).toBe(rows - 1)

  await space.post(`/operations/${half.id}/undo`)
  expect(await total(space)).toBe(1)
  expect((await space.get(`/lead/${there.id}`)).status).toBe(200)
  expect(await imports(space)).toEqual([])
})

test('a fault of the file is told in the stream, and one of the request before it', async () => {
  const space = await app.workspace()
  const [told] = (await hear(space, 'Email\n', 'once=true')).slice(-1)
  expect(told).toMatchObject({ event: 'fault', data: { status: 400, code: 'BAD_REQUEST' } })
  expect(told?.data.issues[0].message).toContain('no rows')
  const { status } = await send(space, 'Email\n', 'progress=true&upsert_by=nothing')
  expect(status).toBe(400)
})

test('rows of leads that are there already can be skipped', async () => {
  const space = await app.workspace()
  await space.post('/lead', { email: 'p1@x.example', first_name: 'Kept' })
  const csv = `${many(3)}\nTwice,8,P2@x.example`
  for (const query of ['dry_run=true&', '']) {
    const { body } = await send(space, csv, `${query}upsert_by=email&skip_existing=true`)
    expect(body).toMatchObject({ created: 2, updated: 0, skipped: 2 })
  }
  const { body } = await space.post('/leads/search', { email: 'p1@x.example' })
  expect(body.first_name).toBe('Kept')
})

test('the planner knows the leads of a large import at once', async () => {
  const space = await app.workspace()
  // Where autovacuum is at work, the import does not wait for it.
  await run(app.db)`alter table lead set (autovacuum_enabled = false)`
  const emails = Array.from({ length: 10_000 }, (_, index) => `a${index}@x.example`)
  const { body } = await send(space, `Email\n${emails.join('\n')}\n`, '')
  expect(body.created).toBe(10_000)
  const known = await run<{ spaces: string }[]>(
    app.db,
    isOnCluster()
      ? sql`select result as spaces from run_command_on_shards('lead', $$
          select most_common_vals::text from pg_stats
          where tablename = '%s' and attname = 'id_space'$$)`
      : sql`select most_common_vals::text as spaces from pg_stats
          where tablename = 'lead' and attname = 'id_space'`,
  )
  expect(known.map(({ spaces }) => spaces).join()).toContain(space.id_space)
})

test('in rejected rows too, nothing runs in a spreadsheet', async () => {
  const space = await app.workspace()
  const csv = [
    'Score,=Colour,First name',
    'x,=1+1,"@a ""b"""',
    "x,'=2,+49 30 1234",
    'x,plain,-1',
    '=3,"a"b,c',
  ].join('\n')
  const { body } = await send(space, csv, 'once=true&file=a.csv')
  expect(body).toMatchObject({ created: 0, rejected_total: 4 })
  const { body: file } = await space.get(`/imports/${body.id}/rejected`)
  const reason = '"score: ""x"" is not a whole number"'
  expect(file.split('\n')).toEqual([
    "reason,Score,'=Colour,First name",
    `${reason},x,'=1+1,"'@a ""b"""`,
    `${reason},x,'=2,+49 30 1234`,
    `${reason},x,plain,-1`,
    `There is text after a closing quote,'=3,"""a""b",c`,
    '',
  ])
  const mended = file.replaceAll(',x,', ',7,').replace(`'=3,"""a""b"`, '7,=4')
  const query = 'once=true&file=b.csv&create_attributes=true'
  expect((await send(space, mended, query)).body).toMatchObject({
    ...{ created: 4, rejected_total: 0, made: { attributes: ['=Colour'] } },
  })
  const { body: found } = await space.post('/leads/list', { pagination: { all: true } })
  const values = (lead: { first_name: string; attributes: object }) => [
    lead.first_name,
    ...Object.values(lead.attributes),
  ]
  expect(found.leads.map(values).sort()).toEqual([
    ['+49 30 1234', '=2'],
    ['-1', 'plain'],
    ['@a "b"', '=1+1'],
    ['c', '=4'],
  ])
})
