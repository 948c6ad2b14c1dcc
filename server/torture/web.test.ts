import { expect, test } from 'vitest'
import { createRandom } from '../src/random.ts'
import { web } from './web.ts'

test('random clicks, keys, texts and lost connections break nothing in the page', async () => {
  const { signal } = new AbortController()
  const figures = await web.run('short', { random: createRandom(7), say: () => {}, signal })
  expect(figures['clicks, keys and texts']).toBeGreaterThan(15)
  expect(figures['reloads, each without a change']).toBeGreaterThan(0)
})
