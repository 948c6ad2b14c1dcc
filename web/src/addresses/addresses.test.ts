import { expect, test } from 'vitest'
import { defaultColumns } from '../kinds/columns.ts'
import { defaultOrder, leadsHref, readFilter, writeState } from './leads.ts'
import { readAddress, remindersHref } from './reminders.ts'

const plain = {
  view: undefined,
  filter: {},
  order: defaultOrder,
  columns: defaultColumns,
  lead: undefined,
}

test('the plain page has no query', () => {
  expect(writeState(plain)).toBe('')
})

test('only what differs from the view is written', () => {
  const base = { filter: { tags: ['a'] }, order: defaultOrder, columns: defaultColumns }
  const state = { ...plain, ...base, view: 'v' }
  expect(writeState(state, base)).toBe('?view=v')
  const query = new URLSearchParams(writeState({ ...state, filter: {}, lead: 'l' }, base))
  expect(Object.fromEntries(query)).toEqual({ view: 'v', filter: '{}', lead: 'l' })
})

test('a filter survives the address', () => {
  const filter = { search: 'Müller & Søn %', created_after: '2026-03-01' }
  const text = new URL(leadsHref(filter), 'http://any').searchParams.get('filter')
  expect(readFilter(text ?? '')).toEqual(filter)
})

test('a filter that cannot be read selects nothing', () => {
  expect(readFilter('{')).toEqual({ leads: [] })
  expect(readFilter('{"tag":["a"]}')).toEqual({ leads: [] })
})

test('the inbox of reminders', () => {
  for (const state of [
    { who: 'mine', list: undefined, isDone: false },
    { who: 'all', list: 'l', isDone: true },
  ] as const) {
    expect(readAddress(new URL(remindersHref(state), 'http://any').search)).toEqual(state)
  }
})
