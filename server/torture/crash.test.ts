import { expect, test } from 'vitest'
import { createRandom } from '../src/random.ts'
import { crash } from './crash.ts'

test('kill -9 loses no write that was answered, and keeps no start from working', async () => {
  const { signal } = new AbortController()
  const figures = await crash.run('short', { random: createRandom(20), say: () => {}, signal })
  expect(figures['writes answered']).toBeGreaterThan(0)
}, 120_000)
