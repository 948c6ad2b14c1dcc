import { expect, test } from 'vitest'
import { createRandom } from '../src/random.ts'
import { isolation } from './isolation.ts'

test('three workspaces stay separate, and each matches its model', async () => {
  const context = { random: createRandom(1), say: () => {}, signal: new AbortController().signal }
  const figures = await isolation.run('short', context)
  expect(figures.operations).toBe(450)
  expect(figures['of them with a record of another workspace']).toBeGreaterThan(40)
})
