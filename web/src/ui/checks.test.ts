import { expect, test } from 'vitest'
import { warningOf } from './checks.ts'

test.each([
  [
    'email',
    ['ada@x.example', ' a.b+c@sub.x.example '],
    ['ada', 'ada@x', 'a@@x.example', 'a b@x.example'],
  ],
  ['tel', ['+49 30 901820', '(030) 12-34 56', '+1 555 0100 ext. 3'], ['call me', '123', '030/abc']],
  [
    'url',
    ['x.example', 'https://www.x.example/a?b=1'],
    ['x', 'not a page', 'http://', 'x..example'],
  ],
  ['text', ['anything', ''], []],
])('%s', (input, right, wrong) => {
  for (const text of right) expect(warningOf(input, text), text).toBeUndefined()
  for (const text of wrong) expect(warningOf(input, text)?.isWarning, text).toBe(true)
})
