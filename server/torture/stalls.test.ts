import { expect, test } from 'vitest'
import { createRandom } from '../src/random.ts'
import { stalls } from './stalls.ts'

// Minutes, because it sends every body to a service that shares two cores with other tests. Each is measured against
// the idle machine, so the time of the whole proves nothing.
test('the worst body of every route lets health checks through', { timeout: 600_000 }, async () => {
  const context = { random: createRandom(1), say: () => {}, signal: new AbortController().signal }
  const figures = await stalls.run('short', context)
  expect(figures['requests sent, each the worst of its kind']).toBeGreaterThan(150)
})
