// The board in a real browser: cards are moved by mouse and by keyboard, and go back when refused.
import type { Locator, Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { service, type Workspace } from '../harness.ts'
import {
  expectNoFaults,
  expectToFit,
  forgive,
  narrow,
  type Opened,
  pages,
  tabTo,
  untilQuiet,
  violations,
  wide,
} from './page.ts'

const app = service()
const open = pages(app)
let space: Workspace
let list: string
/** Names of the columns and of the leads → their ids. */
let statuses: Record<string, string>
let leads: Record<string, string>

beforeAll(async () => {
  space = await app.workspace()
})

beforeEach(async () => {
  list = (await space.post('/lists', { name: 'Deals' })).body.id
  statuses = {}
  leads = {}
  for (const [name, success_rate] of [
    ['New', 10],
    ['Talking', 50],
    ['Empty', 90],
  ] as const) {
    const { body } = await space.post('/status', { name, id_list: list, success_rate })
    statuses[name] = body.id
  }
  const add = async (first_name: string, status: string, contract_value: number | null) => {
    app.clock.advance(1000)
    const { body } = await space.post('/lead', {
      first_name,
      status: [statuses[status]],
      contract_value,
      contract_currency: contract_value === null ? null : 'EUR',
    })
    leads[first_name] = body.id
  }
  // The newest is the first of its column.
  for (const [index, name] of ['Dora', 'Cleo', 'Bert', 'Anna'].entries()) {
    await add(name, 'New', 1000 * (index + 1))
  }
  for (const name of ['Yann', 'Xenia']) await add(name, 'Talking', null)
})

const path = () => `/board?list=${list}`
const column = (page: Page, name: string) =>
  page.getByRole('region', { name: new RegExp(`^${name} `) })
const card = (page: Page, name: string) => page.locator('li', { hasText: name })

const nameOf = (id: string | null) =>
  Object.entries(leads).find(([, known]) => known === id)?.[0] ?? String(id)

/** The names of the cards that a column shows, from top to bottom. */
async function shown(page: Page, name: string): Promise<string[]> {
  const cards = await column(page, name)
    .locator('li[data-row]')
    .evaluateAll((items) =>
      items.map((item) => ({
        row: Number(item.dataset.row),
        href: String(item.querySelector('a')?.href),
      })),
    )
  return cards
    .toSorted((a, b) => a.row - b.row)
    .map(({ href }) => nameOf(new URL(href).searchParams.get('lead')))
}

/** The same on the service. */
async function stored(name: string): Promise<string[]> {
  const { body } = await space.post('/leads/list', {
    filter: { status: [statuses[name]] },
    orderBy: [{ field: 'place' }],
  })
  return body.leads.map(({ id }: { id: string }) => nameOf(id))
}

async function expectColumn(page: Page, name: string, names: string[]): Promise<void> {
  await expect.poll(() => shown(page, name), { message: `shown in ${name}` }).toEqual(names)
  await expect.poll(() => stored(name), { message: `stored in ${name}` }).toEqual(names)
}

/** Drags by the real mouse to a point of the target, given as a share of its height. */
async function drag(page: Page, source: Locator, target: Locator, share: number): Promise<void> {
  const from = await source.boundingBox()
  const to = await target.boundingBox()
  if (!from || !to) throw new Error('Not on the screen')
  await page.mouse.move(from.x + 80, from.y + 30)
  await page.mouse.down()
  await page.mouse.move(from.x + 90, from.y + 40, { steps: 3 })
  await page.mouse.move(to.x + 100, to.y + to.height * share, { steps: 8 })
  await page.mouse.move(to.x + 101, to.y + to.height * share)
  await page.mouse.up()
}

async function openBoard(options: Parameters<typeof open>[0] = {}): Promise<Opened> {
  const page = await open({ key: space.key, path: path(), ...options })
  await card(page, 'Anna').waitFor()
  return page
}

test('a card is dragged by mouse, within its column and to another one; a reload shows the same', async () => {
  const page = await openBoard()
  await drag(page, card(page, 'Anna'), card(page, 'Yann'), 0.2)
  await expectColumn(page, 'Talking', ['Xenia', 'Anna', 'Yann'])
  await expectColumn(page, 'New', ['Bert', 'Cleo', 'Dora'])
  await drag(page, card(page, 'Bert'), card(page, 'Dora'), 0.9)
  await expectColumn(page, 'New', ['Cleo', 'Dora', 'Bert'])
  await drag(page, card(page, 'Xenia'), column(page, 'Empty'), 0.5)
  await expectColumn(page, 'Empty', ['Xenia'])
  await page.reload()
  await card(page, 'Anna').waitFor()
  await expectColumn(page, 'New', ['Cleo', 'Dora', 'Bert'])
  await expectColumn(page, 'Talking', ['Anna', 'Yann'])
  // The history says where it went, and nothing of its place there.
  await card(page, 'Bert').getByRole('link').click()
  const panel = page.getByRole('complementary')
  await panel.getByText('Lead created').waitFor()
  expect(await panel.getByRole('tabpanel').innerText()).not.toMatch(/place|empty/i)
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })

  // Ctrl+Z puts cards back to where they were, one after the other.
  await untilQuiet(page)
  await drag(page, card(page, 'Dora'), card(page, 'Cleo'), 0.2)
  await expectColumn(page, 'New', ['Dora', 'Cleo', 'Bert'])
  await drag(page, card(page, 'Cleo'), column(page, 'Empty'), 0.7)
  await expectColumn(page, 'Empty', ['Xenia', 'Cleo'])
  await page.keyboard.press('Control+z')
  await page.getByText('Undone: Move of Cleo').waitFor()
  await expectColumn(page, 'New', ['Dora', 'Cleo', 'Bert'])
  await page.getByRole('button', { name: 'Redo' }).click()
  await expectColumn(page, 'Empty', ['Xenia', 'Cleo'])
  await page.keyboard.press('Control+z')
  await expectColumn(page, 'New', ['Dora', 'Cleo', 'Bert'])
  await page.keyboard.press('Control+z')
  await expectColumn(page, 'New', ['Cleo', 'Dora', 'Bert'])
  await expectNoFaults(page)
})

test('a card is moved by keyboard alone: M and a place, Shift and an arrow', async () => {
  const page = await openBoard()
  await tabTo(page, card(page, 'Anna').getByRole('link'))
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('m')
  const dialog = page.getByRole('combobox', { name: 'Move Bert to…' })
  await dialog.fill('talking bottom')
  await page.keyboard.press('Enter')
  await expectColumn(page, 'Talking', ['Xenia', 'Yann', 'Bert'])
  await page.getByText('Bert moved to Talking, place 3').waitFor()
  const hasFocus = (name: string) => () =>
    card(page, name)
      .getByRole('link')
      .evaluate((link) => link.matches(':focus'))
  await expect.poll(hasFocus('Bert')).toBe(true)

  await page.keyboard.press('Shift+ArrowUp')
  await expectColumn(page, 'Talking', ['Xenia', 'Bert', 'Yann'])
  await page.keyboard.press('Shift+ArrowRight')
  await expectColumn(page, 'Empty', ['Bert'])
  await expect.poll(hasFocus('Bert')).toBe(true)
  await page.keyboard.press('ArrowLeft')
  await expect.poll(hasFocus('Xenia')).toBe(true)

  await page.keyboard.press('Enter')
  await page.getByRole('complementary').getByRole('heading', { name: 'Xenia' }).waitFor()
  await page.keyboard.press('j')
  await page.getByRole('complementary').getByRole('heading', { name: 'Yann' }).waitFor()
  expect(page.url()).toContain(`lead=${leads.Yann}`)
  await page.keyboard.press('Escape')
  await page.getByRole('complementary').waitFor({ state: 'detached' })
  await expect.poll(hasFocus('Yann')).toBe(true)
  await page.goBack()
  await page.getByRole('complementary').getByRole('heading', { name: 'Yann' }).waitFor()
  await expectNoFaults(page)
})

test('a refused drop goes back, with its reason', async () => {
  const page = await openBoard()
  let answer = () => {}
  const asked = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/rest/status/*/place', async (route) => {
    await asked
    await route.fulfill({
      status: 400,
      json: {
        code: 'BAD_REQUEST',
        message: '',
        issues: [{ path: ['before'], code: 'x', message: 'Not today' }],
      },
    })
  })
  await drag(page, card(page, 'Bert'), card(page, 'Xenia'), 0.1)
  // It shows at once, before the service has said anything.
  await expect.poll(() => shown(page, 'Talking')).toEqual(['Bert', 'Xenia', 'Yann'])
  await expect.poll(() => shown(page, 'New')).toEqual(['Anna', 'Cleo', 'Dora'])
  answer()
  const alert = page.getByRole('alert')
  await alert.getByText('Couldn’t move Bert').waitFor()
  await alert.getByText('Not today').waitFor()
  await expectColumn(page, 'New', ['Anna', 'Bert', 'Cleo', 'Dora'])
  await expectColumn(page, 'Talking', ['Xenia', 'Yann'])
  forgive(page, 400)
  await expectNoFaults(page)
})

test('a place that is gone meanwhile is refused by the service, and the column is read again', async () => {
  const page = await openBoard()
  // Without the stream of events, the page does not see the change by itself.
  await page.route('**/rest/events/stream*', (route) => route.abort())
  await page.reload()
  await card(page, 'Anna').waitFor()
  await space.patch(`/lead/${leads.Xenia}`, { status: [statuses.Empty] })
  await page.getByRole('button', { name: 'Move Anna to…' }).click()
  await page.getByRole('combobox').fill('talking top')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('No such lead in this status').waitFor()
  await expectColumn(page, 'New', ['Anna', 'Bert', 'Cleo', 'Dora'])
  await expectColumn(page, 'Talking', ['Yann'])
  forgive(page, 400, 'ERR_FAILED')
  await expectNoFaults(page)
})

test('a card that another person moves while one chooses its place is in one column only', async () => {
  const page = await openBoard()
  await card(page, 'Anna').getByRole('link').focus()
  await page.keyboard.press('m')
  await page.getByRole('dialog').waitFor()
  await space.post(`/status/${statuses.Talking}/place`, { id_lead: leads.Anna, before: null })
  // Behind the dialog it is the third of three cards now.
  await page.locator(`li[data-lead="${leads.Anna}"][aria-setsize="3"]`).waitFor()
  await page.getByRole('option', { name: 'Empty top' }).click()
  await expectColumn(page, 'Empty', ['Anna'])
  await expectColumn(page, 'Talking', ['Xenia', 'Yann'])
  await expectNoFaults(page)
})

test('headers say how many, how much and how likely; a filter narrows all of it', async () => {
  const won = { id: statuses.Empty, type: 'DEAL_WON', success_rate: 0 }
  await space.patch('/status', { status: [won] })
  const page = await openBoard()
  const header = (name: string) => column(page, name).locator('header')
  expect(await header('Empty').innerText()).not.toContain('likely')
  await expect
    .poll(() => header('New').innerText())
    // Some browsers write K in British English.
    .toMatch(/New\s+4[\s\S]*10% likely[\s\S]*€10k[\s\S]*€1k weighted/i)
  const value = header('New').getByRole('button')
  await value.click()
  const exact = page.getByRole('dialog', { name: 'Value of New' })
  await exact.getByRole('row', { name: 'EUR €10,000 €1,000' }).waitFor()
  // Also while the focus is where it was before.
  await value.press('Escape')
  await exact.waitFor({ state: 'detached' })
  await page.keyboard.press('/')
  await page.getByRole('textbox', { name: 'Search' }).fill('anna')
  await expect.poll(() => shown(page, 'New')).toEqual(['Anna'])
  await expect.poll(() => header('New').innerText()).toMatch(/€4k/i)
  await page.keyboard.press('Enter')
  await column(page, 'Talking').getByText('No leads match').waitFor()
  await page.reload()
  await expect.poll(() => shown(page, 'New')).toEqual(['Anna'])
  await expectNoFaults(page)
})

test('a new lead goes to the top of the first column, and opens', async () => {
  const page = await openBoard()
  await page.keyboard.press('c')
  await page.getByRole('textbox', { name: 'First name' }).fill('Zoe')
  const form = page.getByRole('dialog', { name: 'New lead' })
  await form.getByRole('button', { name: 'List: Deals' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('complementary').getByRole('heading', { name: 'Zoe' }).waitFor()
  leads.Zoe = new URL(page.url()).searchParams.get('lead') ?? ''
  await expectColumn(page, 'New', ['Zoe', 'Anna', 'Bert', 'Cleo', 'Dora'])
  // The lead as a page of its own knows the way back.
  await page.keyboard.press('o')
  await page.getByRole('link', { name: 'Back to the board' }).click()
  await expect.poll(() => new URL(page.url()).searchParams.get('list')).toBe(list)
  await expectColumn(page, 'New', ['Zoe', 'Anna', 'Bert', 'Cleo', 'Dora'])
  await expectNoFaults(page)
})

test('every card of a long column is reached, and few of them are drawn, each as high as what it holds', async () => {
  const { body } = await space.post('/lists', { name: 'Long' })
  const status = await space.post('/status', { name: 'Many', id_list: body.id })
  await space.post('/demo', { leads: 700, add: true })
  await space.patch('/leads/update-many', {
    filter: { is_company: false },
    data: { status_connect: [status.body.id] },
  })
  app.clock.advance(1000)
  await space.post('/lead', { first_name: 'Bare', status: [status.body.id] })
  const { body: page1 } = await space.post('/leads/list', {
    filter: { status: [status.body.id] },
    pagination: { page_size: 1 },
  })
  expect(page1.total).toBeGreaterThan(500)
  const page = await open({ key: space.key, path: `/board?list=${body.id}` })
  const first = page.locator('li[data-row="0"] a')
  /** Those that are drawn, and how far they are apart. */
  const drawn = () =>
    page.locator('li[data-row]').evaluateAll((items) => {
      const sorted = items.toSorted((a, b) => Number(a.dataset.row) - Number(b.dataset.row))
      const boxes = sorted.map((item) => item.getBoundingClientRect())
      const gaps = boxes.slice(1).map(({ top }, at) => Math.round(top - (boxes[at]?.bottom ?? 0)))
      return { gaps: [...new Set(gaps)], first: boxes[0]?.height }
    })
  await first.focus()
  await expect.poll(drawn).toEqual({ gaps: [6], first: 36 })
  await page.keyboard.press('End')
  const last = page.locator(`li[data-row="${page1.total - 1}"] a`)
  await expect.poll(() => last.evaluate((link) => link.matches(':focus'))).toBe(true)
  expect(await page.locator('li[data-row]').count()).toBeLessThan(60)
  await expect.poll(drawn).toMatchObject({ gaps: [6] })
  await page.keyboard.press('Home')
  await expect.poll(() => first.evaluate((link) => link.matches(':focus'))).toBe(true)

  // The end of the column is not loaded yet.
  await page.reload()
  await first.focus()
  await page.keyboard.press('m')
  await page.getByRole('combobox', { name: /^Move Bare to/ }).fill('many bottom')
  await page.keyboard.press('Enter')
  await page.getByText(`Bare moved to Many, place ${page1.total}`).waitFor()
  await expect.poll(() => last.evaluate((link) => link.matches(':focus'))).toBe(true)
  expect(await last.textContent()).toContain('Bare')
  const isInView = 'document.activeElement.getBoundingClientRect().bottom <= innerHeight'
  expect(await page.evaluate(isInView)).toBe(true)
  await expectNoFaults(page)
})

test('a key that may only read cannot move anything', async () => {
  const page = await openBoard({ key: await app.key(space, 'read') })
  expect(await page.getByRole('button', { name: /^Move/ }).count()).toBe(0)
  expect(await page.getByRole('button', { name: /^Lead/ }).count()).toBe(0)
  expect(await page.locator('[draggable=true]').count()).toBe(0)
  await card(page, 'Anna').getByRole('link').focus()
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('m')
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(await stored('New')).toEqual(['Anna', 'Bert', 'Cleo', 'Dora'])

  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await help.getByText('Open the lead').waitFor()
  expect(await help.getByText(/edit|move/i).count()).toBe(0)
  await page.keyboard.press('Escape')

  // Nothing is beside the owner on a phone either, where the button that moves the card would always be.
  await page.setViewportSize({ width: narrow, height: 860 })
  const anna = card(page, 'Anna').getByRole('link')
  const line = anna.locator('> span').first()
  const right = (part: Locator) => part.evaluate((found) => found.getBoundingClientRect().right)
  const gap = async () => (await right(line)) - (await right(line.locator('> *').last()))
  await expect.poll(gap).toBe(0)
  await expectNoFaults(page)
})

test('what is missing is said, with the next step', async () => {
  const { body: bare } = await space.post('/lists', { name: 'Bare' })
  const page = await open({ key: space.key, path: `/board?list=${bare.id}` })
  const missing = page.getByRole('heading', { name: 'This list has no stages yet' })
  const [said, main] = await Promise.all(
    [missing, page.getByRole('main')].map((part) => part.boundingBox()),
  )
  const middle = (box: typeof said) => (box ? box.x + box.width / 2 : Number.NaN)
  expect(Math.abs(middle(said ?? null) - middle(main ?? null))).toBeLessThan(2)
  expect(await page.getByRole('link', { name: 'Make my own' }).getAttribute('href')).toBe(
    `/settings/statuses?list=${bare.id}`,
  )
  expect(await violations(page)).toEqual([])
  await page.getByRole('main').getByRole('button', { name: /Bare/ }).click()
  await page.getByRole('combobox', { name: 'Find a list' }).fill('deals')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.url()).not.toContain(bare.id)
  await page.goto(`${app.url}/board?list=nothing`)
  await page.getByRole('heading', { name: 'This list no longer exists', level: 2 }).waitFor()

  const empty = await app.workspace()
  const fresh = await open({ key: empty.key, path: '/board' })
  await fresh.getByRole('heading', { name: 'No stages yet' }).waitFor()
  await expectNoFaults(fresh)
  await expectNoFaults(page)
})

test('a phone shows one column at a time, and moves cards by a button', async () => {
  const page = await openBoard({ width: narrow })
  expect(await page.getByRole('main').getByRole('region').count()).toBe(1)
  await page.getByRole('button', { name: 'Next column' }).click()
  await card(page, 'Xenia').waitFor()
  expect(page.url()).toContain(`column=${statuses.Talking}`)
  await page.getByRole('button', { name: 'Move Xenia to…' }).click()
  await page.getByRole('option', { name: /New.*top/ }).click()
  await expect.poll(() => stored('New')).toEqual(['Xenia', 'Anna', 'Bert', 'Cleo', 'Dora'])
  await expect.poll(() => shown(page, 'Talking')).toEqual(['Yann'])
  await expectNoFaults(page)
})

test('axe finds nothing, and nothing overflows', async () => {
  await space.patch(`/lead/${leads.Anna}`, {
    first_name: 'عبد الرحمن '.repeat(8),
    company: 'Donaudampfschifffahrtsgesellschaft'.repeat(3),
  })
  const page = await open({ key: space.key, path: path(), width: narrow })
  await card(page, 'Bert').waitFor()
  await expectToFit(page, narrow, wide)
  await expectNoFaults(page)
})

test('a view remembers that it is a board, and of which list', async () => {
  const filter = JSON.stringify({ search: 'Anna' })
  const page = await open({ key: space.key, path: `${path()}&${new URLSearchParams({ filter })}` })
  await card(page, 'Anna').waitFor()
  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByRole('textbox', { name: 'View name' }).fill('Annas deals')
  await page.keyboard.press('Enter')
  const link = page.getByRole('link', { name: 'Annas deals' })
  await link.waitFor()
  await expect.poll(() => page.url()).toMatch(/\/board\?view=[0-9a-f-]+$/)
  const { body } = await space.get('/views')
  expect(body.at(-1)).toMatchObject({ mode: 'board', id_list: list, filter: { search: 'Anna' } })

  await page.getByRole('link', { name: /^Overview/ }).click()
  await link.click()
  await card(page, 'Anna').waitFor()
  expect(await card(page, 'Bert').count()).toBe(0)
  expect(await link.getAttribute('aria-current')).toBe('page')
  // What is changed is not saved yet, and can be given up.
  await page.getByRole('main').getByRole('button', { name: /Deals/ }).click()
  await page.getByRole('option', { name: 'Without a list' }).click()
  await page.getByText('Unsaved changes').waitFor()
  await page.getByRole('button', { name: 'Discard' }).click()
  await card(page, 'Anna').waitFor()
  await expectNoFaults(page)
})
