import { expect, test } from 'vitest'
import { createRandom } from '../src/random.ts'
import { fuzz } from './fuzz.ts'

test('every answer is as documented, whatever is sent', async () => {
  const context = { random: createRandom(1), say: () => {}, signal: new AbortController().signal }
  const figures = await fuzz.run('short', context)
  expect(figures['requests sent']).toBeGreaterThanOrEqual(1_000)
  expect(figures['text fields written and read back']).toBeGreaterThanOrEqual(140)
  // A run with refusals only would prove little.
  expect(Number.parseInt(String(figures['of these successful']), 10)).toBeGreaterThan(40)
})
