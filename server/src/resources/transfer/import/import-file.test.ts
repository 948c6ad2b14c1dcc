// Imports of files: rejected rows, going on after a crash, the command line.

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { inDatabase } from '../../../../test/database.ts'
import { service, type Workspace } from '../../../../test/harness.ts'
import { otherProcess } from '../../../../test/otherProcess.ts'
import { importCommand } from '../../../commands/import.ts'
import type { Config } from '../../../config.ts'
import { run, sql } from '../../../db/sql.ts'
import { newId } from '../../../ids.ts'
import { importFile } from './import-file.ts'
import type { ImportOptions } from './import-leads.ts'

const app = service()
const start = otherProcess(['resources/transfer/importFile', 'db/connect'])
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

const optionsFor = (space: Workspace): ImportOptions => ({
  ...{ space: space.id_space, user: null, now: () => new Date(), format: 'csv' },
  ...{ map: [], upsertBy: undefined, lists: [], tags: [], createCompanies: false, dryRun: false },
  ...{ createAttributes: false, dates: undefined, decimal: undefined },
})

async function importHere(
  space: Workspace,
  file: string,
  more: Partial<ImportOptions> = {},
  again = false,
) {
  const outcome = await importFile(app.db, { ...optionsFor(space), ...more }, { file, again })
  return outcome.isDone ? 'done already' : outcome.result
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
  const rejected = readFileSync(rejectedOf(file), 'latin1').split('\n')
  expect(rejected).toEqual([
    'name;score;reason',
    'Zoë;x;"score: ""x"" is not a whole number"',
    'few;;Has 1 cells where the header has 2',
    '"b" c;2;There is text behind a closing quote',
    '',
  ])
  const mended = fileOf('name;score;reason\nZoë;4;"x"\n')
  expect(await importHere(space, mended)).toMatchObject({ created: 1, rejected: 0 })
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
    { text: 'no', reason: 'Not a JSON object' },
    { score: 'x', reason: 'score: "x" is not a whole number' },
  ])
})

test('a file that is imported is not imported again, unless one says so', async () => {
  const space = await app.workspace()
  const file = fileOf('email\na\nb\n')
  expect(await importHere(space, file)).toMatchObject({ created: 2 })
  expect(await importHere(space, file)).toBe('done already')
  expect(await importHere(space, file, { tags: ['New'] })).toMatchObject({ created: 2 })
  expect(await importHere(space, file, {}, true)).toMatchObject({ created: 2 })
  expect(await importHere(await app.workspace(), file)).toMatchObject({ created: 2 })
  const bad = fileOf('colour\nred\n')
  await expect(importHere(space, bad)).rejects.toThrow('No column is known: colour')
  const rows = await run(
    app.db,
    sql`select 1 from import_progress where id_space = ${space.id_space}`,
  )
  expect(rows).toHaveLength(2)
})

/** A process of its own that imports the file. */
function importElsewhere(space: Workspace, file: string): ChildProcess {
  const target = inDatabase(inject('server'), app.db.options.database)
  return start(
    (module) => `
      import { connect } from ${module('db/connect')}
      import { importFile } from ${module('resources/transfer/importFile')}
      const db = connect(${JSON.stringify(target)}, { max: 2 })
      const options = { ...${JSON.stringify(optionsFor(space))}, now: () => new Date() }
      await importFile(db, options, { file: ${JSON.stringify(file)}, again: false })
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
        await run(
          app.db,
          sql`select row_number from import_progress where id_space = ${space.id_space}`,
        )
      )[0]?.row_number ?? 0,
    )
  const child = importElsewhere(space, file)
  const ended = once(child, 'exit')
  await expect.poll(done, { interval: 10, timeout: 30_000 }).toBeGreaterThan(0)
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
  const [count] = await run(
    app.db,
    sql`
    select count(*) as all, count(distinct email) as emails from lead
    where id_space = ${space.id_space}`,
  )
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
    { file, again: false, onRejected: () => stop.abort() },
  )
  expect(outcome).toMatchObject({ result: { isComplete: false, created: 2_000, row: 2_001 } })
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
  console.log = (line: string) => printed.push(line)
  const args = ['leads', file, '--space', space.id_space]
  try {
    await importCommand.run([...args, '--dry-run'], config)
    await importCommand.run([...args, '--json'], config)
    await importCommand.run(args, config)
  } finally {
    console.log = log
  }
  expect(printed[0]).toContain('Colour        ignored: no field has this name')
  expect(printed[0]).toContain('1 would be created')
  expect(printed[0]).toContain('row 3: Nothing is in the columns that are imported')
  expect(JSON.parse(printed[1] ?? '')).toMatchObject({ created: 1, rejected: 1 })
  expect(printed[2]).toContain('was imported already')
  expect(existsSync(rejectedOf(file))).toBe(true)
  for (const bad of [
    ['leads'],
    ['people', file],
    [...args, '--map', 'x'],
    [...args, '--upsert-by', 'name'],
    [...args, '--separator', 'ab'],
    ['leads', join(folder, 'none.csv'), '--space', space.id_space],
    ['leads', file, '--space', newId()],
    ['leads', file],
  ]) {
    await expect(importCommand.run(bad, config)).rejects.toThrow()
  }
})
