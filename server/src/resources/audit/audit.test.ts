import { beforeEach, describe, expect, test } from 'vitest'
import { service, type Workspace } from '../../../test/harness.ts'
import { newKey } from '../../access/keys.ts'
import { run } from '../../db/sql.ts'
import { audit } from '../../feed/audit.sql.ts'
import { authorOf } from '../../feed/author.ts'
import { newId } from '../../ids.ts'

const app = service()
let space: Workspace
beforeEach(async () => {
  space = await app.workspace()
  // Wrong keys of the test before are forgotten.
  app.clock.advance(600_000)
})

const write = (number: number) =>
  audit(app.db, authorOf('command', space.id_space, app.clock.now), 'key.created', { number })

const entries = async () => (await space.get('/audit')).body.entries

describe('GET /audit', () => {
  test('has the newest first, in pages', async () => {
    for (const number of [1, 2, 3, 4, 5]) await write(number)
    const seen: number[][] = []
    let after = ''
    for (;;) {
      const { entries, next } = (await space.get(`/audit?limit=2&after=${after}`)).body
      seen.push(entries.map(({ about }: { about: { number: number } }) => about.number))
      if (next === null) break
      after = next
    }
    expect(seen).toEqual([[5, 4], [3, 2], [1]])
  })

  test('says who, how, when and what', async () => {
    await write(1)
    expect(await entries()).toEqual([
      {
        id: expect.any(String),
        at: app.clock.now.toISOString(),
        actor: { member: null, key: null, way: 'command', request_id: null },
        action: 'key.created',
        about: { number: 1 },
      },
    ])
  })

  test('is for admins only', async () => {
    for (const role of ['read', 'write'] as const) {
      expect((await app.as(await app.key(space, role)).get('/audit')).status).toBe(403)
    }
  })

  test.each(['limit=0', 'limit=1001', 'after=x'])('%s is 400', async (query) => {
    const { status, body } = await space.get(`/audit?${query}`)
    expect([status, body.issues[0].path]).toEqual([400, [query.split('=')[0]]])
  })

  test('an entry of another workspace is no place to go on', async () => {
    await write(1)
    const other = await app.workspace()
    expect((await other.get(`/audit?after=${newId()}`)).body.entries).toEqual([])
  })
})

test('an export is in the log, with its filter and who did it', async () => {
  await space.post('/lead', { first_name: 'Ada', company: '' })
  const filter = { search: 'ada' }
  await space.post('/leads/export', { filter, format: 'ndjson' })
  expect(await entries()).toMatchObject([
    {
      actor: { member: space.owner, way: 'api', request_id: expect.any(String) },
      action: 'leads.exported',
      about: { count: 1, filter, format: 'ndjson' },
    },
  ])
})

test('of a very long filter, the log and the operation have the beginning', async () => {
  const leads = Array.from({ length: 50_000 }, (_, n) => `01920000-${String(n).padStart(27, '0')}`)
  const filter = { email_status: 'with_email', any: [{ search: 'ada' }, { leads }], has_list: true }
  await space.post('/leads/export', { filter, format: 'ndjson' })
  await space.patch('/leads/update-many', { filter, data: { city: 'Rome' } })
  const [exported] = await entries()
  const { body } = await space.get('/operations?limit=1')
  for (const kept of [exported.about.filter, body.operations[0].filter]) {
    expect(kept).toMatchObject({ email_status: 'with_email', any: [{ search: 'ada' }, {}] })
    const ids = kept.any[1].leads
    expect(ids.at(-1)).toBe('…')
    expect(ids.slice(0, -2)).toEqual(leads.slice(0, ids.length - 2))
    expect(JSON.stringify(kept).length).toBeLessThan(20_000)
  }
})

describe('many wrong keys', () => {
  const tryKey = async (key: string, times: number) => {
    for (let sent = 0; sent < times; sent++) expect((await app.as(key).get('/me')).status).toBe(401)
  }

  test('with a key that was revoked are in the log of its workspace, once', async () => {
    const key = await app.key(space, 'write')
    await run(
      app.db,
    )`update api_key set revoked_at = now() where id_space = ${space.id_space} and role = 'write'`
    await tryKey(key, 10)
    expect(await entries()).toEqual([])
    await tryKey(key, 10)
    expect(await entries()).toMatchObject([
      {
        actor: { member: null, key: expect.any(String), way: 'api' },
        action: 'key.refused',
        about: { hint: expect.stringContaining('…'), address: '127.0.0.1', wrongKeys: 11 },
      },
    ])
    expect(JSON.stringify(await entries())).not.toContain(key)
  })

  test('with keys that nobody has are in no log of a workspace', async () => {
    await tryKey(newKey(), 20)
    expect(await run(app.db)`select from audit where at = ${app.clock.now}`).toEqual([])
  })
})
