import type { LeadFilter } from '@rapport/contract/leads/filter'
import { type StatGroup, statGroups } from '@rapport/contract/leads/stats'
import { beforeAll, describe, expect, test } from 'vitest'
import { service, type Workspace } from '../../../../test/harness.ts'
import { run } from '../../../db/sql.ts'
import { newId } from '../../../ids.ts'
import { createRandom } from '../../../random.ts'

const app = service()

/** What one is worth in the currency of the workspace. */
const dollar = 0.93

interface Lead {
  id: string
  created_at: string
  contract_amount: number | null
  contract_currency: string | null
  lists: { id: string }[]
  tags: { id: string }[]
  owners: { id: string }[]
  status: { id: string; id_list: string }[]
  lost_reason: string | null
  attributes: Record<string, string>
}

interface Status {
  id: string
  order: number
  success_rate: number
}

describe('POST /leads/stats, compared with the same sums in JavaScript', () => {
  let space: Workspace
  let leads: Lead[]
  let statuses: Status[]
  let other: { member: string; changed: string[] }
  let closing: string
  const ids: Record<'lists' | 'tags' | 'owners', string[]> = { lists: [], tags: [], owners: [] }

  beforeAll(async () => {
    space = await app.workspace()
    await run(app.db)`update space set time_zone = 'America/New_York', currency = 'EUR'
        where id_space = ${space.id_space}`
    const today = { date: '2026-01-01' }
    await space.post('/rates', { currency: 'USD', rate: dollar, ...today })
    // Rates of other bases do not count.
    await space.post('/rates', { currency: 'GBP', base: 'USD', rate: 1.3, ...today })
    const make = async (path: string, body: object): Promise<string> =>
      (await space.post(path, body)).body.id
    for (const name of ['b', 'a']) ids.lists.push(await make('/lists', { name }))
    for (const name of ['one', 'two', 'three']) ids.tags.push(await make('/tags', { name }))
    ids.owners = [space.owner, await app.member(space), await app.member(space)]
    const rates = [62.5, 33.3, 100, 0, 7, 12.25]
    for (const [index, success_rate] of rates.entries()) {
      const id_list = ids.lists[index % 3] ?? null
      await make('/status', { name: 's', id_list, success_rate, order: 6 - index })
    }
    statuses = (await space.get('/status')).body
    closing = await make('/attributes', { name: 'Closing', type: 'DATE' })
    const random = createRandom(7)
    const some = (from: string[]) => from.filter(() => random.chance(0.4))
    // In New York this is still December.
    app.clock.now = new Date('2026-01-01T04:59:59.999Z')
    await space.post('/lead', { contract_value: 1 })
    for (let index = 0; index < 150; index++) {
      app.clock.advance(random.between(0, 30) * 3_600_000)
      const { status } = await space.post('/lead', {
        contract_amount: random.chance(0.7) ? random.between(-500, 9_000_000) / 100 : null,
        contract_currency: random.pick(['EUR', 'USD', 'GBP', null]),
        auto_assign_owner: false,
        lists: some(ids.lists),
        tags: some(ids.tags),
        owners: some(ids.owners),
        status: some(statuses.map(({ id }) => id)),
        is_contract: random.chance(0.5),
        lost_reason: random.pick(['Too expensive', 'No answer', null]),
        ...(random.chance(0.6) && {
          attributes: { [closing]: `2026-0${random.between(1, 9)}-${random.between(10, 28)}` },
        }),
      })
      expect(status).toBe(200)
    }
    await space.post('/lead', { contract_value: 9_007_199_254_740_991, contract_currency: 'JPY' })
    await space.post('/lead', { contract_value: 9_007_199_254_740_991, contract_currency: 'JPY' })
    const { body } = await space.post('/leads/list', { pagination: { all: true } })
    await space.post('/leads/delete', { filter: { leads: [body.leads[20].id] } })
    leads = body.leads.filter(({ id }: Lead) => id !== body.leads[20].id)
    const member = await app.member(space)
    const changed = leads.slice(30, 60).map(({ id }) => id)
    other = { member, changed }
    await app.as(await app.key(space, 'write', member)).patch('/leads/update-many', {
      data: { city: 'Porto' },
      filter: { leads: changed },
    })
  })

  const month = new Intl.DateTimeFormat('sv', {
    timeZone: 'America/New_York',
    year: 'numeric',
    month: '2-digit',
  })

  const day = new Intl.DateTimeFormat('sv', { timeZone: 'America/New_York' })
  const mondayOf = (date: string) => {
    const time = new Date(`${date}T00:00:00Z`)
    time.setUTCDate(time.getUTCDate() - ((time.getUTCDay() + 6) % 7))
    return time.toISOString().slice(0, 10)
  }

  /** The statuses of a lead that count with this filter, in their order. */
  function stages(lead: Lead, filter: LeadFilter) {
    const { lists = [], status = [] } = filter
    return statuses
      .toSorted((a, b) => a.order - b.order || (a.id < b.id ? -1 : 1))
      .flatMap(({ id, success_rate }) => {
        const own = lead.status.find((each) => each.id === id)
        if (!own || (lists.length > 0 && !lists.includes(own.id_list))) return []
        if (status.length > 0 && !status.includes(id)) return []
        return [{ id, id_list: own.id_list, success_rate }]
      })
  }

  /** The groups of a lead, each with the success rate that weighs its value there. */
  function groupsOf(lead: Lead, groupBy: StatGroup | undefined, filter: LeadFilter) {
    const counting = stages(lead, filter)
    const first = counting[0]?.success_rate ?? 0
    const all = (keys: string[], rate = (_key: string) => first) =>
      keys.length > 0
        ? keys.map((key) => ({ key, rate: rate(key) }))
        : [{ key: null, rate: groupBy === 'status' ? 0 : first }]
    if (groupBy === undefined) return [{ key: null, rate: first }]
    if (groupBy === 'month') return all([month.format(new Date(lead.created_at))])
    if (groupBy === 'lost_reason') return all([lead.lost_reason ?? []].flat())
    if (groupBy === 'week') return all([mondayOf(day.format(new Date(lead.created_at)))])
    if (groupBy === 'changed_by') {
      return all([space.owner, ...(other.changed.includes(lead.id) ? [other.member] : [])])
    }
    if (groupBy === 'status') {
      const rates = new Map(counting.map(({ id, success_rate }) => [id, success_rate]))
      return all([...rates.keys()], (id) => rates.get(id) as number)
    }
    const keys = lead[statGroups[groupBy] as 'tags'].map(({ id }) => id)
    if (groupBy !== 'list') return all(keys)
    return all(keys, (list) => {
      const rates = new Map(statuses.map(({ id, success_rate }) => [id, success_rate]))
      const own = lead.status.find(({ id_list }) => id_list === list)
      return own ? (rates.get(own.id) as number) : first
    })
  }

  /** A number with this many decimals, as a whole number without a limit, and back. */
  const whole = (number: number, digits: number) => BigInt(number.toFixed(digits).replace('.', ''))
  const decimal = (number: bigint, digits: number) => Number(`${number}e-${digits}`)
  const rounded = (number: bigint, digits: number) => {
    const half = 10n ** BigInt(digits) / 2n
    return (number < 0n ? number - half : number + half) / (2n * half)
  }

  /** One number in the currency of the workspace: EUR, with a rate for USD only. */
  function converted(sums: Map<string, { count: number; value: bigint; weighted: bigint }>) {
    const none = { count: 0, value: 0n, weighted: 0n }
    const of = (currency: string) => sums.get(currency) ?? none
    const [own, unsaid, dollars] = [of('EUR'), of('none'), of('USD')]
    const inEuro = (which: 'value' | 'weighted') =>
      (own[which] + unsaid[which]) * 100n + dollars[which] * whole(dollar, 2)
    return {
      currency: 'EUR',
      value: decimal(rounded(inEuro('value'), 1), 3),
      weighted: decimal(rounded(inEuro('weighted'), 6), 3),
      count: own.count + unsaid.count + dollars.count,
      converted: dollars.count,
      left_out: ['GBP', 'JPY'].flatMap((currency) => {
        const { count } = of(currency)
        return count > 0 ? [{ currency, count }] : []
      }),
    }
  }

  function oracle(groupBy: StatGroup | undefined, filter: LeadFilter, selected: Lead[]) {
    const groups = new Map<
      string | null,
      { count: number; sums: Map<string, { count: number; value: bigint; weighted: bigint }> }
    >()
    for (const lead of selected) {
      for (const { key, rate } of groupsOf(lead, groupBy, filter)) {
        const group = groups.get(key) ?? { count: 0, sums: new Map() }
        groups.set(key, group)
        group.count++
        if (lead.contract_amount === null) continue
        const currency = lead.contract_currency ?? 'none'
        const sum = group.sums.get(currency) ?? { count: 0, value: 0n, weighted: 0n }
        const amount = whole(lead.contract_amount, 2)
        group.sums.set(currency, {
          count: sum.count + 1,
          value: sum.value + amount,
          weighted: sum.weighted + amount * whole(rate, 3),
        })
      }
    }
    return new Map(
      [...groups].map(([key, { count, sums }]) => [
        key,
        {
          count,
          values: [...sums]
            .toSorted(([a], [b]) => (a === 'none' ? 1 : b === 'none' || a < b ? -1 : 1))
            .map(([currency, { count, value, weighted }]) => ({
              currency: currency === 'none' ? null : currency,
              count,
              value: decimal(value, 2),
              weighted: decimal(weighted, 7),
            })),
          sum: converted(sums),
        },
      ]),
    )
  }

  const filters: [string, () => LeadFilter, (lead: Lead) => boolean][] = [
    ['no filter', () => ({}), () => true],
    ['a tag', () => ({ tags: ids.tags.slice(0, 1) }), ({ tags }) => has(tags, ids.tags[0])],
    ['a list', () => ({ lists: ids.lists.slice(0, 1) }), ({ lists }) => has(lists, ids.lists[0])],
    [
      'a status',
      () => ({ status: [statuses[3]?.id as string] }),
      ({ status }) => has(status, statuses[3]?.id),
    ],
    ['nothing', () => ({ leads: [] }), () => false],
  ]
  const has = (records: { id: string }[], id: string | undefined) =>
    records.some((record) => record.id === id)

  describe.each(Object.keys(statGroups) as StatGroup[])('by %s', (group_by) => {
    test.each(filters)('with %s', async (_name, makeFilter, isSelected) => {
      const filter = makeFilter()
      const selected = leads.filter(isSelected)
      const answer = await space.post('/leads/stats', { filter, group_by })
      expect(answer.status).toBe(200)
      const { groups, total } = answer.body
      const found = groups.map(({ key, ...sums }: { key: string | null }) => [key, sums])
      expect(new Map(found)).toEqual(oracle(group_by, filter, selected))
      expect(found).toHaveLength(new Map(found).size)
      const everything = oracle(undefined, filter, selected).get(null)
      expect(total).toEqual(everything ?? { count: 0, values: [], sum: converted(new Map()) })
    })
  })

  test('groups stand in the order of their records, those without one last', async () => {
    const keys = async (group_by: StatGroup): Promise<(string | null)[]> =>
      (await space.post('/leads/stats', { group_by })).body.groups.map(
        ({ key }: { key: string | null }) => key,
      )
    expect(await keys('list')).toEqual([...ids.lists, null])
    expect(await keys('tag')).toEqual([...ids.tags, null])
    const byOrder = statuses.toSorted((a, b) => a.order - b.order).map(({ id }) => id)
    expect(await keys('status')).toEqual([...byOrder, null])
    const months = await keys('month')
    expect(months).toEqual(months.toSorted())
    expect(months.slice(0, 2)).toEqual(['2025-12', '2026-01'])
  })

  test('by month of an attribute, with the leads that the filter of each month selects', async () => {
    const body = { group_by: 'month', attribute: closing }
    const { groups } = (await space.post('/leads/stats', body)).body
    const keys = groups.map(({ key }: { key: string | null }) => key)
    expect(keys).toEqual([...keys.slice(0, -1).toSorted(), null])
    for (const { key, count } of groups) {
      const selected = leads.filter(
        ({ attributes }) => (attributes[closing]?.slice(0, 7) ?? null) === key,
      )
      expect(count).toBe(selected.length)
    }
    const { count } = groups.find(({ key }: { key: string }) => key === '2026-04')
    const condition = (operator: string, value: string) => ({ id: closing, operator, value })
    const filter = {
      attributes: [
        condition('greater_or_equal', '2026-04-01'),
        condition('less_than', '2026-05-01'),
      ],
    }
    expect((await space.post('/leads/list', { filter })).body.total).toBe(count)
  })

  test('each week and each member has the leads that its filter selects', async () => {
    const { groups } = (await space.post('/leads/stats', { group_by: 'week' })).body
    expect(groups.length).toBeGreaterThan(5)
    for (const { key, count } of groups.slice(0, 5)) {
      const next = new Date(Date.parse(key) + 7 * 86_400_000).toISOString().slice(0, 10)
      const filter = { created_after: key, created_before: next }
      expect((await space.post('/leads/list', { filter })).body.total).toBe(count)
    }

    const after = app.clock.now.toISOString().slice(0, 10)
    const recent = await space.post('/leads/stats', {
      filter: { changed: { after } },
      group_by: 'changed_by',
    })
    for (const { key, count } of recent.body.groups) {
      const filter = { changed: { by: [key], after } }
      expect((await space.post('/leads/list', { filter })).body.total).toBe(count)
    }
    const counts = Object.fromEntries(
      recent.body.groups.map(({ key, count }: { key: string; count: number }) => [key, count]),
    )
    expect(counts[other.member]).toBe(other.changed.length)
    expect(counts[space.owner]).toBeLessThan(leads.length)
  })

  test('sums are exact beyond the numbers of JavaScript', async () => {
    const response = await fetch(`${app.url}/rest/leads/stats`, {
      method: 'POST',
      headers: { 'X-API-KEY': space.key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ group_by: 'month' }),
    })
    expect(await response.text()).toMatch(/"JPY", "count" : 2, "value" : 18014398509481982,/)
  })
})

test.each<[object, unknown[], string]>([
  [{}, ['group_by'], 'required'],
  [{ group_by: 'campaign' }, ['group_by'], 'enum'],
  [{ group_by: 'toString' }, ['group_by'], 'enum'],
  [{ group_by: 'tag', filter: { tag: [] } }, ['filter', 'tag'], 'unknown_field'],
  [{ group_by: 'tag', filter: { score: ['x'] } }, ['filter', 'score', 0], 'range'],
  [
    { group_by: 'tag', filter: { attributes: [{ id: 'x', operator: 'is_empty' }] } },
    ['filter', 'attributes', 0, 'id'],
    'unknown_record',
  ],
  [{ group_by: 'month', attribute: 'x' }, ['attribute'], 'unknown_record'],
  [{ group_by: 'month', attribute: newId() }, ['attribute'], 'unknown_record'],
])('refuses %j', async (body, path, code) => {
  const space = await app.workspace()
  const answer = await space.post('/leads/stats', body)
  expect(answer.status).toBe(400)
  expect(answer.body.issues).toMatchObject([{ path, code }])
})

test('refuses the month of an attribute that is no date', async () => {
  const space = await app.workspace()
  const { id } = (await space.post('/attributes', { name: 'Size', type: 'NUMBER' })).body
  const { status, body } = await space.post('/leads/stats', { group_by: 'month', attribute: id })
  expect(status).toBe(400)
  expect(body.issues).toEqual([
    { path: ['attribute'], code: 'type', message: 'Size has the type NUMBER, not DATE' },
  ])
})

test('a key that may only read gets them; without a currency, values are sums without one', async () => {
  const space = await app.workspace()
  const reader = app.as(await app.key(space, 'read'))
  const total = async () => (await reader.post('/leads/stats', { group_by: 'owner' })).body.total
  const sum = { currency: null, value: 0, weighted: 0, count: 0, converted: 0, left_out: [] }
  expect(await total()).toEqual({ count: 0, values: [], sum })
  await space.post('/lead', { contract_value: 5 })
  expect((await total()).sum).toEqual({ ...sum, value: 5, count: 1 })
  await space.post('/lead', { contract_value: 2, contract_currency: 'SEK' })
  expect((await total()).sum).toEqual({ ...sum, currency: 'SEK', value: 7, count: 2 })
})

test('PostgreSQL knows every time zone that a workspace can have', async () => {
  const zones = Intl.supportedValuesOf('timeZone')
  const rows = await run<{ known: boolean }[]>(
    app.db,
  )`select (now() at time zone zone) is not null as known from unnest(${zones}::text[]) as zone`
  expect(rows).toHaveLength(zones.length)
})
