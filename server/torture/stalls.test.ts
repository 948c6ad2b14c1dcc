import { expect, test } from 'vitest'
import { createRandom } from '../src/random.ts'
import { stalls } from './stalls.ts'

test('the worst body of every route lets health checks through', async () => {
  const context = { random: createRandom(1), say: () => {}, signal: new AbortController().signal }
  const figures = await stalls.run('short', context)
  expect(figures['requests sent, each the worst of its kind']).toBeGreaterThan(150)
})
