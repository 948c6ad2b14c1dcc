// Pipelines in a real browser: a new workspace is ready, board and overview show the usual list, leads without a
// stage have a column, and lists stand in the navigation.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { insertSpace } from '../../src/access/access.sql.ts'
import { startSession } from '../../src/access/sessions.ts'
import { run } from '../../src/db/sql.ts'
import { authorOf } from '../../src/feed/author.ts'
import { newId } from '../../src/ids.ts'
import { makeReadyPipeline } from '../../src/resources/lists/ready.ts'
import { service, type Workspace } from '../harness.ts'
import { addMember } from '../workspace.ts'
import {
  expectNoFaults,
  expectToFit,
  narrow,
  type Opened,
  pages,
  pickIn,
  tabTo,
  untilQuiet,
  violationsInBothThemes,
  wide,
} from './page.ts'

const app = service()
const open = pages(app)

interface Named {
  id: string
  name: string
}

/** A workspace with two lists: Deals with stages and two leads, Fair with stages and one. */
async function makeLists() {
  const space = await app.workspace()
  const make = async (name: string, leads: string[]) => {
    const { body: list } = await space.post('/lists', { name, auto_status: true })
    const { body: stages } = await space.post('/status/ready', { id_list: list.id })
    const made: string[] = []
    for (const first_name of leads) {
      made.push((await space.post('/lead', { first_name, lists: [list.id] })).body.id)
    }
    return { id: list.id as string, stages: stages as Named[], leads: made }
  }
  const fair = await make('Fair', ['Finn'])
  const deals = await make('Deals', ['Dora', 'Dirk'])
  return { space, fair, deals }
}

const title = (page: Page) => page.getByRole('main').getByRole('heading', { level: 1 })
const column = (page: Page, name: string) =>
  page.getByRole('region', { name: new RegExp(`^${name} `) })
const card = (page: Page, name: string) => page.locator('li[data-row]', { hasText: name })
/** Of the grid, without its header. */
const rowCount = async (page: Page) =>
  Number(await page.getByRole('grid').getAttribute('aria-rowcount')) - 1
const lists = (page: Page) => page.getByRole('group', { name: 'Lists' })
const listNames = (page: Page) => lists(page).locator('a[href*="list"] [dir=auto]').allInnerTexts()
const statusOf = async (space: Workspace, lead: string) =>
  (await space.get(`/lead/${lead}`)).body.status.map(({ name }: Named) => name)

test('the first admin of a new workspace finds a pipeline, and brings time zone and currency', async () => {
  const created_at = app.clock.now.toISOString()
  const id_space = newId()
  await insertSpace(app.db, { id_space, name: 'New', time_zone: 'UTC', is_new: true, created_at })
  const owner = await addMember(app.db, { id_space, name: 'Ada', role: 'owner', created_at })
  await makeReadyPipeline(app.db, authorOf('command', id_space, app.clock.now))
  const by = { way: 'link', device: 'Test', now: app.clock.now } as const
  const session = await startSession(app.db, { id_space, id: owner }, by)
  const page = await open({ session, path: '/board' })
  await expect.poll(() => title(page).innerText()).toBe('New business')
  for (const name of ['New', 'Contacted', 'Qualified', 'Proposal', 'Won', 'Lost']) {
    await column(page, name).waitFor()
  }
  const settings = () =>
    run(app.db)`select time_zone, currency, is_new from space where id_space = ${id_space}`
  await expect
    .poll(settings)
    .toEqual([{ time_zone: 'Europe/Berlin', currency: 'GBP', is_new: false }])
  await page.goto(`${app.url}/settings/workspace`)
  await page.getByLabel('Currency: GBP').waitFor()
  await pickIn(page.getByLabel('Currency'), /^EUR/)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(settings).toMatchObject([{ currency: 'EUR' }])
  await expectNoFaults(page)
})

test('board and overview open with the largest list, then with the last one; all lists have the true total', async () => {
  const { space, deals, fair } = await makeLists()
  // In both lists: it counts once in the total.
  await space.patch(`/lead/${deals.leads[0]}`, { lists_connect: [fair.id], contract_value: 100 })
  await space.patch(`/lead/${deals.leads[1]}`, { contract_value: 50 })
  await space.post('/lead', { first_name: 'Lone' })
  await space.remove(`/lists/${(await space.post('/lists', { name: 'Gone' })).body.id}`)
  await space.post('/lead', { first_name: 'More', lists: [deals.id] })
  const page = await open({ key: space.key, path: '/board' })
  await expect.poll(() => page.url()).toContain(`list=${deals.id}`)
  await title(page).getByRole('button').click()
  await page.getByRole('option', { name: 'Fair' }).click()
  await expect.poll(() => title(page).innerText()).toBe('Fair')
  await page.getByRole('link', { name: 'Overview' }).click()
  await expect.poll(() => page.url()).toContain(`list=${fair.id}`)

  await title(page).getByRole('button').click()
  await page.getByRole('combobox', { name: 'Find a list' }).fill('all lists')
  await page.keyboard.press('Enter')
  const tile = (name: string) => page.getByRole('list', { name: 'Numbers' }).getByText(name)
  await expect.poll(() => page.url()).toContain('list=all')
  await expect.poll(() => tile('Open leads').locator('..').innerText()).toMatch(/\n4$/)
  await expect.poll(() => tile('Open value').locator('..').innerText()).toMatch(/\n150$/)
  await page.getByRole('figure', { name: 'Open value by list' }).waitFor()
  await tile('Open leads').click()
  await expect.poll(() => rowCount(page)).toBe(4)

  await page.goto(`${app.url}/board?list=`)
  await expect.poll(() => title(page).innerText()).toBe('Without a list')
  await page.getByRole('heading', { name: 'All stages belong to lists' }).waitFor()
  await expectNoFaults(page)
})

test('leads of the list without a stage have a column; they move by mouse and by keyboard', async () => {
  const { space, deals } = await makeLists()
  const [dora = '', dirk = ''] = deals.leads
  for (const id of [dora, dirk]) await space.patch(`/lead/${id}`, { status: [] })
  const page = await open({ key: space.key, path: `/board?list=${deals.id}` })
  await column(page, 'No stage').getByText('Dora').waitFor()
  await page.getByText('2 leads', { exact: true }).first().waitFor()
  expect(await violationsInBothThemes(page)).toEqual([[], []])
  await card(page, 'Dirk').dragTo(column(page, 'Qualified'))
  await expect.poll(() => statusOf(space, dirk)).toEqual(['Qualified'])
  await column(page, 'Qualified').getByText('Dirk').waitFor()

  await tabTo(page, column(page, 'No stage').getByRole('link'))
  await page.keyboard.press('Shift+ArrowRight')
  await expect.poll(() => statusOf(space, dora)).toEqual(['New'])
  await column(page, 'No stage').waitFor({ state: 'detached' })
  await space.patch(`/lead/${dora}`, { status: [] })
  await column(page, 'No stage').waitFor()
  await column(page, 'Qualified').getByRole('link').focus()
  await page.keyboard.press('m')
  await page.getByRole('combobox').fill('no stage')
  await page.keyboard.press('Enter')
  await expect.poll(() => statusOf(space, dirk)).toEqual([])
  await expect.poll(() => column(page, 'No stage').locator('li[data-row]').count()).toBe(2)
  await expectNoFaults(page)
})

test('the lead shows its stage in each list; a stage of another list says that it adds the lead', async () => {
  const { space, deals, fair } = await makeLists()
  const [dora = ''] = deals.leads
  await space.post('/status', { name: 'Contacted by mail' })
  const page = await open({ key: space.key, path: `/lead/${dora}` })
  const edit = page.getByRole('button', { name: 'Edit Status' })
  const status = page.getByRole('definition').filter({ has: edit })
  await expect.poll(() => status.innerText()).toMatch(/New\s+Deals/)
  await edit.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('combobox', { name: 'Find status' }).fill('contacted')
  const joining = page.getByRole('option', { name: /Contacted.*adds to Fair/ })
  await joining.waitFor()
  const options = await page.getByRole('option').allInnerTexts()
  expect(options.map((text) => text.trim().replace(/\s+/g, ' '))).toEqual([
    ...['Contacted', 'Contacted by mail', 'Contacted adds to Fair'],
  ])
  await joining.click()
  await page.keyboard.press('Escape')
  await expect.poll(() => status.innerText()).toMatch(/New\s+Deals\s+Contacted\s+Fair/)
  const listsOf = async () => (await space.get(`/lead/${dora}`)).body.lists
  await expect.poll(listsOf).toMatchObject([{ id: fair.id }, { id: deals.id }])
  // The bar of a list moves the lead in this list only.
  const steps = page.getByRole('group', { name: 'Stage in Deals' })
  await steps.getByRole('button', { name: 'New', pressed: true }).waitFor()
  await steps.getByRole('button', { name: 'Contacted' }).click()
  await expect.poll(() => status.innerText()).toMatch(/Contacted\s+Deals/)
  await expect.poll(() => status.innerText()).toMatch(/Contacted\s+Fair/)
  await page
    .getByRole('tabpanel', { name: 'Timeline' })
    .getByText('Status New → Contacted', { exact: true })
    .waitFor()
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('textbox', { name: 'What about?' }).waitFor()
  await expectNoFaults(page)
})

test('people and companies have tabs with counts; a company shows its people, their open value and activity', async () => {
  const { space, deals } = await makeLists()
  const [first, , , , won] = deals.stages
  const add = (first_name: string, company: string, contract_value: number, stage?: Named) =>
    space.post('/lead', {
      ...{ first_name, company, contract_value, contract_currency: 'EUR' },
      ...{ lists: [deals.id], status: [stage?.id] },
    })
  const { body: ida } = await add('Ida', 'Acme', 500, first)
  await add('Bo', 'ACME', 300, won)
  await add('Cy', 'Acme Trading', 700, first)
  await space.post('/notes', { id_lead: ida.id, kind: 'call' })

  const page = await open({ key: space.key, width: 1600 })
  const tabs = page.getByRole('group', { name: 'People or companies' })
  await tabs.getByRole('link', { name: 'People 6' }).waitFor()
  await tabs.getByRole('link', { name: 'Companies 2' }).click()
  await expect.poll(() => rowCount(page)).toBe(2)
  await page.getByRole('gridcell', { name: 'Acme', exact: true }).first().click()
  await page.getByRole('link', { name: 'Open' }).click()
  await title(page).getByText('Acme').waitFor()
  const fact = (name: string) =>
    page.getByRole('term').getByText(name, { exact: true }).locator('xpath=../..')
  await expect.poll(() => fact('Open value').innerText()).toContain('€500')
  await expect.poll(() => fact('Last activity').innerText()).toMatch(/ago|now/)
  const people = page.getByRole('list', { name: 'People at Acme' }).getByRole('listitem')
  await expect.poll(() => people.count()).toBe(2)
  expect(await people.first().innerText()).toMatch(/Ida[\s\S]*New[\s\S]*€500/)
  await fact('People').getByRole('link', { name: '2' }).click()
  await expect.poll(() => rowCount(page)).toBe(2)
  await expectNoFaults(page)
})

test('where there are no stages, the picker of a lead and the board set them up', async () => {
  const space = await app.workspace()
  const { body: lead } = await space.post('/lead', { first_name: 'Ada' })
  const page = await open({ key: space.key, path: `/lead/${lead.id}` })
  await page.getByRole('button', { name: 'Edit Status' }).click()
  await page.getByRole('option', { name: /^Set up stages/ }).waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => statusOf(space, lead.id)).toEqual(['New'])
  expect((await space.get('/lists')).body).toMatchObject([{ name: 'New business' }])
  const { body: bare } = await space.post('/lists', { name: 'Bare' })
  await page.goto(`${app.url}/board?list=${bare.id}`)
  await page.getByRole('button', { name: 'Set up stages' }).click()
  await column(page, 'Won').waitFor()
  await expectNoFaults(page)
})

test('stages and lists made in the page have colors, types and the first stage', async () => {
  const space = await app.workspace()
  const page = await open({ key: space.key, path: '/settings/lists' })
  await page.getByRole('textbox', { name: 'New list' }).fill('Fair')
  await page.keyboard.press('Enter')
  const setting = page.getByRole('checkbox', {
    name: 'Leads that join Fair start in its first stage',
  })
  await expect.poll(() => setting.isChecked()).toBe(true)
  await page.getByRole('link', { name: 'Statuses of Fair' }).click()
  for (const name of ['Met', 'Closed won', 'Lost']) {
    await page.getByRole('textbox', { name: 'New status' }).fill(name)
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: `Name of ${name}` }).waitFor()
  }
  const color = expect.stringMatching(/^#[0-9a-f]{6}$/)
  await expect
    .poll(async () => (await space.get('/status')).body)
    .toMatchObject([
      { name: 'Met', type: null, color },
      { name: 'Closed won', type: 'DEAL_WON', success_rate: 100, color },
      { name: 'Lost', type: 'DEAL_LOST', success_rate: 0, color },
    ])
  await page.goto(`${app.url}/settings/lists`)
  // A refresh that is under way may show the old state for a moment.
  await setting.click()
  await expect.poll(async () => (await space.get('/lists')).body[0].auto_status).toBe(false)
  await expect.poll(() => setting.isChecked()).toBe(false)
  await expectNoFaults(page)
})

/** Opens the menu of a list by keyboard, and picks an entry by its first letters. */
async function pick(page: Opened, list: string, letters: string): Promise<void> {
  await page.getByRole('button', { name: `List ${list}` }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menu').waitFor()
  await page.keyboard.type(letters)
  await page.keyboard.press('Enter')
}

test('lists stand in the navigation with their counts, are pinned and put into an order', async () => {
  const { space, deals, fair } = await makeLists()
  await space.post('/lists', { name: 'Empty' })
  const page = await open({ key: space.key })
  const deal = lists(page).getByRole('link', { name: /^Deals/ })
  await expect.poll(() => deal.innerText()).toMatch(/Deals\s+2/)
  expect(await listNames(page)).toEqual(['Fair', 'Deals', 'Empty'])
  await pick(page, 'Empty', 'move')
  await expect.poll(() => listNames(page)).toEqual(['Fair', 'Empty', 'Deals'])
  await pick(page, 'Deals', 'pin')
  await expect.poll(() => listNames(page)).toEqual(['Deals', 'Fair', 'Empty'])
  await lists(page)
    .getByRole('link', { name: /^Empty/ })
    .dragTo(lists(page).getByRole('link', { name: /^Fair/ }))
  await expect.poll(() => listNames(page)).toEqual(['Deals', 'Empty', 'Fair'])
  // The page shows the order before it is saved.
  await untilQuiet(page)
  await page.reload()
  await expect.poll(() => listNames(page)).toEqual(['Deals', 'Empty', 'Fair'])

  // A list opens on the kind of page that is open.
  await deal.click()
  await expect.poll(() => rowCount(page)).toBe(2)
  expect(await deal.getAttribute('aria-current')).toBe('true')
  await page.getByRole('link', { name: 'Board' }).click()
  await column(page, 'New').waitFor()
  await lists(page).getByRole('link', { name: /^Fair/ }).click()
  await expect.poll(() => page.url()).toContain(`/board?list=${fair.id}`)
  await deal.click()
  await expect.poll(() => page.url()).toContain(`/board?list=${deals.id}`)
  // Under the mouse, the menu takes the place of the count.
  await page.mouse.move(900, 500)
  await space.post('/lead', { lists: [deals.id] })
  await expect.poll(() => deal.innerText()).toMatch(/Deals\s+3/)
  await expectNoFaults(page)
})

test('the count of a list and the total value follow what is edited in this tab', async () => {
  const { space, deals } = await makeLists()
  const page = await open({ key: space.key, path: `/leads?lead=${deals.leads[0]}` })
  const count = lists(page).getByRole('link', { name: /^Fair/ })
  await expect.poll(() => count.innerText()).toMatch(/Fair\s+1/)
  await page.getByRole('button', { name: 'Total value' }).click()
  await page.getByRole('button', { name: 'Total value: 0' }).waitFor()
  await page.getByRole('button', { name: 'Edit Contract value' }).click()
  await page.getByRole('textbox', { name: 'Contract value' }).fill('8000')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Total value: 8,000' }).waitFor()
  await page.getByRole('button', { name: 'Edit Lists' }).click()
  await page.getByRole('combobox', { name: 'Find lists' }).fill('Fair')
  await page.keyboard.press('Enter')
  await expect.poll(() => count.innerText()).toMatch(/Fair\s+2/)
  await expectNoFaults(page)
})

test('views are favorites, and the navigation collapses to its icons', async () => {
  const { space } = await makeLists()
  const { body: view } = await space.post('/views', { name: 'Hot', shared: true })
  const page = await open({ key: space.key, path: `/leads?view=${view.id}` })
  await page.getByRole('button', { name: 'View Hot' }).click()
  await page.getByRole('menuitem', { name: 'Add to favorites' }).click()
  const favorites = page.getByRole('group', { name: 'Favorites' })
  await favorites.getByRole('link', { name: 'Hot' }).waitFor()
  expect(await page.getByRole('link', { name: 'Hot' }).count()).toBe(1)
  await expect
    .poll(async () => (await space.get('/views')).body)
    .toMatchObject([{ favorite: true }])

  await page.keyboard.press('[')
  const main = page.getByRole('navigation', { name: 'Main' })
  await expect.poll(async () => (await main.boundingBox())?.width).toBeLessThan(60)
  await page.getByRole('link', { name: 'Board' }).waitFor()
  await untilQuiet(page)
  expect(await violationsInBothThemes(page)).toEqual([[], []])
  await page.reload()
  await page.getByRole('button', { name: 'Expand sidebar' }).click()
  await favorites.waitFor()
  await expectNoFaults(page)
})

test('axe finds nothing, and nothing overflows', async () => {
  const { space } = await makeLists()
  for (const path of ['/overview?list=all', '/settings/lists', '/board']) {
    const page = await open({ key: space.key, path, width: narrow })
    await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
    await expectToFit(page, narrow, 1024, wide)
    await expectNoFaults(page)
  }
})
