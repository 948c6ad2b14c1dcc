import { expect, test } from 'vitest'
import { createRandom } from '../src/random.ts'
import { undo } from './undo.ts'

test('under kill -9 an operation and its undo leave the leads as they were', async () => {
  const { signal } = new AbortController()
  const figures = await undo.run('short', { random: createRandom(5), say: () => {}, signal })
  expect(figures['undos of undos, exact']).toBeGreaterThan(0)
  expect(figures['undos of them, in any order']).toBeGreaterThan(0)
})
