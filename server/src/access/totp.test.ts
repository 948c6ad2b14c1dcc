import { expect, test } from 'vitest'
import { createSecrets } from '../secrets.ts'
import { base32, codeAt, findStep, newTotpSecret, stepAt, totpAddress } from './totp.ts'

const secret = base32(Buffer.from('12345678901234567890'))

// The values of RFC 6238, appendix B, of which the last six digits are used.
test.each([
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
])('the code at %i seconds is %s', (seconds, code) => {
  expect(codeAt(secret, stepAt(new Date(seconds * 1000)))).toBe(code)
})

test('codes of the steps before and after count, each once', () => {
  const now = new Date('2026-03-02T09:00:10Z')
  const step = stepAt(now)
  const found = [-2, -1, 0, 1, 2].map((by) => findStep(secret, codeAt(secret, step + by), now))
  expect(found).toEqual([undefined, step - 1, step, step + 1, undefined])
  expect(findStep(secret, codeAt(secret, step), now, step)).toBeUndefined()
  expect(findStep(secret, '12345', now)).toBeUndefined()
})

test('an app gets the secret with issuer and account', () => {
  expect(newTotpSecret()).toMatch(/^[A-Z2-7]{32}$/)
  expect(totpAddress(secret, 'Rapport Nord: Süd', 'a@b.example')).toBe(
    `otpauth://totp/Rapport%20Nord%20%20S%C3%BCd:a%40b.example?secret=${secret}&issuer=Rapport%20Nord%20%20S%C3%BCd`,
  )
})

test('a sealed secret opens only with its key, for its owner, unchanged', () => {
  const secrets = createSecrets('one key')
  const sealed = secrets.seal('hidden', 'totp a')
  expect(sealed).not.toContain('hidden')
  expect(secrets.seal('hidden', 'totp a')).not.toBe(sealed)
  expect(secrets.open(sealed, 'totp a')).toBe('hidden')
  expect(secrets.open(sealed, 'totp b')).toBeUndefined()
  expect(createSecrets('another key').open(sealed, 'totp a')).toBeUndefined()
  expect(secrets.open(`${sealed.slice(0, -2)}xx`, 'totp a')).toBeUndefined()
  expect(secrets.open('', 'totp a')).toBeUndefined()
})
