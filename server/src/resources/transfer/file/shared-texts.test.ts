import { expect, test } from 'vitest'
import { SharedTexts } from './shared-texts.ts'

test('a workbook has at most five million texts', () => {
  const texts = new SharedTexts()
  for (let count = 0; count < 5_000_000; count++) texts.add('')
  expect(() => texts.add('')).toThrow('more than 5,000,000 distinct texts')
})
