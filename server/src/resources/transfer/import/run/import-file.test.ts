// Imports of files: rejected rows, continuing after a crash, the command line.

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { inDatabase } from '../../../../../test/database.ts'
import { service, type Workspace } from '../../../../../test/harness.ts'
import { startProcess } from '../../../../../test/other-process.ts'
import { exportCommand } from '../../../../commands/export.ts'
import { importCommand } from '../../../../commands/import.ts'
import type { Config } from '../../../../config.ts'
import { run } from '../../../../db/sql.ts'
import { actorOf } from '../../../../feed/author.ts'
import { newId } from '../../../../ids.ts'
import { importFile } from './import-file.ts'
import type { ImportOptions } from './import-leads.ts'

const app = service()
let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rapport-import-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function fileOf(content: string | Buffer, ending = 'csv'): string {
  const file = join(folder, `${newId()}.${ending}`)
  writeFileSync(file, content)
  return file
}

const optionsFor = (space: Workspace): Omit<ImportOptions, 'format'> => ({
  ...{ space: space.id_space, actor: actorOf('import'), now: () => new Date() },
  ...{
    map: [],
    values: [],
    unknown: undefined,
    upsertBy: undefined,
    lists: [],
    tags: [],
    createCompanies: false,
    dryRun: false,
  },
  ...{ createAttributes: false, dates: undefined, decimal: undefined },
})

async function importHere(
  space: Workspace,
  file: string,
  { format = 'csv', ...more }: Partial<ImportOptions> = {},
  again = false,
) {
  const options = { ...optionsFor(space), ...more }
  const outcome = await importFile(app.db, options, { file, format, again })
  if (!outcome.isDone) return outcome.result
  return outcome.isSame ? 'done already' : 'done with other options'
}

const rejectedOf = (file: string, ending = 'csv') => file.replace(/\.\w+$/, `.rejected.${ending}`)

test('bad rows go to a file beside it, which can be imported once it is put right', async () => {
  const space = await app.workspace()
  const latin = Buffer.from('name;score\nZoë;x\nfew\n"a";1\n"b" c;2\nok;3\n', 'latin1')
  const file = fileOf(latin)
  expect(await importHere(space, file)).toMatchObject({
    created: 2,
    rejected: 3,
    encoding: 'latin1',
  })
  // In UTF-8, whatever the file has.
  const rejected = readFileSync(rejectedOf(file), 'utf8')
  expect(statSync(rejectedOf(file)).mode & 0o777).toBe(0o600)
  expect(rejected.split('\n')).toEqual([
    'reason;name;score',
    '"score: ""x"" is not a whole number";Zoë;x',
    'Has 1 cells instead of 2;few',
    'There is text after a closing quote;"""b"" c";2',
    '',
  ])
  const mended = fileOf(
    rejected.replace('Zoë;x', 'Zoë;4').replace(';few', ';few;5').replace('"""b"" c"', 'b'),
  )
  expect(await importHere(space, mended)).toMatchObject({ created: 3, rejected: 0 })
  const lines = fileOf('{"score": 1}\nno\n{"score": "x"}\n', 'ndjson')
  expect(await importHere(space, lines, { format: 'ndjson' })).toMatchObject({
    created: 1,
    rejected: 2,
  })
  expect(
    readFileSync(rejectedOf(lines, 'ndjson'), 'utf8')
      .trim()
      .split('\n')
      .map((l) => JSON.parse(l)),
  ).toEqual([
    { reason: 'Not a JSON object', text: 'no' },
    { score: 'x', reason: 'score: "x" is not a whole number' },
  ])
})

test('rows that are too long, too short or have an open quote can be mended in their file', async () => {
  const space = await app.workspace()
  const file = fileOf(
    'name,city,score\nlong,Rome,1,2\nshort\n"open,Rome,3\n"a ""b""",Bonn,x\nfine,Oslo,5\n"last,Rome,6',
  )
  expect(await importHere(space, file)).toMatchObject({ created: 1, rejected: 5 })
  const rejected = readFileSync(rejectedOf(file), 'utf8')
  // As it is, every row is rejected again, for the same reasons, and nothing else breaks.
  const asIs = fileOf(rejected)
  expect(await importHere(space, asIs)).toMatchObject({ created: 0, rejected: 5 })
  const again = readFileSync(rejectedOf(asIs), 'utf8')
  expect(again.split('\n').map((line) => line.split(',')[1])).toEqual(
    rejected.split('\n').map((line) => line.split(',')[1]),
  )
  const mended = rejected
    .replace('Rome,1,2', 'Rome,1')
    .replace(',short', ',short,,')
    .replaceAll('"""open"', 'open')
    .replaceAll('"""last"', 'last')
    .replace('Bonn,x', 'Bonn,4')
  expect(await importHere(space, fileOf(mended))).toMatchObject({ created: 5, rejected: 0 })
})

test('every reason of a rejected row is said', async () => {
  const space = await app.workspace()
  const file = fileOf(
    'name,score,created_at,is_company\nAda,high,soon,perhaps\nOk,1,2026-01-31,no\n',
  )
  expect(await importHere(space, file)).toMatchObject({ created: 1, rejected: 1 })
  const [, line] = readFileSync(rejectedOf(file), 'utf8').split('\n')
  for (const reason of ['score: ""high""', 'created_at: ""soon""', 'is_company: ""perhaps""']) {
    expect(line).toContain(reason)
  }
})

test('a file that is imported is not imported again, unless one says so', async () => {
  const space = await app.workspace()
  const file = fileOf('email\na\nb\n')
  expect(await importHere(space, file)).toMatchObject({ created: 2 })
  expect(await importHere(space, file)).toBe('done already')
  // Other options do not make it another file.
  expect(await importHere(space, file, { tags: ['New'] })).toBe('done with other options')
  expect(await importHere(space, file, { createCompanies: true })).toBe('done with other options')
  expect(await importHere(space, file, {}, true)).toMatchObject({ created: 2 })
  expect(await importHere(await app.workspace(), file)).toMatchObject({ created: 2 })
  const bad = fileOf('colour\nred\n')
  await expect(importHere(space, bad)).rejects.toThrow('No column was recognized: colour')
  const rows = await run(app.db)`select 1 from import_progress where id_space = ${space.id_space}`
  expect(rows).toHaveLength(1)
})

/** A process of its own that imports the file. */
function importElsewhere(space: Workspace, file: string): ChildProcess {
  const target = inDatabase(inject('server'), app.db.options.database)
  return startProcess(
    (module) => `
      import { connect } from ${module('db/driver')}
      import { importFile } from ${module('resources/transfer/import/run/import-file')}
      const db = connect(${JSON.stringify(target)}, { max: 2 })
      const options = { ...${JSON.stringify(optionsFor(space))}, now: () => new Date() }
      await importFile(db, options, { file: ${JSON.stringify(file)}, format: 'csv', again: false })
      await db.end()`,
  )
}

test('killed in the middle and started again, it makes no lead twice and loses none', async () => {
  const space = await app.workspace()
  const rows = Array.from({ length: 9_000 }, (_, index) =>
    index % 1_000 === 7 ? `u${index},x\n` : `u${index}@x.example,${index}\n`,
  )
  const file = fileOf(`email,score\n${rows.join('')}`)
  const done = async () =>
    Number(
      (
        await run(app.db)`select row_number from import_progress where id_space = ${space.id_space}`
      )[0]?.row_number ?? 0,
    )
  const child = importElsewhere(space, file)
  const ended = once(child, 'exit')
  await expect.poll(done, { interval: 10 }).toBeGreaterThan(0)
  child.kill('SIGKILL')
  await ended
  const kept = await done()
  expect(kept).toBeLessThan(9_001)
  // What a crash between file and commit leaves behind.
  writeFileSync(rejectedOf(file), `${readFileSync(rejectedOf(file), 'utf8')}half a r`)
  expect(await importHere(space, file)).toMatchObject({
    created: 8_991,
    rejected: 9,
    isComplete: true,
  })
  const [count] = await run(app.db)`
    select count(*) as all, count(distinct email) as emails from lead
    where id_space = ${space.id_space}`
  expect(count).toEqual({ all: 8_991, emails: 8_991 })
  expect(readFileSync(rejectedOf(file), 'utf8').split('\n')).toHaveLength(11)
  expect(await importHere(space, file)).toBe('done already')
})

test('asked to stop, it finishes its batch; the next run goes on', async () => {
  const space = await app.workspace()
  const file = fileOf(`email\n${'a\n'.repeat(5_000)}`)
  const stop = new AbortController()
  const outcome = await importFile(
    app.db,
    { ...optionsFor(space), signal: stop.signal },
    { file, format: 'csv', again: false, done: () => stop.abort() },
  )
  expect(outcome).toMatchObject({ result: { isComplete: false, created: 2_000, row: 2_001 } })
  // With other options it would be half of each.
  await expect(importHere(space, file, { tags: ['New'] })).rejects.toThrow(
    'interrupted after row 2001 and had other options',
  )
  expect(await importHere(space, file)).toMatchObject({ isComplete: true, created: 5_000 })
})

test('an import that was undone, whole or in part, begins anew', async () => {
  const space = await app.workspace()
  const rows = Array.from({ length: 5_000 }, (_, index) => `${index}@x.example\n`)
  const file = fileOf(`email\n${rows.join('')}`)
  const stop = new AbortController()
  await importFile(
    app.db,
    { ...optionsFor(space), signal: stop.signal },
    { file, format: 'csv', again: false, done: () => stop.abort() },
  )
  const total = async () => (await space.post('/leads/list', { id_only: true })).body.total
  const undo = async () => {
    const [operation] = (await space.get('/operations?limit=1')).body.operations
    expect((await space.post(`/operations/${operation.id}/undo`)).body).toMatchObject({ kept: 0 })
    expect(await total()).toBe(0)
  }
  expect(await total()).toBeGreaterThan(0)
  await undo()
  expect(await importHere(space, file)).toMatchObject({ isComplete: true, created: 5_000 })
  expect(await total()).toBe(5_000)
  await undo()
  expect(await importHere(space, file)).toMatchObject({ isComplete: true, created: 5_000 })
})

test('the command', async () => {
  const space = await app.workspace()
  const target = inDatabase(inject('server'), app.db.options.database)
  // The command reads where the database is from an address and, for a socket, the environment.
  const { host = '', port = 5432, username = '', password = '' } = target
  vi.stubEnv('PGHOST', host)
  vi.stubEnv('PGPORT', String(port))
  vi.stubEnv('PGUSERNAME', username)
  vi.stubEnv('PGPASSWORD', password)
  const databaseUrl = target.url ?? `postgres:///${app.db.options.database}`
  const config = { databaseUrl } as Config
  const file = fileOf('First Name,Colour\nAda,red\n,blue\n')
  const printed: string[] = []
  const log = console.log
  const exit = process.exitCode
  console.log = (line: string) => printed.push(line)
  const args = ['leads', file, '--space', space.id_space]
  const leads = () => space.post('/leads/list', { id_only: true })
  let before = -1
  try {
    await importCommand.run([...args, '--dry-run'], config)
    await importCommand.run([...args, '--json'], config)
    await importCommand.run(args, config)
    expect(process.exitCode).toBe(exit)
    await importCommand.run([...args, '--tag', 'New'], config)
    expect(process.exitCode).toBe(1)
    process.exitCode = exit
    // What goes where is printed before anything is written.
    before = (await leads()).body.total
    console.log = (line: string) => printed.push(line)
    await importCommand.run([...args, '--again', '--create-attributes'], config)
  } finally {
    console.log = log
    process.exitCode = exit
  }
  const [mapping, summary, json, again, other, kept, done] = printed
  expect(mapping).toContain('CSV, separator ",", UTF-8, 2 rows')
  expect(mapping).toContain('First Name →  first_name  Ada')
  expect(mapping).toContain('Colour        ignored: no field has this name')
  expect(mapping).toContain('add --create-attributes')
  expect(summary).toContain('1 would be created')
  expect(summary).toContain('row 3: The imported columns are empty')
  expect(JSON.parse(json ?? '')).toMatchObject({ created: 1, rejected: 1, system: null })
  expect(again).toContain('was already imported')
  expect(again).toContain('1 lead created')
  expect(other).toContain('with other options')
  expect(other).toContain('add --again')
  expect(kept).toContain('Colour     →  attribute:colour  red | blue')
  expect(done).toContain('2 rows')
  expect(done).toContain('New attributes: Colour')
  expect([before, (await leads()).body.total]).toEqual([1, 3])
  expect(existsSync(rejectedOf(file))).toBe(false)
  // What it writes is for its owner only, also where a file was there before.
  await space.post('/lead', { first_name: '=1+1', auto_assign_owner: false })
  const output = fileOf('old')
  console.log = () => {}
  for (const [more, cell] of [
    [[], "'=1+1"],
    [['--raw'], '=1+1'],
  ] as const) {
    const options = ['--space', space.id_space, '--output', output, ...more]
    await exportCommand.run(['leads', ...options], config)
    expect(readFileSync(output, 'utf8')).toContain(`,${cell},`)
    expect(statSync(output).mode & 0o777).toBe(0o600)
  }
  console.log = log
  const empty = fileOf('First Name,Email\n')
  await expect(importCommand.run(['leads', empty, ...args.slice(2)], config)).rejects.toThrow(
    'has a header but no rows',
  )
  for (const [bad, said] of [
    [['leads'], 'leads.csv'],
    [['people', file], 'leads.csv'],
    [[...args, '--map', 'x'], '--map must be'],
    [[...args, '--upsert-by', 'name'], '--upsert-by must be'],
    [[...args, '--again', '--upsert-by', 'foreign_id'], "--map 'Header=attribute:SLUG' and"],
    [[...args, '--separator', 'ab'], '--separator must be'],
    [['leads', join(folder, 'none.csv'), '--space', space.id_space], 'Cannot read'],
    [['leads', file, '--space', newId()], 'No workspace'],
  ] as const) {
    await expect(importCommand.run([...bad], config)).rejects.toThrow(said)
  }
})
