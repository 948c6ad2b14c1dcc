// The overview in a real browser: its numbers are those of the database, and each leads to its leads.
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { run, sql } from '../../src/db/sql.ts'
import { service, type Workspace } from '../harness.ts'
import {
  expectNoFaults,
  expectToFit,
  narrow,
  pages,
  pickIn,
  untilQuiet,
  violations,
  wide,
} from './page.ts'

const app = service()
const open = pages(app)
/** Worth in the currency of the workspace. Other currencies have no rate. */
const franc = 0.5
const worth = sql`lead.contract_value
  * case lead.contract_currency when 'EUR' then 1 when 'CHF' then ${franc}::numeric end`
let space: Workspace
let list: string

beforeAll(async () => {
  // The page asks for the weeks and months around the time of the browser.
  app.clock.now = new Date()
  space = await app.workspace()
  await space.post('/demo', { leads: 400 })
  // The list with the most leads.
  const { body: stats } = await space.post('/leads/stats', { group_by: 'list' })
  const groups: { key: string | null; count: number }[] = stats.groups
  list = groups.filter(({ key }) => key !== null).toSorted((a, b) => b.count - a.count)[0]
    ?.key as string
  const { body: status } = await space.get('/status')
  const first = status.find(({ id_list }: { id_list: string }) => id_list === list).id
  const { body } = await space.post('/leads/list', {
    filter: { status: [first] },
    pagination: { page_size: 3 },
  })
  expect(body.leads).toHaveLength(3)
  for (const { id } of body.leads) {
    await space.patch(`/lead/${id}`, { contract_value: 1234, contract_currency: 'CHF' })
  }
  const [{ id: id_lead }] = body.leads
  await space.patch('/workspace', { currency: 'EUR' })
  await space.post('/rates', { currency: 'CHF', rate: franc, date: '2026-01-31' })
  const date = '2020-01-01T09:00:00Z'
  await space.post('/reminders', { name: 'Long ago', date, id_lead })
  await space.post('/reminders', { name: 'Of no lead, and so of no list', date })
})

const charts = ['value', 'funnel', 'forecast', 'added', 'activity']
const asTables = `tables=${charts.join(',')}`

/** The rows of a table, each as its cells. */
async function table(page: Page, title: string): Promise<string[][]> {
  const rows = page.getByRole('table', { name: title }).locator('tbody tr')
  await rows.first().waitFor()
  return rows.evaluateAll((all) =>
    all.map((row) => [...row.children].map((cell) => String(cell.textContent))),
  )
}

const numberIn = (text = '') => Number(text.replaceAll(/[^\d.-]/g, ''))

/** The number of leads that a page of the grid says it has. */
async function countAt(href: string): Promise<number> {
  const filter = JSON.parse(new URL(href, app.url).searchParams.get('filter') ?? '{}')
  return (await space.post('/leads/list', { filter, pagination: { page_size: 1 } })).body.total
}

/** Of money: if no value has a rate, each currency for itself. */
const moneyIn = (text = '') => text.split(' + ').reduce((sum, part) => sum + numberIn(part), 0)

/** The money of the leads of such a page, all of which have some that counts, or all of which have no rate. */
async function moneyAt(href: string, which: 'value' | 'weighted'): Promise<number> {
  const filter = JSON.parse(new URL(href, app.url).searchParams.get('filter') ?? '{}')
  const { body } = await space.post('/leads/stats', { filter, group_by: 'status' })
  const { count, sum, values } = body.total
  if (sum.count > 0) expect(sum).toMatchObject({ currency: 'EUR', count, left_out: [] })
  const { total } = (
    await space.post('/leads/list', {
      filter: { ...filter, any: [{ fields: [{ field: 'contract_value', operator: 'is_empty' }] }] },
    })
  ).body
  expect(total).toBe(0)
  const parts: (typeof sum)[] = sum.count > 0 ? [sum] : values
  return parts.reduce((all, part) => all + part[which], 0)
}

test('the numbers of every chart equal SQL', async () => {
  const page = await open({
    key: space.key,
    path: `/overview?list=${list}&${asTables}`,
  })

  const stages = await run<{ name: string; value: number; weighted: number; count: number }[]>(
    app.db,
  )`select status.name, count(lead.id)::int as count,
        coalesce(sum(${worth}), 0)::float8 as value,
        coalesce(sum(${worth} * status.success_rate::numeric / 100), 0)::float8 as weighted
      from status
      left join lead_status on lead_status.id_space = status.id_space
        and lead_status.id_status = status.id
      left join lead on lead.id_space = status.id_space and lead.id = lead_status.id_lead
        and not lead.is_deleted
      where status.id_space = ${space.id_space} and status.id_list = ${list} and status.type is null
      group by status.id, status.name, status."order" order by status."order"`
  const value = await table(page, 'Open value by stage')
  expect(
    value.map(([name, sum, weighted, count]) => [
      name,
      numberIn(sum),
      numberIn(weighted),
      numberIn(count),
    ]),
  ).toEqual(
    stages.map(({ name, value, weighted, count }) => [
      name,
      value,
      Math.round(weighted * 100) / 100,
      count,
    ]),
  )
  expect(stages.some(({ value }) => value > 0)).toBe(true)

  const funnel = await table(page, 'Funnel')
  const reached = await run<{ count: number }[]>(app.db)`select (
        select count(distinct lead.id)::int from lead
        join lead_status on lead_status.id_space = lead.id_space and lead_status.id_lead = lead.id
        join status later on later.id_space = lead.id_space and later.id = lead_status.id_status
        where lead.id_space = status.id_space and not lead.is_deleted
          and later.id_list = status.id_list and later."order" >= status."order"
          and later.type is distinct from 'DEAL_LOST') as count
      from status
      where id_space = ${space.id_space} and id_list = ${list}
        and type is distinct from 'DEAL_LOST'
      order by "order"`
  expect(funnel.map(([, count]) => numberIn(count))).toEqual(reached.map(({ count }) => count))

  const forecast = await table(page, 'Weighted forecast by month')
  const [{ weighted, count }] = await run<[{ weighted: number; count: number }]>(
    app.db,
  )`select count(*)::int as count,
        coalesce(sum(${worth} * status.success_rate::numeric / 100), 0)::float8 as weighted
      from lead
      join lead_status on lead_status.id_space = lead.id_space and lead_status.id_lead = lead.id
      join status on status.id_space = lead.id_space and status.id = lead_status.id_status
      where lead.id_space = ${space.id_space} and not lead.is_deleted
        and status.id_list = ${list} and status.type is null`
  // Values without a rate are in no sum.
  const isCounted = (text = '') => /^[€\d]/.test(text)
  const sum = (rows: string[][], at: number) =>
    rows.reduce((total, cells) => total + (isCounted(cells[at]) ? numberIn(cells[at]) : 0), 0)
  expect(sum(forecast, 1)).toBeCloseTo(weighted, 0)
  expect(sum(forecast, 3)).toBe(count)

  const added = await table(page, 'New leads by week')
  expect(added).toHaveLength(12)
  const [{ recent }] = await run<[{ recent: number }]>(
    app.db,
  )`select count(*)::int as recent from lead
      join lead_list on lead_list.id_space = lead.id_space and lead_list.id_lead = lead.id
      where lead.id_space = ${space.id_space} and lead_list.id_list = ${list}
        and not lead.is_deleted
        and lead.created_at >= date_trunc('week', ${new Date().toISOString()}::timestamptz, 'UTC')
          - interval '11 weeks'`
  expect(sum(added, 1)).toBe(recent)

  const activity = await table(page, 'Activity by member')
  const members = await run<{ name: string; count: number }[]>(
    app.db,
  )`select member.name, count(distinct lead.id)::int as count
      from (
        select id_space, id_member, at, unnest(coalesce(leads, ids)) as id_lead, type, leads from event
        union all
        select id_space, id_member, at, unnest(coalesce(leads, ids)), type, leads from event_new) change
      join member on member.id_space = change.id_space and member.id = change.id_member
      join lead on lead.id_space = change.id_space and lead.id = change.id_lead
      join lead_list on lead_list.id_space = lead.id_space and lead_list.id_lead = lead.id
      where change.id_space = ${space.id_space} and lead_list.id_list = ${list}
        and not lead.is_deleted and (change.leads is not null or change.type like 'lead.%')
        and change.at >= date_trunc('day', ${new Date().toISOString()}::timestamptz, 'UTC')
          - interval '30 days'
      group by member.id, member.name order by 2 desc`
  expect(activity.map(([name, count]) => [name, numberIn(count)])).toEqual(
    members.map(({ name, count }) => [name, count]),
  )
  expect(members[0]?.count).toBeGreaterThan(0)

  const [{ overdue }] = await run<[{ overdue: number }]>(
    app.db,
  )`select count(*)::int as overdue from reminder
      join lead_list on lead_list.id_space = reminder.id_space
        and lead_list.id_lead = reminder.id_lead
      join lead on lead.id_space = reminder.id_space and lead.id = reminder.id_lead
      where reminder.id_space = ${space.id_space} and lead_list.id_list = ${list}
        and not reminder.is_deleted and not reminder.is_done and not lead.is_deleted
        and reminder.date < ${new Date().toISOString()}::timestamptz`
  const number = page.getByRole('region', { name: 'Overdue reminders' }).getByRole('link').nth(1)
  await expect.poll(async () => numberIn(await number.innerText())).toBe(overdue)
  expect(overdue).toBeGreaterThan(0)
  // It opens these reminders: everyone's, of this list.
  await number.click()
  await page.getByRole('heading', { name: `Overdue ${overdue}` }).waitFor()
  await expectNoFaults(page)
})

type Cell = 'count' | 'leads' | 'both' | 'either' | 'left' | 'value' | 'weighted'

/**
 * Which cells of the tables are links: to as many leads, to those that have this money, or to some that others of the
 * row count. `leads`: the last number of several.
 */
async function expectLeadsBehind(page: Page, checked: Record<string, Record<number, Cell>>) {
  for (const [title, cells] of Object.entries(checked)) {
    const rows = await table(page, title)
    const links = await page
      .getByRole('table', { name: title })
      .getByRole('link')
      .evaluateAll((all) => all.map((link) => String(link.href)))
    expect(links).toHaveLength(rows.length * Object.keys(cells).length)
    for (const row of rows) {
      for (const [at, kind] of Object.entries(cells)) {
        const text = row[Number(at)]
        const both = numberIn(row[2]) + numberIn(row[3])
        const [href = '', about] = [links.shift(), `${title}: ${row}`]
        if (kind === 'count') expect(await countAt(href), about).toBe(numberIn(text))
        else if (kind === 'leads')
          expect(await countAt(href), about).toBe(numberIn(text?.split('·').at(-1)))
        else if (kind === 'left') expect(await countAt(href), about).toBe(numberIn(row[3]))
        else if (kind === 'both') expect(await countAt(href), about).toBe(both)
        // A lead can be won in one list and lost in another.
        else if (kind === 'either') expect(await countAt(href), about).toBeLessThanOrEqual(both)
        else expect(await moneyAt(href, kind), about).toBeCloseTo(moneyIn(text), 1)
      }
    }
  }
}

test('each number opens the leads behind it', async () => {
  const page = await open({ key: space.key, path: `/overview?list=${list}&${asTables}` })
  await expectLeadsBehind(page, {
    'Open value by stage': { 1: 'value', 3: 'count' },
    Funnel: { 1: 'count' },
    'Weighted forecast by month': { 1: 'weighted', 3: 'count' },
    'New leads by week': { 1: 'count' },
    'Activity by member': { 1: 'count' },
  })
  const [, count = ''] = (await table(page, 'Activity by member'))[0] ?? []
  await page.getByRole('table', { name: 'Activity by member' }).getByRole('link').first().click()
  await page.getByRole('button', { name: 'Remove filter Changed' }).waitFor()
  await page.getByText(`${count} of`).waitFor()
  await page.goBack()
  await page.getByRole('table', { name: 'Funnel' }).waitFor()
  await expectNoFaults(page)
})

test('bars are links, sums say what they contain, and a chart becomes a table', async () => {
  const page = await open({ key: space.key, path: `/overview?list=${list}` })
  const chart = page.getByRole('figure', { name: 'New leads by week' })
  await chart.getByRole('link').first().waitFor()
  expect(await chart.getByRole('link').count()).toBe(12)
  const tiles = page.getByRole('list', { name: 'Numbers' })
  await tiles.getByText('incl. 3 leads converted').first().waitFor()
  const without = tiles.getByRole('link', { name: /leads? in .*USD.* without a rate/ }).first()
  const [left = ''] = (await without.innerText()).split(' ')
  expect(await countAt((await without.getAttribute('href')) ?? '')).toBe(numberIn(left))
  await page.getByRole('button', { name: 'Funnel as a table' }).click()
  await page.getByRole('table', { name: 'Funnel' }).waitFor()
  expect(page.url()).toContain('tables=funnel')
  await page.getByRole('link', { name: 'Long ago' }).waitFor()
  await page.getByRole('figure', { name: 'Funnel' }).waitFor({ state: 'detached' })
  // A click beside the bars leaves no ring around a part of the chart.
  await chart.locator('.recharts-xAxis-tick-labels text').first().click()
  const ring = 'getComputedStyle(document.activeElement ?? document.body).outlineStyle'
  expect(await page.evaluate(ring)).toBe('none')
  const bar = page.getByRole('figure', { name: 'Open value by stage' }).getByRole('link').first()
  const href = await bar.getAttribute('href')
  await bar.focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => page.url()).toBe(app.url + href)
  await expectNoFaults(page)
})

test('an amount and its currency are one field, and a rate brings it into the sums', async () => {
  const own = await app.workspace()
  await own.patch('/workspace', { currency: 'EUR' })
  const make = async (body: object) => (await own.post('/lead', body)).body.id as string
  const id = await make({ first_name: 'Ada' })
  await make({ first_name: 'Bea', contract_value: 100 })
  const page = await open({ key: own.key, path: `/lead/${id}` })
  const amount = async () => (await own.get(`/lead/${id}`)).body
  const edit = page.getByRole('button', { name: 'Edit Contract value' })
  const input = page.getByRole('textbox', { name: 'Contract value' })

  // By keyboard: the amount, then its currency by name.
  await edit.focus()
  await page.keyboard.press('Enter')
  await input.fill('1250.505')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('Enter up to 2 decimals and 15 digits.').waitFor()
  await input.fill('1,250.5')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('combobox', { name: 'Find currency' }).fill('swiss')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Currency: CHF' }).waitFor()
  await page.keyboard.press('Tab')
  await page.getByText('CHF 1,250.50').waitFor()
  await expect
    .poll(amount)
    .toMatchObject({ contract_value: 1251, contract_amount: 1250.5, contract_currency: 'CHF' })

  // Escape leaves no trace; a code in the text is its currency.
  await edit.click()
  await input.fill('7')
  await page.keyboard.press('Escape')
  await edit.click()
  await input.fill('300 jpy')
  await page.keyboard.press('Enter')
  await page.getByText(/JP¥300/).waitFor()
  await edit.click()
  await input.fill('200.40 chf')
  await page.keyboard.press('Enter')
  await page.getByText('CHF 200.40').waitFor()
  // The page shows an amount before it is saved, and one after the other is saved.
  await expect.poll(amount).toMatchObject({ contract_amount: 200.4, contract_currency: 'CHF' })

  // The total of the list says what it contains.
  await page.goto(`${app.url}/leads`)
  await page.getByRole('button', { name: 'Total value' }).click()
  await page.getByRole('button', { name: 'Total value: €100' }).click()
  const dialog = page.getByRole('dialog', { name: 'Total value' })
  await dialog.getByText('1 lead in CHF without a rate is not included').click()
  await page.getByRole('gridcell', { name: 'CHF 200.40' }).waitFor()
  await page.getByText('1 of 2').waitFor()

  // The currency that the leads need is offered first.
  await page.goto(`${app.url}/settings/rates`)
  await page.getByLabel('Currency').getByText('CHF').waitFor()
  await page.getByLabel('One unit in EUR').fill('0.5')
  await page.getByRole('button', { name: 'Add' }).click()
  await page.getByText('CHF · Swiss Franc').waitFor()
  await expect.poll(async () => (await own.get('/rates')).body.length).toBe(1)
  await page.goto(`${app.url}/leads`)
  await page.getByRole('button', { name: 'Total value' }).click()
  await page.getByRole('button', { name: 'Total value: €200.20' }).click()
  await dialog.getByText('incl. 1 lead converted').waitFor()

  // Another currency: the rates are converted, or the page asks.
  await page.goto(`${app.url}/settings/workspace`)
  const change = async (code: string) => {
    await pickIn(page.getByLabel('Currency'), new RegExp(`^${code}`))
    await page.getByRole('button', { name: 'Save' }).click()
  }
  await change('JPY')
  await page.getByText('none of them is for JPY').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await change('CHF')
  await page.getByText('Saved', { exact: true }).waitFor()
  await page.goto(`${app.url}/settings/rates`)
  const rate = page.getByRole('textbox', { name: 'Rate of EUR' })
  await rate.waitFor()
  expect(await rate.inputValue()).toBe('2')

  // Values without a rate are no zero, and their texts stay in their columns.
  const id_list = (await own.post('/lists', { name: 'Deals' })).body.id
  const stages = ['New', 'Second'].map((name) => ({ name, id_list }))
  for (const stage of stages) {
    const status = (await own.post('/status', stage)).body.id
    for (const contract_currency of ['SEK', 'PLN', 'PLN', 'USD', 'MXN']) {
      const value = { contract_value: 123_456, contract_currency }
      await make({ first_name: 'Cy', lists: [id_list], status: [status], ...value })
    }
  }
  await page.goto(`${app.url}/overview?list=${id_list}`)
  await page.getByRole('link', { name: 'Open value PLN 493,824 + 3 more' }).click()
  await page.getByText('10 of 12').waitFor()
  await page.goBack()
  await page
    .getByRole('list', { name: 'Numbers' })
    .getByText('No exchange rate for')
    .first()
    .waitFor()
  await page.getByRole('link', { name: /^Second: PLN 246,912 \+ .*123,456/ }).waitFor()
  await page.goto(`${app.url}/board?list=${id_list}`)
  await page.getByRole('button', { name: 'PLN 246.9K + 3 more' }).first().waitFor()
  const sections = page.locator('main section')
  const isTooWide = (all: { scrollWidth: number; clientWidth: number }[]) =>
    all.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length
  expect(await sections.evaluateAll(isTooWide)).toBe(0)
  await expectNoFaults(page)
})

test('reports: each number opens the leads behind it, and a lost lead says why', async () => {
  const { body: statuses } = await space.get('/status')
  const stage = (type: string | null) =>
    statuses.find(
      (one: { id_list: string; type: string }) => one.id_list === list && one.type === type,
    )
  const lead = (
    await space.post('/lead', { first_name: 'Zoe', status: [stage(null).id], contract_value: 70 })
  ).body.id
  await space.post('/notes', { id_lead: lead, kind: 'call', content: 'Busy' })
  const page = await open({ key: space.key, path: `/lead/${lead}` })
  await page
    .getByRole('group', { name: /^Stage in/ })
    .getByRole('button', { name: stage('DEAL_LOST').name })
    .click()
  const dialog = page.getByRole('dialog', { name: 'Why was Zoe lost?' })
  // A reason of the sample data.
  await dialog.getByRole('button', { name: 'Bad timing' }).waitFor()
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Moved abroad')
  await page.keyboard.press('Enter')
  await expect
    .poll(async () => (await space.get(`/lead/${lead}`)).body.lost_reason)
    .toBe('Moved abroad')

  const tables = 'tables=people,reasons,times,activity,forecast'
  await page.goto(`${app.url}/reports?period=this_year&${tables}`)
  const reasons = await table(page, 'Lost by reason')
  expect(reasons.find(([reason]) => reason === 'Moved abroad')?.[1]).toBe('1')
  expect((await table(page, 'Time in stage')).map(([name]) => name)).toHaveLength(1)
  await expectLeadsBehind(page, {
    'Won by owner': { 1: 'value', 2: 'count', 3: 'count', 4: 'either' },
    'Lost by reason': { 1: 'count', 2: 'value' },
    'Notes, calls and meetings': { 1: 'leads', 2: 'leads', 3: 'leads', 4: 'leads' },
    'Weighted forecast by month': { 1: 'weighted', 3: 'count' },
  })
  const tiles = page.getByRole('list', { name: 'Numbers' })
  for (const name of [/^Leads won/, /^Leads lost/]) {
    const tile = tiles.getByRole('link', { name })
    const shown = numberIn(await tile.innerText())
    expect(await countAt((await tile.getAttribute('href')) ?? '')).toBe(shown)
    expect(shown).toBeGreaterThan(0)
  }

  // Days that are no period.
  const choose = async (name: string) => {
    await page.getByRole('button', { name: /^Period/ }).click()
    await page.getByRole('option', { name }).click()
  }
  await choose('From … to …')
  const firstDay = page.getByRole('textbox', { name: 'First day' })
  await firstDay.fill('2019-01-01')
  await page.getByRole('textbox', { name: 'Last day' }).fill('2019-12-31')
  await expect.poll(() => page.url()).toMatch(/from=2019-01-01&to=2019-12-31/)
  await expect
    .poll(async () => numberIn(await tiles.getByRole('link', { name: /^Leads won/ }).innerText()))
    .toBe(0)
  expect(await violations(page)).toEqual([])
  await choose('This year')
  await firstDay.waitFor({ state: 'detached' })

  // Of one owner and one list.
  const { body: members } = await space.get('/members')
  const { name } = members.find(({ id }: { id: string }) => id === space.owner)
  await page.getByRole('button', { name: 'Owner: Everyone' }).click()
  await page.getByRole('option', { name }).click()
  await page.getByRole('button', { name: 'All lists' }).click()
  await page.getByRole('option', { name: /New business/ }).click()
  await expect.poll(() => page.url()).toContain(`list=${list}`)
  await expect
    .poll(async () => (await table(page, 'Won by owner')).map(([who]) => who))
    .toEqual([name])
  await untilQuiet(page)
  await expectLeadsBehind(page, {
    'Won by owner': { 1: 'value', 2: 'count', 3: 'count', 4: 'both' },
    'Time in stage': { 1: 'left', 3: 'count', 4: 'count' },
  })
  const lost = page.getByRole('table', { name: 'Lost by reason' })
  await lost
    .getByRole('row', { name: /Moved abroad/ })
    .getByRole('link')
    .first()
    .click()
  await page.getByRole('button', { name: 'Remove filter Entered stage' }).waitFor()
  await page.getByText('1 of').waitFor()
  await expectNoFaults(page)
})

test('a workspace without leads or statuses says what to do', async () => {
  const empty = await app.workspace()
  const page = await open({ key: empty.key, path: '/overview' })
  await page.getByRole('heading', { name: 'No leads yet' }).waitFor()
  await empty.post('/lead', { first_name: 'Only' })
  await page.reload()
  await page.getByRole('link', { name: 'Set up stages' }).first().waitFor()
  await expectNoFaults(page)
})

test('axe finds nothing, and nothing overflows', async () => {
  for (const [path, chart, ...widths] of [
    [`/overview?list=${list}&tables=added`, 'Funnel', narrow, wide],
    ['/reports?period=this_year&tables=times', 'Lost by reason', narrow],
    ['/reports?period=this_year&tables=people', 'Lost by reason', 1024],
  ] as const) {
    const page = await open({ key: space.key, path, width: narrow })
    await page.getByRole('figure', { name: chart }).getByRole('link').first().waitFor()
    await expectToFit(page, ...widths)
    await expectNoFaults(page)
  }
})
