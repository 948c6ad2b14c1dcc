import { expect, test } from 'vitest'
import { createRandom } from '../src/random.ts'
import { concurrency } from './concurrency.ts'

test('many at once leave nothing half done', { timeout: 180_000 }, async () => {
  const context = { random: createRandom(1), say: () => {}, signal: new AbortController().signal }
  const figures = await concurrency.run('short', context)
  expect(figures['kinds of conflict']).toBe(10)
  expect(figures['of them refused because something was gone or taken']).toBeGreaterThan(10)
})
