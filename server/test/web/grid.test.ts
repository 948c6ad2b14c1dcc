// The grid in a real browser: scrolling, sorting, editing, copying, the address.
import { beforeAll, expect, test } from 'vitest'
import { service, type Workspace } from '../harness.ts'
import { expectNoFaults, forgive, pages, rowOf, waitForRows } from './page.ts'

const app = service()
const open = pages(app)
let space: Workspace

beforeAll(async () => {
  space = await app.workspace()
  await space.post('/demo', { leads: 400 })
})

const total = async () =>
  (await space.post('/leads/list', { pagination: { page_size: 1 } })).body.total

test('the last row is reached by keyboard, by the scrollbar and by "go to"', async () => {
  const page = await open({ key: space.key })
  await waitForRows(page)
  const count = await total()
  const grid = page.getByRole('grid')
  expect(await grid.getAttribute('aria-rowcount')).toBe(String(count + 1))

  await grid.focus()
  await page.keyboard.press('Control+End')
  await rowOf(page, count).waitFor()
  expect(await grid.getAttribute('aria-activedescendant')).toBe(`cell-${count - 1}--1`)

  await page.keyboard.press('Control+Home')
  await rowOf(page, 1).waitFor()
  await grid.evaluate((element) => {
    element.scrollTop = element.scrollHeight
  })
  await rowOf(page, count).waitFor()

  await page.keyboard.press('g')
  await page.keyboard.press('n')
  await page.getByLabel('Go to row').last().fill('200')
  await page.keyboard.press('Enter')
  await rowOf(page, 200).waitFor()
  expect(await page.locator('*').count()).toBeLessThan(2_500)
  await expectNoFaults(page)
})

test('sorting asks the service, and the order is in the address', async () => {
  const page = await open({ key: space.key })
  await waitForRows(page)
  // Until the first answer there are rows without leads.
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/leads/list', (route) => held.then(() => route.continue()))
  await page.reload()
  await page.locator('[role=row][aria-rowindex="2"][aria-busy]').waitFor()
  answer()
  await waitForRows(page)
  await page.unroute('**/leads/list')
  await page
    .getByRole('columnheader', { name: /^Company/ })
    .getByRole('button', { name: 'Company', exact: true })
    .click()
  await expect.poll(() => page.url()).toContain('order=company.asc')
  const { body } = await space.post('/leads/list', {
    orderBy: [{ field: 'company', type: 'asc' }],
    pagination: { page_size: 1 },
  })
  await rowOf(page, 1).getByText(body.leads[0].company).first().waitFor()
  await page.goBack()
  await expect.poll(() => page.url()).not.toContain('order=')
  await expectNoFaults(page)
})

test('rows are sorted by status, and those with the same status by a second column', async () => {
  const page = await open({ key: space.key })
  await waitForRows(page)
  const header = (name: RegExp) => page.getByRole('columnheader', { name })
  await header(/^Status/)
    .getByRole('button', { name: 'Status', exact: true })
    .click()
  await expect.poll(() => page.url()).toContain('order=status.asc')
  await header(/^Company/).hover()
  await header(/^Company/)
    .getByRole('button', { name: 'Column Company' })
    .click()
  await page.getByRole('menuitem', { name: 'Then descending' }).click()
  await expect.poll(() => page.url()).toContain('order=status.asc%2Ccompany.desc')
  await expect.poll(() => header(/^Status/).getAttribute('aria-sort')).toBe('ascending')
  const { body } = await space.post('/leads/list', {
    orderBy: [
      { field: 'status', type: 'asc' },
      { field: 'company', type: 'desc' },
    ],
    pagination: { page_size: 5 },
  })
  for (const [at, { company }] of body.leads.entries()) {
    await rowOf(page, at + 1)
      .getByText(company)
      .first()
      .waitFor()
  }
  await expectNoFaults(page)
})

test('a cell is edited with Enter, Tab and Escape, and saved', async () => {
  const page = await open({ key: space.key })
  await waitForRows(page)
  const { body } = await space.post('/leads/list', { pagination: { page_size: 1 } })
  const [lead] = body.leads
  await rowOf(page, 1).locator('[aria-colindex="4"]').click()
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'Company' }).fill('Nordlicht Energi')
  await page.keyboard.press('Tab')
  await page.getByRole('textbox', { name: 'Role' }).fill('CFO')
  await page.keyboard.press('Enter')
  await expect
    .poll(async () => (await space.get(`/lead/${lead.id}`)).body)
    .toMatchObject({ company: 'Nordlicht Energi', company_role: 'CFO' })

  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'Role' }).fill('Nobody')
  await page.keyboard.press('Escape')
  await rowOf(page, 1).getByText('CFO').waitFor()
  await page.keyboard.press('Control+c')
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe('CFO')
  await expectNoFaults(page)
})

test('a refused change goes back, with its reason', async () => {
  const page = await open({ key: space.key })
  await waitForRows(page)
  const before = await rowOf(page, 2).locator('[aria-colindex="4"]').innerText()
  await page.route('**/rest/lead/*', (route) =>
    route.fulfill({
      status: 400,
      json: {
        code: 'BAD_REQUEST',
        message: '',
        issues: [{ path: [], code: 'x', message: 'Not today' }],
      },
    }),
  )
  await rowOf(page, 2).locator('[aria-colindex="4"]').dblclick()
  await page.getByRole('textbox', { name: 'Company' }).fill('Refused Ltd')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('Not today').waitFor()
  expect(await rowOf(page, 2).locator('[aria-colindex="4"]').innerText()).toBe(before)
  forgive(page, 400)
  await expectNoFaults(page)
})

test('columns are chosen, moved, pinned and sized; the address keeps them', async () => {
  const page = await open({ key: space.key })
  await waitForRows(page)
  await page.getByRole('button', { name: 'Columns', exact: true }).click()
  await page.getByRole('combobox', { name: 'Find a column' }).fill('city')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await page.getByRole('columnheader', { name: /City/ }).waitFor()
  await page.getByRole('button', { name: 'Column City' }).click()
  await page.getByRole('menuitem', { name: 'Pin' }).click()
  await expect.poll(() => page.url()).toMatch(/city\.\.pin/)
  await page.getByRole('separator', { name: 'Width of City' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => page.url()).toMatch(/city\.166\.pin/)
  const headers = () =>
    page.locator('[data-column]').evaluateAll((cells) => cells.map((cell) => cell.dataset.column))
  const shown = await headers()
  expect(shown.slice(0, 2)).toEqual(['name', 'city'])
  await page.reload()
  await waitForRows(page)
  expect(await headers()).toEqual(shown)
  await expectNoFaults(page)
})

test('markup in texts stays text, and links are only what they may be', async () => {
  const { body } = await space.post('/lead', {
    first_name: '<img src=x onerror=alert(1)>',
    last_name: '<b>Bold</b>',
    website_url: 'javascript:alert(1)',
    email: 'x@evil.example',
    auto_assign_owner: false,
  })
  const page = await open({ key: space.key, path: `/leads?lead=${body.id}` })
  await waitForRows(page)
  await page.getByRole('complementary').getByText('<b>Bold</b>').first().waitFor()
  expect(await page.locator('main img, main b:text("Bold")').count()).toBe(0)
  const links = await page
    .locator('main a')
    .evaluateAll((all) => all.map((link) => String(link.href)))
  expect(links.filter((href) => href.startsWith('javascript'))).toEqual([])
  expect(links).toContain('mailto:x@evil.example')
  await expectNoFaults(page)
})

test('the service away for a while: the page recovers by itself', async () => {
  const page = await open({ key: space.key })
  await waitForRows(page)
  let isAway = true
  await page.route('**/rest/leads/list', (route) =>
    isAway
      ? route.fulfill({
          status: 503,
          json: { code: 'INTERNAL_SERVER_ERROR', message: '', issues: [] },
        })
      : route.continue(),
  )
  await page
    .getByRole('columnheader', { name: /^Role/ })
    .getByRole('button', { name: 'Role', exact: true })
    .click()
  await page.locator('[role=row][aria-busy]').first().waitFor()
  isAway = false
  await waitForRows(page)
  forgive(page, 503)
  await expectNoFaults(page)
})

test('a key that may only read sees no way to write', async () => {
  const page = await open({ key: await app.key(space, 'read') })
  await waitForRows(page)
  expect(await page.getByRole('button', { name: /^Lead/ }).count()).toBe(0)
  await rowOf(page, 1).locator('[aria-colindex="4"]').dblclick()
  expect(await page.locator('[role=grid] input:not([type=checkbox])').count()).toBe(0)
  await rowOf(page, 1).locator('[aria-colindex="3"]').click()
  await page.getByRole('complementary').getByRole('tab', { name: /Notes/ }).click()
  expect(await page.getByRole('textbox', { name: 'Write a note' }).count()).toBe(0)
  expect(await page.getByRole('button', { name: /^Edit/ }).count()).toBe(0)
  await expectNoFaults(page)
})

test('an address that cannot be read selects nothing, and breaks nothing', async () => {
  const wrong = [
    ['filter={"nope":1}', 0],
    ['filter=[1]', 0],
    ['filter={"status":"x"}', 0],
    ['filter={"attributes":[{"operator":"equals"}]}', 0],
    ['filter={"tags":null}', 0],
    ['view=bogus', 0],
    ['columns=bogus', await total()],
    ['columns=name,name.99999.pin', await total()],
  ] as const
  for (const [query, count] of wrong) {
    const page = await open({ key: space.key, path: `/leads?${query}` })
    await expect
      .poll(() => page.getByRole('grid').getAttribute('aria-rowcount'), { message: query })
      .toBe(String(count + 1))
    if (count === 0) await page.getByText('No leads: matches nothing').waitFor()
    await expectNoFaults(page)
  }
})

test('a link to a private view shows others the same leads, and one to a view that is gone none', async () => {
  const { body: view } = await space.post('/views', {
    ...{ name: 'Mine', filter: { search: 'a' }, mode: 'grid' },
  })
  const page = await open({ key: space.key, path: `/leads?view=${view.id}` })
  await page.getByRole('button', { name: 'View Mine' }).click()
  await page.getByRole('menuitem', { name: 'Copy link' }).click()
  await page.getByText('Link copied').waitFor()
  const link = new URL(await page.evaluate('navigator.clipboard.readText()'))
  expect(Object.fromEntries(link.searchParams)).toEqual({ filter: '{"search":"a"}' })

  await space.remove(`/views/${view.id}`)
  await page.goto(`${app.url}/board?view=${view.id}`)
  await page.getByText('This view isn’t available').waitFor()
  await page.goto(`${app.url}/leads?view=${view.id}`)
  await page.getByText('This view isn’t available').waitFor()
  await page.getByRole('button', { name: 'Show all leads' }).click()
  await waitForRows(page)
  await expectNoFaults(page)
})

test('the first load is within its budget', async () => {
  const { body: html } = await app.request('/', { headers: { Accept: 'text/html' } })
  const files = [...String(html).matchAll(/\/assets\/[^"]+\.(?:js|css)/g)].map(([file]) => file)
  const sizes = await Promise.all(
    files.map(async (file) => {
      const { headers } = await app.request(file, { headers: { 'Accept-Encoding': 'br' } })
      expect(headers.get('content-encoding'), file).toBe('br')
      return Number(headers.get('content-length'))
    }),
  )
  expect(files.length).toBeGreaterThan(2)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(140_000)
})
