import { expect, test } from 'vitest'
import { askedMembers, toStored, toTyped } from './mentions.ts'

const member = (at: number, name: string) => ({
  ...{ id: `01920000-0000-7000-8000-00000000000${at}`, name, email: `m${at}@x.example` },
})
const [anna, berg] = [member(1, 'Anna'), member(2, 'Anna Berg (Sales)')]
const [ada, twin] = [member(3, 'Ada'), member(4, 'Ada')]
const jean = member(5, 'Jean-Luc O’Neil [Sales/EU]')
const members = [anna, berg, ada, twin, jean]

test.each([
  ['@Jean-Luc O’Neil [Sales/EU] and @Anna', `<@${jean.id}> and <@${anna.id}>`],
  ['Ask @Anna.', `Ask <@${anna.id}>.`],
  ['(@Anna Berg (Sales), @Anna)', `(<@${berg.id}>, <@${anna.id}>)`],
  ['@Ada (m4@x.example) @Ada (m3@x.example)', `<@${twin.id}> <@${ada.id}>`],
  ['me@Anna, @Annabel and @Ada', 'me@Anna, @Annabel and @Ada'],
])('%j is stored with ids, and typed again the same', (text, stored) => {
  expect(toStored(text, members)).toBe(stored)
  expect(toTyped(stored, members)).toBe(text)
})

test.each([
  ['hello @an', [anna, berg]],
  ['@berg', [berg]],
  ['@Anna Be', [berg]],
  ['@Anna Berg (Sales) ', []],
  ['x@an', []],
])('%j asks for these', (text, found) => {
  expect(askedMembers(text, text.length, members).found).toEqual(found)
})
