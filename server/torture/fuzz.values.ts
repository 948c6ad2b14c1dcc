// Values that often break programs.
import { newId } from '../src/ids.ts'
import type { Random } from '../src/random.ts'

/** Special characters of SQL, LIKE, JSON, shells and templates, and text that is hard to handle. */
const printable =
  String.raw`' " \ % _ ;-- $1 $$ {{7*7}} <b> &amp; ../ /* */ ::text 1=1 NULL \u0000 \x41 %00 %s {} []
  , : | ? * ( ) ^ ~ 😀 👩‍👩‍👧 🇩🇪 שלום مرحبا İ ı ß ﬁ Σς Ǆ é 漢字 a Z 0 - + . @ # =`.split(/ |\n +/)
const hidden = ['\u202e', '\u2066', 'e\u0301\u0323', 'Z\u0351\u036b', '\u200b', '\ufeff', '\u0085']
const control = [
  '\u2028',
  '\u00a0',
  '\t',
  '\n',
  '\r\n',
  '\u0001',
  '\u001f',
  '\u007f',
  '\uffff',
  '\u{10ffff}',
]
const pieces = [...printable, ...hidden, ...control, ' ', '  ', "' or 1=1 --", '`']

/** An unusual text that can be stored, of up to `most` pieces. */
export function oddText(random: Random, most = 10): string {
  return Array.from({ length: random.between(1, most) }, () => random.pick(pieces)).join('')
}

const unstorable = ['\0', 'a\0b', '\ud800', '\udc00x', 'x\udfff\ud800']

const numbers = `0 -0 1 -1 0.5 -1.5 42 100 101 1e-7 5e-324 2147483647 2147483648 -2147483649
  9007199254740991 9007199254740992 9223372036854775808 18446744073709551616 1e21 1e300
  1.7976931348623157e308 -1.7976931348623157e308`
  .split(/\s+/)
  .map(Number)

/** Numbers that JSON can express and JavaScript cannot, and texts that are no numbers. */
export const numberTokens = [
  ...'1e999 -1e999 1e-999 -0 1E400 123456789012345678901234567890 0.10000000000000000555111'.split(
    ' ',
  ),
  ...'01 1. .5 +1 0x10 NaN Infinity 1_000 --1'.split(' '),
  `1${'0'.repeat(400)}`,
]

/** Keys that change a prototype when a program copies them by assignment. */
export const prototypeKeys = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
]

/** Fields that the service reads. Every object would have them if the prototype were polluted. */
export const pollution = {
  name: 'polluted',
  city: 'polluted',
  first_name: 'polluted',
  description: 'polluted',
  content: 'polluted',
  filter: {},
  data: { city: 'polluted' },
  is_company: true,
  select_options: [{ name: 'polluted' }],
}

/** Adds an own key such as __proto__, which an object literal cannot have. */
export function withKey(value: object, key: string, inner: unknown): unknown {
  const copy = { ...value }
  Object.defineProperty(copy, key, {
    value: inner,
    enumerable: true,
    configurable: true,
    writable: true,
  })
  return copy
}

export function pollutionOf(random: Random): unknown {
  return random.chance(0.5)
    ? withKey({}, '__proto__', pollution)
    : { constructor: { prototype: pollution } }
}

function nested(depth: number, random: Random): unknown {
  const asArray = random.chance(0.5)
  let value: unknown = 1
  for (let level = 0; level < depth; level++) value = asArray ? [value] : { a: value }
  return value
}

const others: ((random: Random) => unknown)[] = [
  () => null,
  () => true,
  () => false,
  (random) => random.pick(numbers),
  (random) => random.pick(numbers),
  (random) => oddText(random),
  (random) => oddText(random),
  (random) => random.pick(unstorable),
  () => '',
  () => ' ',
  () => [],
  () => ({}),
  () => [null],
  () => [[]],
  () => newId(),
  () => newId().toUpperCase(),
  () => `{${newId()}}`,
  () => [newId(), newId()],
  () => '2026-02-30T25:61:61Z',
  () => '0000-00-00T00:00:00Z',
  () => '+275760-09-13T00:00:00.001Z',
  () => '9999-12-31T23:59:60Z',
  (random) => pollutionOf(random),
  (random) => nested(random.between(2, 40), random),
  (random) => 'x'.repeat(random.between(100, 20_000)),
  (random) => oddText(random, 3).repeat(random.between(10, 300)),
  (random) => Array.from({ length: random.between(2, 300) }, () => random.pick(numbers)),
  (random) => Array.from({ length: random.between(2, 300) }, () => oddText(random, 2)),
  (random) => ({ [oddText(random)]: oddText(random), [random.pick(unstorable)]: 1 }),
  (random) => ({ id: newId(), [random.pick(prototypeKeys)]: random.pick(numbers) }),
]

/** Any JSON value. */
export function oddValue(random: Random): unknown {
  return random.pick(others)(random)
}
