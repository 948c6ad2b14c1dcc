import { expect, test } from 'vitest'
import { normalizeEmail } from './email-address.ts'

test.each([
  ['outer blanks and case', ' \tTom.Reed@Example.COM\n', 'tom.reed@example.com'],
  ['a name without a dot', 'Owner@LocalHost', 'owner@localhost'],
  ['an address as a domain', 'tom@127.0.0.1', 'tom@127.0.0.1'],
  ['an international domain', 'VICTIM@EXÄMPLE.com', 'victim@xn--exmple-cua.com'],
  ['its ASCII form', 'victim@XN--exmple-cua.com', 'victim@xn--exmple-cua.com'],
  ['a domain with a combining character', 'tom@exa\u0308mple.com', 'tom@xn--exmple-cua.com'],
  ['a domain of full-width letters', 'tom@ｅｘａｍｐｌｅ.com', 'tom@example.com'],
  ['a combining character', 'Jose\u0301@example.com', 'josé@example.com'],
  ['a composed character', 'JOSÉ@example.com', 'josé@example.com'],
  ['a sharp s', 'STRAẞE@example.com', 'straße@example.com'],
  ['an I with a dot', 'vİctim@example.com', 'vi\u0307ctim@example.com'],
  ['an i without a dot', 'vıctim@example.com', 'vıctim@example.com'],
  ['full-width letters', 'ＶＩＣＴＩＭ@example.com', 'ｖｉｃｔｉｍ@example.com'],
  ['two marks in the other order', 'I\u0307\u0323@example.com', 'ị\u0307@example.com'],
])('%s: %j is %j', (_what, given, normal) => {
  expect(normalizeEmail(given)).toBe(normal)
  expect(normalizeEmail(normal)).toBe(normal)
})

test.each([
  ['nothing', ''],
  ['no domain', 'tom@'],
  ['two signs', 'tom@example.com@example.org'],
  ['a blank inside', 'to m@example.com'],
  ['a control character', 'tom\u0000@example.com'],
  ['half a surrogate pair', 'tom\ud800@example.com'],
  ['an invisible character', 'to\u200bm@example.com'],
  ['the Kelvin sign', 'vic\u212atim@example.com'],
  ['a Greek accent that becomes a backtick', 'tom\u1fef@example.com'],
  ['no international domain', 'tom@xn--a.com'],
  ['a domain of full-width digits', 'tom@１２３'],
  ['a full stop of another script', 'tom@example。com'],
  ['too much', `${'a'.repeat(250)}@example.com`],
  ['too much after it was made ASCII', `tom@${'ä'.repeat(50)}.${'ö'.repeat(190)}.com`],
])('%s is no address', (_what, given) => {
  expect(normalizeEmail(given)).toBeUndefined()
})

test('no other character of Unicode makes the address of somebody who has ASCII', () => {
  const wrong: string[] = []
  for (let code = 0x80; code <= 0x10ffff; code++) {
    const character = String.fromCodePoint(code)
    // All others stay as they are.
    if (character.normalize('NFC').toLowerCase() === character) continue
    const normal = normalizeEmail(`a${character}b@example.com`)
    if (normal === undefined) continue
    if (/^[\0-\x7f]*$/.test(normal) || normalizeEmail(normal) !== normal) wrong.push(character)
  }
  expect(wrong).toEqual([])
})
