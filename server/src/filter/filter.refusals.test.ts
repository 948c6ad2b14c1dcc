// Filters that are refused, and the fault that each of them gets.
import { ApiError, type Issue } from '@rapport/contract/errors'
import { LeadFilter, operators } from '@rapport/contract/leads/filter'
import { Type } from 'typebox'
import { beforeAll, expect, test } from 'vitest'
import { service } from '../../test/harness.ts'
import { rowValues, run } from '../db/sql.ts'
import { validator } from '../http/validate.ts'
import { leadCondition } from '../resources/leads/list/filter.ts'

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
    await run(app.db)`insert into attribute ${rowValues({ ...row, ...flags })}`
  }
  const option = { id_space: space, id_attribute: is.SELECT, id: red, name: '', color: '' }
  await run(app.db)`insert into attribute_option ${rowValues({ ...option, position: 0 })}`
})

const entry = (attribute: keyof typeof is, operator: string, value?: string) => ({
  attributes: [{ id: is[attribute], operator, ...(value !== undefined && { value }) }],
})

const decimals = 'Must be a number with up to 3 decimals'
const spans = 'Must be a number of days, weeks or months, such as "14d", "2w" or "6m"'

const onField = (field: string, operator: string, value?: unknown) => ({
  fields: [{ field, operator, ...(value !== undefined && { value }) }],
})

const check = validator(Type.Object({ filter: LeadFilter }))

/** The faults that a request would get: first those of the schema, then those of the compiler. */
async function faults(filter: unknown): Promise<Issue[]> {
  try {
    check({ filter })
    await leadCondition(app.db, { space, now: app.clock.now }, filter as LeadFilter, ['filter'])
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
  [{ tag: [vip] }, ['tag'], 'unknown_field', 'Unknown field'],
  [JSON.parse('{"__proto__": []}'), ['__proto__'], 'unknown_field', 'Unknown field'],
  [{ constructor: [] }, ['constructor'], 'unknown_field', 'Unknown field'],
  [{ sequences_steps: { ids: [] } }, ['sequences_steps', 'ids'], 'unknown_field', 'Unknown field'],
  [
    { attributes: [{ id: 'x', operator: 'equals', val: '' }] },
    ['attributes', 0, 'val'],
    'unknown_field',
    'Unknown field',
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
  [{ changed: { since: '2026-01-31' } }, ['changed', 'since'], 'unknown_field', 'Unknown field'],
  [{ entered: { since: '2026-01-31' } }, ['entered', 'since'], 'unknown_field', 'Unknown field'],
  [
    { noted: { kind: ['mail'] } },
    ['noted', 'kind', 0],
    'enum',
    'Must be one of note, call, meeting',
  ],
  ...['2026-02-30', 'today', '0000-01-01', '', '2026-01-31T00:00:00Z'].flatMap((day): Case[] => [
    [{ created_after: day }, ['created_after'], 'value', noDay],
    [{ created_before: day }, ['created_before'], 'value', noDay],
    [{ changed: { after: day } }, ['changed', 'after'], 'value', noDay],
    [{ entered: { after: day } }, ['entered', 'after'], 'value', noDay],
    [{ left: { before: day } }, ['left', 'before'], 'value', noDay],
    [{ noted: { before: day } }, ['noted', 'before'], 'value', noDay],
  ]),
  [{ score: [42] }, ['score', 0], 'type', 'Must be string'],
  [{ score: Array(101).fill('1') }, ['score'], 'maxItems', 'Must NOT have more than 100 items'],
  ...(['leads', 'not_leads'] as const).map((field): Case => {
    const message =
      'Must NOT have more than 50000 items. For more leads, add them to a list or tag them, and filter by that.'
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
    'Must have at most 10 different words. Leave out common words.',
  ],
  [{ search: 'x'.repeat(255) }, ['search'], 'words', 'A word must have at most 254 characters'],
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
    'Attributes of type TEXT do not support less_than',
  ],
  [
    entry('NUMBER', 'not_contains', '4'),
    ['attributes', 0, 'operator'],
    'operator',
    'Attributes of type NUMBER do not support not_contains',
  ],
  [
    entry('CHECKBOX', 'greater_than', 'true'),
    ['attributes', 0, 'operator'],
    'operator',
    'Attributes of type CHECKBOX do not support greater_than',
  ],
  [
    entry('SELECT', 'contains', red),
    ['attributes', 0, 'operator'],
    'operator',
    'Attributes of type SELECT do not support contains',
  ],
  [
    entry('LOCATION', 'less_than', 'a'),
    ['attributes', 0, 'operator'],
    'operator',
    'Attributes of type LOCATION do not support less_than',
  ],
  [
    entry('RELATION', 'contains', 'a'),
    ['attributes', 0, 'operator'],
    'operator',
    'Attributes of type RELATION do not support contains',
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
  [
    { fields: [{ field: 'town', operator: 'is', value: 'Rome' }] },
    ['fields', 0, 'field'],
    'unknown_field',
    'Unknown field',
  ],
  [
    { fields: [{ field: '__proto__', operator: 'is', value: 'Rome' }] },
    ['fields', 0, 'field'],
    'unknown_field',
    'Unknown field',
  ],
  [
    { fields: [{ field: 'city', operator: 'is', values: 'Rome' }] },
    ['fields', 0, 'values'],
    'unknown_field',
    'Unknown field',
  ],
  [
    { fields: [{ field: 'is_company', operator: 'equals', value: true }] },
    ['fields', 0, 'operator'],
    'operator',
    'is_company supports is',
  ],
  [
    { fields: [{ field: 'contract_value', operator: 'today' }] },
    ['fields', 0, 'operator'],
    'operator',
    'contract_value supports equals, not_equals, greater_than, greater_or_equal, less_than, less_or_equal, between, is_empty, is_not_empty',
  ],
  [onField('city', 'is'), ['fields', 0, 'value'], 'required', 'Required'],
  ...(['is', 'is_not'] as const).flatMap((operator) =>
    [7, ''].map(
      (value): Case => [
        onField('city', operator, value),
        ['fields', 0, 'value'],
        'value',
        'Must be a text that is not empty',
      ],
    ),
  ),
  ...(['contains', 'not_contains', 'starts_with', 'ends_with'] as const).flatMap((operator) => [
    ...[7, '', 'x'.repeat(255)].map(
      (value): Case => [
        onField('city', operator, value),
        ['fields', 0, 'value'],
        'value',
        'Must be a text of 1 to 254 characters',
      ],
    ),
    ...['', 'x'.repeat(255)].flatMap((value) =>
      (['TEXT', 'LOCATION'] as const).map(
        (type): Case => [
          entry(type, operator, value),
          ['attributes', 0, 'value'],
          'value',
          'Must be a text of 1 to 254 characters',
        ],
      ),
    ),
  ]),
  ...(['is_empty', 'is_not_empty', 'today', 'last_quarter'] as const).map(
    (operator): Case => [
      onField('created_at', operator, '2026-01-31'),
      ['fields', 0, 'value'],
      'value',
      `${operator} takes no value`,
    ],
  ),
  [onField('is_draft', 'is', 'true'), ['fields', 0, 'value'], 'value', 'Must be true or false'],
  ...['', 'ten', true, 2 ** 53, '99999999999999999999'].flatMap((value): Case[] => [
    [
      onField('score', 'greater_than', value),
      ['fields', 0, 'value'],
      'value',
      'Must be a whole number',
    ],
    [onField('contract_value', 'greater_than', value), ['fields', 0, 'value'], 'value', decimals],
  ]),
  [onField('score', 'equals', 12.5), ['fields', 0, 'value'], 'value', 'Must be a whole number'],
  [onField('contract_value', 'equals', '1.2345'), ['fields', 0, 'value'], 'value', decimals],
  ...[5, [5], [], [9, 8], ['a', 'b']].map(
    (value): Case => [
      onField('score', 'between', value),
      ['fields', 0, 'value'],
      'value',
      'Must be an array of two, the smaller one first, each a whole number',
    ],
  ),
  ...['2026-02-30', '14d', 'today', '', '-0d', '-99999d', '0000-01-01', 5].map(
    (value): Case => [
      onField('created_at', 'before', value),
      ['fields', 0, 'value'],
      'value',
      'Must be a date or date-time, such as "2026-01-31", or a day relative to today, such as "-14d" or "+2w"',
    ],
  ),
  ...(['in_last', 'more_than_ago', 'in_next'] as const).flatMap((operator): Case[] => [
    ...['-14d', '2026-01-31', 14].map(
      (value): Case => [
        onField('created_at', operator, value),
        ['fields', 0, 'value'],
        'value',
        spans,
      ],
    ),
    [onField('created_at', operator), ['fields', 0, 'value'], 'required', 'Required'],
    [entry('DATE', operator, '-14d'), ['attributes', 0, 'value'], 'value', spans],
    [entry('TIMESTAMP', operator), ['attributes', 0, 'value'], 'required', 'Required'],
  ]),
  [
    entry('DATE', 'today', '2026-01-31'),
    ['attributes', 0, 'value'],
    'value',
    'today takes no value',
  ],
  [
    entry('NUMBER', 'this_week'),
    ['attributes', 0, 'operator'],
    'operator',
    'Attributes of type NUMBER do not support this_week',
  ],
  [{ reminders: {} }, ['reminders', 'due'], 'required', 'Required'],
  [{ notes: {} }, ['notes'], 'minProperties', 'Must NOT have fewer than 1 properties'],
  [
    { activity: { none_since: '14d' } },
    ['activity', 'none_since'],
    'value',
    'Must be a date, such as "2026-01-31" or "-14d"',
  ],
  [{ any: [] }, ['any'], 'minItems', 'Must NOT have fewer than 1 items'],
  [{ none: {} }, ['none'], 'type', 'Must be array'],
  [{ any: ['x'] }, ['any', 0], 'type', 'Must be object'],
  [{ any: [{ tags: [vip] }, {}] }, ['any', 1], 'empty', 'Must have a condition'],
  [{ none: [{ tags: [] }] }, ['none', 0], 'empty', 'Must have a condition'],
  [{ any: [{ tag: [vip] }] }, ['any', 0, 'tag'], 'unknown_field', 'Unknown field'],
  [
    { none: [{ any: [{ has_owner: true }, onField('city', 'greater_than', 'a')] }] },
    ['none', 0, 'any', 1, 'fields', 0, 'operator'],
    'operator',
    'city supports is, is_not, contains, not_contains, starts_with, ends_with, is_empty, is_not_empty',
  ],
  [
    { any: [{ attributes: [{ id: vip, operator: 'is_empty' }] }] },
    ['any', 0, 'attributes', 0, 'id'],
    'unknown_record',
    'No such attribute in this workspace',
  ],
  [
    { any: [{ none: [{ any: [{ any: [{ has_owner: true }] }] }] }] },
    ['any', 0, 'none', 0, 'any', 0, 'any', 0],
    'depth',
    'Filters can be nested at most 3 levels deep',
  ],
  [
    {
      any: Array(26).fill(onField('city', 'is', 'Rome')),
      none: Array(25).fill({ has_list: true }),
    },
    [],
    'conditions',
    'Must have at most 50 conditions in fields, any and none',
  ],
])('refuses %j', async (filter, path, code, message) => {
  expect(await faults(filter)).toEqual([{ path: ['filter', ...path], code, message }])
})

test('accepts filters three deep, with 50 conditions', async () => {
  const some = (count: number) => Array(count).fill(onField('city', 'is', 'Rome').fields[0])
  const filter = { fields: some(20), any: [{ none: [{ any: [{ fields: some(30) }] }] }] }
  expect(await faults(filter)).toEqual([])
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
  const failure = await leadCondition(app.db, { space, now: app.clock.now }, filter, []).catch(
    (error) => error,
  )
  expect(failure.issues).toEqual([
    { path: ['tagz'], code: 'unknown_field', message: 'Unknown field' },
    expect.objectContaining({ path: ['email_status'], code: 'enum' }),
    expect.objectContaining({ path: ['sequences_steps', 'status'], code: 'enum' }),
  ])
})
