import { expect, test } from 'vitest'
import type { Lead } from '../api/lead.ts'
import type { AttributeRecord } from '../api/records.ts'
import {
  addable,
  conditionFor,
  conditionsOf,
  isFilter,
  readScore,
  withEntry,
  without,
  withSame,
  withValue,
} from './conditions.ts'
import { allFields } from './fields.ts'

test.each([
  [{}],
  [{ search: 'ada', tags: ['a'], is_company: true, score: ['10-20'] }],
  [{ leads: [] }],
  [{ created_after: '2026-03-01', changed: { by: [], after: '2026-03-01' } }],
  [{ attributes: [{ id: 'a', operator: 'is_empty' }] }],
])('%j is a filter', (filter) => {
  expect(isFilter(filter)).toBe(true)
})

test.each([
  [null],
  [[]],
  ['ada'],
  [{ tag: ['a'] }],
  [{ tags: 'a' }],
  [{ is_company: 'true' }],
  [{ email_status: 'sometimes' }],
  [{ created_after: '2026-02-31x' }],
  [{ attributes: [{ id: 'a', operator: 'like', value: 'b' }] }],
  [{ attributes: [{ id: 'a', operator: 'equals', value: 1 }] }],
])('%j is none', (filter) => {
  expect(isFilter(filter)).toBe(false)
})

test('each attribute is a condition of its own, and can be removed', () => {
  const one = { id: 'a', operator: 'is_empty' } as const
  const two = { id: 'b', operator: 'equals', value: '1' } as const
  const filter = withEntry(
    withEntry({ search: 'ada' }, 'attributes', 0, one),
    ...(['attributes', 1, two] as const),
  )
  expect(conditionsOf(filter)).toEqual(['search', 'attributes 0', 'attributes 1'])
  expect(without(filter, 'attributes 0')).toEqual({ search: 'ada', attributes: [two] })
  expect(without(without(filter, 'attributes 1'), 'attributes 0')).toEqual({ search: 'ada' })
})

test('an empty value is no condition', () => {
  expect(withValue({ tags: ['a'], search: 'ada' }, 'tags', [])).toEqual({ search: 'ada' })
  expect(withValue({ search: 'ada' }, 'search', '')).toEqual({})
})

test('scores are numbers and ranges', () => {
  expect(readScore('42, 10-20; 80- -20')).toEqual(['42', '10-20', '80-', '-20'])
  expect(readScore('ten')).toBeUndefined()
  expect(readScore('1.5')).toBeUndefined()
})

test('no name is twice in the menu', () => {
  const labels = addable([], 0).map(({ label }) => label)
  expect(labels.filter((label, at) => labels.indexOf(label) !== at)).toEqual([])
})

const size = { id: 'a', name: 'Size', type: 'NUMBER' } as AttributeRecord
const fieldOf = (id: string) => {
  const found = allFields([size]).find((field) => field.id === id)
  if (!found) throw new Error(`There is no field ${id}`)
  return found
}

test.each([
  ['name', 'search'],
  ['tags', 'tags'],
  ['is_company', 'is_company'],
  ['city', 'new field city'],
  ['attribute:a', 'new a'],
  ['id', undefined],
])('the column %s is asked for by %s', (id, condition) => {
  expect(conditionFor(fieldOf(id))).toBe(condition)
})

test.each([
  ['city', { city: 'Berlin' }, { fields: [{ field: 'city', operator: 'is', value: 'Berlin' }] }],
  ['city', { city: null }, { fields: [{ field: 'city', operator: 'is_empty' }] }],
  [
    'contract_value',
    { contract_amount: 0 },
    { fields: [{ field: 'contract_value', operator: 'equals', value: 0 }] },
  ],
  ['is_company', { is_company: false }, { is_company: false }],
  ['score', { score: 7 }, { score: ['7'] }],
  ['tags', { tags: [{ id: 't' }, { id: 'u' }] }, { tags: ['t', 'u'] }],
  ['owners', { owners: [] }, { has_no_owner: true }],
  ['tags', { tags: [] }, undefined],
  [
    'attribute:a',
    { attributes: { a: 7 } },
    { attributes: [{ id: 'a', operator: 'equals', value: '7' }] },
  ],
  ['attribute:a', { attributes: {} }, { attributes: [{ id: 'a', operator: 'is_empty' }] }],
  ['name', { first_name: 'Ada' }, undefined],
])('the leads with the same %s as %j', (id, lead, filter) => {
  expect(withSame({}, fieldOf(id), lead as unknown as Lead)).toEqual(filter)
})
