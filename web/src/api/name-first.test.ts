import { expect, test } from 'vitest'
import type { Lead } from './lead.ts'
import { nameFirst } from './name-first.ts'

const company = (name: string) => ({ company: name, is_company: true }) as Lead
const person = (first_name: string, last_name: string, company = '') =>
  ({ first_name, last_name, company, is_company: false }) as Lead

test.each([
  ['mark', ['Mark Otto', 'Eva Mark', 'Ed Newmark', 'Ada Byron']],
  ['Márk o', ['Mark Otto', 'Ada Byron', 'Eva Mark', 'Ed Newmark']],
  ['byron', ['Ada Byron', 'Eva Mark', 'Ed Newmark', 'Mark Otto']],
  ['market', ['Ada Byron', 'Eva Mark', 'Ed Newmark', 'Mark Otto']],
])('%s: %j', (text, names) => {
  const found = [
    person('Ada', 'Byron', 'Market Ltd'),
    person('Eva', 'Mark'),
    person('Ed', 'Newmark'),
    person('Mark', 'Otto'),
  ]
  expect(
    nameFirst(found, text).map(({ first_name, last_name }) => `${first_name} ${last_name}`),
  ).toEqual(names)
})

test('people come before companies of that name', () => {
  const ltd = company('Byron Ltd')
  const ada = person('Ada', 'Byron')
  const found = [company('Abyron'), ltd, ada]
  expect(nameFirst(found, 'byron')).toEqual([ada, ltd, found[0]])
  expect(nameFirst(found, 'byron ltd')[0]).toBe(ltd)
})
