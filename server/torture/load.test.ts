import { expect, test } from 'vitest'
import { createRandom } from '../src/random.ts'
import { load } from './load.ts'

test('under load and overload the service stays fast and refuses what is too much', async () => {
  const { signal } = new AbortController()
  const figures = await load.run('short', { random: createRandom(1), say: () => {}, signal })
  expect(figures['requests answered, none with an error']).toBeGreaterThan(50)
  expect(figures['overloaded: refused with 503']).toBeGreaterThan(0)
})
