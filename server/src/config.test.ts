import { expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

test('everything has a default', () => {
  expect(readConfig({ HOME: '/home/x' })).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    databaseUrl: undefined,
    apiKey: undefined,
    logLevel: 'info',
    rateLimit: 0,
  })
  expect(readConfig({ PORT: '' }).port).toBe(3000)
})

test.each([
  ['PORT', 'http'],
  ['PORT', '70000'],
  ['PORT', '-1'],
  ['PORT', '1e3'],
  ['LOG_LEVEL', 'loud'],
  ['DATABASE_URL', 'localhost:5432'],
  ['DATABASE_URL', 'mysql://localhost/x'],
  ['DATABASE_POOL', '1'],
  ['RAPPORT_API_KEY', 'short'],
  ['RAPPORT_API_KEY', 'with blanks in the middle of it'],
  ['RATE_LIMIT', 'many'],
])('refuses %s=%s in one line that names it', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(ConfigError)
  expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name} [^\\n]+$`))
})

test('does not repeat a password', () => {
  expect(() => readConfig({ DATABASE_URL: 'pg://me:secret@host/db' })).toThrow(/^(?!.*secret)/)
})
