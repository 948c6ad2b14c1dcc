import { currencies } from '@rapport/contract/money.values'
import { beforeAll, describe, expect, test } from 'vitest'
import { service, type Workspace } from '../../../test/harness.ts'

const app = service()
let space: Workspace
beforeAll(async () => {
  space = await app.workspace()
})

describe('/rates', () => {
  const dollar = { currency: 'USD', base: 'EUR', rate: 0.92, date: '2026-01-31' }

  test('a rate is set, replaced and deleted', async () => {
    const first = await space.post('/rates', dollar)
    const times = { created_at: app.clock.now.toISOString() }
    const saved = { ...dollar, ...times, id: first.body.id, id_space: space.id_space }
    expect(first.body).toEqual({ ...saved, updated_at: times.created_at })
    app.clock.advance(1000)
    const next = { ...dollar, rate: 0.95, date: '2026-02-28' }
    const { body } = await space.post('/rates', next)
    expect(body).toEqual({ ...saved, ...next, updated_at: app.clock.now.toISOString() })
    await space.post('/rates', { ...dollar, currency: 'CHF', rate: 1.05 })
    const { body: rates } = await space.get('/rates')
    expect(rates).toMatchObject([{ currency: 'CHF' }, { currency: 'USD', rate: 0.95 }])
    expect(await space.remove(`/rates/${body.id}`)).toMatchObject({ body: 'Rate deleted' })
    expect((await space.remove(`/rates/${body.id}`)).status).toBe(404)
  })

  test('the base is the currency of the workspace', async () => {
    const { base: _, ...unsaid } = dollar
    const own = await app.workspace()
    expect((await own.post('/rates', unsaid)).body.issues).toMatchObject([{ path: ['base'] }])
    await own.patch('/workspace', { currency: 'SEK' })
    expect((await own.post('/rates', unsaid)).body).toMatchObject({ base: 'SEK' })
  })

  test.each([
    [{ currency: 'EUR' }, 'currency', 'base'],
    [{ currency: 'DEM' }, 'currency', 'enum'],
    [{ rate: 0 }, 'rate', 'minimum'],
    [{ rate: '1' }, 'rate', 'type'],
    [{ date: '2026-02-30' }, 'date', 'format'],
  ])('refuses %j', async (wrong, path, code) => {
    const { status, body } = await space.post('/rates', { ...dollar, ...wrong })
    expect(status).toBe(400)
    expect(body.issues).toMatchObject([{ path: [path], code }])
  })

  test('only admins set rates; everyone who reads sees them', async () => {
    const writer = app.as(await app.key(space, 'write'))
    expect((await writer.post('/rates', dollar)).status).toBe(403)
    expect((await app.as(await app.key(space, 'read')).get('/rates')).status).toBe(200)
  })
})

describe('the currency of the workspace', () => {
  const worth = async (own: Workspace) => {
    const { body } = await own.get('/rates')
    return body.map(({ base, currency, rate, date }: Record<string, unknown>) =>
      [base, currency, rate, date].join(' '),
    )
  }

  test('decides the order by value; values without a rate come last', async () => {
    const own = await app.workspace()
    const values = { euros: [90, 'EUR'], yen: [9_000, 'JPY'], dollars: [100, 'USD'] }
    const more = { kroner: [500, 'SEK'], some: [50, null], none: [null, 'EUR'] }
    for (const [first_name, [value, currency]] of Object.entries({ ...values, ...more })) {
      const lead = { first_name, contract_value: value, contract_currency: currency }
      expect((await own.post('/lead', lead)).status).toBe(200)
    }
    const order = async (type: string) => {
      const orderBy = [{ field: 'contract_value', type }]
      const { body } = await own.post('/leads/list', { orderBy })
      return body.leads.map((lead: { first_name: string }) => lead.first_name).join(' ')
    }
    expect(await order('desc')).toBe('yen kroner dollars euros some none')
    await own.patch('/workspace', { currency: 'EUR' })
    for (const [currency, rate] of Object.entries({ JPY: 0.006, USD: 0.92 })) {
      await own.post('/rates', { currency, rate, date: '2026-01-31' })
    }
    expect(await order('desc')).toBe('dollars euros yen some kroner none')
    expect(await order('asc')).toBe('some yen euros dollars kroner none')
  })

  test('changes with its rates, if one of them says what the new one is worth', async () => {
    const own = await app.workspace()
    await own.patch('/workspace', { currency: 'EUR' })
    await own.post('/rates', { currency: 'USD', rate: 0.8, date: '2026-01-31' })
    await own.post('/rates', { currency: 'GBP', rate: 1.2, date: '2026-01-15' })
    await own.patch('/workspace', { currency: 'USD' })
    const before = ['EUR GBP 1.2 2026-01-15', 'EUR USD 0.8 2026-01-31']
    const converted = ['USD EUR 1.25 2026-01-31', 'USD GBP 1.5 2026-01-15']
    expect(await worth(own)).toEqual([...before, ...converted])
    // What is there stays.
    await own.post('/rates', { currency: 'USD', base: 'EUR', rate: 0.5, date: '2026-02-28' })
    await own.patch('/workspace', { currency: 'EUR' })
    await own.patch('/workspace', { currency: 'USD' })
    expect((await worth(own)).slice(2)).toEqual(converted)
    await own.patch('/workspace', { currency: 'CHF' })
    expect(await worth(own)).toHaveLength(4)
  })
})

describe('contract_amount', () => {
  const create = async (body: object) => {
    const answer = await space.post('/lead', { contract_currency: 'EUR', ...body })
    expect(answer.status).toBe(200)
    return answer.body
  }
  const read = async (id: string) => (await space.get(`/lead/${id}`)).body
  const listed = async (filter: object, orderBy: object[] = []) =>
    (await space.post('/leads/list', { filter, orderBy })).body.leads

  test('contract_value is the same, as a whole number, wherever the interface has it', async () => {
    const lead = await create({ contract_amount: '1234.56', email: 'cents@x.example' })
    expect(lead.contract_value).toBe(1235)
    expect(lead).not.toHaveProperty('contract_amount')
    const both = { contract_value: 1235, contract_amount: 1234.56 }
    expect(await read(lead.id)).toMatchObject(both)
    expect(await listed({ leads: [lead.id] })).toMatchObject([both])
    const found = (await space.post('/leads/search', { email: 'cents@x.example' })).body
    expect(found.contract_value).toBe(1235)
    expect(found).not.toHaveProperty('contract_amount')
    // Without decimals they are equal; whichever is written counts.
    expect((await space.patch(`/lead/${lead.id}`, { contract_value: '7' })).body).toMatchObject({
      ...{ contract_value: 7, contract_amount: 7 },
    })
    await space.patch('/leads/update-many', {
      ...{ data: { contract_amount: -0.5 }, filter: { leads: [lead.id] } },
    })
    expect(await read(lead.id)).toMatchObject({ contract_value: -1, contract_amount: -0.5 })
    const cleared = (await space.patch(`/lead/${lead.id}`, { contract_amount: '' })).body
    expect(cleared).toMatchObject({ contract_value: null, contract_amount: null })
  })

  test.each([
    [{ contract_amount: '1.2345' }, 'contract_amount'],
    [{ contract_amount: '1,5' }, 'contract_amount'],
    [{ contract_amount: 123456789012.3456 }, 'contract_amount'],
    [{ contract_amount: '9999999999999.999' }, 'contract_amount'],
    [{ contract_amount: 2 ** 53 }, 'contract_amount'],
    [{ contract_amount: 12.5, contract_value: 12 }, 'contract_amount'],
    [{ contract_value: '12.5' }, 'contract_value'],
    [{ contract_value: 12.5 }, 'contract_value'],
    [{ contract_currency: 'DEM' }, 'contract_currency'],
  ])('refuses %j', async (body, path) => {
    const answer = await space.post('/lead', body)
    expect(answer.status).toBe(400)
    expect(answer.body.issues).toMatchObject([{ path: [path] }])
  })

  test('filters, orders, exports, imports, history and undo have the decimals', async () => {
    const tag = (await space.post('/tags', { name: 'money' })).body.id
    const amounts = [10.5, 10.25, 10, 11.999]
    const ids: string[] = []
    for (const contract_amount of amounts) {
      ids.push((await create({ contract_amount, contract_currency: 'KWD', tags: [tag] })).id)
    }
    const over = { field: 'contract_value', operator: 'greater_than', value: '10.25' }
    const filter = { tags: [tag], fields: [over] }
    const order = [{ field: 'contract_value', type: 'desc' }]
    const found = await listed(filter, order)
    expect(found.map((lead: { id: string }) => lead.id)).toEqual([ids[3], ids[0]])

    const columns = ['contract_value', 'contract_currency']
    const exported = await space.post('/leads/export', { filter: { leads: [ids[3]] }, columns })
    expect(exported.body).toBe('contract_value,contract_currency\r\n11.999,KWD\r\n')

    const wanted = { filter: { tags: [tag] }, data: { contract_amount: 20.75 } }
    const { sample } = (await space.post('/operations/preview', { kind: 'update', ...wanted })).body
    const previewed = sample.find(({ id }: { id: string }) => id === ids[0])
    expect(previewed).toMatchObject({
      ...{ before: { contract_value: 10.5 }, after: { contract_value: 20.75 } },
    })
    const done = await space.patch('/leads/update-many', wanted)
    const history = async () =>
      (await space.get(`/lead/${ids[0]}/events`)).body.events.map(
        ({ changed }: { changed: object }) => changed,
      )
    await expect.poll(history).toContainEqual({ contract_value: [10.5, 20.75] })
    await space.post(`/operations/${done.headers.get('x-operation-id')}/undo`)
    for (const [at, id] of ids.entries()) expect((await read(id)).contract_amount).toBe(amounts[at])
  })

  test('every currency can be used, and Intl knows its name and decimals', async () => {
    const names = new Intl.DisplayNames('en', { type: 'currency' })
    // Newer than some versions of Intl.
    const recent = ['XCG', 'ZWG']
    for (const code of currencies) {
      if (!recent.includes(code)) expect(names.of(code), code).not.toBe(code)
    }
    expect((await create({ contract_currency: 'ISK' })).contract_currency).toBe('ISK')
  })
})
