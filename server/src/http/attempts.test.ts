import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { service, type Workspace } from '../../test/harness.ts'
import { newKey } from '../access/keys.ts'
import { createAttempts } from './attempts.ts'

describe('createAttempts', () => {
  let now = new Date(0)
  let slept: number[] = []
  beforeEach(() => {
    slept = []
  })
  const sleep = async (ms: number) => slept.push(ms)
  const attempts = (options = {}) =>
    createAttempts({ clock: () => now, maxWaiting: 100, sleep, ...options })

  test('does not delay the first ten wrong keys, then doubles the delay up to 5 seconds', async () => {
    const { failed } = attempts()
    for (let i = 0; i < 18; i++) await failed('1.1.1.1')
    expect(slept).toEqual([250, 500, 1_000, 2_000, 4_000, 5_000, 5_000, 5_000])
    slept = []
    await failed('2.2.2.2')
    now = new Date(now.getTime() + 5 * 60_000)
    await failed('1.1.1.1')
    expect(slept).toEqual([])
  })

  test('reports the first delayed wrong key, and no other', async () => {
    const { failed } = attempts()
    const reported = []
    for (let i = 0; i < 20; i++) reported.push(await failed('1.1.1.1'))
    expect(reported.filter(Boolean)).toEqual([11])
  })

  test('delays at most maxWaiting responses at a time', async () => {
    const waiting: (() => void)[] = []
    const hold = () => new Promise<void>((resolve) => waiting.push(resolve))
    const { failed } = attempts({ maxWaiting: 3, sleep: hold })
    for (let i = 0; i < 10; i++) await failed('1.1.1.1')
    const held = [1, 2, 3].map(() => failed('1.1.1.1'))
    await failed('1.1.1.1')
    expect(waiting).toHaveLength(3)
    for (const end of waiting) end()
    await Promise.all(held)
    void failed('1.1.1.1')
    expect(waiting).toHaveLength(4)
  })

  test('remembers the newest 10,000 addresses', async () => {
    const { failed } = attempts()
    for (let i = 0; i < 11; i++) await failed('first')
    for (let i = 0; i < 10_000; i++) await failed(`address ${i}`)
    slept = []
    await failed('first')
    expect(slept).toEqual([])
    for (let i = 0; i < 10; i++) await failed('address 9999')
    expect(slept).toEqual([250])
  })
})

describe('over HTTP', () => {
  let slept: number[] = []
  const sleep = async (ms: number) => slept.push(ms)
  const direct = service({ sleep })
  const proxied = service({ sleep, config: { trustProxy: ['127.0.0.0/8'] } })
  let space: Workspace
  let keys: string[] = []
  beforeAll(async () => {
    space = await direct.workspace()
    keys = Array.from({ length: 12 }, () => newKey())
  })
  beforeEach(() => {
    slept = []
    direct.clock.advance(600_000)
  })

  test('wrong keys are delayed, the right key from the same address is not', async () => {
    for (const key of keys) expect((await direct.as(key).get('/tags')).status).toBe(401)
    expect(slept).toEqual([250, 500])
    const fresh = direct.as(await direct.key(space, 'read'))
    expect((await fresh.get('/tags')).status).toBe(200)
    expect(slept).toHaveLength(2)
  })

  test('a request without a key does not count as a wrong key', async () => {
    for (let i = 0; i < 12; i++) expect((await direct.request('/rest/tags')).status).toBe(401)
    expect(slept).toEqual([])
  })

  test('X-Forwarded-For counts only if it comes from a trusted proxy', async () => {
    const from = (at: typeof direct, address: number, key: string) =>
      at.request('/rest/tags', {
        headers: { 'X-API-KEY': key, 'X-Forwarded-For': `10.0.0.${address}` },
      })
    for (const [i, key] of keys.entries()) await from(direct, i, key)
    expect(slept).toHaveLength(2)
    slept = []
    for (const [i, key] of keys.entries()) await from(proxied, i, key)
    expect(slept).toEqual([])
    for (const key of keys) await from(proxied, 99, key)
    expect(slept).toEqual([250, 500])
  })
})
