// There is a limit to what lists of all records return.
import { beforeAll, describe, expect, test } from 'vitest'
import { service, type Workspace } from '../../test/harness.ts'
import { raw, rowValues, run } from '../db/sql.ts'
import { newId } from '../ids.ts'

const app = service()
let space: Workspace
beforeAll(async () => {
  space = await app.workspace()
})

/** How to create and change one of each kind, and a column that can be long. */
const kinds = {
  tag: { path: '/tags', body: { name: 'A' }, table: 'tag', column: 'name' },
  list: { path: '/lists', body: { name: 'A' }, table: 'list', column: 'description' },
  status: { path: '/status', body: { name: 'A' }, table: 'status', column: 'name' },
  attribute: {
    ...{ path: '/attributes', body: { name: 'A', type: 'TEXT' } },
    ...{ table: 'attribute', column: 'description' },
  },
  view: { path: '/views', body: { name: 'A' }, table: 'saved_view', column: 'name' },
}

describe.each(Object.entries(kinds))('%s', (kind, { path, body, table, column }) => {
  const fill = (bytes: number) =>
    app.db.unsafe(`update ${table} set ${column} = repeat('x', $1::int) where id_space = $2`, [
      bytes,
      space.id_space,
    ])

  test('creating and changing it is refused when all together are larger than a body', async () => {
    const { status, body: made } = await space.post(path, body)
    expect(status).toBe(200)
    await fill(16 * 1024 * 1024)
    const change =
      kind === 'status'
        ? () => space.patch(path, { status: [{ id: made.id, color: 'red' }] })
        : () => space.patch(`${path}/${made.id}`, column === 'name' ? { order: 5 } : { name: 'B' })
    for (const write of [() => space.post(path, body), change]) {
      const answer = await write()
      expect([answer.status, answer.body.issues]).toEqual([
        400,
        [{ path: [], code: 'no_room', message: expect.stringContaining('may have 16 MiB') }],
      ])
    }
    await fill(100)
    expect((await change()).status).toBe(200)
  })
})

test('an import is refused what it would create', async () => {
  const tag = async (name: string) =>
    space.call('POST', '/leads/import', `Email,Tags\na@x.example,${name}\n`, 'text/csv')
  await app.db.unsafe(`update tag set name = repeat('x', 16777216) where id_space = $1`, [
    space.id_space,
  ])
  const { status, body } = await tag('New')
  expect([status, body.issues[0].message]).toEqual([400, expect.stringContaining('16 MiB')])
  await app.db.unsafe(`update tag set name = 'x' where id_space = $1`, [space.id_space])
  expect((await tag('New')).status).toBe(200)
})

test.each([
  ['note', '/notes/list', { content: 'x' }],
  ['reminder', '/reminders/list', { name: 'x', ressource_link: '', cron: '', date: '2026-11-17' }],
])(
  'a page of %ss with too much text is refused, a smaller one is not',
  async (table, path, fields) => {
    const own = await app.workspace()
    const [column] = Object.keys(fields)
    const rows = Array.from({ length: 130 }, () => ({
      ...{ id_space: own.id_space, id: newId(), ...fields },
      ...{ created_at: '2026-11-17', updated_at: '2026-11-17' },
    }))
    for (const row of rows) await run(app.db)`insert into ${raw(table)} ${rowValues(row)}`
    const list = (page_size: number) => own.post(path, { pagination: { page_size } })
    expect((await list(1000)).status).toBe(200)
    await app.db.unsafe(`update ${table} set ${column} = repeat('x', 131072) where id_space = $1`, [
      own.id_space,
    ])
    const { status, body } = await list(1000)
    expect([status, body.issues]).toMatchObject([
      400,
      [{ path: ['pagination', 'page_size'], code: 'too_large' }],
    ])
    expect((await list(20)).status).toBe(200)
  },
)
