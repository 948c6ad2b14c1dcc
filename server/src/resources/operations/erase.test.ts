import { beforeAll, describe, expect, test } from 'vitest'
import { service, type Workspace } from '../../../test/harness.ts'
import { expectLockWaits } from '../../../test/lock-waits.ts'
import { transaction } from '../../db/driver.ts'
import { run, sql } from '../../db/sql.ts'
import { authorOf } from '../../feed/author.ts'
import { newId } from '../../ids.ts'
import { eraseLeads, holdOffErasing, lockForErasing } from '../leads/erase/erase.sql.ts'
import { eraseDeleted } from './erase.ts'
import { deleteBefores } from './store/operation.sql.ts'

const app = service()
let space: Workspace
beforeAll(async () => {
  space = await app.workspace()
})

async function erase(filter: object, more = {}, as = space) {
  const wanted = { kind: 'erase', filter, data: more }
  const { body } = await as.post('/operations/preview', wanted)
  return as.post('/leads/erase', { filter, ...more, confirm: body.confirm })
}

/** Every column of every table that holds one of the texts, as table.column. Case does not count. */
async function columnsWith(texts: string[]): Promise<string[]> {
  const columns = await run<{ table: string; column: string; type: string }[]>(
    app.db,
  )`select c.table_name as table, c.column_name as column, c.data_type as type
      from information_schema.columns c join information_schema.tables t
        on t.table_schema = c.table_schema and t.table_name = c.table_name
      where c.table_schema = 'public' and t.table_type = 'BASE TABLE' order by 1, 2`
  const found: string[] = []
  for (const { table, column, type } of columns) {
    const text = type === 'bytea' ? `encode("${column}", 'escape')` : `"${column}"::text`
    const rows = await app.db.unsafe(
      `select from "${table}" where lower(${text}) like any($1::text[]) limit 1`,
      [texts.map((each) => `%${each.toLowerCase()}%`)],
    )
    if (rows.length > 0) found.push(`${table}.${column}`)
  }
  return found
}

/** Every table of the workspace that holds the text. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await run<{ name: string }[]>(
    app.db,
  )`select table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = 'id_space' order by table_name`
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await app.db.unsafe(
      `select from ${name} t where id_space = $1 and to_jsonb(t)::text like $2 limit 1`,
      [space.id_space, `%${text}%`],
    )
    if (rows.length > 0) found.push(name)
  }
  return found
}

/** A lead whose values are in every place that keeps some. */
async function traced(word: string): Promise<string> {
  const key = {
    'Idempotency-Key': 'once',
    'X-API-KEY': space.key,
    'Content-Type': 'application/json',
  }
  const body = JSON.stringify({
    first_name: word,
    email: `${word}@a.example`,
    company: `${word} Ltd`,
  })
  const made = await app.request('/rest/lead', { method: 'POST', headers: key, body })
  const { id } = made.body
  await space.patch(`/lead/${id}`, { ai_profile: `${word} likes tea` })
  await space.patch('/leads/update-many', {
    filter: { search: `${word}@a.example` },
    data: { city: word },
  })
  const note = (await space.post('/notes', { id_lead: id, content: `${word} said` })).body
  await space.patch(`/notes/${note.id}`, { content: `${word} wrote` })
  const date = app.clock.now.toISOString()
  await space.post('/reminders', { id_lead: id, name: `Call ${word}`, date })
  return id
}

describe('POST /leads/erase', () => {
  test('leaves no value of the lead anywhere, and the rest as it was', async () => {
    const word = 'tracedword'
    const id = await traced(word)
    const other = (await space.post('/lead', { first_name: 'Stays', city: 'Rome' })).body.id
    // One event for both, with equal values.
    await space.patch('/leads/update-many', {
      filter: { leads: [id, other] },
      data: { contract_name: 'Both' },
    })
    const last = (await space.get('/events?after=now')).body.next
    expect((await tablesWith(word)).length).toBeGreaterThan(5)
    const total = (await space.post('/leads/list', {})).body.total
    const company = (
      await space.post('/leads/list', { filter: { search: `${word} ltd`, is_company: true } })
    ).body.leads[0].id
    const { status, body } = await erase({ leads: [id, company] })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      ...{ erased: 2, notes: 1, reminders: 1 },
      backups: expect.stringContaining('Earlier backups'),
    })
    expect(await tablesWith(word)).toEqual([])
    expect((await space.post('/leads/list', {})).body.total).toBe(total - 2)
    expect((await space.get(`/lead/${other}`)).body).toMatchObject({
      city: 'Rome',
      contract_name: 'Both',
    })
    await expect
      .poll(async () => (await space.get(`/lead/${other}/events`)).body.events)
      .toContainEqual(
        expect.objectContaining({ ids: [other], changed: { contract_name: [null, 'Both'] } }),
      )
    // The numbers have no gap, and the feed tells of it.
    const all: { seq: number }[] = []
    for (let after = 'start'; ; ) {
      const page = (await space.get(`/events?after=${after}&limit=1000`)).body
      all.push(...page.events)
      if (page.events.length === 0) break
      after = page.next
    }
    expect(all.map(({ seq }) => seq)).toEqual(all.map((_, index) => index + 1))
    const told = (await space.get(`/events?after=${last}&types=lead.erased&wait=10`)).body.events
    expect(told).toMatchObject([{ type: 'lead.erased', ids: expect.arrayContaining([id]) }])
  })

  test('leaves nothing of a lead that was merged into another one, once the merge is undone', async () => {
    const word = 'onceamerged'
    const add = async (fields: object) => (await space.post('/lead', fields)).body.id as string
    const id = await add({ last_name: word, email: `${word}@a.example`, icebreaker: word })
    const other = await add({ first_name: 'Stays', city: 'Rome' })
    const wanted = { kind: 'merge', filter: { leads: [id, other] }, data: { survivor: other } }
    const { confirm } = (await space.post('/operations/preview', wanted)).body
    const merge = (await space.post('/operations', { ...wanted, confirm })).body.id
    expect((await space.get(`/lead/${other}`)).body.last_name).toBe(word)
    expect((await space.post(`/operations/${merge}/undo`)).body.undone).toBe(2)
    expect((await erase({ leads: [id] })).status).toBe(200)
    expect(await tablesWith(word)).toEqual([])
    expect((await space.get(`/lead/${other}`)).body).toMatchObject({
      ...{ first_name: 'Stays', last_name: null, city: 'Rome' },
    })
  })

  test('leaves nothing of a lead that is everywhere, in no column of any table', async () => {
    const post = (path: string, body: unknown, key: string = newId()) =>
      app.request(`/rest${path}`, {
        method: 'POST',
        headers: {
          'Idempotency-Key': key,
          'X-API-KEY': space.key,
          'Content-Type': 'application/json',
        },
        body: JSON.stringify(body),
      })
    const texts = [
      ...['zora.quillfeather@a.example', 'zq.former@b.example', 'zq@home.example'],
      ...[
        'Quillfeather',
        'Zora',
        'Oldquill',
        '5550147',
        '555-0147',
        '5550199',
        'zq-handle',
        'zora.quill',
      ],
    ]
    // Others that have some of the words, and stay as they are.
    const stays = await space.post('/lead', { first_name: 'Nora', email: 'nora@a.example' })
    const attribute = async (type: string) =>
      (await space.post('/attributes', { type, name: `Of ${type}` })).body.id
    const [privateMail, related, text] = [
      await attribute('EMAIL'),
      await attribute('RELATION'),
      await attribute('TEXT'),
    ]
    const made = await post('/lead', {
      ...{ first_name: 'Zora', last_name: 'Oldquill', email: 'zq.former@b.example' },
      ...{ phone: '+1 (555) 555-0199', twitter_name: '@zq-handle', company: 'Feather Works' },
      attributes: { [privateMail]: 'zq@home.example', [text]: 'Zora likes tea' },
    })
    const { id } = made.body
    const name = { last_name: 'Quillfeather', email: 'Zora.Quillfeather@A.example' }
    await space.patch(`/lead/${id}`, { ...name, phone: '+1 555 555-0147' })
    await space.patch(`/lead/${stays.body.id}`, { attributes: { [related]: id } })
    await space.patch('/leads/update-many', {
      filter: { search: 'quillfeather zora' },
      data: { custom_fields: { note: 'Zora Quillfeather' }, icebreaker: 'Hello Zora' },
    })
    // Filters that find nobody else, and one that does.
    const filters = [
      { search: 'ZORA.quillfeather@a.example' },
      { search: 'Oldquill' },
      { search: '+1 555 555 0147', email_status: 'all' },
      { search: 'Quillfeather, Zora' },
      { attributes: [{ id: privateMail, operator: 'equals', value: 'zq@home.example' }] },
      { attributes: [{ id: text, operator: 'contains', value: 'zora' }] },
    ]
    const views: { id: string }[] = []
    const other = { search: 'a.example nora' }
    for (const filter of [...filters, other]) {
      const role = filter === other ? 'Boss' : 'zq@home.example'
      const view = { name: `Żora? ${JSON.stringify(filter)}`, filter, shared: true }
      views.push((await post('/views', view)).body)
      await space.post('/leads/export', { filter })
      const wanted = { kind: 'update', filter, data: { company_role: role } }
      const { confirm } = (await post('/operations/preview', wanted)).body
      await post('/operations', { ...wanted, confirm })
    }
    // The event cuts it after 2,000 characters, in the middle of the address.
    const long = {
      leads: Array.from({ length: 50 }, () => newId()),
      search: 'nobody else yes zora.quillfeather@a.example',
      tags: [newId(), newId()],
    }
    const longer = await space.patch(`/views/${views[0]?.id}`, {
      name: 'Calls with Zora Quillfeather',
      filter: long,
    })
    expect(longer.status).toBe(200)
    await space.remove(`/views/${views[1]?.id}`)
    await post('/tags', { name: 'Warm' }, 'for zora.quillfeather@a.example')
    // An import: one row that is taken, others that are rejected, in a file that is named after her.
    const file = 'email,first_name,last_name,score\r\n'
    const rows = [
      'zora.quillfeather@a.example,Zora,Quillfeather,high',
      '"not an address, 5550147","Zora\nQ.",Oldquill,low',
      'nora.other@a.example,Nora,Other,none',
      'zq.former@b.example,Zora,Quillfeather,7',
    ]
    const query = 'once=true&file=Zora_Quillfeather%20leads.csv&map=score%3Demail_bounce_score'
    const content = `${file}${rows.join('\r\n')}\r\n`
    const imported = await space.call('POST', `/leads/import?${query}`, content, 'text/csv')
    expect(imported).toMatchObject({ status: 200, body: { created: 1, rejected_total: 3 } })
    const note = (await space.post('/notes', { id_lead: id, content: 'Zora said' })).body
    await space.post('/notes', { id_parent: note.id, content: 'Zora answered' })
    const date = app.clock.now.toISOString()
    await space.post('/reminders', { id_lead: id, name: 'Call Zora', cron: '0 9 * * *', date })
    await space
      .post('/leads/delete', { filter: { leads: [id] } })
      .then(({ headers }) => space.post(`/operations/${headers.get('x-operation-id')}/undo`))
    const before = await columnsWith(texts)
    for (const place of [
      ...['audit.about', 'event.changed', 'idempotency.answer', 'idempotency.key'],
      ...['import_progress.file', 'import_rejected.content', 'operation.filter', 'operation.data'],
      ...['operation_before.new', 'saved_view.filter', 'saved_view.name', 'lead.custom_fields'],
    ]) {
      expect(before).toContain(place)
    }

    const again = await space.post('/leads/search', { email: 'zq.former@b.example' })
    expect((await erase({ leads: [id, again.body.id] })).body).toMatchObject({ erased: 2 })

    expect(await columnsWith(texts)).toEqual([])
    const left = (await space.get('/views')).body.filter((view: { id: string }) =>
      views.some((one) => one.id === view.id),
    )
    expect(left.at(0)).toMatchObject({ name: 'Calls with [erased]' })
    expect(left.at(1).filter).toEqual({ search: '+[erased]', email_status: 'all' })
    expect(left.at(-1)).toMatchObject({ filter: { search: 'a.example nora' } })
    for (const { filter } of left) {
      expect((await space.post('/leads/list', { filter })).status).toBe(200)
    }
    const { id: of, file: called } = (await space.get('/imports')).body.at(0)
    expect(called).toBe('[erased] leads.csv')
    const rejected = await space.get(`/imports/${of}/rejected`)
    expect(rejected.body).toMatch(
      /^reason,email.*\r?\n[^\n]*nora\.other@a\.example,Nora,Other,none\r?\n$/,
    )
    expect((await space.get(`/lead/${stays.body.id}`)).body.first_name).toBe('Nora')
  })

  test('keeps a name that another lead has', async () => {
    const twin = { first_name: 'Tilda', last_name: 'Twin' }
    const email = { email: 'tilda.first@a.example' }
    const { id } = (await space.post('/lead', { ...twin, ...email, phone: '030 1234567' })).body
    await space.post('/lead', { ...twin, email: 'tilda@a.example', phone: '+30-123 4567' })
    const search = 'Twin, Tilda 0301234567 tilda.first@a.example 2tilda.first@a.example'
    const view = (await space.post('/views', { name: 'Tilda and first', filter: { search } })).body
    await erase({ leads: [id] })
    const views: { id: string }[] = (await space.get('/views')).body
    expect(views.find((one) => one.id === view.id)).toMatchObject({
      name: 'Tilda and first',
      filter: { search: 'Twin, Tilda 0301234567 [erased] 2tilda.first@a.example' },
    })
  })

  test('takes one lead out of a change of very many different values, which can still be undone', async () => {
    const rows = Array.from({ length: 120 }, (_, at) => `various${at}@a.example,Various ${at}.`)
    await space.call('POST', '/leads/import', `email,city\n${rows.join('\n')}\n`, 'text/csv')
    const find = async (at: number) =>
      (await space.post('/leads/search', { email: `various${at}@a.example` })).body
    const change = await space.patch('/leads/update-many', {
      filter: { search: 'various' },
      data: { city: 'Lima' },
    })
    expect(await tablesWith('Various 7.')).toContain('operation_before')
    await erase({ leads: [(await find(7)).id] })
    expect(await tablesWith('Various 7.')).toEqual([])
    const undo = await space.post(`/operations/${change.headers.get('x-operation-id')}/undo`)
    expect(undo.body).toMatchObject({ undone: 119, kept: 0 })
    for (const at of [0, 6, 8, 119]) expect((await find(at)).city).toBe(`Various ${at}.`)
  })

  /** Leaves the address of the lead in the filter of an operation and in the kept response to it. */
  async function updateByAddress(email: string, city: string) {
    const filter = { search: email }
    const wanted = { kind: 'update', filter, data: { city } }
    const { confirm } = (await space.post('/operations/preview', wanted)).body
    const headers = {
      'Idempotency-Key': newId(),
      'X-API-KEY': space.key,
      'Content-Type': 'application/json',
    }
    const body = JSON.stringify({ ...wanted, confirm })
    return (await app.request('/rest/operations', { method: 'POST', headers, body })).body
  }

  test.each([
    ['that has its values before', 'Oslo', 0],
    ['that has them no more', 'Oslo', 31],
    ['that changed nothing', 'Rome', 0],
  ])('also leaves none in what was asked of an operation %s', async (_which, city, days) => {
    const email = `asked${city}${days}@a.example`
    const { id } = (await space.post('/lead', { email, city: 'Rome' })).body
    expect((await updateByAddress(email, city)).count).toBe(1)
    expect(await tablesWith(email)).toEqual(expect.arrayContaining(['idempotency', 'operation']))
    app.clock.advance(days * 86_400_000)
    if (days > 0) await deleteBefores(app.db, app.clock.now)
    await erase({ leads: [id] })
    expect(await tablesWith(email)).toEqual([])
  })

  test('takes the leads along that were merged into it', async () => {
    const add = async (body: object) => (await space.post('/lead', body)).body.id
    const stays = await add({ first_name: 'Stays' })
    const goes = await add({ first_name: 'Merged-away', email: 'merged-away@a.example' })
    const reply = { id_lead: goes, content: 'Merged-away called' }
    await space.post('/notes', reply)
    const data = { survivor: stays, fields: { city: { value: 'Merged-away-town' } } }
    const wanted = { kind: 'merge', filter: { leads: [stays, goes] }, data }
    const { confirm } = (await space.post('/operations/preview', wanted)).body
    await space.post('/operations', { ...wanted, confirm })
    expect((await erase({ leads: [stays] })).body).toMatchObject({ erased: 2, notes: 1 })
    expect(await columnsWith(['merged-away'])).toEqual([])
    expect(await space.get(`/lead/${goes}`)).toMatchObject({ status: 404 })
  })

  test('two at once, of leads that one change has together, leave nothing of either', async () => {
    const rows = Array.from({ length: 120 }, (_, at) => `at-once${at}@a.example,Once ${at}.`)
    await space.call('POST', '/leads/import', `email,city\n${rows.join('\n')}\n`, 'text/csv')
    const find = async (at: number) =>
      (await space.post('/leads/search', { email: `at-once${at}@a.example` })).body.id
    const filter = { search: 'at-once' }
    const data = { city: 'Lima' }
    const change = await space.patch('/leads/update-many', { filter, data })
    const by = authorOf('api', space.id_space, app.clock.now)
    const ids = [await find(3), await find(4)]
    let second: Promise<unknown> | undefined
    await app.db.begin(async (tx) => {
      await lockForErasing(tx, space.id_space)
      await eraseLeads(tx, by, `{${ids[0]}}`)
      second = transaction(app.db, async (other) => {
        await lockForErasing(other, space.id_space)
        await eraseLeads(other, by, `{${ids[1]}}`)
      })
      await expectLockWaits(app.db, 1, 'pg_advisory_xact_lock')
    })
    await second
    expect(await tablesWith('Once 3.')).toEqual([])
    expect(await tablesWith('Once 4.')).toEqual([])
    const events = (await space.get(`/events?after=start&limit=1000&types=lead.updated`)).body
      .events
    for (const id of ids) expect(JSON.stringify(events)).not.toContain(id)
    const undo = await space.post(`/operations/${change.headers.get('x-operation-id')}/undo`)
    expect(undo.body).toMatchObject({ undone: 118, kept: 0 })
  })

  test('holds no lead while it waits for an import, which may be about to change it', async () => {
    const { id } = (await space.post('/lead', { first_name: 'Waiting' })).body
    let erased: ReturnType<typeof erase> | undefined
    await app.db.begin(async (tx) => {
      await holdOffErasing(tx, space.id_space)
      erased = erase({ leads: [id] })
      await expectLockWaits(app.db, 1, 'pg_advisory_xact_lock')
      const lead = sql`id_space = ${space.id_space} and id = ${id}`
      expect(await run(tx)`select from lead where ${lead} for update nowait`).toHaveLength(1)
    })
    expect((await erased)?.body).toMatchObject({ erased: 1 })
  })

  test('leaves what was asked of an operation that changed others too', async () => {
    const email = 'others@a.example'
    const { id } = (await space.post('/lead', { email, city: 'Rome' })).body
    await space.post('/lead', { email, city: 'Rome' })
    const { id: operation } = await updateByAddress(email, 'Oslo')
    await erase({ leads: [id] })
    expect((await space.get(`/operations/${operation}`)).body.filter).toEqual({ search: email })
  })

  test('is for admins, needs the preview, and cannot be undone', async () => {
    const id = (await space.post('/lead', { first_name: 'Once' })).body.id
    const writer = app.as(await app.key(space, 'write'))
    expect((await writer.post('/leads/erase', { filter: {}, confirm: 'x' })).status).toBe(403)
    expect((await space.post('/leads/erase', { filter: {} })).status).toBe(400)
    const wrong = await space.post('/leads/erase', { filter: { leads: [id] }, confirm: 'x' })
    expect(wrong).toMatchObject({ status: 409, body: { preview: { kind: 'erase', count: 1 } } })
    // The token of another kind.
    const filter = { leads: [id] }
    const update = { kind: 'delete', filter, data: {} }
    const { confirm } = (await space.post('/operations/preview', update)).body
    expect((await space.post('/leads/erase', { filter, confirm })).status).toBe(409)
    const { body } = await erase(filter)
    const undo = await space.post(`/operations/${body.id}/undo`)
    expect(undo).toMatchObject({ status: 409, body: { issues: [{ code: 'erased' }] } })
    const operation = (await space.get(`/operations/${body.id}`)).body
    expect(operation).toMatchObject({ kind: 'erase', filter: null, undoable_until: null })
  })

  test('reaches deleted leads too, and an undo of their deletion brings nothing back', async () => {
    const id = (await space.post('/lead', { first_name: 'Gone' })).body.id
    const filter = { leads: [id] }
    const deleted = await space.post('/leads/delete', { filter })
    expect((await erase(filter)).body).toMatchObject({ erased: 0 })
    expect((await erase(filter, { deleted: true })).body).toMatchObject({ erased: 1 })
    const undo = await space.post(`/operations/${deleted.headers.get('x-operation-id')}/undo`)
    expect(undo.body).toMatchObject({ undone: 0 })
  })
})

test('deleted leads are erased after some time', async () => {
  const make = async () => (await space.post('/lead', { first_name: 'Old' })).body.id
  const [old, young] = [await make(), await make()]
  await space.remove(`/lead/${old}`)
  app.clock.advance(86_400_000)
  await space.remove(`/lead/${young}`)
  const { now } = app.clock
  const before = new Date(now.getTime() - 1)
  expect(await eraseDeleted(app.db, before, now)).toBe(1)
  expect(await tablesWith(`"id": "${old}"`)).toEqual([])
  expect(await tablesWith(`"id": "${young}"`)).toEqual(['lead'])
})
