import { expect, test } from 'vitest'
import { Heights } from './heights.ts'

test('rows begin where those above end, whatever was set in whatever order', () => {
  const cards = new Heights(86)
  const heights = Array.from({ length: 300 }, () => 86)
  for (let step = 0; step < 2000; step++) {
    const row = (step * 7919) % heights.length
    const height = 86 - 22 * ((step * 31) % 3)
    expect(cards.set(row, height)).toBe(heights[row] !== height)
    heights[row] = height
  }
  let top = 0
  for (const [row, height] of heights.entries()) {
    expect(cards.topOf(row)).toBe(top)
    for (const y of [top, top + height - 1]) expect(cards.rowAt(y)).toBe(row)
    top += height
  }
  // Behind them, all have the usual height.
  expect(cards.topOf(1_000_000)).toBe(top + (1_000_000 - heights.length) * 86)
  expect(cards.rowAt(top + 86 * 5 + 1)).toBe(heights.length + 5)
})
