// One lead: POST /lead, POST /leads/search and the extensions on /lead/{id}.
import { randomUUID } from 'node:crypto'
import { answeredFields } from '@rapport/contract/leads/fields'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectExactCounts } from '../../../test/counts.ts'
import { service, type Workspace } from '../../../test/harness.ts'
import { run } from '../../db/sql.ts'

const app = service()
afterAll(() => expectExactCounts(app.db))
let space: Workspace
beforeAll(async () => {
  space = await app.workspace()
})

const unknownId = '01920000-0000-7000-8000-0000000000ff'
const create = async (body: object, at = space) => (await at.post('/lead', body)).body
const get = async (id: string, at = space) => (await at.get(`/lead/${id}`)).body
const count = async (at = space) =>
  (await at.post('/leads/list', { pagination: { page_size: 1 } })).body.total
const ids = (rows: { id: string }[]) => rows.map(({ id }) => id)

describe('POST /lead', () => {
  test('needs no field, and returns exactly the fields of a lead', async () => {
    const { status, body } = await space.post('/lead')
    expect(status).toBe(200)
    expect(Object.keys(body).toSorted()).toEqual(answeredFields.toSorted())
    const now = app.clock.now.toISOString()
    // The fields of the interface. The table may have more.
    expect(body).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f-]{14}7/),
      created_at: now,
      updated_at: now,
      email: null,
      company: null,
      phone: null,
      linkedin_url: null,
      linkedin_company_url: null,
      facebook_username: null,
      youtube_username: null,
      instagram_username: null,
      telegram_username: null,
      whatsapp_username: null,
      search_query: null,
      first_name: null,
      last_name: null,
      icebreaker: null,
      icebreaker_2: null,
      icebreaker_3: null,
      icebreaker_4: null,
      website_url: null,
      timezone: null,
      city: null,
      company_role: null,
      twitter_name: null,
      twitter_company_name: null,
      avatar_url: null,
      is_deleted_at: null,
      contract_currency: null,
      contract_name: null,
      ai_enabled_at: null,
      ai_summary: null,
      ai_profile: null,
      last_interaction_at: null,
      id_linkedin_company: null,
      id_linkedin: null,
      id_space: space.id_space,
      usersId: space.owner,
      email_bounce_score: null,
      score: null,
      contract_value: null,
      order: 0,
      is_company: false,
      is_contract: false,
      is_deleted: false,
      ai_enabled: false,
      is_draft: false,
      is_tracked: null,
    })
  })

  test('accepts every field of the table', async () => {
    const sent = {
      id: '0B7D3B5E-3f2c-4c1d-9a39-1f2f0e6f4a10',
      company: 'Analytical Engines',
      company_role: 'Head of Research',
      first_name: 'Ada',
      last_name: 'Byron',
      email: 'ada@analytical.example',
      linkedin_url: 'https://linkedin.com/in/ada',
      linkedin_company_url: 'https://linkedin.com/company/ae',
      twitter_name: '@ada',
      twitter_company_name: '@ae',
      city: 'London',
      avatar_url: 'https://img.example/a.png',
      website_url: 'https://ada.example',
      contract_name: 'Engine',
      icebreaker: 'one',
      icebreaker_2: 'two',
      icebreaker_3: 'three',
      icebreaker_4: 'four',
      facebook_username: 'ada.f',
      telegram_username: 'ada_t',
      whatsapp_username: 'ada_w',
      youtube_username: 'ada_y',
      instagram_username: 'ada_i',
      is_contract: true,
      is_draft: true,
      contract_currency: 'GBP',
    }
    const { status, body } = await space.post('/lead', {
      ...sent,
      phone: 442071234567,
      contract_value: '-12000',
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      ...sent,
      id: sent.id.toLowerCase(),
      phone: '442071234567',
      contract_value: -12000,
    })
  })

  test.each([
    [{ contract_value: '12.5' }, ['contract_value']],
    [{ contract_value: 1.5 }, ['contract_value']],
    [{ contract_value: '9007199254740992' }, ['contract_value']],
    [{ contract_value: 'much' }, ['contract_value']],
    [{ contract_value: true }, ['contract_value']],
    [{ contract_currency: 'XXX' }, ['contract_currency']],
    [{ phone: {} }, ['phone']],
    [{ first_name: 1 }, ['first_name']],
    [{ is_company: 'yes' }, ['is_company']],
    [{ id: 'mine' }, ['id']],
    [{ lists: [unknownId] }, ['lists', 0]],
    [{ lists: unknownId }, ['lists']],
    [{ lists: ['nonsense'] }, ['lists', 0]],
    [{ id_list: unknownId }, ['id_list']],
    [{ status: [unknownId] }, ['status', 0]],
    [{ tags: [unknownId] }, ['tags', 0]],
    [{ tags: 7 }, ['tags']],
    [{ owners: [unknownId] }, ['owners', 0]],
    [{ attributes: { [unknownId]: 1 } }, ['attributes', unknownId]],
    [{ attributes: [] }, ['attributes']],
  ])('refuses %j and writes nothing', async (body, path) => {
    const before = await count()
    const answer = await space.post('/lead', { company: `Beside ${JSON.stringify(body)}`, ...body })
    expect(answer.status).toBe(400)
    expect(answer.body.issues.map((issue: { path: unknown }) => issue.path)).toContainEqual(path)
    expect(await count()).toBe(before)
  })

  test('takes 1,001 tags, and writes nothing if one of 5,000 does not exist', async () => {
    const { id } = (await space.post('/tags', { name: 'Tag' })).body
    const rows = await run<{ id: string }[]>(app.db)`insert into tag
        select (jsonb_populate_record(tag, jsonb_build_object('id', gen_random_uuid(), 'name', n))).*
        from tag, generate_series(1, 1001) n where id_space = ${space.id_space} and id = ${id}
        returning id`
    const ids = rows.map((row) => row.id)
    expect((await create({ tags: ids })).id).toEqual(expect.any(String))
    const filter = { tags: [ids[1000]] }
    expect((await space.post('/leads/list', { filter })).body.total).toBe(1)

    const before = await count()
    const unknown = Array.from({ length: 5_000 - ids.length }, () => randomUUID())
    const answer = await space.post('/lead', { tags: [...ids, ...unknown] })
    expect([answer.status, answer.body.issues[0].path]).toEqual([400, ['tags', 1001]])
    expect(await count()).toBe(before)
  })

  test('stores the largest contract value exactly', async () => {
    const { contract_value } = await create({ contract_value: '9007199254740991' })
    expect(contract_value).toBe(9007199254740991)
  })

  test('refuses an id that is in use', async () => {
    const { id } = await create({})
    const answer = await space.post('/lead', { id })
    expect(answer.status).toBe(400)
    expect(answer.body.issues).toEqual([
      { path: ['id'], code: 'taken', message: expect.any(String) },
    ])
  })

  test('connects the lead to lists, statuses, tags and owners', async () => {
    const list = (await space.post('/lists', { name: 'A' })).body
    const other = (await space.post('/lists', { name: 'B' })).body
    const implied = (await space.post('/lists', { name: 'C' })).body
    const first = (await space.post('/status', { name: 'First', id_list: implied.id })).body
    const second = (await space.post('/status', { name: 'Second', id_list: implied.id })).body
    const plain = (await space.post('/status', { name: 'Plain' })).body
    const tag = (await space.post('/tags', { name: 'T' })).body
    const member = await app.member(space)
    const { id } = await create({
      lists: [list.id, list.id.toUpperCase()],
      id_list: other.id,
      status: [first.id, plain.id, second.id],
      tags: tag.id,
      owners: [member],
    })
    const lead = await get(id)
    expect(ids(lead.lists)).toEqual([list.id, other.id, implied.id])
    expect(ids(lead.status).sort()).toEqual([plain.id, second.id].sort())
    expect(lead.tags).toEqual([{ id: tag.id, name: 'T', color: '' }])
    expect(ids(lead.owners).sort()).toEqual([member, space.owner].sort())
  })

  test('auto_assign_owner false: the user of the key does not become an owner', async () => {
    const { id } = await create({ auto_assign_owner: false })
    expect((await get(id)).owners).toEqual([])
  })

  describe('the company of a person', () => {
    const companies = async (name: string, at = space) =>
      (await at.post('/leads/list', { filter: { is_company: true, search: name } })).body.leads

    test('is created once, however its name is written', async () => {
      await create({
        company: ' Zenith ',
        company_avatar_url: 'https://img.example/z.png',
        company_linkedin_url: 'https://linkedin.com/company/zenith',
      })
      await create({ company: 'zenith' })
      const [company, ...more] = await companies('zenith')
      expect(more).toEqual([])
      expect(company).toMatchObject({
        company: 'Zenith',
        is_company: true,
        avatar_url: 'https://img.example/z.png',
        linkedin_url: 'https://linkedin.com/company/zenith',
        linkedin_company_url: 'https://linkedin.com/company/zenith',
        first_name: null,
      })
    })

    test('is created once by concurrent requests', async () => {
      const own = await app.workspace()
      await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          own.post('/lead', { company: i % 2 ? 'ACME' : 'acme' }),
        ),
      )
      expect(await companies('acme', own)).toHaveLength(1)
      expect(await count(own)).toBe(21)
    })

    test('is not created if the request does not want it', async () => {
      await create({ company: 'Unwanted', create_company_if_not_exists: false })
      await create({ company: 'Itself', is_company: true })
      await create({ company: '   ' })
      expect(await companies('unwanted')).toEqual([])
      expect(await companies('itself')).toHaveLength(1)
    })

    test('is created again after the first one was deleted or renamed', async () => {
      await create({ company: 'Phoenix' })
      const [first] = await companies('phoenix')
      await space.remove(`/lead/${first.id}`)
      await create({ company: 'Phoenix' })
      const [second] = await companies('phoenix')
      expect(second.id).not.toBe(first.id)
      await space.patch(`/lead/${second.id}`, { company: 'Ashes' })
      await create({ company: 'Phoenix' })
      expect(await companies('phoenix')).toHaveLength(1)
      expect((await get(second.id)).company).toBe('Ashes')
    })
  })
})

describe('attributes of a lead', () => {
  test('are checked by type, stored, and cleared by null', async () => {
    const make = async (type: string, more: object = {}) =>
      (await space.post('/attributes', { type, name: `${type} value`, ...more })).body
    const number = await make('NUMBER')
    const select = await make('SELECT', { select_options: [{ name: 'Red' }, { name: 'Blue' }] })
    const relation = await make('RELATION')
    const location = await make('LOCATION')
    const other = await create({})
    const attributes = {
      [number.id]: 4.5,
      [select.id]: select.select_options[1].id,
      [relation.id]: other.id,
      [location.id]: 'Rue de la Paix, Paris',
    }
    const { id } = await create({ attributes })
    const expected = { ...attributes, [location.id]: { address: 'Rue de la Paix, Paris' } }
    expect((await get(id)).attributes).toEqual(expected)

    for (const wrong of [
      { [number.id]: '4.5' },
      { [select.id]: select.select_options.map((o: { id: string }) => o.id) },
      { [relation.id]: unknownId },
      { [number.id]: 1, [select.id]: unknownId },
    ]) {
      const key = Object.keys(wrong).at(-1)
      const created = await space.post('/lead', { attributes: wrong })
      expect(created.status).toBe(400)
      expect(created.body.issues[0].path).toEqual(['attributes', key])
      const changed = await space.patch(`/lead/${id}`, { city: 'Nowhere', attributes: wrong })
      expect(changed.status).toBe(400)
      expect(changed.body.issues[0].path).toEqual(['attributes', key])
    }
    expect(await get(id)).toMatchObject({ city: null, attributes: expected })

    const merged = await space.patch(`/lead/${id}`, {
      attributes: { [number.id]: 5, [select.id]: null },
    })
    expect(merged.body.attributes).toEqual({
      [number.id]: 5,
      [relation.id]: other.id,
      [location.id]: expected[location.id],
    })
  })
})

describe('GET, PATCH and DELETE /lead/{id}', () => {
  test('return 404 for a lead that does not exist', async () => {
    for (const id of [unknownId, 'nonsense']) {
      expect((await space.get(`/lead/${id}`)).status).toBe(404)
      expect((await space.patch(`/lead/${id}`, { city: 'x' })).status).toBe(404)
      expect((await space.remove(`/lead/${id}`)).status).toBe(404)
    }
  })

  test('change what is sent, clear with null, and keep the rest', async () => {
    const tag = (await space.post('/tags', { name: 'Kept' })).body
    const { id, ...before } = await create({ first_name: 'Ada', city: 'London', tags: [tag.id] })
    app.clock.advance(1000)
    const { body } = await space.patch(`/lead/${id}`, {
      city: null,
      phone: 7,
      custom_fields: { a: 1 },
    })
    expect(body).toMatchObject({
      ...before,
      id,
      city: null,
      phone: '7',
      updated_at: app.clock.now.toISOString(),
    })
    expect(ids(body.tags)).toEqual([tag.id])
    expect(body).not.toHaveProperty('custom_fields')
  })

  describe('If-Match: only when the lead is as it was read', () => {
    const request = (id: string, ifMatch?: string, body: object = { city: 'Turin' }) =>
      app.request(`/rest/lead/${id}`, {
        method: 'PATCH',
        headers: {
          'X-API-KEY': space.key,
          'Content-Type': 'application/json',
          ...(ifMatch !== undefined && { 'If-Match': ifMatch }),
        },
        body: JSON.stringify(body),
      })
    const tagOf = async (id: string) => String((await space.get(`/lead/${id}`)).headers.get('etag'))

    test('the ETag of GET and PATCH is for the next change', async () => {
      const { id } = await create({ city: 'Oslo' })
      const tag = await tagOf(id)
      expect(tag).toMatch(/^"[\w-]+"$/)
      expect(await tagOf(id)).toBe(tag)
      const first = await request(id, tag)
      expect([first.status, first.body.city]).toEqual([200, 'Turin'])
      const next = String(first.headers.get('etag'))
      expect([next === tag, next]).toEqual([false, await tagOf(id)])
      expect((await request(id, next, { city: 'Rome' })).status).toBe(200)
    })

    test.each([
      ['a field', () => ({ first_name: 'Ada' })],
      [
        'a relation',
        async () => ({ tags: [(await space.post('/tags', { name: 'Warm' })).body.id] }),
      ],
    ])('%s that was changed is 412, and nothing changes', async (_name, change) => {
      const { id } = await create({ city: 'Oslo' })
      const tag = await tagOf(id)
      await space.patch(`/lead/${id}`, await change())
      const { status, body } = await request(id, tag)
      expect([status, body]).toEqual([
        412,
        {
          code: 'PRECONDITION_FAILED',
          message: 'The record has changed since you read it',
          issues: [],
        },
      ])
      expect((await get(id)).city).toBe('Oslo')
    })

    test('* is any state, and one of several tags is enough', async () => {
      const { id } = await create({})
      expect((await request(id, '*')).status).toBe(200)
      expect((await request(id, `"other", W/${await tagOf(id)}`)).status).toBe(200)
      expect((await request(id, '"other"')).status).toBe(412)
      expect((await request(unknownId, '*')).status).toBe(404)
    })

    test('of concurrent changes of one state, one is made', async () => {
      const { id } = await create({})
      const tag = await tagOf(id)
      const cities = Array.from({ length: 8 }, (_, at) => `City ${at}`)
      const answers = await Promise.all(cities.map((city) => request(id, tag, { city })))
      const made = answers.filter(({ status }) => status === 200)
      expect(made).toHaveLength(1)
      expect((await get(id)).city).toBe(made[0]?.body.city)
    })
  })

  test('a deleted lead is found nowhere', async () => {
    const { id } = await create({ email: 'gone@example.com', first_name: 'Gonzaga' })
    expect(await space.remove(`/lead/${id}`)).toMatchObject({ status: 200, body: 'Lead deleted' })
    expect((await space.get(`/lead/${id}`)).status).toBe(404)
    expect((await space.remove(`/lead/${id}`)).status).toBe(404)
    expect((await space.patch(`/lead/${id}`, { city: 'x' })).status).toBe(404)
    expect((await space.post('/leads/search', { email: 'gone@example.com' })).status).toBe(404)
    for (const filter of [{ leads: [id] }, { search: 'gonzaga' }]) {
      expect((await space.post('/leads/list', { filter })).body).toMatchObject({
        leads: [],
        total: 0,
      })
    }
  })
})

describe('POST /leads/search', () => {
  test('returns one lead in the shape of the search', async () => {
    const company = await create({ company: 'Navy', is_company: true, city: 'Arlington' })
    const attribute = (await space.post('/attributes', { type: 'TEXT', name: 'Rank' })).body
    const lead = await create({
      email: 'Grace@Navy.example',
      company: 'navy',
      first_name: 'Grace',
      attributes: { [attribute.id]: 'Rear admiral' },
    })
    await space.patch(`/lead/${lead.id}`, {
      custom_fields: { ships: ['a', 2], name: 'ö' },
      id_twitter: 'tw1',
    })
    const { status, body } = await space.post('/leads/search', { email: ' grace@NAVY.example ' })
    expect(status).toBe(200)
    const {
      is_contract,
      contract_name,
      ai_enabled,
      ai_enabled_at,
      ai_summary,
      ai_profile,
      is_draft,
      last_interaction_at,
      ...rest
    } = lead
    expect(body).toEqual({
      ...rest,
      updated_at: expect.any(String),
      company_enrich: expect.any(String),
      custom_fields: expect.any(String),
      custom_fields_schema: expect.any(String),
      id_twitter: 'tw1',
      id_twitter_company: null,
    })
    expect(JSON.parse(body.custom_fields)).toEqual({ ships: ['a', 2], name: 'ö' })
    expect(JSON.parse(body.company_enrich)).toMatchObject({ id: company.id, city: 'Arlington' })
    expect(JSON.parse(body.custom_fields_schema)).toContainEqual(
      expect.objectContaining({ id: attribute.id, name: 'Rank', type: 'TEXT' }),
    )
  })

  test('returns empty strings for missing values', async () => {
    const own = await app.workspace()
    await create({ email: 'alone@example.com' }, own)
    const { body } = await own.post('/leads/search', { email: 'alone@example.com' })
    expect(body).toMatchObject({
      company_enrich: '',
      custom_fields: '',
      custom_fields_schema: '[]',
    })
  })

  test.each([
    ['email', ' A@B.example', 'a@b.EXAMPLE '],
    ['phone', '+33 (0)6 12-34', '330 61234'],
    ['linkedin_url', 'https://www.linkedin.com/in/Some-One/?a=b', 'LinkedIn.com/in/some-one'],
    ['linkedin_url', 'linkedin.com/in/plain', 'http://linkedin.com/in/plain///'],
    ['twitter_name', '@Jack', 'https://twitter.com/jack?lang=en'],
    ['facebook_username', 'https://www.facebook.com/zuck/', 'ZUCK'],
    ['youtube_username', 'https://www.youtube.com/@Chan', 'chan'],
    ['instagram_username', 'insta.gram', '@Insta.Gram'],
    ['telegram_username', 'https://t.me/durov', 'durov/'],
    ['whatsapp_username', 'wa.me/4477', '@4477'],
  ])('by %s: the stored value %s is found by %s', async (field, stored, asked) => {
    const own = await app.workspace()
    const { id } = await create({ [field]: stored }, own)
    await create({ [field]: `${stored}x` }, own)
    expect((await own.post('/leads/search', { [field]: asked })).body.id).toBe(id)
    expect((await own.post('/leads/search', { [field]: 'x999999' })).status).toBe(404)
  })

  test('most matches win, then the oldest', async () => {
    const own = await app.workspace()
    const older = await create({ email: 'same@example.com', phone: '1' }, own)
    app.clock.advance(1000)
    const both = await create({ email: 'same@example.com', phone: '2' }, own)
    const find = async (body: object) => (await own.post('/leads/search', body)).body.id
    expect(await find({ email: 'same@example.com' })).toBe(older.id)
    expect(await find({ email: 'same@example.com', phone: '2' })).toBe(both.id)
    expect(await find({ email: 'none@example.com', phone: '2' })).toBe(both.id)
  })

  test.each([[{}], [{ email: '' }], [{ email: ' ', phone: '-' }], [{ name: 'x' }]])(
    'refuses %j: nothing to search by',
    async (body) => {
      expect((await space.post('/leads/search', body)).status).toBe(400)
    },
  )

  test('no match is 404', async () => {
    expect((await space.post('/leads/search', { email: 'nobody@example.com' })).status).toBe(404)
  })
})

describe('unusual values', () => {
  const long = 'x'.repeat(6000)

  test.each([
    'email',
    'phone',
    'company',
    'linkedin_url',
    'twitter_name',
    'facebook_username',
    'youtube_username',
    'instagram_username',
    'telegram_username',
    'whatsapp_username',
    'first_name',
  ])('a very long %s is stored, found, and distinguished from a similar one', async (field) => {
    const own = await app.workspace()
    // Digits that cannot be compressed to a short value.
    const value = Array.from({ length: 9000 }, (_, i) => ((i * i * 7919 + i) % 9973) % 10).join('')
    const one = await create({ [field]: `${value}1` }, own)
    expect(one[field]).toBe(`${value}1`)
    const two = await create({ [field]: `${value}2` }, own)
    if (['first_name', 'company'].includes(field)) return
    const found = async (end: string) =>
      (await own.post('/leads/search', { [field]: value + end })).body.id
    expect([await found('1'), await found('2')]).toEqual([one.id, two.id])
    expect((await own.post('/leads/search', { [field]: `${value}3` })).status).toBe(404)
    expect((await own.patch(`/lead/${one.id}`, { [field]: long })).status).toBe(200)
  })

  test('blanks of every kind around a value do not count', async () => {
    const own = await app.workspace()
    const { id } = await create({ email: '\ttab@example.com\u00a0\r\n' }, own)
    expect((await own.post('/leads/search', { email: 'tab@example.com' })).body.id).toBe(id)
    await create({ company: 'Blank Ltd' }, own)
    await create({ company: '\tBLANK ltd\n' }, own)
    const { total } = (await own.post('/leads/list', { filter: { is_company: true } })).body
    expect(total).toBe(1)
  })

  test.each([
    ['phone', '1e400'],
    ['phone', '1e21'],
    ['phone', '1.5'],
    ['contract_value', '1e400'],
  ])('%s: the number %s is refused', async (field, number) => {
    const answer = await app.request('/rest/lead', {
      method: 'POST',
      headers: { 'X-API-KEY': space.key, 'Content-Type': 'application/json' },
      body: `{"${field}":${number}}`,
    })
    expect([answer.status, answer.body.issues?.[0].path]).toEqual([400, [field]])
  })

  test('letters without a simple lower case are found as they were written', async () => {
    const own = await app.workspace()
    const { id } = await create({ email: 'ΝΙΚΟΣ@example.gr', twitter_name: '@ΟΔΟΣ' }, own)
    const other = await create({ email: 'İzmir@example.com' }, own)
    const find = async (body: object) => (await own.post('/leads/search', body)).body.id
    expect(await find({ email: 'ΝΙΚΟΣ@example.gr' })).toBe(id)
    expect(await find({ twitter_name: 'ΟΔΟΣ' })).toBe(id)
    expect(await find({ email: 'İzmir@example.com' })).toBe(other.id)
  })

  test('two companies whose long names begin alike are different', async () => {
    const own = await app.workspace()
    for (const end of ['1', '2', '2']) await create({ company: 'x'.repeat(300) + end }, own)
    const { total } = (await own.post('/leads/list', { filter: { is_company: true } })).body
    expect(total).toBe(2)
  })

  test('the time for a long value does not grow with the square of its length', async () => {
    const slashes = `${'/'.repeat(9_999)}x`
    for (const field of ['linkedin_url', 'twitter_name']) {
      expect((await space.post('/leads/search', { [field]: slashes })).status).toBe(404)
      expect((await space.post('/leads/search', { [field]: `/${slashes}` })).status).toBe(400)
    }
    const company = `x${' '.repeat(120_000)}x`
    expect(
      (await space.post('/lead', { company, create_company_if_not_exists: true })).status,
    ).toBe(200)
  }, 20_000)

  test('a number that is too large to store is refused anywhere in the body', async () => {
    const { id } = await create({})
    const answer = await app.request(`/rest/lead/${id}`, {
      method: 'PATCH',
      headers: { 'X-API-KEY': space.key, 'Content-Type': 'application/json' },
      body: '{"custom_fields":{"a":[1,1e400]}}',
    })
    expect([answer.status, answer.body.issues?.[0].path]).toEqual([400, ['custom_fields', 'a', 1]])
  })

  test('an empty currency and custom_fields null mean no value', async () => {
    const { id, contract_currency } = await create({
      contract_currency: '',
      email: 'cf@example.com',
    })
    expect(contract_currency).toBeNull()
    await space.patch(`/lead/${id}`, { custom_fields: { a: 1 } })
    await space.patch(`/lead/${id}`, { custom_fields: null })
    const { body } = await space.post('/leads/search', { email: 'cf@example.com' })
    expect(body.custom_fields).toBe('')
  })

  test('keys that are special in JavaScript, such as __proto__, are plain keys', async () => {
    const text = '{"__proto__":{"admin":true},"constructor":{"prototype":1},"a":1}'
    const send = (method: string, path: string, body: string) =>
      app.request(`/rest${path}`, {
        method,
        headers: { 'X-API-KEY': space.key, 'Content-Type': 'application/json' },
        body,
      })
    const { id } = (await send('POST', '/lead', `{"email":"p@example.com","__proto__":{}}`)).body
    const patched = await send('PATCH', `/lead/${id}`, `{"custom_fields":${text}}`)
    expect(patched.status).toBe(200)
    const found = (await space.post('/leads/search', { email: 'p@example.com' })).body
    expect(found.custom_fields).toContain('"__proto__"')
    for (const field of ['__proto__', 'constructor', 'toString']) {
      const filter = await send('POST', '/leads/list', `{"filter":{"${field}":{}}}`)
      expect([filter.status, filter.body.issues?.[0].path]).toEqual([400, ['filter', field]])
      const attributes = await send('POST', '/lead', `{"attributes":{"${field}":1}}`)
      expect([attributes.status, attributes.body.issues?.[0].path]).toEqual([
        400,
        ['attributes', field],
      ])
    }
  })
})
