// Rows are read while the batch before is being written. What changes meanwhile counts.
import { beforeAll, expect, test } from 'vitest'
import { service, type Workspace } from '../../../../../test/harness.ts'
import { type ImportOptions, importLeads } from './import-leads.ts'

const app = service()
let space: Workspace
let member: string

beforeAll(async () => {
  space = await app.workspace()
  member = await app.member(space)
})

/** A batch has 2,000 rows. `last` comes when they are in. */
async function importAround(change: () => Promise<unknown>, last: string) {
  let isIn = () => {}
  const firstIsIn = new Promise<void>((resolve) => {
    isIn = resolve
  })
  const first = `email,Color\n${Array.from({ length: 2_000 }, (_, at) => `a${at}@x.example,Red\n`).join('')}`
  let openings = 0
  const input = {
    async *open() {
      yield Buffer.from(first)
      // The first time, only the columns are read.
      if (++openings > 1) await firstIsIn.then(change)
      yield Buffer.from(last)
    },
  }
  const options: ImportOptions = {
    space: space.id_space,
    actor: { member, key: null, way: 'import', request_id: null },
    now: () => new Date(),
    format: 'csv',
    map: [],
    upsertBy: undefined,
    lists: [],
    tags: [],
    createCompanies: false,
    values: [],
    unknown: 'reject',
    createAttributes: false,
    dates: undefined,
    decimal: undefined,
    dryRun: false,
  }
  return importLeads(app.pool, input, options, { done: isIn })
}

test('an option that is renamed during an import counts for the rows after that', async () => {
  const { body: made } = await space.post('/attributes', {
    ...{ name: 'Color', type: 'SELECT', select_options: [{ name: 'Red' }] },
  })
  const [red] = made.select_options
  const rename = async () => {
    const select_options = [{ id: red.id, name: 'Crimson' }]
    const { status } = await space.patch(`/attributes/${made.id}`, { select_options })
    expect(status).toBe(200)
  }
  const result = await importAround(rename, 'new@x.example,Crimson\nold@x.example,Red\n')
  expect(result).toMatchObject({ created: 2_001, rejected: 1 })
  const { body } = await space.post('/leads/list', {
    filter: { fields: [{ field: 'email', operator: 'is', value: 'new@x.example' }] },
  })
  expect(body.leads[0].attributes[made.id]).toBe(red.id)
})
