// Undo in a workspace that continued in the meantime: records were deleted, leads came and went.
import type { Event } from '@rapport/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { service, type Workspace } from '../../../test/harness.ts'
import { run } from '../../db/sql.ts'

const app = service()
let space: Workspace
beforeAll(async () => {
  space = await app.workspace()
})

let batches = 0
async function makeLeads(bodies: object[]) {
  const word = `batch${batches++}x`
  const ids: string[] = []
  for (const body of bodies) {
    const lead = { first_name: word, auto_assign_owner: false, ...body }
    ids.push((await space.post('/lead', lead)).body.id)
  }
  return { ids, id: ids[0] as string, filter: { search: word } }
}
const make = async (path: string, body: object) => (await space.post(path, body)).body.id as string
async function update(filter: object, data: object): Promise<string> {
  const answer = await space.patch('/leads/update-many', { filter, data })
  expect(answer.status).toBe(200)
  return answer.headers.get('x-operation-id') as string
}
const undo = async (id: string) => {
  const { status, body } = await space.post(`/operations/${id}/undo`)
  expect([status, body.state]).toEqual([200, 'done'])
  return body
}

test('a list that was deleted since, and its status, do not come back, and that is said', async () => {
  const list = await make('/lists', { name: 'Gone' })
  const status = await make('/status', { name: 'Open', id_list: list })
  const { id, filter } = await makeLeads([{ status: [status] }])
  const operation = await update(filter, { lists: [], city: 'Bern' })
  await space.remove(`/lists/${list}`)
  const body = await undo(operation)
  expect(body).toMatchObject({ undone: 1, kept: 1 })
  const reasons = body.kept_reasons.map(({ reason }: { reason: string }) => reason)
  expect(reasons).toContain('list deleted since')
  expect((await space.get(`/lead/${id}`)).body).toMatchObject({ lists: [], status: [], city: null })
})

test('a status whose list the lead has left since does not come back, and that is said', async () => {
  const list = await make('/lists', { name: 'Left' })
  const [open, won] = [
    await make('/status', { name: 'Open', id_list: list }),
    await make('/status', { name: 'Won', id_list: list }),
  ]
  const { id, filter } = await makeLeads([{ status: [open] }])
  const operation = await update(filter, { status_connect: [won] })
  await space.patch(`/lead/${id}`, { lists: [] })
  const body = await undo(operation)
  expect(body).toMatchObject({ undone: 0, kept: 1, kept_reasons: [{ reason: 'changed since' }] })
  expect((await space.get(`/lead/${id}`)).body).toMatchObject({ lists: [], status: [] })
})

test('a member that was removed since does not come back as an owner', async () => {
  const member = await app.member(space)
  const { id, filter } = await makeLeads([{ owners: [member] }])
  const operation = await update(filter, { owners: [] })
  await space.remove(`/members/${member}`)
  const body = await undo(operation)
  expect(body).toMatchObject({
    ...{ undone: 0, kept: 1 },
    kept_reasons: [{ reason: 'member deleted since', leads: 1 }],
  })
  expect((await space.get(`/lead/${id}`)).body.owners).toEqual([])
  // Nothing was undone, so the operation is in force.
  expect((await space.get(`/operations/${operation}`)).body.undone_by).toBeNull()
})

test('a lead keeps its owner unless one of its former owners is still a member', async () => {
  const [gone, here, heir] = [
    await app.member(space),
    await app.member(space),
    await app.member(space),
  ]
  const { ids, filter } = await makeLeads([{ owners: [gone] }, { owners: [gone, here] }, {}])
  const operation = await update(filter, { owners: [heir] })
  await space.remove(`/members/${gone}`)
  expect(await undo(operation)).toMatchObject({
    ...{ undone: 2, kept: 2 },
    kept_reasons: [{ reason: 'member deleted since', leads: 2 }],
  })
  const owners = await Promise.all(
    ids.map(async (id) => {
      const { body } = await space.get(`/lead/${id}`)
      return body.owners.map((owner: { id: string }) => owner.id)
    }),
  )
  expect(owners).toEqual([[heir], [here], []])
})

test('an option that was removed since does not come back', async () => {
  const attribute = (
    await space.post('/attributes', {
      ...{ name: 'Source', type: 'SELECT', isMultiSelect: true },
      select_options: [{ name: 'Fair' }, { name: 'Web' }, { name: 'Call' }],
    })
  ).body
  const [fair, web, call] = attribute.select_options.map((option: { id: string }) => option.id)
  const { ids, filter } = await makeLeads([
    { attributes: { [attribute.id]: [fair, web] } },
    { attributes: { [attribute.id]: [web] } },
  ])
  const operation = await update(filter, { attributes: { [attribute.id]: [call] } })
  const left = attribute.select_options.filter(({ id }: { id: string }) => id !== fair)
  await space.patch(`/attributes/${attribute.id}`, { select_options: left })
  const body = await undo(operation)
  const values = await Promise.all(
    ids.map(async (id) => (await space.get(`/lead/${id}`)).body.attributes[attribute.id]),
  )
  expect(values).toEqual([[web], [web]])
  expect(body).toMatchObject({
    undone: 2,
    kept: 1,
    kept_reasons: [{ reason: 'option deleted since' }],
  })
})

test('JSON of every kind, quotes, huge texts and whole numbers come back as they were', async () => {
  const huge = `${'x'.repeat(300_000)}'"\\`
  const states: object[] = [
    { custom_fields: { a: null, b: [1, null], "it's": '"quoted"' } },
    { custom_fields: null, contract_value: 9007199254740991, company_role: "L'Aquila; drop --" },
    { custom_fields: 'null', contract_value: '-9007199254740991', company_role: '' },
    { custom_fields: [null], company_role: '{"a":1}' },
    { custom_fields: false, company_role: '\\x00 \\u0000 $1 %s' },
    {},
  ]
  const { ids, filter } = await makeLeads(states)
  await space.patch(`/lead/${ids[0]}`, { ai_profile: huge })
  const look = () =>
    run(
      app.db,
    )`select id, custom_fields::text, contract_value::text, company_role, ai_profile, attributes::text
        from lead where id_space = ${space.id_space} and id = any(${ids}::uuid[]) order by id`
  const before = await look()
  const operation = await update(filter, {
    custom_fields: { n: null },
    contract_value: 1,
    company_role: 'x',
    ai_profile: 'y',
  })
  const after = await look()
  expect(after).not.toEqual(before)
  const first = await undo(operation)
  expect(first).toMatchObject({ undone: 6, kept: 0 })
  expect(await look()).toEqual(before)
  await undo(first.id)
  expect(await look()).toEqual(after)
})

test('60 attributes come back, empty ones too', async () => {
  const ids: string[] = []
  for (let at = 0; at < 60; at++)
    ids.push(await make('/attributes', { name: `A${at}`, type: 'TEXT' }))
  const values = (word: string) => Object.fromEntries(ids.map((id) => [id, word]))
  const some = Object.fromEntries(ids.slice(0, 30).map((id) => [id, "it's"]))
  const { id, filter } = await makeLeads([{ attributes: some }])
  const operation = await update(filter, { attributes: values('new'), city: 'Bern' })
  const body = await undo(operation)
  expect(body).toMatchObject({ undone: 1, kept: 0 })
  expect((await space.get(`/lead/${id}`)).body.attributes).toEqual(some)
  await undo(body.id)
  expect((await space.get(`/lead/${id}`)).body.attributes).toEqual(values('new'))
})

test('a lead that one import created and changed again goes and comes back as one', async () => {
  const own = await app.workspace()
  const emails = Array.from({ length: 2_100 }, (_, at) => `l${at}@a.example`)
  const rows = [...emails.map((email) => `${email},Rome`), 'l5@a.example,Oslo', 'l6@a.example,Bern']
  const path = '/leads/import?upsert_by=email'
  const answer = await own.call('POST', path, `email,city\n${rows.join('\n')}\n`, 'text/csv')
  expect(answer.body).toMatchObject({ created: 2100, updated: 2 })
  const operation = answer.headers.get('x-operation-id')
  const total = async () => (await own.post('/leads/list', {})).body.total
  const cityOf = async (email: string) => (await own.post('/leads/search', { email })).body.city
  const first = await own.post(`/operations/${operation}/undo`)
  expect(first.body).toMatchObject({ undone: 2100, kept: 0 })
  expect(await total()).toBe(0)
  const second = await own.post(`/operations/${first.body.id}/undo`)
  expect(second.body).toMatchObject({ undone: 2100, kept: 0 })
  expect(await total()).toBe(2100)
  expect(await cityOf('l5@a.example')).toBe('Oslo')
  const third = await own.post(`/operations/${second.body.id}/undo`)
  expect(third.body).toMatchObject({ undone: 2100, kept: 0 })
  expect(await total()).toBe(0)
  await own.post(`/operations/${third.body.id}/undo`)
  // A second import changes some of them. Once it is undone too, only what somebody else has touched stays.
  const changes = [
    'l1@a.example,Bern',
    'l2@a.example,Bern',
    'l3@a.example,Bern',
    'new@a.example,Bern',
  ]
  const later = await own.call('POST', path, `email,city\n${changes.join('\n')}\n`, 'text/csv')
  const { body: touched } = await own.post('/leads/search', { email: 'l3@a.example' })
  await own.patch(`/lead/${touched.id}`, { city: 'Kyiv' })
  const undone = await own.post(`/operations/${later.headers.get('x-operation-id')}/undo`)
  expect(undone.body).toMatchObject({ undone: 3, kept: 1 })
  // Its undo was undone, so the import can be undone once more.
  const last = await own.post(`/operations/${operation}/undo`)
  expect(last.body).toMatchObject({ undone: 2099, kept: 1 })
  expect(await total()).toBe(1)
})

test('companies: names and deletions come back beside a new company of the same name', async () => {
  const own = await app.workspace()
  await own.post('/lead', { first_name: 'Ada', company: 'Navy' })
  const operationOf = (answer: { headers: Headers }) => answer.headers.get('x-operation-id')
  const renamed = await own.patch('/leads/update-many', {
    filter: { is_company: true },
    data: { company: 'Army' },
  })
  await own.post('/lead', { first_name: 'Bob', company: 'Navy' })
  const undone = await own.post(`/operations/${operationOf(renamed)}/undo`)
  expect(undone.body).toMatchObject({ undone: 1, kept: 0 })
  const companies = async (search: string) =>
    (await own.post('/leads/list', { filter: { is_company: true, search } })).body.total
  expect(await companies('navy')).toBe(2)
  // Neither of them is made a third time.
  await own.post('/lead', { first_name: 'Cy', company: 'Navy' })
  expect(await companies('navy')).toBe(2)
})

test('many leads with as many values', async () => {
  const own = await app.workspace()
  await run(app.db)`insert into lead (id_space, id, email, city, created_at, updated_at)
      select ${own.id_space}::uuid, gen_random_uuid(), 'x' || n || '@a.example', 'City ' || n, now(), now()
      from generate_series(1, 3000) n`
  await run(app.db)`analyze lead`
  const sum = async () =>
    (
      await run(
        app.db,
      )`select md5(string_agg(concat(id, city, is_deleted), ',' order by id)) from lead
          where id_space = ${own.id_space}`
    )[0]?.md5
  const before = await sum()
  for (const send of [
    () => own.patch('/leads/update-many', { filter: {}, data: { city: 'Bern' } }),
    () => own.post('/leads/delete', { filter: {} }),
  ]) {
    const { headers } = await send()
    expect(await sum()).not.toBe(before)
    const { body } = await own.post(`/operations/${headers.get('x-operation-id')}/undo`)
    expect(body).toMatchObject({ undone: 3000, kept: 0 })
    expect(await sum()).toBe(before)
  }
})

describe('POST /lead/{id}/undo', () => {
  const get = async (id: string) => (await space.get(`/lead/${id}`)).body
  const idsOf = (records: { id: string }[]) => records.map(({ id }) => id)
  /** The last change of the lead, when it has its number. */
  async function lastOf(id: string, request: string | null): Promise<number> {
    const history = async () => (await space.get(`/lead/${id}/events`)).body.events
    const find = async () =>
      (await history()).find(({ cause }: Event) => cause.request_id === request)?.seq
    await expect.poll(find).toEqual(expect.any(Number))
    return find()
  }
  async function change(id: string, data: object, path = `/lead/${id}`, method = 'PATCH') {
    const answer = await space.call(method, path, data)
    expect(answer.status).toBe(200)
    return lastOf(id, answer.headers.get('x-request-id'))
  }
  const undoChange = (id: string, seq: number, as: Pick<Workspace, 'post'> = space) =>
    as.post(`/lead/${id}/undo`, { seq })

  test('restores what one request changed: fields, attributes and relations; and can be undone', async () => {
    const list = await make('/lists', { name: 'Joined' })
    const status = await make('/status', { name: 'Open', id_list: list })
    const tag = await make('/tags', { name: 'Old' })
    const seats = await make('/attributes', { type: 'NUMBER', name: 'Seats' })
    const { id } = await makeLeads([{ city: 'Bern', tags: [tag], attributes: { [seats]: 4 } }])
    const before = await get(id)
    const data = { city: 'Rome', status: [status], tags: [], attributes: { [seats]: 9 } }
    const seq = await change(id, data)
    const after = await get(id)
    const { status: code, body: undo } = await undoChange(id, seq)
    expect(code).toBe(200)
    expect(undo).toMatchObject({ kind: 'undo', state: 'done', undone: 1, kept: 0 })
    expect({ ...(await get(id)), updated_at: '' }).toEqual({ ...before, updated_at: '' })
    // It is an operation, by the one who made the change.
    const { body: operation } = await space.get(`/operations/${undo.undo_of}`)
    expect(operation).toMatchObject({ kind: 'update', changed: 1, undone_by: undo.id })
    expect(operation.actor.member).toBe(space.owner)
    // A second time there is nothing to undo.
    expect((await undoChange(id, seq)).body.issues[0].message).toBe('This has already been undone')
    await space.post(`/operations/${undo.id}/undo`)
    expect({ ...(await get(id)), updated_at: '' }).toEqual({ ...after, updated_at: '' })
    expect((await space.get('/audit')).body.entries[0].about.operation).toBe(undo.id)
  })

  test('keeps what has changed since, and refuses if that is everything', async () => {
    const { id } = await makeLeads([{ city: 'Bern', phone: '1' }])
    const seq = await change(id, { city: 'Rome', phone: '2' })
    await space.patch(`/lead/${id}`, { city: 'Oslo' })
    expect((await undoChange(id, seq)).body).toMatchObject({ undone: 1, kept: 1 })
    expect(await get(id)).toMatchObject({ city: 'Oslo', phone: '1' })
    const answer = await undoChange(id, seq)
    expect(answer).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
    expect(answer.body.issues).toEqual([
      { path: ['seq'], code: 'changed', message: 'This has changed again since' },
    ])
    expect(await get(id)).toMatchObject({ city: 'Oslo', phone: '1' })
  })

  test('takes one lead out of a bulk change, and restores a deleted one', async () => {
    const { ids, filter } = await makeLeads([{ city: 'Bern' }, { city: 'Bern' }])
    const [a, b] = ids as [string, string]
    const data = { filter, data: { city: 'Rome' } }
    const seq = await change(a, data, '/leads/update-many')
    expect((await undoChange(a, seq)).body).toMatchObject({ undone: 1, kept: 0 })
    expect([(await get(a)).city, (await get(b)).city]).toEqual(['Bern', 'Rome'])
    const gone = await change(b, {}, `/lead/${b}`, 'DELETE')
    expect((await undoChange(b, seq)).body.issues[0].message).toContain('lead deleted since')
    expect((await undoChange(b, gone)).body).toMatchObject({ undone: 1 })
    expect((await get(b)).city).toBe('Rome')
  })

  test('puts a card back to its place on the board, unless it was moved since', async () => {
    const list = await make('/lists', { name: 'Board' })
    const [open, won] = [
      await make('/status', { name: 'Open', id_list: list }),
      await make('/status', { name: 'Won', id_list: list }),
    ]
    const { ids } = await makeLeads([1, 2, 3].map(() => ({ status: [open] })))
    const [a, b, c] = ids as [string, string, string]
    const column = async (status: string) => {
      const orderBy = [{ field: 'place' }]
      const { body } = await space.post('/leads/list', { filter: { status: [status] }, orderBy })
      return idsOf(body.leads)
    }
    const place = (id: string, status: string, before: string | null) =>
      change(id, { id_lead: id, before }, `/status/${status}/place`, 'POST')
    for (const id of [a, b, c]) {
      await space.post(`/status/${open}/place`, { id_lead: id, before: null })
    }
    expect(await column(open)).toEqual([a, b, c])

    const within = await place(c, open, a)
    expect(await column(open)).toEqual([c, a, b])
    const { body: undo } = await undoChange(c, within)
    expect(undo).toMatchObject({ undone: 1, kept: 0 })
    expect(await column(open)).toEqual([a, b, c])
    await space.post(`/operations/${undo.id}/undo`)
    expect(await column(open)).toEqual([c, a, b])

    const across = await place(a, won, null)
    expect([await column(open), await column(won)]).toEqual([[c, b], [a]])
    const { body: back } = await undoChange(a, across)
    expect(back).toMatchObject({ undone: 1, kept: 0 })
    expect([await column(open), await column(won)]).toEqual([[c, a, b], []])
    await space.post(`/status/${won}/place`, { id_lead: b, before: null })
    const { body: redone } = await space.post(`/operations/${back.id}/undo`)
    expect([await column(open), await column(won)]).toEqual([[c], [b, a]])
    await space.post(`/operations/${redone.id}/undo`)
    await space.post(`/status/${open}/place`, { id_lead: b, before: null })
    expect([await column(open), await column(won)]).toEqual([[c, a, b], []])

    const first = await place(b, open, c)
    await place(b, open, null)
    expect((await undoChange(b, first)).status).toBe(409)
    expect(await column(open)).toEqual([c, a, b])
    // A move to where the card is changes nothing, and the history has nothing of it.
    const count = async () => (await space.get(`/lead/${b}/events`)).body.events.length
    const known = await count()
    await space.post(`/status/${open}/place`, { id_lead: b, before: null })
    await change(b, { city: 'Bern' })
    expect(await count()).toBe(known + 1)
  })

  test('refuses what is no change of the lead, what is not kept, and whoever may not write', async () => {
    const { ids } = await makeLeads([{}, {}])
    const [a, b] = ids as [string, string]
    const seq = await change(a, { city: 'Bern' })
    const unknown = { status: 400, body: { issues: [{ path: ['seq'], code: 'unknown_record' }] } }
    expect(await undoChange(b, seq)).toMatchObject(unknown)
    expect(await undoChange(a, 999_999)).toMatchObject(unknown)
    const { body } = await space.get(`/lead/${a}/events`)
    const created = body.events.find(({ type }: Event) => type === 'lead.created')
    expect(await undoChange(a, created.seq)).toMatchObject(unknown)
    for (const wrong of [{}, { seq: 0 }, { seq: 1.5 }, { seq: '1' }]) {
      expect((await space.post(`/lead/${a}/undo`, wrong)).status).toBe(400)
    }
    const long = await change(a, { icebreaker: 'x'.repeat(5000) })
    expect(await undoChange(a, long)).toMatchObject({
      status: 409,
      body: { issues: [{ code: 'too_long' }] },
    })
    const stranger = await app.workspace()
    expect((await undoChange(a, seq, stranger)).status).toBe(404)
    const reader = app.as(await app.key(space, 'read'))
    expect((await undoChange(a, seq, reader)).status).toBe(403)
    expect((await get(a)).city).toBe('Bern')
  })
})

test('an import changes a lead of several rows once, and one whose row has nothing new not at all', async () => {
  const own = await app.workspace()
  await own.post('/lead', { first_name: 'Same', email: 'same@x.example' })
  const csv = [
    'First name,Email',
    'Ada,ada@x.example',
    'Ada B,ada@x.example',
    'Same,same@x.example',
  ].join('\n')
  const query = 'upsert_by=email'
  const { body } = await own.call('POST', `/leads/import?${query}`, csv, 'text/csv')
  expect(body).toMatchObject({ created: 1, updated: 2 })
  const imported = (await own.get(`/operations/${body.id}`)).body
  expect(imported).toMatchObject({ count: 3, changed: 1, data: { created: 1, updated: 2 } })
  // The events are numbered a little later.
  const members = async () => (await own.get('/changes/summary')).body.members
  await expect.poll(members).toMatchObject([{ created: 2, edited: 0 }])
  const undone = (await own.post(`/operations/${body.id}/undo`)).body
  expect(undone).toMatchObject({ count: 1, undone: 1, kept: 0, data: { undid: 'import' } })
  const redone = (await own.post(`/operations/${undone.id}/undo`)).body
  expect(redone).toMatchObject({ undone: 1, kept: 0, data: { redid: 'import' } })
})

test('what an import made beside leads goes with its undo where nobody uses it, and comes back', async () => {
  const own = await app.workspace()
  const source = (
    await own.post('/attributes', {
      ...{ name: 'Source', type: 'SELECT', isMultiSelect: true },
      select_options: [{ name: 'Web' }],
    })
  ).body
  const csv = [
    'Email,Tags,List,Status,Source,Badge',
    'a@x.example,Fair,Messe,Messe > Met,Fair;Web,7',
    'b@x.example,Fair; Loud,Messe,Open,Call,8',
  ].join('\n')
  const query = 'map=Badge%3Dnew&unknown=create&value=Source%3DCall%3D%3E%2B'
  const { body: imported } = await own.call('POST', `/leads/import?${query}`, csv, 'text/csv')
  expect(imported).toMatchObject({ created: 2, rejected_total: 0 })
  const named = async (path: string) =>
    (await own.get(path)).body.map(({ name }: { name: string }) => name)
  const beside = async () => ({
    tags: await named('/tags'),
    lists: await named('/lists'),
    status: await named('/status'),
    attributes: await named('/attributes'),
    options: (await own.get('/attributes')).body
      .find(({ id }: { id: string }) => id === source.id)
      .select_options.map(({ name }: { name: string }) => name),
  })
  const all = {
    ...{ tags: ['Fair', 'Loud'], lists: ['Messe'], status: ['Met', 'Open'] },
    ...{ attributes: ['Source', 'Badge'], options: ['Web', 'Call', 'Fair'] },
  }
  expect(await beside()).toEqual(all)
  const leads = async () =>
    (await own.post('/leads/list', { orderBy: [{ field: 'email', type: 'asc' }] })).body.leads.map(
      ({ updated_at: _, ...lead }: { updated_at: string }) => lead,
    )
  const before = await leads()
  const undo = async (id: string) => (await own.post(`/operations/${id}/undo`)).body

  const undone = await undo(imported.id)
  expect(undone).toMatchObject({ undone: 2, kept: 0 })
  expect(undone.data.stays).toEqual([])
  expect(undone.data.removed).toHaveLength(8)
  expect(await beside()).toEqual({
    ...{ tags: [], lists: [], status: [], attributes: ['Source'], options: ['Web'] },
  })
  const redone = await undo(undone.id)
  expect(await beside()).toEqual(all)
  expect(await leads()).toEqual(before)

  // What another lead or a view has by now stays, and that is said.
  const [fair] = (await own.get('/tags')).body
  await own.post('/lead', { first_name: 'Other', tags: [fair.id] })
  const met = (await own.get('/status')).body.find(({ name }: { name: string }) => name === 'Met')
  await own.post('/views', { name: 'Met', kind: 'leads', filter: { status: [met.id] } })
  const again = await undo(redone.id)
  expect(again.data.stays).toEqual([
    { kind: 'status', name: 'Met', leads: 0 },
    { kind: 'tag', name: 'Fair', leads: 1 },
    { kind: 'list', name: 'Messe', leads: 0 },
  ])
  expect(await beside()).toEqual({
    ...{ tags: ['Fair'], lists: ['Messe'], status: ['Met'] },
    ...{ attributes: ['Source'], options: ['Web'] },
  })
})
