import { expect, test } from 'vitest'
import { service } from '../../test/harness.ts'

const app = service({ config: { logLevel: 'silent', rateLimit: 3 } })

test('a key has a limit of requests per minute, and every response says how many are left', async () => {
  const space = await app.workspace()
  const other = await app.workspace()
  const left = []
  for (let i = 0; i < 3; i++) {
    const { status, headers } = await space.get('/tags')
    expect(status).toBe(200)
    left.push(headers.get('x-ratelimit-remaining'))
  }
  expect(left).toEqual(['2', '1', '0'])

  const refused = await space.get('/tags')
  expect(refused.status).toBe(429)
  expect(refused.body).toEqual({
    code: 'TOO_MANY_REQUESTS',
    message: 'Too many requests',
    issues: [],
  })
  expect(refused.headers.get('x-ratelimit-limit')).toBe('3')
  const reset = Number(refused.headers.get('x-ratelimit-reset')) * 1000
  expect(reset - app.clock.now.getTime()).toBeLessThanOrEqual(60_000)

  expect((await other.get('/tags')).status).toBe(200)
  app.clock.advance(60_000)
  expect((await space.get('/tags')).status).toBe(200)
})

test('routes that need no key have no limit', async () => {
  for (let i = 0; i < 5; i++) expect((await app.request('/healthz')).status).toBe(200)
})
