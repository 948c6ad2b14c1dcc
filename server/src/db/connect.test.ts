import { expect, test } from 'vitest'
import { service } from '../../test/harness.ts'

const app = service()

test('arrays go in and come out as they are', async () => {
  const texts = ['a', '', 'b c', '"', '\\', '{x,y}', 'NULL', "o'k", 'é🦊', 'a\nb']
  const uuids = ['01920000-0000-7000-8000-000000000001', '01920000-0000-7000-8000-000000000002']
  const [row] = await app.db`
    select ${texts}::text[] as texts, ${uuids}::uuid[] as uuids, ${[]}::text[] as none,
      cardinality(${texts}::text[]) as count, ${[1, -2]}::int[] as numbers`
  expect(row).toEqual({
    texts,
    uuids,
    none: [],
    count: texts.length,
    numbers: [1, -2],
  })
})

test('timestamps come out as ISO 8601 in UTC with milliseconds, counts as numbers', async () => {
  const [row] = await app.db`
    select timestamptz '2026-03-02 10:00:00.5+01' as at, 9007199254740991::bigint as big`
  expect(row).toEqual({ at: '2026-03-02T09:00:00.500Z', big: 9007199254740991 })
})
