import { expect, test } from 'vitest'
import { expectedOf, sayDuplicates } from './decided-rows.ts'

test('only what differs from the choice for all is said, in ranges of rows that look like leads', () => {
  const query = new URLSearchParams()
  const duplicateRows = { 3: 'skip', 40: 'skip', 41: 'create', 42: 'update', 9: 'skip' } as const
  sayDuplicates(query, { duplicates: 'update', duplicateRows }, [3, 9, 40, 41, 42, 50])
  expect([...query]).toEqual([
    ['duplicates', 'update'],
    ['duplicate_rows', 'create=41'],
    ['duplicate_rows', 'skip=3-40'],
  ])
})

test('what the import will do follows from the check and from what was decided', () => {
  const checked = { created: 10, updated: 1, skipped: 0, duplicates: { rows: 6, sample: [] } }
  const expected = (said: Parameters<typeof expectedOf>[1]) =>
    Object.values(expectedOf(checked, said))
  expect(expected({ duplicates: 'create', duplicateRows: {} })).toEqual([10, 1, 0])
  expect(expected({ duplicates: 'skip', duplicateRows: {} })).toEqual([4, 1, 6])
  const duplicateRows = { 2: 'update', 3: 'create' } as const
  expect(expected({ duplicates: 'skip', duplicateRows })).toEqual([5, 2, 4])
})
