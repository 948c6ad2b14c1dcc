import { expect, test } from 'vitest'
import { createRandom } from '../src/random.ts'
import { fuzz } from './fuzz.ts'

test('whatever is sent, the answer is what the document says', { timeout: 180_000 }, async () => {
  const context = { random: createRandom(1), say: () => {}, signal: new AbortController().signal }
  const figures = await fuzz.run('short', context)
  expect(figures['requests sent']).toBeGreaterThanOrEqual(1_500)
  expect(figures['text fields written and read back']).toBeGreaterThanOrEqual(140)
  // Refusals alone would say little.
  expect(Number.parseInt(String(figures['share of those that succeeded']), 10)).toBeGreaterThan(40)
})
