import type { AttributeType } from '@rapport/contract/attributes'
import { ApiError } from '@rapport/contract/errors'
import { describe, expect, test } from 'vitest'
import type { Definition } from './definition.ts'
import { readValues } from './values.ts'

const id = '01920000-0000-7000-8000-00000000000a'
const other = '01920000-0000-7000-8000-00000000000b'
const red = '01920000-0000-7000-8000-0000000000aa'
const blue = '01920000-0000-7000-8000-0000000000bb'

function define(type: AttributeType | 'MULTI', fields: Partial<Definition> = {}): Definition {
  const isSelect = type === 'SELECT' || type === 'MULTI'
  return {
    id,
    type: type === 'MULTI' ? 'SELECT' : type,
    name: 'It',
    is_multi: type === 'MULTI',
    options: isSelect ? [{ id: red }, { id: blue }] : [],
    ...fields,
  }
}

function faults(definitions: Definition[], attributes: Record<string, unknown>) {
  try {
    readValues(definitions, attributes, ['attributes'])
  } catch (error) {
    if (error instanceof ApiError && error.code === 'BAD_REQUEST') return error.issues
    throw error
  }
  return []
}

test.each<[AttributeType | 'MULTI', unknown, unknown]>([
  ['TEXT', 'x', 'x'],
  ['TEXT', '', ''],
  ['TEXTAREA', 'a\nb', 'a\nb'],
  ['PHONENUMBER', '+49 30 1', '+49 30 1'],
  ['EMAIL', 'a@b.org', 'a@b.org'],
  ['EMAIL', 'Ada <ada@example.com>', 'Ada <ada@example.com>'],
  ['NUMBER', 0, 0],
  ['NUMBER', -1.5, -1.5],
  ['CURRENCY', 1e21, 1e21],
  ['CHECKBOX', false, false],
  ['DATE', '2028-02-29', '2028-02-29'],
  ['TIMESTAMP', '2026-01-31T09:30+02:00', '2026-01-31T07:30:00.000Z'],
  ['TIMESTAMP', '2026-01-31 09:30:00.5', '2026-01-31T09:30:00.500Z'],
  ['SELECT', red, red],
  ['SELECT', red.toUpperCase(), red],
  ['SELECT', [blue], blue],
  ['SELECT', [blue, blue.toUpperCase()], blue],
  ['SELECT', [], null],
  ['MULTI', red, [red]],
  ['MULTI', [blue, red, blue], [blue, red]],
  ['MULTI', [], null],
  ['LOCATION', 'Unter den Linden 1', { address: 'Unter den Linden 1' }],
  ['LOCATION', { address: 'Here' }, { address: 'Here' }],
  ['LOCATION', { latitude: 90, longitude: -180 }, { latitude: 90, longitude: -180 }],
  ['RELATION', other.toUpperCase(), other],
])('%s stores %j as %j', (type, sent, kept) => {
  const { values } = readValues([define(type)], { [id]: sent }, ['attributes'])
  expect(values).toEqual({ [id]: kept })
})

const at = ['attributes', id]

test.each<[AttributeType | 'MULTI', unknown, string, (string | number)[], string]>([
  ['TEXT', 1, 'kind', at, 'It must be text'],
  ['TEXTAREA', ['x'], 'kind', at, 'It must be text'],
  ['PHONENUMBER', 4930, 'kind', at, 'It must be text'],
  ['EMAIL', 'nobody', 'kind', at, 'It must be an email address'],
  ['EMAIL', 'a @ b', 'kind', at, 'It must be an email address'],
  ['EMAIL', '', 'kind', at, 'It must be an email address'],
  ['NUMBER', '42', 'kind', at, 'It must be a number'],
  ['NUMBER', Number.POSITIVE_INFINITY, 'kind', at, 'It must be a number'],
  ['NUMBER', Number.NaN, 'kind', at, 'It must be a number'],
  ['CURRENCY', true, 'kind', at, 'It must be a number'],
  ['CHECKBOX', 'true', 'kind', at, 'It must be true or false'],
  ['CHECKBOX', 1, 'kind', at, 'It must be true or false'],
  ['DATE', '2026-02-29', 'kind', at, 'It must be a date such as 2026-01-31'],
  ['DATE', '2026-01-31T09:30:00Z', 'kind', at, 'It must be a date such as 2026-01-31'],
  ['DATE', 20260131, 'kind', at, 'It must be a date such as 2026-01-31'],
  ['TIMESTAMP', '2026-01-31', 'kind', at, 'It must be a date-time such as 2026-01-31T09:30:00Z'],
  ['TIMESTAMP', 0, 'kind', at, 'It must be a date-time such as 2026-01-31T09:30:00Z'],
  ['SELECT', 'Red', 'unknown_record', at, 'It has no such option'],
  ['SELECT', '', 'unknown_record', at, 'It has no such option'],
  ['SELECT', other, 'unknown_record', at, 'It has no such option'],
  ['SELECT', 1, 'kind', at, 'It must be the id of an option'],
  ['SELECT', [red, blue], 'kind', at, 'It must be one option'],
  ['MULTI', [red, other], 'unknown_record', [...at, 1], 'It has no such option'],
  ['MULTI', [null], 'kind', [...at, 0], 'It must be option ids'],
  ['MULTI', { id: red }, 'kind', at, 'It must be option ids'],
  ['LOCATION', {}, 'kind', at, 'It must be latitude, longitude and address, or an address'],
  ['LOCATION', [1, 2], 'kind', at, 'It must be latitude, longitude and address, or an address'],
  ['LOCATION', 7, 'kind', at, 'It must be latitude, longitude and address, or an address'],
  ['LOCATION', { address: 'x', zip: '1' }, 'unknown_field', [...at, 'zip'], 'Unknown field'],
  ['LOCATION', { constructor: 1 }, 'unknown_field', [...at, 'constructor'], 'Unknown field'],
  [
    'LOCATION',
    { latitude: 90.1 },
    'kind',
    [...at, 'latitude'],
    'The latitude of It must be a number from -90 to 90',
  ],
  [
    'LOCATION',
    { longitude: '13' },
    'kind',
    [...at, 'longitude'],
    'The longitude of It must be a number from -180 to 180',
  ],
  ['LOCATION', { address: null }, 'kind', [...at, 'address'], 'The address of It must be text'],
  ['RELATION', 'nobody', 'kind', at, 'It must be the id of a lead'],
  ['RELATION', [other], 'kind', at, 'It must be the id of a lead'],
])('%s refuses %j', (type, sent, code, path, message) => {
  expect(faults([define(type)], { [id]: sent })).toEqual([{ path, code, message }])
})

describe('readValues', () => {
  test.each<AttributeType>(['TEXT', 'CHECKBOX', 'SELECT', 'LOCATION', 'RELATION'])(
    'null clears a %s',
    (type) => {
      const read = readValues([define(type)], { [id]: null }, [])
      expect(read).toEqual({ values: { [id]: null }, relations: [] })
    },
  )

  test('accepts ids in upper case, and refuses the same id twice', () => {
    const upper = id.toUpperCase()
    expect(readValues([define('TEXT')], { [upper]: 'x' }, []).values).toEqual({ [id]: 'x' })
    expect(faults([define('TEXT')], { [id]: 'x', [upper]: 'y' })).toEqual([
      { path: ['attributes', upper], code: 'duplicate', message: 'It is specified twice' },
    ])
  })

  test('returns the leads that must exist', () => {
    const { relations } = readValues([define('RELATION')], { [id]: other.toUpperCase() }, ['a', 0])
    expect(relations).toEqual([{ attribute: id, id: other, path: ['a', 0, id] }])
  })

  test('reports every fault at once; properties that every object inherits are not attributes', () => {
    const sent = JSON.parse(`{ "__proto__": 1, "constructor": null, "${other}": 1, "${id}": "1" }`)
    const unknown = { code: 'unknown_record', message: 'No such attribute in this workspace' }
    expect(faults([define('NUMBER')], sent)).toEqual([
      { path: ['attributes', '__proto__'], ...unknown },
      { path: ['attributes', 'constructor'], ...unknown },
      { path: ['attributes', other], ...unknown },
      { path: ['attributes', id], code: 'kind', message: 'It must be a number' },
    ])
  })

  test('reports at most a hundred faults', () => {
    const flood = Array.from({ length: 30_000 }, (_, index) => `x${index}`)
    const fields = Object.fromEntries(flood.map((key) => [key, 1]))
    expect(faults([define('MULTI')], { [id]: flood })).toHaveLength(100)
    expect(faults([define('LOCATION')], { [id]: fields })).toHaveLength(100)
    expect(faults([], fields)).toHaveLength(100)
  })

  test('accepts an empty object', () => {
    expect(readValues([], {}, [])).toEqual({ values: {}, relations: [] })
  })
})
