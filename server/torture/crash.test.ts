import { expect, test } from 'vitest'
import { createRandom } from '../src/random.ts'
import { crash } from './crash.ts'

test('after kill -9 the next start works, and no answered write is lost', async () => {
  const { signal } = new AbortController()
  const figures = await crash.run('short', { random: createRandom(20), say: () => {}, signal })
  expect(figures['writes answered']).toBeGreaterThan(0)
})
