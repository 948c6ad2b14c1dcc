import { beforeAll, expect, test } from 'vitest'
import { service, type Workspace } from '../../test/harness.ts'
import { expectLockWaits } from '../../test/lock-waits.ts'
import { run } from '../db/sql.ts'
import { createKeyring } from './keyring.ts'
import { hashKey, hintOf, isSameHash, newKey } from './keys.ts'

const app = service()
const address = '127.0.0.1'
let space: Workspace
beforeAll(async () => {
  space = await app.workspace()
})
const keyring = () => createKeyring(app.db, () => app.clock.now)

test('a key has 256 random bits, and is not stored itself', async () => {
  const keys = Array.from({ length: 100 }, () => newKey())
  expect(new Set(keys).size).toBe(100)
  for (const key of keys) {
    expect(key).toMatch(/^rk_[\w-]{43}$/)
    expect(hintOf(key)).toHaveLength(10)
  }
  const [row] = await run(app.db)`select * from api_key where id_space = ${space.id_space}`
  expect(row).toMatchObject({ hash: hashKey(space.key) })
  expect(JSON.stringify(row)).not.toContain(space.key)
  expect(isSameHash(hashKey('a'), hashKey('a'))).toBe(true)
  expect(isSameHash(hashKey('a'), hashKey('b'))).toBe(false)
})

test('a flood of wrong keys uses one connection, and a right key among them is found', async () => {
  const { find } = keyring()
  let flood: Promise<unknown>[] = []
  let right: Promise<unknown>[] = []
  await app.db.begin(async (tx) => {
    await run(tx)`lock table api_key in access exclusive mode`
    flood = Array.from({ length: 500 }, () => find(newKey(), address))
    right = [find(space.key, address), find(space.key, address)]
    await expectLockWaits(app.db, 1)
    // No second lookup follows while the first one waits.
    await run(app.db)`select 1`
    await expectLockWaits(app.db, 1)
  })
  expect(await Promise.all(flood)).toEqual(Array(500).fill(undefined))
  const key = expect.any(String)
  const principal = { space: space.id_space, user: space.owner, role: 'admin', way: 'api', key }
  expect(await Promise.all(right)).toEqual([principal, principal])
})

test('a key that was unknown is found as soon as it exists', async () => {
  const { find } = keyring()
  const key = newKey()
  expect(await find(key, address)).toBeUndefined()
  await run(app.db)`
    update api_key set hash = ${hashKey(key)} where hash = ${hashKey(await app.key(space, 'read'))}`
  expect(await find(key, address)).toMatchObject({ role: 'read' })
})

test('the last use of a key is stored to the minute, of valid keys only', async () => {
  const { find } = keyring()
  const lastUse = async (key: string) => {
    const [row] = await run(app.db)`select last_used_at from api_key where hash = ${hashKey(key)}`
    return row?.last_used_at
  }
  const key = await app.key(space, 'read')
  const expired = await app.key(space, 'read')
  await run(
    app.db,
  )`update api_key set expires_at = ${app.clock.now} where hash = ${hashKey(expired)}`
  app.clock.advance(60_000)
  const used = app.clock.now.toISOString()
  expect(await find(key, address)).toBeDefined()
  expect(await find(expired, address)).toBeUndefined()
  app.clock.advance(10_000)
  expect(await find(key, address)).toBeDefined()
  expect(await lastUse(key)).toBe(used)
  expect(await lastUse(expired)).toBeNull()
})

test('a fixed key is valid without the database, and no similar key is', async () => {
  const principal = {
    space: space.id_space,
    user: space.owner,
    role: 'admin' as const,
    way: 'api' as const,
  }
  const fixed = { key: 'a-fixed-key-of-a-script', principal }
  const { find } = createKeyring(app.db, () => app.clock.now, { fixed })
  expect(await find('a-fixed-key-of-a-script', address)).toBe(principal)
  expect(await find('a-fixed-key-of-a-scripT', address)).toBeUndefined()
})
