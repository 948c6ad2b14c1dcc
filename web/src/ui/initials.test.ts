import { expect, test } from 'vitest'
import { initials } from './initials.ts'

test.each([
  ['Ada Byron', 'AB'],
  ['Ada King, Countess of Lovelace', 'AL'],
  ['ada', 'A'],
  ['ada@example.com', 'A'],
  ['ada.byron@mail.example.com', 'AB'],
  ['Mary-Jane O’Neill', 'MO'],
  ['élodie Ünal', 'ÉÜ'],
  ['さくら 藤田', 'さ'],
  ['김 민준', '김'],
  ['?', ''],
])('%s: %s', (name, letters) => {
  expect(initials(name)).toBe(letters)
})
