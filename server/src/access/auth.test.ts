// How a key is sent: in X-API-KEY, or as a bearer token.
import { beforeAll, describe, expect, test } from 'vitest'
import { service, type Workspace } from '../../test/harness.ts'
import { newKey } from './keys.ts'

let slept: number[] = []
const app = service({ config: { rateLimit: 1_000 }, sleep: async (ms) => slept.push(ms) })
let space: Workspace
let other: Workspace
beforeAll(async () => {
  space = await app.workspace()
  other = await app.workspace()
})

const me = (headers: Record<string, string>) => app.request('/rest/me', { headers })
const bearer = (key: string) => ({ Authorization: `Bearer ${key}` })

describe('Authorization: Bearer', () => {
  test('works like X-API-KEY, with its role', async () => {
    const { status, body } = await me(bearer(space.key))
    expect([status, body.id_space]).toEqual([200, space.id_space])
    const reader = await app.key(space, 'read')
    const refused = await app.request('/rest/tags', { method: 'POST', headers: bearer(reader) })
    expect([refused.status, refused.body.code]).toEqual([403, 'FORBIDDEN'])
  })

  test.each(['bearer', 'BEARER', 'Bearer '])('the scheme %j is taken too', async (scheme) => {
    const { status } = await me({ Authorization: `${scheme} ${space.key}` })
    expect(status).toBe(200)
  })

  test.each(['Basic', 'Token', 'BearerX', ''])('the scheme %j is not', async (scheme) => {
    const { status, body } = await me({ Authorization: `${scheme} ${space.key}` })
    expect([status, body.code]).toEqual([401, 'UNAUTHORIZED'])
  })

  test.each(['Bearer', 'Bearer ', 'Bearer a b'])('%j holds no key', async (value) => {
    expect((await me({ Authorization: value })).status).toBe(401)
  })

  test('X-API-KEY wins, right or wrong; an empty one counts as not sent', async () => {
    const won = await me({ 'X-API-KEY': other.key, ...bearer(space.key) })
    expect(won.body.id_space).toBe(other.id_space)
    expect((await me({ 'X-API-KEY': newKey(), ...bearer(space.key) })).status).toBe(401)
    expect((await me({ 'X-API-KEY': '', ...bearer(space.key) })).status).toBe(200)
  })

  test('counts for the same rate limit', async () => {
    const key = await app.key(space, 'read')
    const left = async (headers: Record<string, string>) =>
      Number((await me(headers)).headers.get('x-ratelimit-remaining'))
    expect(await left({ 'X-API-KEY': key })).toBe(999)
    expect(await left(bearer(key))).toBe(998)
    expect(await left({ 'X-API-KEY': key, ...bearer(other.key) })).toBe(997)
  })

  test('wrong keys are slowed like those of X-API-KEY, and counted with them', async () => {
    app.clock.advance(600_000)
    slept = []
    for (let i = 0; i < 6; i++) {
      await me({ 'X-API-KEY': newKey() })
      await me(bearer(newKey()))
    }
    expect(slept).toEqual([250, 500])
  })

  test('another scheme is no attempt', async () => {
    app.clock.advance(600_000)
    slept = []
    for (let i = 0; i < 12; i++) await me({ Authorization: 'Basic dXNlcjpwYXNz' })
    expect(slept).toEqual([])
  })
})
