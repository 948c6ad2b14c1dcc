// Filters that are refused, and the fault that each of them gets.
import { ApiError, type Issue } from '@rapport/contract/errors'
import { LeadFilter, operators } from '@rapport/contract/leads/filter'
import { Type } from 'typebox'
import { beforeAll, expect, test } from 'vitest'
import { service } from '../../test/harness.ts'
import { rowValues, run, sql } from '../db/sql.ts'
import { validator } from '../http/validate.ts'
import { leadCondition } from '../resources/leads/leads.filter.ts'

const app = service()
let space: string

const id = (n: number) => `01920000-0000-7000-8000-${String(n).padStart(12, '0')}`
const [vip, red] = [id(11), id(71)]
const is = {
  TEXT: id(81),
  NUMBER: id(82),
  CHECKBOX: id(83),
  DATE: id(84),
  TIMESTAMP: id(85),
  SELECT: id(86),
  LOCATION: id(87),
  RELATION: id(88),
}

beforeAll(async () => {
  space = (await app.workspace()).id_space
  const now = app.clock.now
  for (const [type, id] of Object.entries(is)) {
    const row = { id_space: space, id, type, slug: type, name: type, description: '', currency: '' }
    const flags = { is_multi: false, is_system: false, created_at: now, updated_at: now }
    await run(app.db, sql`insert into attribute ${rowValues({ ...row, ...flags })}`)
  }
  const option = { id_space: space, id_attribute: is.SELECT, id: red, name: '', color: '' }
  await run(app.db, sql`insert into attribute_option ${rowValues({ ...option, position: 0 })}`)
})

const entry = (attribute: keyof typeof is, operator: string, value?: string) => ({
  attributes: [{ id: is[attribute], operator, ...(value !== undefined && { value }) }],
})

const check = validator(Type.Object({ filter: LeadFilter }))

/** The faults that a request would get: first those of the schema, then those of the compiler. */
async function faults(filter: unknown): Promise<Issue[]> {
  try {
    check({ filter })
    await leadCondition(app.db, space, filter as LeadFilter, ['filter'])
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return error.issues
    throw error
  }
  return []
}

/** A filter, and the path, code and message of its one fault. */
type Case = [unknown, Issue['path'], string, string]

const noDay = 'Must be a date, such as "2026-01-31"'

test.each<Case>([
  [{ tag: [vip] }, ['tag'], 'unknown_field', 'No such field'],
  [JSON.parse('{"__proto__": []}'), ['__proto__'], 'unknown_field', 'No such field'],
  [{ constructor: [] }, ['constructor'], 'unknown_field', 'No such field'],
  [{ sequences_steps: { ids: [] } }, ['sequences_steps', 'ids'], 'unknown_field', 'No such field'],
  [
    { attributes: [{ id: 'x', operator: 'equals', val: '' }] },
    ['attributes', 0, 'val'],
    'unknown_field',
    'No such field',
  ],
  [{ tags: null }, ['tags'], 'type', 'Must be array'],
  [{ tags: vip }, ['tags'], 'type', 'Must be array'],
  [{ tags: [1] }, ['tags', 0], 'type', 'Must be string'],
  [{ search: null }, ['search'], 'type', 'Must be string'],
  [{ is_company: 'true' }, ['is_company'], 'type', 'Must be boolean'],
  [{ has_list: null }, ['has_list'], 'type', 'Must be boolean'],
  [
    { email_status: 'good' },
    ['email_status'],
    'enum',
    'Must be one of all, with_email, without_email, verified, risky, unverified',
  ],
  [
    { sequences_steps: { status: ['opened'] } },
    ['sequences_steps', 'status', 0],
    'enum',
    'Must be one of is_sent, is_delivered, is_opened, is_clicked, is_replied, is_bounced, is_unsubscribed',
  ],
  ...['', '-', 'x', '4.2', '1-2-3', ' 1', '--1', '1e3', '٣'].map(
    (score): Case => [
      { score: ['1', score] },
      ['score', 1],
      'range',
      'Must be a whole number or a range: "42", "10-20", "80-" or "-20"',
    ],
  ),
  [{ score: ['20-10'] }, ['score', 0], 'range', 'The range ends before it starts'],
  [{ changed: { since: '2026-01-31' } }, ['changed', 'since'], 'unknown_field', 'No such field'],
  ...['2026-02-30', 'today', '0000-01-01', '', '2026-01-31T00:00:00Z'].flatMap((day): Case[] => [
    [{ created_after: day }, ['created_after'], 'value', noDay],
    [{ created_before: day }, ['created_before'], 'value', noDay],
    [{ changed: { after: day } }, ['changed', 'after'], 'value', noDay],
  ]),
  [{ score: [42] }, ['score', 0], 'type', 'Must be string'],
  [{ score: Array(101).fill('1') }, ['score'], 'maxItems', 'Must NOT have more than 100 items'],
  ...(['leads', 'not_leads'] as const).map((field): Case => {
    const message =
      'Must NOT have more than 50000 items. For more leads, put them into a list or give them a tag, and filter by that.'
    return [{ [field]: Array(50_001).fill('x') }, [field], 'maxItems', message]
  }),
  ...(['tags', 'status', 'lists', 'owners', 'campaigns'] as const).map(
    (field): Case => [
      { [field]: Array(5_001).fill('x') },
      [field],
      'maxItems',
      'Must NOT have more than 5000 items',
    ],
  ),
  [
    { search: 'a b c d e f g h i j k' },
    ['search'],
    'words',
    'Must not have more than 10 different words. Leave out the common ones.',
  ],
  [
    { search: 'x'.repeat(255) },
    ['search'],
    'words',
    'A word must not have more than 254 characters',
  ],
  // So many faults that only the first is looked for.
  [{ leads: Array(20_000).fill(1) }, ['leads', 0], 'type', 'Must be string'],
  [{ attributes: [{ operator: 'equals' }] }, ['attributes', 0, 'id'], 'required', 'Required'],
  [{ attributes: [{ id: is.TEXT }] }, ['attributes', 0, 'operator'], 'required', 'Required'],
  [
    { attributes: [{ id: 'x', operator: 'is_empty' }] },
    ['attributes', 0, 'id'],
    'unknown_record',
    'No such attribute in this workspace',
  ],
  [
    { attributes: [{ id: vip, operator: 'is_empty' }] },
    ['attributes', 0, 'id'],
    'unknown_record',
    'No such attribute in this workspace',
  ],
  [
    entry('TEXT', 'is'),
    ['attributes', 0, 'operator'],
    'enum',
    `Must be one of ${operators.join(', ')}`,
  ],
  [entry('TEXT', 'equals'), ['attributes', 0, 'value'], 'required', 'Required'],
  [
    entry('TEXT', 'less_than', 'a'),
    ['attributes', 0, 'operator'],
    'operator',
    'An attribute of type TEXT has no operator less_than',
  ],
  [
    entry('NUMBER', 'not_contains', '4'),
    ['attributes', 0, 'operator'],
    'operator',
    'An attribute of type NUMBER has no operator not_contains',
  ],
  [
    entry('CHECKBOX', 'greater_than', 'true'),
    ['attributes', 0, 'operator'],
    'operator',
    'An attribute of type CHECKBOX has no operator greater_than',
  ],
  [
    entry('SELECT', 'contains', red),
    ['attributes', 0, 'operator'],
    'operator',
    'An attribute of type SELECT has no operator contains',
  ],
  [
    entry('LOCATION', 'less_than', 'a'),
    ['attributes', 0, 'operator'],
    'operator',
    'An attribute of type LOCATION has no operator less_than',
  ],
  [
    entry('RELATION', 'contains', 'a'),
    ['attributes', 0, 'operator'],
    'operator',
    'An attribute of type RELATION has no operator contains',
  ],
  ...['', 'ten', '1,5', '0x10', 'Infinity', '1e999', ' 1'].map(
    (value): Case => [
      entry('NUMBER', 'equals', value),
      ['attributes', 0, 'value'],
      'value',
      'Must be a number, such as "42" or "9.5"',
    ],
  ),
  [
    entry('CHECKBOX', 'equals', 'yes'),
    ['attributes', 0, 'value'],
    'value',
    'Must be "true" or "false"',
  ],
  [
    entry('DATE', 'less_than', '2026-02-30'),
    ['attributes', 0, 'value'],
    'value',
    'Must be a date, such as "2026-01-31"',
  ],
  [
    entry('TIMESTAMP', 'not_equals', '2026-02-30'),
    ['attributes', 0, 'value'],
    'value',
    'Must be a date or date-time, such as "2026-01-31T09:30:00Z"',
  ],
  [
    entry('SELECT', 'equals', vip),
    ['attributes', 0, 'value'],
    'value',
    'Must be the id of one of the options',
  ],
  [
    entry('SELECT', 'not_equals', 'red'),
    ['attributes', 0, 'value'],
    'value',
    'Must be the id of one of the options',
  ],
  [
    entry('RELATION', 'equals', 'ada'),
    ['attributes', 0, 'value'],
    'value',
    'Must be the id of a lead',
  ],
])('refuses %j', async (filter, path, code, message) => {
  expect(await faults(filter)).toEqual([{ path: ['filter', ...path], code, message }])
})

test('reports every fault at once', async () => {
  const found = await faults({
    score: ['x', '1', '9-8'],
    attributes: [
      { id: is.TEXT, operator: 'equals', value: 'fine' },
      { id: is.NUMBER, operator: 'equals', value: 'ten' },
      { id: vip, operator: 'equals', value: '' },
    ],
  })
  expect(found.map(({ path }) => path.slice(1))).toEqual([
    ['score', 0],
    ['score', 2],
    ['attributes', 1, 'value'],
    ['attributes', 2, 'id'],
  ])
})

test('the compiler also refuses a filter that no schema has checked', async () => {
  const steps = { status: ['is_sent', 'is_sold'] }
  const filter = { tagz: [vip], email_status: 'good', sequences_steps: steps } as never
  const failure = await leadCondition(app.db, space, filter, []).catch((error) => error)
  expect(failure.issues).toEqual([
    { path: ['tagz'], code: 'unknown_field', message: 'No such field' },
    expect.objectContaining({ path: ['email_status'], code: 'enum' }),
    expect.objectContaining({ path: ['sequences_steps', 'status'], code: 'enum' }),
  ])
})
