// The filter builder in a real browser: conditions on fields, and on what has happened.
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { run } from '../../src/db/sql.ts'
import { service, type Workspace } from '../harness.ts'
import { saved, signedIn } from './import-wizard.ts'
import { expectNoFaults, pages, pickIn, violations, waitForRows } from './page.ts'

const app = service()
const open = pages(app)
let space: Workspace

beforeAll(async () => {
  space = await app.workspace()
  const make = (first_name: string, contract_value: number, city: string) =>
    space.post('/lead', { first_name, contract_value, city })
  await make('Ada', 20_000, 'Berlin')
  await make('Bob', 9_000, 'Berlin')
  await make('Cleo', 30_000, 'Paris')
})

const filterOf = (page: Page) => JSON.parse(new URL(page.url()).searchParams.get('filter') ?? '{}')

/** Opens the menu of conditions and picks one, by the keyboard. */
async function add(page: Page, name: string) {
  await page.getByRole('grid').focus()
  await page.keyboard.press('f')
  await page.getByRole('combobox', { name: 'Find a field' }).fill(name)
  await page.keyboard.press('Enter')
}

test('every field can be asked for, and a condition applies when it is complete', async () => {
  const page = await open({ key: space.key })
  await waitForRows(page)
  await add(page, 'Contract value')
  const apply = page.getByRole('button', { name: 'Apply' })
  expect(await apply.isDisabled()).toBe(true)
  await page.getByText('without converting them').waitFor()
  // It is asked for by a condition of its own.
  await page.getByRole('textbox', { name: 'Contract value' }).fill('10k EUR')
  await page.getByText('Enter a number.').waitFor()
  await page.getByRole('textbox', { name: 'Contract value' }).fill('10k')
  await page.getByText('2 leads match').waitFor()
  expect(filterOf(page)).toEqual({})
  await page.keyboard.press('Enter')
  const above = { field: 'contract_value', operator: 'greater_than', value: 10_000 }
  await expect.poll(() => filterOf(page)).toEqual({ fields: [above] })
  await page.getByRole('button', { name: 'Contract value more than 10,000', exact: true }).waitFor()
  await page.getByRole('gridcell', { name: 'Bob' }).waitFor({ state: 'detached' })

  await add(page, 'City')
  await pickIn(page.getByLabel('Operator'), 'City is')
  await page.getByRole('textbox', { name: 'City' }).fill('berlin')
  await page.keyboard.press('Enter')
  const inBerlin = { field: 'city', operator: 'is', value: 'berlin' }
  await expect.poll(() => filterOf(page)).toEqual({ fields: [above, inBerlin] })

  // A chip changes its condition.
  await page.getByRole('button', { name: 'City is berlin', exact: true }).click()
  await pickIn(page.getByLabel('Operator'), 'City is not')
  await page.getByText('Includes leads without a value.').waitFor()
  expect(await violations(page)).toEqual([])
  await apply.click()
  await expect
    .poll(() => filterOf(page))
    .toEqual({ fields: [above, { ...inBerlin, operator: 'is_not' }] })
  await page.getByRole('gridcell', { name: 'Cleo' }).first().waitFor()
  await expectNoFaults(page)
})

test('Escape leaves no trace', async () => {
  await space.post('/tags', { name: 'Partner' })
  const page = await open({ key: space.key })
  await waitForRows(page)
  await add(page, 'City')
  await page.getByRole('textbox', { name: 'City' }).fill('Paris')
  await page.getByText('1 lead matches').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('textbox', { name: 'City' }).waitFor({ state: 'detached' })
  expect(filterOf(page)).toEqual({})

  // In the open list of a select, it closes the list alone.
  await add(page, 'City')
  await page.getByLabel('Operator').focus()
  await page.keyboard.press('Enter')
  await page.getByRole('listbox', { name: 'Operator' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('listbox', { name: 'Operator' }).waitFor({ state: 'detached' })
  await page.getByLabel('Operator').focus()
  await page.keyboard.press('Escape')
  await page.getByLabel('Operator').waitFor({ state: 'detached' })

  // After the choice of an operator, the value is next.
  await add(page, 'Tags')
  await page.getByLabel('Operator').click()
  await page.getByRole('option', { name: 'Tags has none of' }).click()
  await page.keyboard.type('Partn')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+Enter')
  await page.getByLabel('Operator').waitFor({ state: 'detached' })
  expect(filterOf(page).none).toEqual([{ tags: [expect.any(String)] }])
  await page.getByRole('button', { name: 'Remove filter Tags' }).click()

  // Also where what is typed or chosen applies at once.
  await add(page, 'Search')
  await page.keyboard.type('Ada')
  await expect.poll(() => filterOf(page)).toEqual({ search: 'Ada' })
  await page.keyboard.press('Escape')
  await expect.poll(() => filterOf(page)).toEqual({})
  await page.getByRole('gridcell', { name: 'Bob', exact: true }).waitFor()
  await expectNoFaults(page)
})

test('leads without activity for some time, and with reminders that are due', async () => {
  const page = await open({ key: space.key })
  await waitForRows(page)
  // What is typed before the editor is loaded is not lost.
  let load = () => {}
  const typed = new Promise<void>((resolve) => {
    load = resolve
  })
  await page.route(/\/editor-[^/]*\.js$/, async (route) => {
    await typed
    await route.continue()
  })
  // Nor is the page empty before its program is loaded.
  let begin = () => {}
  const looked = new Promise<void>((resolve) => {
    begin = resolve
  })
  await page.route(/\/index-[^/]*\.js$/, async (route) => {
    await looked
    await route.continue()
  })
  await page.reload({ waitUntil: 'commit' })
  const lines = () =>
    page.evaluate<string>('getComputedStyle(document.getElementById("root"), "::before").content')
  await expect.poll(lines).toBe('""')
  begin()
  await waitForRows(page)
  expect(await lines()).toBe('none')
  await page.keyboard.press('/')
  await page.locator('[role=dialog]:focus').waitFor({ state: 'attached' })
  await page.keyboard.type('Bob')
  load()
  await expect.poll(() => filterOf(page)).toEqual({ search: 'Bob' })
  await page.keyboard.press('Escape')
  await expect.poll(() => filterOf(page)).toEqual({})

  await add(page, 'Activity')
  await pickIn(page.getByLabel('Unit'), 'weeks')
  await page.getByRole('textbox', { name: 'How many' }).fill('2')
  await page.keyboard.press('Enter')
  const activity = { none_since: '-2w' }
  await expect.poll(() => filterOf(page)).toEqual({ activity })
  await page.getByRole('button', { name: 'Activity none since 2 weeks ago', exact: true }).waitFor()

  await add(page, 'Reminder')
  await page.getByRole('option', { name: 'overdue' }).click()
  const reminders = { due: 'overdue' }
  await expect.poll(() => filterOf(page)).toEqual({ activity, reminders })

  // A number of days and not a date: a saved view stays true tomorrow.
  await add(page, 'Last interaction')
  await pickIn(page.getByLabel('Operator'), 'Last interaction more than … ago')
  await page.getByRole('textbox', { name: 'How many' }).fill('14')
  await page.keyboard.press('Enter')
  const old = { field: 'last_interaction_at', operator: 'more_than_ago', value: '14d' }
  await expect.poll(() => filterOf(page)).toEqual({ activity, reminders, fields: [old] })
  const chip = 'Last interaction more than 14 days ago'
  await page.getByRole('button', { name: chip, exact: true }).waitFor()
  await expectNoFaults(page)
})

test('stages, notes and dates of attributes are asked for by hand, and changed in their chips', async () => {
  const sales = await app.workspace()
  const status = (await sales.post('/status', { name: 'Offer' })).body.id
  const { body: date } = await sales.post('/attributes', { name: 'Renewal', type: 'DATE' })
  const day = (days: number) =>
    new Date(app.clock.now.getTime() + days * dayMs).toISOString().slice(0, 10)
  const lead = (first_name: string, more: object) =>
    sales.post('/lead', { first_name, ...more }).then(({ body }) => body.id)
  const ada = await lead('Ada', { status: [status], attributes: { [date.id]: day(3) } })
  await lead('Bob', { status: [status], attributes: { [date.id]: day(90) } })
  await sales.post('/notes', { id_lead: ada, kind: 'call', content: 'Hello' })
  const page = await open({ key: sales.key })
  await waitForRows(page)

  await add(page, 'Entered stage')
  const apply = page.getByRole('button', { name: 'Apply' })
  expect(await apply.isDisabled()).toBe(true)
  await page.getByRole('option', { name: 'Offer' }).click()
  await page.getByText('2 leads match').waitFor()
  await page.getByRole('textbox', { name: 'Entered stage to' }).fill(day(0))
  await apply.click()
  const entered = { status: [status], before: day(1) }
  await expect.poll(() => filterOf(page)).toEqual({ entered })

  await add(page, 'Logged')
  await pickIn(page.getByRole('button', { name: /^Value: / }), 'Call')
  await page.getByText('1 lead matches').waitFor()
  expect(await violations(page)).toEqual([])
  await apply.click()
  await expect.poll(() => filterOf(page)).toEqual({ entered, noted: { kind: ['call'] } })
  await page.getByRole('gridcell', { name: 'Bob' }).waitFor({ state: 'detached' })

  // A report makes the same chips.
  await page.getByRole('button', { name: /^Logged/ }).click()
  await pickIn(page.getByRole('button', { name: /^Value: / }), 'Meeting')
  await page.getByText('0 leads match').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Remove filter Logged' }).click()
  await expect.poll(() => filterOf(page)).toEqual({ entered })

  await add(page, 'Renewal')
  const operator = page.getByLabel('Operator')
  await pickIn(operator, 'Renewal in the next')
  const next = { id: date.id, operator: 'in_next', value: '14d' }
  await expect.poll(() => filterOf(page)).toEqual({ entered, attributes: [next] })
  await page.getByText('1 lead matches').waitFor()
  await page.getByRole('textbox', { name: 'How many' }).fill('6')
  await pickIn(page.getByLabel('Unit'), 'months')
  await page.getByText('2 leads match').waitFor()
  await pickIn(operator, 'Renewal today')
  await page.getByText('0 leads match').waitFor()
  await pickIn(operator, 'Renewal more than … ago')
  await page.keyboard.press('Escape')
  await expectNoFaults(page)
})

test('a column is filtered from its header, by the value of a cell, with mouse and keyboard', async () => {
  const page = await open({
    key: space.key,
    path: '/leads?columns=name,city,contract_value',
  })
  await waitForRows(page)
  const header = page.getByRole('columnheader', { name: 'City' })
  await header.hover()
  await header.getByRole('button', { name: 'Column City' }).click()
  await page.getByRole('menuitem', { name: 'Filter…' }).click()
  await page.getByRole('textbox', { name: 'City' }).fill('Par')
  await page.keyboard.press('Enter')
  await expect
    .poll(() => filterOf(page))
    .toEqual({ fields: [{ field: 'city', operator: 'contains', value: 'Par' }] })
  await page.getByRole('button', { name: /^Remove.*City/ }).click()

  await page.getByRole('gridcell', { name: 'Berlin' }).first().click({ button: 'right' })
  expect(await violations(page)).toEqual([])
  await page.getByRole('menuitem', { name: 'Filter by this value' }).click()
  const inBerlin = { field: 'city', operator: 'is', value: 'Berlin' }
  await expect.poll(() => filterOf(page)).toEqual({ fields: [inBerlin] })
  await page.getByRole('gridcell', { name: 'Paris' }).waitFor({ state: 'detached' })

  await page.getByRole('gridcell', { name: '9,000' }).click()
  await page.keyboard.press('Shift+F')
  const value = { field: 'contract_value', operator: 'equals', value: 9000 }
  await expect.poll(() => filterOf(page)).toEqual({ fields: [inBerlin, value] })
  await page.getByRole('gridcell', { name: 'Ada' }).waitFor({ state: 'detached' })
  await expectNoFaults(page)
})

const dayMs = 24 * 60 * 60 * 1000

/** Picks a condition in the menu that is open. */
async function pick(page: Page, name: string) {
  await page.getByRole('combobox', { name: 'Find a field' }).fill(name)
  await page.keyboard.press('Enter')
}

test('proposals over 10,000 untouched for 14 days, not tagged Partner, in Berlin or Paris, by value', async () => {
  const sales = await app.workspace()
  const page = await signedIn(app, open, sales)
  const { body: list } = await sales.post('/lists', { name: 'Deals' })
  const { body: stages } = await sales.post('/status/ready', { id_list: list.id })
  const statusOf = (name: string) =>
    stages.find((stage: { name: string }) => stage.name === name).id
  const { body: partner } = await sales.post('/tags', { name: 'Partner' })
  const { body: warm } = await sales.post('/tags', { name: 'Warm' })
  const proposal = {
    ...{ contract_value: 20_000, city: 'Berlin', status: [statusOf('Proposal')] },
    ...{ tags: [warm.id], lists: [list.id] },
  }
  const make = async (first_name: string, changes: object = {}): Promise<string> =>
    (await sales.post('/lead', { ...proposal, first_name, ...changes })).body.id
  await make('Middle')
  await make('Most', { city: 'Paris', contract_value: 30_000 })
  await make('Least', { contract_value: 10_001, tags: [] })
  await make('Too little', { contract_value: 10_000 })
  await make('Elsewhere', { city: 'Rome' })
  await make('A partner', { tags: [warm.id, partner.id] })
  await make('Qualified', { status: [statusOf('Qualified')] })
  const touched = await make('Touched')
  app.clock.advance(20 * dayMs)
  await sales.post('/notes', { id_lead: touched, content: 'Called' })
  await make('Fresh', { contract_value: 15_000 })

  await page.goto(`${app.url}/leads?columns=name,city,contract_value`)
  await waitForRows(page)
  // Not "Contract status".
  await add(page, 'Stat')
  await page.getByRole('combobox', { name: 'Find status' }).fill('Proposal')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await add(page, 'Contract value')
  await page.getByRole('textbox', { name: 'Contract value' }).fill('10000')
  await page.keyboard.press('Enter')
  await add(page, 'Activity')
  await page.getByRole('textbox', { name: 'How many' }).fill('14')
  await page.keyboard.press('Enter')

  // Not tagged: the same editor, turned round.
  await add(page, 'Tags')
  await pickIn(page.getByLabel('Operator'), 'Tags has none of')
  await page.getByRole('option', { name: 'Partner' }).click()
  await page.getByText('5 leads match').waitFor()
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.getByRole('button', { name: 'Tags has none of Partner', exact: true }).waitFor()

  // Either city, by the keyboard.
  await add(page, 'Any of')
  const either = page.getByRole('dialog', { name: 'Filter' }).first()
  for (const [at, city] of ['Berlin', 'Paris'].entries()) {
    const alternative = either.getByRole('group', { name: `Alternative ${at + 1}` })
    await alternative.getByRole('button', { name: 'Filter', exact: true }).focus()
    await page.keyboard.press('Enter')
    await pick(page, 'City')
    await pickIn(page.getByLabel('Operator'), 'City is')
    await page.getByRole('textbox', { name: 'City' }).fill(city)
    await page.keyboard.press('Enter')
    await alternative.getByRole('button', { name: `City is ${city}` }).waitFor()
  }
  await page.getByText('4 leads match').waitFor()
  expect(await violations(page)).toEqual([])
  await either.getByRole('button', { name: 'Apply' }).click()
  await page.getByRole('button', { name: 'Any of City is Berlin or City is Paris' }).waitFor()
  expect(filterOf(page)).toEqual({
    status: [statusOf('Proposal')],
    fields: [{ field: 'contract_value', operator: 'greater_than', value: 10_000 }],
    activity: { none_since: '-14d' },
    none: [{ tags: [partner.id] }],
    any: ['Berlin', 'Paris'].map((value) => ({
      fields: [{ field: 'city', operator: 'is', value }],
    })),
  })

  await page.getByRole('button', { name: /^Sort:/ }).click()
  await page.getByRole('combobox').fill('Contract value')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Sort: Contract value' }).click()
  await page.getByRole('button', { name: 'Then by None' }).click()
  await page.getByRole('combobox', { name: 'Find a field' }).fill('City')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Sort: Contract value, City' }).waitFor()
  // Values start with the largest, texts at A.
  const order = () => new URL(page.url()).searchParams.get('order')
  await expect.poll(order).toBe('contract_value.desc,city.asc')

  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByRole('textbox', { name: 'View name' }).fill('Stuck proposals')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Stuck proposals' }).waitFor()
  await page.reload()
  await page.getByRole('gridcell', { name: 'Most' }).first().waitFor()

  // As the database says it, without the service.
  const { id_space } = sales
  const since = new Date(app.clock.now.getTime() - 14 * dayMs)
  const rows = await run<{ first_name: string }[]>(app.db)`select lead.first_name from lead
      join lead_status on lead_status.id_space = ${id_space} and id_lead = lead.id
      where lead.id_space = ${id_space} and id_status = ${statusOf('Proposal')}
        and contract_value > 10000 and city in ('Berlin', 'Paris')
        and not exists (select from lead_tag
          where lead_tag.id_space = ${id_space} and id_lead = lead.id and id_tag = ${partner.id})
        and not exists (select from note
          where note.id_space = ${id_space} and note.id_lead = lead.id and note.created_at >= ${since})
      order by contract_value desc`
  const expected = rows.map(({ first_name }) => first_name)
  expect(expected).toEqual(['Most', 'Middle', 'Fresh', 'Least'])
  await page.getByRole('button', { name: 'Export' }).click()
  const item = page.getByRole('menuitem', { name: 'All fields as CSV' })
  const [, ...lines] = (await saved(page, () => item.click())).trim().split('\n')
  expect(lines.map((line) => expected.find((name) => line.includes(name)))).toEqual(expected)
  await expectNoFaults(page)
})

test('an alternative and an exception are taken back, changed and removed one by one', async () => {
  const page = await open({ key: space.key, path: '/leads?columns=name,city' })
  await waitForRows(page)
  await add(page, 'Except')
  const exception = page.getByRole('dialog', { name: 'Filter' }).first()
  await exception.getByRole('button', { name: 'Filter', exact: true }).click()
  await pick(page, 'City')
  await page.getByRole('textbox', { name: 'City' }).fill('Berl')
  await page.getByText('1 lead matches').waitFor()
  // Escape closes what is open, one after the other, and leaves no trace.
  await page.keyboard.press('Escape')
  await page.getByRole('textbox', { name: 'City' }).waitFor({ state: 'detached' })
  expect(filterOf(page)).toEqual({})
  await exception.getByRole('button', { name: 'Filter', exact: true }).click()
  await pick(page, 'City')
  await page.getByRole('textbox', { name: 'City' }).fill('Berl')
  await page.keyboard.press('Enter')
  const none = [{ fields: [{ field: 'city', operator: 'contains', value: 'Berl' }] }]
  await expect.poll(() => filterOf(page)).toEqual({ none })
  await page.getByRole('gridcell', { name: 'Ada', exact: true }).waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  await expect.poll(() => filterOf(page)).toEqual({})
  await page.getByRole('gridcell', { name: 'Ada', exact: true }).waitFor()

  const any = [none[0], { search: 'Ada' }]
  const query = new URLSearchParams({ filter: JSON.stringify({ any, none }) })
  await page.goto(`${app.url}/leads?${query}`)
  await page.getByRole('button', { name: 'Except those where City contains Berl' }).waitFor()
  await page
    .getByRole('button', { name: 'Any of City contains Berl or Search contains Ada' })
    .click()
  await page.getByRole('button', { name: 'Remove alternative 1' }).click()
  await expect.poll(() => filterOf(page)).toEqual({ any: [{ search: 'Ada' }], none })
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.getByRole('button', { name: 'Remove filter Except' }).click()
  await expect.poll(() => filterOf(page)).toEqual({ any: [{ search: 'Ada' }] })
  await page.getByRole('gridcell', { name: 'Ada', exact: true }).waitFor()
  await expectNoFaults(page)
})
