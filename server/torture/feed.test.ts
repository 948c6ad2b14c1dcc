import { expect, test } from 'vitest'
import { createRandom } from '../src/random.ts'
import { feed } from './feed.ts'

test('after kill -9 the feed has no gap and a consumer has a true copy', async () => {
  const { signal } = new AbortController()
  const figures = await feed.run('short', { random: createRandom(13), say: () => {}, signal })
  expect(figures['events, without a gap']).toBeGreaterThan(0)
})
