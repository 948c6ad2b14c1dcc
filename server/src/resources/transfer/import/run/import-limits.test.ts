// Files that are made to stop the service, or to slow it down for everybody.
import { expect, test } from 'vitest'
import { service, type Workspace } from '../../../../../test/harness.ts'
import { type Parts, workbookParts, type ZipOptions, zip } from '../../../../../test/workbook.ts'

const app = service()
const types = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

async function send(
  space: Workspace,
  type: keyof typeof types,
  content: string | Uint8Array,
  query = '',
) {
  const response = await fetch(`${app.url}/rest/leads/import?${query}`, {
    method: 'POST',
    headers: { 'X-API-KEY': space.key, 'Content-Type': types[type] },
    body: content,
  })
  const body = JSON.parse(await response.text())
  return { status: response.status, body, message: body.issues?.[0].message as string }
}

const sheetName = 'xl/worksheets/sheet1.xml'

/** A workbook with one sheet of two rows, in which parts are changed. */
function book(change: (part: string, name: string) => string, options?: ZipOptions): Buffer {
  const parts = workbookParts({
    People: [
      ['Email', 'City'],
      ['ada@x.example', 'London'],
    ],
  })
  const changed = parts.map(([name, content]) => [name, change(content, name)]) as Parts
  return zip(changed, { deflate: true, ...options })
}

/** More rows, and what follows them. */
const withRows = (rows: string, behind = '') =>
  book((part) => part.replace('</sheetData>', `${rows}</sheetData>${behind}`))

const text = (r: string, value: string) => `<c r="${r}" t="inlineStr"><is><t>${value}</t></is></c>`

test.each([
  [
    'a row far away',
    withRows(`<row r="200000000">${text('A200000000', 'b@x.example')}</row>`),
    'Sheet "People": row "200000000" follows row 2, but a sheet has rows 1 to 1,048,576.',
  ],
  [
    'a row that is no number',
    withRows(`<row r="1e5">${text('A3', 'b@x.example')}</row>`),
    'Sheet "People": row "1e5" follows row 2,',
  ],
  ['row zero', withRows('<row r="0"/>'), 'Sheet "People": row "0" follows row 2,'],
  ['a row twice', withRows('<row r="2"/>'), 'Sheet "People": row 2 comes after row 2.'],
  ['rows backwards', withRows('<row r="9"/><row r="5"/>'), 'row 5 comes after row 9.'],
  ['rows without end', withRows('<row r="1048576"/><row/>'), 'row "1048577" follows row 1048576,'],
  [
    'the last column',
    withRows(`<row r="3">${text('XFD3', 'x')}</row>`),
    'Sheet "People", row 3, column XFD: A file may have up to 1,000 columns.',
  ],
  [
    'a cell nowhere',
    withRows('<row r="3"><c r="12"/></row>'),
    'Sheet "People", row 3, column A: "12" is not a cell of a sheet.',
  ],
  [
    'a column that no sheet has',
    withRows('<row r="3"><c r="ZZZ3"/></row>'),
    'Sheet "People", row 3, column ZZZ: A row has at most 16,384 cells.',
  ],
  [
    'cells without end',
    withRows(`<row r="3">${'<c/>'.repeat(400_000)}</row>`),
    'Sheet "People", row 3, column XFE: A row has at most 16,384 cells.',
  ],
  [
    'one cell again and again',
    withRows(`<row r="3">${'<c r="B3"/>'.repeat(20_000)}</row>`),
    'Sheet "People", row 3, column B: A row has at most 16,384 cells.',
  ],
  [
    'a cell without end',
    withRows(`<row r="3">${text('B3', 'x'.repeat(2_000_000))}</row>`),
    'Sheet "People", row 3, column B: The cell has more than 1 MiB of text.',
  ],
  [
    'a row without end',
    book((part, name) => {
      if (name.endsWith('sharedStrings.xml')) {
        return part.replace('</sst>', `<si><t>${'x'.repeat(1_000_000)}</t></si></sst>`)
      }
      const cells = '<c t="s"><v>4</v></c>'.repeat(20)
      return part.replace('</sheetData>', `<row>${cells}</row></sheetData>`)
    }),
    'Sheet "People", row 3, column Q: So far, the row is larger than 16 MiB.',
  ],
  [
    'a shared text without end',
    book((part) =>
      part.replace('</sst>', `<si>${`<r><t>${'x'.repeat(60_000)}</t></r>`.repeat(20)}</si></sst>`),
    ),
    'Text 5 of the workbook is larger than 1 MiB.',
  ],
  [
    'shared texts without end',
    book((part) =>
      part.replace('</sst>', `${`<si><t>${'x'.repeat(1_000_000)}</t></si>`.repeat(135)}</sst>`),
    ),
    'more than 128 MiB of text. Save the sheet as CSV or split it.',
  ],
  [
    'a part that inflates without end',
    book((part, name) => (name === 'xl/styles.xml' ? part + ' '.repeat(65 * 1024 * 1024) : part)),
    'Part xl/styles.xml of the workbook is larger than 64 MiB.',
  ],
  [
    'sheets without end',
    book((part) =>
      part.replace('<sheets>', `<sheets>${'<sheet name="a" r:id="r1"/>'.repeat(2_000)}`),
    ),
    'The workbook has more than 1,000 sheets.',
  ],
  [
    'relations without end',
    book((part, name) =>
      name.includes('workbook.xml.rels')
        ? part.replace(
            '<Relationship ',
            `${Array.from({ length: 10_001 }, (_, index) => `<Relationship Id="x${index}"/>`).join('')}<Relationship `,
          )
        : part,
    ),
    'The workbook has more than 10,000 parts.',
  ],
  [
    'formats without end',
    book((part) => part.replace('<cellXfs>', `<cellXfs>${'<xf numFmtId="14"/>'.repeat(70_000)}`)),
    'The workbook has more than 65,536 formats.',
  ],
  [
    'parts without end',
    zip(
      Array.from({ length: 130 }, (_, index): [string, string] => [`${index}`.padEnd(65_000), '']),
      { deflate: true },
    ),
    'The workbook has too many parts.',
  ],
])('a workbook with %s is refused, and where is said', async (_, content, message) => {
  const space = await app.workspace()
  const answer = await send(space, 'xlsx', content)
  expect([answer.status, answer.message]).toEqual([400, expect.stringContaining(message)])
})

test.each([
  ['elements in elements', withRows('<row>'.repeat(3))],
  ['deep nesting', withRows(`${'<a>'.repeat(100)}${'</a>'.repeat(100)}`)],
  ['nesting without end', withRows('<a>'.repeat(1_000_000))],
  [
    'very many attributes',
    withRows(`<row ${Array.from({ length: 99 }, (_, i) => `a${i}=""`).join(' ')}/>`),
  ],
  ['an attribute without end', withRows(`<row a="${'x'.repeat(1_000_000)}"/>`)],
  ['a name without end', withRows(`<${'x'.repeat(1_000_000)}/>`)],
  [
    'a document type',
    book((part, name) =>
      name === sheetName ? `<!DOCTYPE w>${part.replace(/^<\?.*?\?>/, '')}` : part,
    ),
  ],
  [
    'entities',
    book((part, name) =>
      name === sheetName
        ? `<!DOCTYPE w [<!ENTITY a "aaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>${part.replace('</sheetData>', '<row><c t="inlineStr"><is><t>&b;</t></is></c></row></sheetData>')}`
        : part,
    ),
  ],
  [
    'too small a size',
    book((part) => part, { claim: (name) => (name === sheetName ? 10 : undefined) }),
  ],
])('a workbook with %s is no workbook', async (_, content) => {
  const space = await app.workspace()
  const { status, message } = await send(space, 'xlsx', content)
  expect([status, message]).toEqual([400, expect.stringContaining('Not a readable XLSX file')])
})

test('gaps in a sheet cost nothing, and rows keep their number', async () => {
  const space = await app.workspace()
  const before = performance.now()
  const content = book((part) =>
    part
      .replace('</row>', `${text('ALL1', 'Far away')}</row>`)
      .replace(
        '</sheetData>',
        `<row r="1048576">${text('A1048576', 'bo@x.example')}${text('ALM1048576', '')}</row></sheetData>`,
      ),
  )
  const { body } = await send(space, 'xlsx', content, 'create_attributes=true')
  expect(body).toMatchObject({ created: 2, rejected_total: 0, rows: 2 })
  expect(body.columns).toHaveLength(1000)
  expect(performance.now() - before).toBeLessThan(30_000)
  const links = book((part, name) =>
    name.includes('workbook.xml.rels')
      ? part.replace('<Relationship ', '<Relationship Id="l" Target="http://[/"/><Relationship ')
      : part.replace(
          '<numFmts>',
          `<numFmts><numFmt numFmtId="14" formatCode="${'['.repeat(60_000)}"/>`,
        ),
  )
  expect((await send(space, 'xlsx', links)).body).toMatchObject({ created: 1 })
})

test('files of more than 1,000 columns are refused', async () => {
  const space = await app.workspace()
  const many = (count: number) => Array.from({ length: count }, (_, index) => `Column ${index}`)
  const wide = (count: number) => `${many(count).join()}\n${many(count).join()}\n`
  for (const query of ['', 'create_attributes=true']) {
    const { status, message } = await send(space, 'csv', wide(1_001), query)
    expect([status, message]).toEqual([400, expect.stringContaining('more than 1,000 columns')])
  }
  const { body } = await send(space, 'csv', wide(1_000), 'create_attributes=true&dry_run=true')
  expect(body).toMatchObject({ created: 1, columns: { length: 1_000 } })
  const lines = many(1_001).map((key) => JSON.stringify({ email: 'a@x.example', [key]: 1 }))
  expect((await send(space, 'ndjson', lines.join('\n'))).message).toContain(
    'Line 1000: so far, the lines have more than 1,000 different keys.',
  )
  const long = `${`${'Email '.repeat(20_000)},`.repeat(3)}City\na@x.example,London\n`
  expect((await send(space, 'csv', long)).message).toContain('is larger than 256 KiB')
})

test('long cells take no longer than others', async () => {
  const space = await app.workspace()
  const blanks = ' '.repeat(60_000)
  const csv = [
    'Full name,Email,Created,Deal value,Tags',
    `Ada${blanks}Byron${blanks}King,a@x.example,2026-01-01,1,x`,
    `Bo,"${'b@x.example;'.repeat(10_000)}",2026-01-01,1,x`,
    `Cy,c@x.example,"${'1/2/'.repeat(32_000)}",1,x`,
    `Di,d@x.example,2026-01-01,"${'1.'.repeat(64_000)}",x`,
  ]
  const { body } = await send(space, 'csv', csv.join('\n'), 'dates=dmy&decimal=point')
  expect(body).toMatchObject({ created: 2, rejected_total: 2 })
  const { body: found } = await space.post('/leads/list', { pagination: { all: true } })
  expect(found.leads.map((lead: { last_name: string }) => lead.last_name).sort()).toEqual([
    'Byron King',
    null,
  ])
})

test('a row that is too large by its attributes is refused, and the others go in', async () => {
  const space = await app.workspace()
  const columns = Array.from({ length: 900 }, (_, index) => `a${index}`)
  const row = (name: string, value: string) => [`${name}@x.example`, ...columns.map(() => value)]
  const csv = [['Email', ...columns], row('a', ''), row('b', 'x'.repeat(110)), row('c', 'y')]
  const { body } = await send(space, 'csv', csv.join('\n'), 'create_attributes=true')
  expect(body).toMatchObject({
    created: 2,
    rejected: [{ row: 3, reason: 'Has values of more than 128 KiB together' }],
  })
})

test('rows that are too large are refused, and the others go in', async () => {
  const space = await app.workspace()
  const keys = Array.from({ length: 1_001 }, (_, index) => `"k${index}":1`).join()
  const names = Array.from({ length: 1_001 }, (_, index) => `t${index}`)
  const tries: [type: 'csv' | 'ndjson', content: string, reason: string][] = [
    ['csv', `c@x.example,"${'x'.repeat(132_000)}",`, 'Has a cell with more than 128 KiB'],
    ['csv', `c@x.example,${'x'.repeat(132_000)},`, 'Has a cell with more than 128 KiB'],
    [
      'ndjson',
      `{"city":"${'x'.repeat(70_000)}","icebreaker":"${'x'.repeat(70_000)}"}`,
      'Has values of more than 128 KiB together',
    ],
    ['csv', `c@x.example,x,${'t'.repeat(1_001)}`, 'The name of a tag has at most 1000 characters'],
    ['ndjson', `{"city":"${'x'.repeat(132_000)}"}`, 'JSON: A text must not be longer than 128 KiB'],
    ['csv', `${'x,'.repeat(400_000)}y`, 'Has more than 1,000 cells;'],
    ['csv', `c@x.example,x,"${names.join(';')}"`, 'tags: a row may name up to 1,000'],
    ['csv', `c@x.example,x,"${'t;'.repeat(60_000)}"`, 'tags: a row may name up to 1,000'],
    ['csv', `c@x.example,"${'""a\n'.repeat(1_000)}`, 'A quote is never closed'],
    ['ndjson', `{${keys}}`, 'Has more than 1,000 keys'],
    ['ndjson', `{"city":"x","attributes":{${keys}}}`, 'Has more than 1,000 keys'],
    [
      'ndjson',
      `{"city":${'['.repeat(1_000_000)}}`,
      'JSON: Must not be nested deeper than 500 levels',
    ],
    [
      'ndjson',
      `{"city":"x","tags":[${'1,'.repeat(600_000)}1]}`,
      'JSON: Must have at most 500000 values',
    ],
    ['ndjson', `{"city":"x","tags":${JSON.stringify(names)}}`, 'tags: a row may name up to 1,000'],
    [
      'ndjson',
      `{"city":"x","owners":[${Array(500).fill('1').join()}]}`,
      'owners: "1" is not a name or id',
    ],
  ]
  for (const [type, row, reason] of tries) {
    const content =
      type === 'csv'
        ? `Email,City,Tags\na@x.example,x,\n${row}\nb@x.example,x,\n`
        : `{"email":"a@x.example","tags":[]}\n${row}\n{"email":"b@x.example"}\n`
    const { body } = await send(space, type, content, 'dry_run=true')
    expect(body.rejected?.[0]?.reason, JSON.stringify(body).slice(0, 500)).toContain(reason)
    expect(body.rejected[0]).toMatchObject({ row: type === 'csv' ? 3 : 2 })
    if (!reason.includes('quote')) expect(body).toMatchObject({ created: 2, rejected_total: 1 })
  }
})
