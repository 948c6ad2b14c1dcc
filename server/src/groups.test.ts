import { expect, test } from 'vitest'
import { createGroups, type Piece } from './groups.ts'

interface Named extends Piece {
  name: string
}

const piece = (name: string, more: Partial<Named> = {}): Named => ({
  ...{ name, size: 1, claims: [] },
  inTurn: (work) => work(),
  ...more,
})

/** Groups whose work ends when the test says so. */
function heldGroups(options?: Parameters<typeof createGroups>[1]) {
  const begun: string[] = []
  const ends: (() => void)[] = []
  const add = createGroups<Named, string>(async (lane, pieces) => {
    const names = pieces.map(({ name }) => name)
    begun.push(`${lane}: ${names.join(' ')}`)
    await new Promise<void>((resolve) => ends.push(resolve))
    return names
  }, options)
  return { begun, add, end: () => ends.shift()?.() }
}

test('a group is what has arrived while the last one was under way', async () => {
  const { begun, add, end } = heldGroups({ maxSize: 3 })
  const all = [
    ...['a', 'b', 'c'].map((name) => add('one', piece(name))),
    add('one', piece('large', { size: 9 })),
    ...['d', 'e'].map((name) => add('one', piece(name, { claims: ['same'] }))),
    add('two', piece('f')),
  ]
  expect(begun).toEqual(['one: a', 'two: f'])
  for (let times = 0; times < 5; times++) {
    end()
    await new Promise(setImmediate)
  }
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'large', 'd', 'e', 'f'])
  expect(begun.slice(2)).toEqual(['one: b c d', 'one: large', 'one: e'])
})

test('those whose turn never came are refused, those who come later are not', async () => {
  const { begun, add, end } = heldGroups()
  let refuse = () => {}
  const inTurn = () =>
    new Promise<never>((_resolve, reject) => (refuse = () => reject(new Error('No'))))
  const refused = [add('one', piece('a', { inTurn })), add('one', piece('b'))]
  const seen = Promise.allSettled(refused)
  refuse()
  expect((await seen).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  const later = add('one', piece('c'))
  end()
  expect(await later).toBe('c')
  expect(begun).toEqual(['one: c'])
})
