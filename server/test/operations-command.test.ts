// `operations` as people use it: real processes beside a running server.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, type Pool } from '../src/db/driver.ts'
import { run as query, sql } from '../src/db/sql.ts'
import { openEngine } from '../src/engine/engine.ts'
import { newId } from '../src/ids.ts'
import { program as script } from './program.ts'
import { program, type Serving } from './running-program.ts'

const box = program()
const key = 'a-key-of-my-own-choice'
let server: Serving
let pool: Pool
let close: () => Promise<void>
beforeAll(async () => {
  server = await box.start({ RAPPORT_API_KEY: key })
  const engine = await openEngine({ dataDir: box.dataDir, log: () => {} })
  pool = connect(engine.connections.service, { max: 1 })
  close = async () => {
    await pool.end()
    await engine.leave()
  }
})
afterAll(() => close())

// biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the service sent
type Body = any

async function send(method: string, path: string, body?: object) {
  const answer = await fetch(`${server.url}/rest${path}`, {
    method,
    headers: { 'X-API-KEY': key, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  return {
    body: (await answer.json()) as Body,
    operation: answer.headers.get('x-operation-id') as string,
  }
}

let last = 0
/** Leads with these cities, and an operation that moves all of them to Bern. */
async function moved(cities: string[]) {
  const word = `batch${last++}x`
  const ids: string[] = []
  for (const city of cities) {
    ids.push((await send('POST', '/lead', { first_name: word, city })).body.id)
  }
  const filter = { search: word }
  const data = { city: 'Bern', phone: '7' }
  const { operation } = await send('PATCH', '/leads/update-many', { filter, data })
  const citiesNow = () =>
    Promise.all(ids.map(async (id) => (await send('GET', `/lead/${id}`)).body.city))
  return { ids, filter, data, operation, citiesNow }
}

test('list shows when, who, what, how many, the state and until when', async () => {
  const { operation, filter, data } = await moved(['Rome', 'Paris'])
  const { code, stdout } = await box.run(['operations', 'list'])
  expect(code).toBe(0)
  const [head, line] = stdout.split('\n')
  expect(head).toMatch(/^id +at +who +what +leads +state +undoable_until$/)
  const time = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d`
  expect(line).toMatch(
    new RegExp(`^${operation} +${time} +Owner +changed: city and phone +2 +done +${time}$`),
  )
  const json = JSON.parse((await box.run(['operations', 'list', '--limit', '1', '--json'])).stdout)
  expect(json).toEqual([(await send('GET', `/operations/${operation}`)).body])
  expect(json).toMatchObject([{ filter, data }])
})

test('undo says what it does and what it has done, and is in the audit log', async () => {
  const { ids, filter, operation, citiesNow } = await moved(['Rome', 'Paris', 'Oslo'])
  await send('PATCH', `/lead/${ids[1]}`, { city: 'Kyiv' })
  const asked = await box.run(['operations', 'undo', operation])
  expect([asked.code, asked.stdout]).toEqual([1, ''])
  expect(asked.stderr).toMatch(
    /, Owner: 3 leads changed: city and phone\.\nUndo restores the values of 3 leads\. Later changes are kept\.\nNothing was done\. To confirm: .* operations undo \S+ --space .* --yes\n$/,
  )
  expect(await citiesNow()).toEqual(['Bern', 'Kyiv', 'Bern'])

  const { code, stdout } = await box.run(['operations', 'undo', operation, '--yes'])
  expect(code).toBe(0)
  expect(stdout).toMatch(
    /^Undone: 3 leads\. Kept: 1 lead \(changed since: 1\)\.\nTo undo this: .* operations undo \S+ --space \S/,
  )
  expect(await citiesNow()).toEqual(['Rome', 'Kyiv', 'Oslo'])
  const undo = /undo (\S+) --space/.exec(stdout)?.[1] as string
  expect((await send('GET', '/audit?limit=1')).body.entries).toMatchObject([
    { action: 'operation.undone', actor: { way: 'command' }, about: { operation, undo } },
  ])

  const shown = await box.run(['operations', 'show', operation])
  expect(shown.stdout).toMatch(/^leads +3 changed of 3 selected\nwho +Owner\n/m)
  expect(shown.stdout).toContain(`filter          ${JSON.stringify(filter)}\n`)
  expect(shown.stdout).toMatch(
    new RegExp(
      `^state +undone\n[^]*^undone by +${undo}\nresult +Undone: 3 leads\\. Kept: .*changed since`,
      'm',
    ),
  )
  const shownUndo = await box.run(['operations', 'show', undo])
  expect(shownUndo.stdout).toMatch(/^who +the command line\n/m)
  expect(shownUndo.stdout).toMatch(
    new RegExp(`^undo of +${operation}\nresult +Undone: 3 leads`, 'm'),
  )
  const json = JSON.parse((await box.run(['operations', 'show', undo, '--json'])).stdout)
  expect(json).toEqual((await send('GET', `/operations/${undo}`)).body)

  const redo = JSON.parse((await box.run(['operations', 'undo', undo, '--yes', '--json'])).stdout)
  expect(redo).toMatchObject({ undo_of: undo, undone: 3, kept: 0, actor: { way: 'command' } })
  expect(await citiesNow()).toEqual(['Bern', 'Kyiv', 'Bern'])
})

test.each([
  ['yes\n', 0, /Undone: 2 leads/],
  ['no\n', 1, /Nothing was done/],
])('on a terminal the answer %j ends with status %i', async (answer, code, told) => {
  const { operation, citiesNow } = await moved(['Rome', 'Paris'])
  const command = `"${process.execPath}" "${script}" operations undo ${operation}`
  // `script` gives the command a terminal.
  const terminal = box.spawned('script', ['-qec', command, '/dev/null'])
  await terminal.says(/Undo it\? Type "yes" to continue: /)
  terminal.child.stdin?.write(answer)
  expect(await terminal.ended).toBe(code)
  await terminal.says(told)
  expect(await citiesNow()).toEqual(code === 0 ? ['Rome', 'Paris'] : ['Bern', 'Bern'])
})

test('operations can be undone in a restored backup', async () => {
  const { operation } = await moved(['Rome', 'Paris'])
  const imported = await fetch(`${server.url}/rest/leads/import`, {
    method: 'POST',
    headers: { 'X-API-KEY': key, 'Content-Type': 'text/csv' },
    body: 'email\nimported-1@a.example\nimported-2@a.example\n',
  })
  const file = join(box.dataDir, 'all.backup')
  expect((await box.run(['backup', file])).code).toBe(0)
  const there = { DATA_DIR: join(box.dataDir, 'restored') }
  expect((await box.run(['restore', file], there)).code).toBe(0)
  for (const id of [operation, imported.headers.get('x-operation-id') as string]) {
    const { stdout } = await box.run(['operations', 'undo', id, '--yes', '--json'], there)
    expect(JSON.parse(stdout)).toMatchObject({ undone: 2, kept: 0 })
  }
})

test('what cannot be undone is said in one line', async () => {
  const { operation } = await moved(['Rome'])
  const undo = async (id: string, more = {}) => {
    const { code, stdout, stderr } = await box.run(['operations', 'undo', id, '--yes'], more)
    expect([code, stdout]).toEqual([1, ''])
    return stderr.replace(/^Workspace: .*\n/, '')
  }
  expect(await undo(operation, { UNDO_KEEP: '0' })).toBe(
    'The values from before the operation are no longer stored.\n',
  )
  const setState = (state: string, until: string | null) =>
    query(
      pool,
      sql`update operation set state = ${state}, lease_until = ${until}::timestamptz where id = ${operation}`,
    )
  await setState('running', '2999-01-01')
  expect(await undo(operation)).toBe('The operation is still running.\n')
  await setState('running', '2001-01-01')
  expect(await undo(operation)).toBe('The operation failed and changed nothing.\n')
  await setState('done', null)
  expect((await box.run(['operations', 'undo', operation, '--yes'])).code).toBe(0)
  expect(await undo(operation)).toBe('The operation has already been undone.\n')
  for (const unknown of [newId(), 'x']) {
    expect(await undo(unknown)).toMatch(
      new RegExp(`^No operation "${unknown}" in the workspace ".*"\\. See: .* operations list`),
    )
  }
  expect(await box.run(['operations', 'undo'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Missing the id of the operation'),
  })
  expect(await box.run(['operations', 'undoo', operation])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Did you mean undo?'),
  })
})

test('duplicates counts and merges them, after saying what that does', async () => {
  const ids: string[] = []
  for (const first_name of ['Ada', 'A.']) {
    const body = { first_name, email: 'same@a.example' }
    ids.push((await send('POST', '/lead', body)).body.id)
  }
  const listed = JSON.parse((await box.run(['duplicates', 'list', '--json'])).stdout)
  expect(listed).toContainEqual({ kind: 'email', groups: 1 })
  const asked = await box.run(['duplicates', 'merge', '--by', 'email'])
  expect(asked).toMatchObject({ code: 1, stdout: '' })
  expect(asked.stderr).toMatch(
    /1 group by email: 1 lead would become part of others\.\nNothing was done\. To confirm: .* duplicates merge --by email --keep oldest --rule survivor --space .* --yes\n$/,
  )
  const { code, stdout } = await box.run(['duplicates', 'merge', '--by', 'email', '--yes'])
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/^1 lead merged\.\nTo undo this: .* operations undo /),
  ])
  expect((await send('GET', `/lead/${ids[1]}`)).body).toMatchObject({ id: ids[0] })
  const none = await box.run(['duplicates', 'merge', '--by', 'email', '--yes'])
  expect(none.stdout).toBe('0 groups by email: 0 leads would become part of others.\n')
  expect((await box.run(['duplicates', 'merge', '--by', 'name'])).stderr).toContain(
    '--by must be one of email',
  )
})

test('the keys of an import on the command line are made by the server, or by who needs them', async () => {
  const file = join(box.dataDir, 'twice.csv')
  await writeFile(file, 'email\ntwice@a.example\ntwice@a.example\n')
  expect((await box.run(['import', 'leads', file])).code).toBe(0)
  // Sooner than it looks by itself.
  const due = () => query(pool, sql`select id from lead_key_due`)
  await expect.poll(due, { timeout: 20_000 }).toEqual([])
  const before = await query(pool, sql`select key from lead_key where key = 'twice@a.example'`)
  expect(before).toHaveLength(2)
  server.child.kill('SIGINT')
  await server.ended
  expect((await box.run(['import', 'leads', file, '--again'])).code).toBe(0)
  const listed = JSON.parse((await box.run(['duplicates', 'list', '--json'])).stdout)
  expect(listed).toContainEqual({ kind: 'email', groups: 1 })
  const merged = await box.run(['duplicates', 'merge', '--by', 'email', '--yes'])
  expect(merged.stdout).toMatch(/^3 leads merged\./)
})
