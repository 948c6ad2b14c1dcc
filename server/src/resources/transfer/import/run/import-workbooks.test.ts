// Imports of XLSX files, over HTTP and on the command line.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { service, type Workspace } from '../../../../../test/harness.ts'
import { type Cell, workbook } from '../../../../../test/workbook.ts'
import { actorOf } from '../../../../feed/author.ts'
import { importFile } from './import-file.ts'

const app = service()
const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

async function send(space: Workspace, content: Buffer, query = '') {
  const response = await fetch(`${app.url}/rest/leads/import?${query}`, {
    method: 'POST',
    headers: { 'X-API-KEY': space.key, 'Content-Type': type },
    body: content,
  })
  return { status: response.status, body: JSON.parse(await response.text()) }
}

async function leadsOf(space: Workspace) {
  const orderBy = [{ field: 'first_name', type: 'asc' }]
  return (await space.post('/leads/list', { orderBy, pagination: { all: true } })).body.leads
}

const header = ['First name', 'Job title', 'Created', 'Score', 'Deal value', 'Rate', 'Seen', 'Fan']
const people: Cell[][] = [
  header,
  [
    'Ada',
    'Count & "Countess"\nof <Lovelace>',
    { days: 45_730 },
    7,
    1200.25,
    1.234,
    { days: 45_730.4, format: 2 },
    true,
  ],
  [],
  ['Zoë', null, null, 'high', 5000, 0.5],
  ['Zuse', null, { days: 12.5, format: 3 }],
]

test('texts, numbers, dates and flags come as they are', async () => {
  const space = await app.workspace()
  const { body } = await send(space, workbook({ Leads: people }), 'create_attributes=true')
  expect(body).toMatchObject({ created: 1, rejected_total: 2, separator: ',', encoding: 'utf-8' })
  // Rows keep the number that a spreadsheet shows. A number in another format is not a date.
  expect(body.rejected).toEqual([
    { row: 4, reason: 'score: "high" is not a whole number' },
    { row: 5, reason: expect.stringContaining('created_at: "12.5" is not a date-time') },
  ])
  const [ada] = await leadsOf(space)
  expect(ada).toMatchObject({
    ...{ first_name: 'Ada', company_role: 'Count & "Countess"\nof <Lovelace>', score: 7 },
    ...{ created_at: '2025-03-14T00:00:00.000Z', contract_amount: 1200.25 },
  })
  const { body: attributes } = await space.get('/attributes')
  const values = Object.fromEntries(
    attributes.map(({ id, name, type }: Record<string, string>) => [
      name,
      [type, ada.attributes[id ?? '']],
    ]),
  )
  expect(values).toEqual({
    Rate: ['NUMBER', 1.234],
    Seen: ['TIMESTAMP', '2025-03-14T09:36:00.000Z'],
    Fan: ['CHECKBOX', true],
  })
})

test('the first visible sheet, or the one that is named', async () => {
  const space = await app.workspace()
  const book = workbook({
    '.Lists': [['Email'], ['hidden@x.example']],
    Ours: [['Email'], ['ours@x.example']],
    Theirs: [['Email', 'Name'], ['theirs@x.example']],
    Nothing: [],
    Header: [['Email', 'Name']],
  })
  const emails = async () =>
    (await leadsOf(space)).map(({ email }: { email: string }) => email).sort()
  expect((await send(space, book)).body).toMatchObject({ created: 1 })
  expect(await emails()).toEqual(['ours@x.example'])
  expect((await send(space, book, 'sheet=theirs')).body).toMatchObject({ created: 1 })
  expect(await emails()).toEqual(['ours@x.example', 'theirs@x.example'])
  for (const [query, message] of [
    ['sheet=None', 'No sheet "None". The file has: .Lists, Ours, Theirs, Nothing, Header.'],
    ['sheet=Nothing', 'The file is empty.'],
    ['sheet=Header', 'The file has a header but no rows'],
  ]) {
    const { status, body } = await send(space, book, query)
    expect([status, body.issues[0].message]).toEqual([400, expect.stringContaining(message ?? '')])
  }
})

test('what is no workbook is refused', async () => {
  const space = await app.workspace()
  const book = workbook({ Ours: [['Email'], ['ours@x.example']] })
  for (const content of [
    Buffer.alloc(0),
    Buffer.from('Email\na@x.example\n'),
    book.subarray(0, book.length - 30),
    Buffer.from(book.toString('latin1').replace('</sheetData>', '</sheetDato>'), 'latin1'),
    Buffer.from(book.toString('latin1').replaceAll('xl/workbook.xml', 'xl/workbook.xmx'), 'latin1'),
  ]) {
    const { status, body } = await send(space, content)
    expect([status, body.issues?.[0].code]).toEqual([400, 'import'])
  }
  expect(await leadsOf(space)).toEqual([])
})

test('a file: rejected rows go to CSV, and another sheet is another file', async () => {
  const space = await app.workspace()
  const folder = mkdtempSync(join(tmpdir(), 'rapport-workbook-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'people.xlsx')
  const other = [['Email'], ['other@x.example']]
  writeFileSync(file, workbook({ People: people, Other: other }))
  const importSheet = async (sheet: string | undefined) => {
    const options = {
      ...{ space: space.id_space, actor: actorOf('import'), now: () => new Date() },
      ...{
        map: [],
        values: [],
        unknown: undefined,
        upsertBy: undefined,
        lists: [],
        tags: [],
        createCompanies: false,
      },
      ...{ createAttributes: false, dates: undefined, decimal: undefined, dryRun: false },
    }
    const outcome = await importFile(app.db, options, { file, format: 'xlsx', sheet, again: false })
    return outcome.isDone ? 'done already' : outcome.result
  }
  expect(await importSheet(undefined)).toMatchObject({ created: 1, rejected: 2 })
  const [head, row] = readFileSync(join(folder, 'people.rejected.csv'), 'utf8').split('\n')
  expect(head).toBe(`reason,${header.join()}`)
  expect(row).toBe('"score: ""high"" is not a whole number",Zoë,,,high,5000,0.5,,')
  expect(await importSheet('People')).toBe('done already')
  expect(await importSheet('Other')).toMatchObject({ created: 1, rejected: 0 })
})
