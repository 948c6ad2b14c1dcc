import { keyKinds } from '@rapport/contract/duplicates.values'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { type Answer, service, type Workspace } from '../../../test/harness.ts'
import { insertLead } from '../../../test/insert-lead.ts'
import { run } from '../../db/sql.ts'
import { buildAgain, buildBatch, selectBuilding } from '../leads/duplicates/build.sql.ts'
import { buildKeys } from '../leads/duplicates/build.ts'

const app = service()
const neverAborted = new AbortController().signal
const build = (signal = neverAborted, size = 2) => buildKeys(app.pool, signal, size)

/** Rows with an id update leads. Returns the id of the operation. */
async function importRows(space: Workspace, ...lines: string[]): Promise<string> {
  const path = `/leads/import${lines[0]?.startsWith('id,') ? '?upsert_by=id' : ''}`
  const { status, body } = await space.call('POST', path, `${lines.join('\n')}\n`, 'text/csv')
  expect(status).toBe(200)
  return body.id
}

const idOf = async (space: Workspace, email: string) =>
  (await space.post('/leads/search', { email })).body.id as string

async function perform(space: Workspace, wanted: object, path = '/operations') {
  const preview = await space.post('/operations/preview', wanted)
  return space.post(path, { ...wanted, confirm: preview.body.confirm })
}

/** The keys that are stored, with the names of their kinds. */
async function keys({ id_space }: Workspace, id?: string): Promise<string[]> {
  const rows = await run<{ kind: number; key: string }[]>(app.db)`select kind, key from lead_key
      where id_space = ${id_space} and id_lead = coalesce(${id ?? null}::uuid, id_lead)
      order by kind, key`
  return rows.map(({ kind, key }) => `${keyKinds[kind - 1]} ${key}`)
}

describe('the keys of leads', () => {
  let space: Workspace
  beforeAll(async () => {
    space = await app.workspace()
  })
  const create = async (lead: object) => (await space.post('/lead', lead)).body.id as string
  const ada = { first_name: 'Ada', last_name: 'King', company: 'Acme Ltd' }

  test('follow their fields, whoever changes them, and go with them', async () => {
    const id = await create({ ...ada, email: 'Ada@Acme.com', timezone: 'x' })
    const named = ['name_company ada king@acme', 'name_domain ada king@acme.com']
    expect(await keys(space, id)).toEqual(['email ada@acme.com', ...named])
    // The company was made beside her.
    expect(await keys(space)).toContain('name_company @acme')

    await space.patch(`/lead/${id}`, { email: 'a.king+x@gmail.com', city: 'London' })
    const loose = ['email a.king+x@gmail.com', 'email_loose aking@gmail.com', named[0]]
    expect(await keys(space, id)).toEqual(loose)
    const change = { kind: 'update', filter: { search: 'ada' }, data: { phone: '+44 20 79460958' } }
    const done = await perform(space, change)
    expect(await keys(space, id)).toContain('phone +442079460958')
    await space.post(`/operations/${done.body.id}/undo`)
    expect(await keys(space, id)).toEqual(loose)

    await space.remove(`/lead/${id}`)
    expect(await keys(space, id)).toEqual([])
    await perform(space, { kind: 'restore', filter: { search: 'ada' } })
    expect(await keys(space, id)).toEqual(loose)
  })

  test('of numbers have the country of the workspace, also those of imports', async () => {
    const own = await app.workspace()
    await own.patch('/workspace', { time_zone: 'Europe/Berlin' })
    const { body } = await own.post('/lead', { phone: '030 1234567' })
    expect(await keys(own, body.id)).toEqual(['phone +49301234567'])
    await importRows(own, 'first_name,last_name,phone,email', 'Bo,Dahl,0301234567,bo@dahl.se')
    await build()
    expect(await keys(own)).toEqual([
      ...['email bo@dahl.se', 'phone +49301234567', 'phone +49301234567'],
      'name_domain bo dahl@dahl.se',
    ])
  })
})

test('older leads get their keys in the background, and it goes on where it ended', async () => {
  const space = await app.workspace()
  for (const email of ['a@x.io', 'A@x.io', 'b@x.io']) await insertLead(app, space, { email })
  await insertLead(app, space, { email: 'a@x.io', is_deleted: true })
  const { body } = await space.post('/lead', { email: 'a@x.io' })
  await app.db.begin((tx) => buildAgain(tx, space.id_space))
  const building = () => selectBuilding(app.db, space.id_space)
  expect(await building()).toEqual({ done: 0, of: 5 })
  // Killed after the first batch.
  await app.db.begin((tx) => buildBatch(tx, space.id_space, 2))
  expect([await building(), await keys(space)]).toEqual([
    { done: 2, of: 5 },
    ['email a@x.io', 'email a@x.io', 'email a@x.io'],
  ])
  await build(AbortSignal.abort())
  expect(await building()).toEqual({ done: 2, of: 5 })
  await Promise.all([build(), build()])
  expect(await building()).toBeUndefined()
  expect(await keys(space)).toEqual([...Array(3).fill('email a@x.io'), 'email b@x.io'])
  expect(await keys(space, body.id)).toEqual(['email a@x.io'])

  // In another country the numbers are others.
  const { id } = (await space.post('/lead', { phone: '030 1234567' })).body
  await space.patch('/workspace', { time_zone: 'Europe/Vienna' })
  await build()
  expect(await keys(space, id)).toEqual(['phone +43301234567'])
})

test('whoever looks for duplicates waits for the keys of a few leads, not for those of many', async () => {
  const space = await app.workspace()
  const counts = async () => (await space.get('/duplicates/counts')).body
  await importRows(space, 'email', 'a@x.io', 'a@x.io')
  expect((await space.get('/duplicates')).body.groups).toMatchObject([{ key: 'a@x.io', size: 2 }])
  await importRows(space, 'email', 'b@x.io', 'b@x.io')
  expect(await counts()).toMatchObject({ counts: { email: 2 }, building: null })

  await run(app.db)`insert into lead (id_space, id, email, created_at)
    select ${space.id_space}, gen_random_uuid(), 'n' || n || '@x.io', ${app.clock.now}
    from generate_series(1, 10000) n`
  await app.db.begin((tx) => buildAgain(tx, space.id_space))
  await importRows(space, 'email', 'c@x.io', 'c@x.io')
  expect(await counts()).toMatchObject({ building: { done: 0, of: 10_006 } })
  expect((await space.get('/duplicates')).status).toBe(200)
  await build(neverAborted, 10_000)
  expect(await counts()).toMatchObject({ counts: { email: 3 }, building: null })
})

describe('the keys of imported leads', () => {
  const emails = async (space: Workspace) =>
    (await keys(space)).map((key) => key.replace(/^email (.*)@x.io$/, '$1'))

  test('are made as soon as the import is done', async () => {
    const space = await app.workspace()
    const { app: other } = await app.another()
    const told = new Promise<void>((resolve) => other.feed.onKeysDue(resolve))
    await importRows(space, 'email', 'a@x.io')
    expect(await emails(space)).toEqual([])
    await told
    await build()
    expect(await emails(space)).toEqual(['a'])
    await other.close()
  })

  test('are those of their values by then, whatever has happened to them before', async () => {
    const space = await app.workspace()
    const names = ['changed', 'deleted', 'restored', 'stays', 'merged', 'erased', 'updated']
    await importRows(space, 'email', ...names.map((name) => `${name}@x.io`))
    const ids = new Map<string, string>()
    for (const name of names) ids.set(name, await idOf(space, `${name}@x.io`))
    const only = (...names: string[]) => ({ leads: names.map((name) => ids.get(name)) })
    await space.patch(`/lead/${ids.get('changed')}`, { email: 'other@x.io' })
    for (const name of ['deleted', 'restored']) await space.remove(`/lead/${ids.get(name)}`)
    await perform(space, { kind: 'restore', filter: only('restored') })
    const merge = { kind: 'merge', filter: only('stays', 'merged') }
    await perform(space, { ...merge, data: { survivor: ids.get('stays') } })
    await perform(space, { kind: 'erase', filter: only('erased') }, '/leads/erase')
    await importRows(space, 'id,email', `${ids.get('updated')},new@x.io`)
    await build()
    expect(await emails(space)).toEqual(['merged', 'new', 'other', 'restored', 'stays'])
  })

  test('go with an import that is undone before, and come back with it', async () => {
    const space = await app.workspace()
    const operation = await importRows(space, 'email', 'a@x.io', 'b@x.io')
    const undo = await space.post(`/operations/${operation}/undo`)
    expect(undo.body).toMatchObject({ undone: 2 })
    await build()
    expect(await emails(space)).toEqual([])
    const again = await importRows(space, 'email', 'c@x.io')
    const undone = await space.post(`/operations/${again}/undo`)
    for (const { id } of [undo.body, undone.body]) await space.post(`/operations/${id}/undo`)
    await build()
    expect(await emails(space)).toEqual(['a', 'b', 'c'])
  })

  test('are the same as those of older leads, while others change them', async () => {
    const space = await app.workspace()
    const rows = Array.from({ length: 24 }, (_, file) =>
      Array.from({ length: 5 }, (_, at) => `n${file}-${at}@x.io,030 12345${file}${at}`),
    )
    const operations: string[] = []
    const ids: string[] = []
    for (const lines of rows) operations.push(await importRows(space, 'email,phone', ...lines))
    for (const [at] of rows.entries()) ids.push(await idOf(space, `n${at}-0@x.io`))
    const change = async (at: number) => {
      const [id, operation] = [ids[at], operations[at]]
      if (at % 4 === 0) await space.patch(`/lead/${id}`, { email: `m${at}@x.io` })
      if (at % 4 === 1) await space.remove(`/lead/${id}`)
      if (at % 4 === 2) await space.post(`/operations/${operation}/undo`)
      if (at === 11) await space.patch('/workspace', { time_zone: 'Europe/Vienna' })
      if (at % 4 === 3) await importRows(space, 'id,phone', `${id},030 99999${at}`)
    }
    const [builds, changes] = [[build(), build()], ids.map((_, at) => change(at))]
    await Promise.all([...builds, ...changes])
    await build()
    const made = await keys(space)
    expect(made).toContain('phone +43301234500')
    await app.db.begin((tx) => buildAgain(tx, space.id_space))
    await build()
    expect(await keys(space)).toEqual(made)
  })

  test('are there when a later import, or a merge, needs them', async () => {
    const space = await app.workspace()
    const rows = ['email', 'a@x.io', 'b@x.io']
    await importRows(space, ...rows)
    const dry = await space.call(
      'POST',
      '/leads/import?dry_run=true',
      `${rows.join('\n')}\n`,
      'text/csv',
    )
    expect(dry.body.duplicates.rows).toBe(2)
    await importRows(space, ...rows)
    const data = { by: 'email', survivor: 'oldest' }
    const merged = await perform(space, { kind: 'merge', filter: {}, data })
    expect(merged.body).toMatchObject({ state: 'done', changed: 2 })
    expect(await emails(space)).toEqual(['a', 'b'])
  })

  test('are there before an import skips rows, however long they take', async () => {
    const space = await app.workspace()
    const csv = 'email\na@x.io\n'
    await importRows(space, ...csv.trim().split('\n'))
    let time = performance.now()
    const watch = vi.spyOn(performance, 'now').mockImplementation(() => (time += 31_000))
    const path = '/leads/import?duplicates=skip'
    const { body } = await space.call('POST', path, csv, 'text/csv')
    watch.mockRestore()
    expect(body).toMatchObject({ created: 0, skipped: 1 })
  })
})

describe('groups', () => {
  let space: Workspace
  /** The leads by name. */
  const ids: Record<string, string> = {}
  beforeAll(async () => {
    space = await app.workspace()
    const people = {
      ada: { first_name: 'Ada', last_name: 'King', email: 'ada@acme.com', company: 'Acme Inc.' },
      lady: {
        first_name: 'King',
        last_name: 'Ada',
        email: 'ADA@acme.com',
        phone: '+44 20 7946 0958',
      },
      tagged: { first_name: 'A.', email: 'ada+news@acme.com' },
      boss: { first_name: 'Bo', last_name: 'Dahl', company: 'ACME', phone: '+44 (0)20 79460958' },
      bo: { first_name: 'Bo', last_name: 'Dahl', company: 'Acme LLC', email: 'bo@home.example' },
    }
    for (const [name, lead] of Object.entries(people)) {
      ids[name] = (
        await space.post('/lead', { ...lead, create_company_if_not_exists: false })
      ).body.id
    }
  })
  const list = async (query = '') => {
    const { status, body } = await space.get(`/duplicates?${query}`)
    expect(status).toBe(200)
    return body
  }
  const nameOf = (id: string) => Object.keys(ids).find((name) => ids[name] === id)
  const told = (body: Answer['body']) =>
    body.groups.map(({ kind, leads, size }: Group) => [
      kind,
      leads.map(({ id }) => nameOf(id)).join(),
      size,
    ])
  interface Group {
    kind: string
    leads: { id: string }[]
    size: number
  }
  const all = [
    ['email', 'ada,lady', 2],
    ['email_loose', 'ada,lady,tagged', 3],
    ['phone', 'lady,boss', 2],
    ['name_company', 'boss,bo', 2],
  ]

  test('have equal keys, the strongest first, with reasons and leads', async () => {
    const body = await list()
    expect(told(body)).toEqual(all)
    expect(body.next).toBeNull()
    const [email, , phone] = body.groups
    expect(email).toMatchObject({
      key: 'ada@acme.com',
      reasons: ['Same email', 'Same name and web domain'],
      leads: [{ email: 'ada@acme.com', owners: [{ id: space.owner }] }, { email: 'ADA@acme.com' }],
    })
    expect(phone).toMatchObject({ reasons: ['Same phone number', 'Different names'] })
    expect(email.confidence).toBeGreaterThan(0.95)
    expect(phone.confidence).toBeLessThan(0.5)
    // Of one kind, also those that a stronger one has.
    expect(told(await list('kind=name_domain'))).toEqual([['name_domain', 'ada,lady', 2]])
  })

  test('are told of when a lead is created', async () => {
    const own = await app.workspace()
    await own.patch('/workspace', { time_zone: 'Europe/Berlin' })
    const create = async (lead: object, key?: string) => {
      const headers = { 'X-API-KEY': own.key, 'Content-Type': 'application/json' }
      const { body, headers: said } = await app.request('/rest/lead', {
        method: 'POST',
        headers: { ...headers, ...(key && { 'Idempotency-Key': key }) },
        body: JSON.stringify(lead),
      })
      return { id: body.id, like: said.get('x-duplicate-of') }
    }
    const ada = { first_name: 'Ada', last_name: 'King', company: 'Acme' }
    const first = await create({ ...ada, phone: '030 1234567' })
    // The same name is no reason to warn.
    const second = await create({ ...ada, email: 'ada@x.io' })
    expect([first.like, second.like]).toEqual([null, null])
    const third = await create({ email: 'ADA@x.io', phone: '+49 30 1234567' }, 'k1')
    expect(third.like?.split(',')).toEqual([second.id, first.id])
    await own.remove(`/lead/${second.id}`)
    // At the same time, one or none of both sees the other.
    const both = await Promise.all([1, 2].map(() => create({ email: 'ada@x.io' })))
    for (const { like } of both) expect(like?.split(',')).toContain(third.id)
  })

  test('come in pages', async () => {
    const seen = []
    for (let cursor = ''; seen.length < 9; ) {
      const body = await list(`limit=1&cursor=${cursor}`)
      seen.push(...told(body))
      if (body.next === null) break
      cursor = body.next
    }
    expect(seen).toEqual(all)
    expect((await space.get('/duplicates?cursor=x')).status).toBe(400)
    expect((await space.get('/duplicates?limit=101')).status).toBe(400)
  })

  test('of many leads fill a page before its limit', async () => {
    const own = await app.workspace()
    const rows = Array.from({ length: 12 * 20 }, (_, at) => `p${at % 12}@acme.com`)
    await own.call('POST', '/leads/import', `email\n${rows.join('\n')}\n`, 'text/csv')
    const page = async (cursor: string) =>
      (await own.get(`/duplicates?limit=100&kind=email&cursor=${cursor}`)).body
    const first = await page('')
    const second = await page(first.next)
    expect([first.groups.length, second.groups.length, second.next]).toEqual([10, 2, null])
    const keys = [...first.groups, ...second.groups].map(({ key }) => key)
    expect(keys).toEqual([...new Set(rows)].sort())
  })

  test('are counted, and dismissed for good', async () => {
    const counts = async () => (await space.get('/duplicates/counts')).body
    const before = await counts()
    expect(before).toEqual({
      counts: { email: 1, email_loose: 1, phone: 1, linkedin: 0, name_company: 1, name_domain: 1 },
      ...{ large: 0, total: 4, counted_at: app.clock.now.toISOString(), building: null },
    })
    const pair = { leads: [ids.boss, ids.lady] }
    expect((await space.post('/duplicates/dismiss', pair)).status).toBe(200)
    expect((await space.post('/duplicates/dismiss', pair)).status).toBe(200)
    expect(told(await list())).toEqual(all.filter(([kind]) => kind !== 'phone'))
    expect(await counts()).toMatchObject({ counts: { phone: 0 }, total: 3 })
    // Two of three: the group is still there.
    await space.post('/duplicates/dismiss', { leads: [ids.ada, ids.tagged] })
    expect(told(await list('kind=email_loose'))).toEqual([all[1]])
    await space.post('/duplicates/undismiss', { leads: [ids.lady, ids.boss] })
    expect(await counts()).toEqual(before)
    for (const path of ['/duplicates/dismiss', '/duplicates/undismiss']) {
      const { status, body } = await space.post(path, { leads: [ids.ada, ids.ada?.toUpperCase()] })
      expect([status, body.issues]).toMatchObject([400, [{ path: ['leads'], code: 'minItems' }]])
    }
    const reader = app.as(await app.key(space, 'read'))
    expect((await reader.post('/duplicates/dismiss', pair)).status).toBe(403)
    expect((await reader.get('/duplicates')).status).toBe(200)
  })

  test('of many leads are apart, and do not hide smaller ones', async () => {
    const own = await app.workspace()
    const rows = Array.from(
      { length: 25 },
      (_, at) => `P${at},Last${at < 2 ? '' : at},info@acme.com`,
    )
    rows[1] = rows[0] as string
    const csv = `first_name,last_name,email\n${rows.join('\n')}\n`
    await own.call('POST', '/leads/import', csv, 'text/csv')
    const groups = async (query: string) => (await own.get(`/duplicates?${query}`)).body.groups
    expect(await groups('')).toMatchObject([{ kind: 'name_domain', size: 2 }])
    const [large, ...others] = await groups('large=true')
    expect([large.kind, large.size, large.leads.length, others]).toEqual(['email', 25, 5, []])
    const { body } = await own.get('/duplicates/counts')
    expect(body).toMatchObject({ counts: { email: 0, name_domain: 1 }, large: 1, total: 1 })
  })
})
