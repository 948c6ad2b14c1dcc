import { expect, test } from 'vitest'
import { load } from './load.ts'
import { seeded } from './torture.ts'

test('the load torture, for some seconds', async () => {
  const { signal } = new AbortController()
  const figures = await load.run('short', { random: seeded(1), say: () => {}, signal })
  expect(figures['requests answered, none with an error']).toBeGreaterThan(50)
  expect(figures['overloaded: refused with 503']).toBeGreaterThan(0)
}, 180_000)
