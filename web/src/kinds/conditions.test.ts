import { expect, test } from 'vitest'
import { conditionsOf, isFilter, readScore, withEntry, without, withValue } from './conditions.ts'

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
