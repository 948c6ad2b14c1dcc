import { expect, test } from 'vitest'
import { createRandom } from '../src/random.ts'
import { concurrency } from './concurrency.ts'

test('concurrent changes leave nothing half done', async () => {
  const context = { random: createRandom(1), say: () => {}, signal: new AbortController().signal }
  const figures = await concurrency.run('short', context)
  expect(figures['kinds of conflict']).toBe(10)
  expect(figures['of them refused because a record was gone or a name taken']).toBeGreaterThan(10)
})
