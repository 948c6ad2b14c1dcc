import { expect, test } from 'vitest'
import { createRandom } from '../src/random.ts'
import { faults } from './faults.ts'

// The time of a whole run depends on the machine: PostgreSQL starts and recovers many times. What is promised about
// time is checked inside, fault by fault.
test('faults around the service cause nothing worse than a clean 503, and it recovers by itself', async () => {
  const { signal } = new AbortController()
  const figures = await faults.run('short', { random: createRandom(30), say: () => {}, signal })
  expect(figures['writes answered']).toBeGreaterThan(0)
})
