// Tests every line of the table of lead fields over HTTP: what the table says about a field must be true
// for each route. A new field in the table is tested automatically.
import { type FieldSpec, type LeadField, leadFields } from '@rapport/contract/leads/fields'
import { leadRelations, relationNames } from '@rapport/contract/leads/relations'
import { beforeAll, describe, expect, test } from 'vitest'
import { service, type Workspace } from '../../../test/harness.ts'
import { columnNames, run } from '../../db/sql.ts'
import { newId } from '../../ids.ts'
import { aliases } from '../transfer/import/columns/aliases.ts'
import { columnType } from './row/columns.ts'

const app = service()
let space: Workspace
beforeAll(async () => {
  space = await app.workspace()
})

const fields = Object.entries(leadFields) as [LeadField, FieldSpec][]

/** Two values of a field, the smaller first: as a caller sends them, and as a response shows them. */
function samples(name: LeadField, { kind }: FieldSpec): [sent: unknown, shown: unknown][] {
  switch (kind) {
    case 'uuid':
      return [newId(), newId()].map((id) => [id, id])
    case 'phone':
      return [
        [15550100, '15550100'],
        ['+1 555 0101', '+1 555 0101'],
      ]
    case 'currency':
      return ['EUR', 'USD'].map((code) => [code, code])
    case 'time':
      return ['2026-01-02T03:04:05.678Z', '2026-02-03T04:05:06.789Z'].map((time) => [time, time])
    case 'integer':
      return [7, 42].map((number) => [number, number])
    case 'amount':
      return [
        ['1200', 1200],
        [9_007_199_254_740_991, 9_007_199_254_740_991],
      ]
    case 'flag':
      return [false, true].map((flag) => [flag, flag])
    case 'json':
      return [
        [{ a: 1 }, '{"a": 1}'],
        [{ b: [2] }, '{"b": [2]}'],
      ]
    case 'contacts':
      return [
        [['a@x.example'], [{ value: 'a@x.example', label: '' }]],
        [
          [{ value: ' b@x.example ', label: 'Home' }, 'c@x.example', ' c@x.example'],
          [
            { value: 'b@x.example', label: 'Home' },
            { value: 'c@x.example', label: '' },
          ],
        ],
      ]
    case 'text': {
      // An import looks at what is in a column, too.
      const text = (start: string) =>
        name.endsWith('_url') ? `https://${start}.example/${name}` : `${start} ${name}`
      return [text('aa'), text('zz')].map((value) => [value, value])
    }
  }
}

const create = async (body: object) => (await space.post('/lead', body)).body
const listed = async (id: string) =>
  (await space.post('/leads/list', { filter: { leads: [id] } })).body.leads[0]

/** The value that the search returns. It finds the lead by a unique email. */
async function found(id: string): Promise<Record<string, unknown>> {
  const email = `${id}@example.com`
  await run(
    app.db,
  )`update lead set email = ${email} where id_space = ${space.id_space} and id = ${id}`
  return (await space.post('/leads/search', { email })).body
}

/** The routes whose response shows the field. */
const shownBy = async (id: string, { answer }: FieldSpec) =>
  answer === 'search' ? found(id) : listed(id)

/** Text as text, numbers as numbers. */
const compare = (a: unknown, b: unknown) =>
  typeof a === 'number' ? a - Number(b) : String(a) < String(b) ? -1 : 1

const noCompany = { create_company_if_not_exists: false }

describe.each(fields)('%s', (name, spec) => {
  const [[sent, shown] = [], [otherSent, otherShown] = []] = samples(name, spec)
  const isWritten = spec.write === 'always'

  test('is in the responses that the table says', async () => {
    const lead = await create({ first_name: 'Ada', ...noCompany })
    const inLead = spec.answer !== 'search'
    expect(name in lead).toBe(inLead && spec.answer !== 'relations')
    expect(name in (await listed(lead.id))).toBe(inLead)
    expect(name in (await space.get(`/lead/${lead.id}`)).body).toBe(inLead)
    const isFound = spec.answer !== 'lead' && spec.answer !== 'relations'
    expect(name in (await found(lead.id))).toBe(isFound)
    if (spec.notNull) expect(lead[name]).not.toBeNull()
  })

  test('is set by POST /lead where the table says so, and ignored elsewhere', async () => {
    const lead = await create({ [name]: sent, ...noCompany })
    const value = (await shownBy(lead.id, spec))[name]
    if (spec.write) expect(value).toEqual(shown)
    else expect(value).not.toEqual(spec.kind === 'flag' ? true : shown)
  })

  test('is changed by PATCH and update-many where the table says so', async () => {
    const one = await create({ first_name: 'One', ...noCompany })
    const many = await create({ first_name: 'Many', ...noCompany })
    const change = { [name]: otherSent }
    expect((await space.patch(`/lead/${one.id}`, change)).status).toBe(200)
    const bulk = { data: change, filter: { leads: [many.id] } }
    expect((await space.patch('/leads/update-many', bulk)).body).toBe('1 lead updated')
    for (const { id } of [one, many]) {
      const value = (await shownBy(id, spec))[name]
      if (isWritten) expect(value).toEqual(otherShown)
      else expect(value).not.toEqual(otherShown)
    }
  })

  test('orders the list, if a response shows it', async () => {
    const own = await app.workspace()
    const ids = await Promise.all(
      [0, 1].map(async () => (await own.post('/lead', noCompany)).body.id as string),
    )
    const isJson = columnType(name) === 'jsonb'
    if (name !== 'id' && name !== 'id_space' && name !== 'is_deleted') {
      for (const [index, [value]] of samples(name, spec).entries()) {
        const stored = spec.kind === 'uuid' ? own.owner : value
        await run(app.db)`update lead set ${columnNames([name])} = ${isJson ? null : stored}
            where id_space = ${own.id_space} and id = ${ids[index]}`
      }
    }
    const order = (type: string) => own.post('/leads/list', { orderBy: [{ field: name, type }] })
    const { status, body } = await order('asc')
    if (spec.answer === 'search' || spec.answer === 'relations') return expect(status).toBe(400)
    expect(status).toBe(200)
    const values = (leads: Record<string, unknown>[]) => leads.map((lead) => lead[name])
    const ascending = values(body.leads)
    expect(ascending).toEqual(ascending.toSorted(compare))
    expect(values((await order('desc')).body.leads)).toEqual(ascending.toReversed())
  })

  test('is a column of the export, and is imported under its own name and an alias', async () => {
    const own = await app.workspace()
    const { body } = await own.post('/leads/export', { format: 'csv' })
    const header = String(body).split('\r\n')[0]?.split(',')
    expect(header?.includes(name)).toBe(spec.transfer !== false)
    if (spec.transfer === false) return
    const cell = spec.kind === 'json' ? JSON.stringify(sent) : String(sent)
    // All the others are in headers.test.ts.
    const headers = [name, ...(aliases.get(name)?.slice(0, 1) ?? [])]
    for (const header of headers) {
      // A row that says nothing of a person or a company is skipped.
      const other = name === 'first_name' ? 'last_name' : 'first_name'
      const csv = `"${header}",${other}\n"${cell.replaceAll('"', '""')}",Ada\n`
      const answer = await own.call('POST', '/leads/import?dry_run=true', csv, 'text/csv')
      const column = answer.body.columns.find((each: { header: string }) => each.header === header)
      expect(column).toMatchObject({ header, field: name })
      expect([answer.status, answer.body.created]).toEqual([200, 1])
    }
  })
})

test('the fields of the table are the columns of the database', async () => {
  const columns = await run<{ name: string; type: string }[]>(
    app.db,
  )`select attname as name, format_type(atttypid, null) as type from pg_attribute
      where attrelid = 'lead'::regclass and attnum > 0 and not attisdropped`
  const otherColumns = ['attributes', 'company_claim', 'merged_into']
  const inDatabase = columns.map(({ name }) => name).filter((name) => !otherColumns.includes(name))
  expect(inDatabase.toSorted()).toEqual(Object.keys(leadFields).toSorted())
  for (const { name, type } of columns) {
    const known = columnType(name).replace('timestamptz', 'timestamp with time zone')
    expect([name, type]).toEqual([name, known])
  }
})

test.each(relationNames)('the relation %s has its tables', async (name) => {
  const { join, column, record } = leadRelations[name]
  const rows = await run(app.db)`select from pg_constraint
      where conrelid = ${join}::regclass and confrelid = ${record}::regclass and contype = 'f'
        and (select attname from pg_attribute
          where attrelid = conrelid and attnum = conkey[2]) = ${column}`
  expect(rows).toHaveLength(1)
})
