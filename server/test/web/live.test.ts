// What others change appears by itself, in real browsers: two people at the same leads, a field that both
// edit, a reminder that fires, and a connection that is lost.
import type { Route } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { fireReminders } from '../../src/resources/reminders/reminders.firing.ts'
import { linkTo } from '../browser.ts'
import { service, type Workspace } from '../harness.ts'
import {
  expectNoFaults,
  forgive,
  type Opened,
  pages,
  rowOf,
  untilQuiet,
  violationsInBothThemes,
  waitForRows,
} from './page.ts'

const app = service()
const open = pages(app)
let space: Workspace
/** The key of a colleague. */
let key: string

beforeAll(async () => {
  space = await app.workspace()
  key = await app.key(space, 'write', await app.member(space))
  await space.post('/demo', { leads: 60 })
})

const first = async () =>
  (await space.post('/leads/list', { orderBy: [{ field: 'created_at', type: 'desc' }] })).body
    .leads[0]

/** The stream begins now: what is changed before would be missed. */
async function openLive(options: Parameters<typeof open>[0]): Promise<Opened> {
  const page = await open({ path: '/leads?columns=name,city,status', ...options })
  if (!options?.path?.startsWith('/inbox')) await waitForRows(page)
  await untilQuiet(page)
  return page
}

const cell = (page: Opened, row: number, column: number) =>
  rowOf(page, row).locator(`[aria-colindex="${column + 3}"]`)

test('two people see what the other one does: a cell, a note, a status, a new lead', async () => {
  const lead = await first()
  // One of them with a session, as people have it.
  const token = await linkTo(app, { id_space: space.id_space, id: space.owner })
  const mine = await open({ path: `/#sign-in=${token}` })
  await mine.getByRole('button', { name: 'Continue' }).click()
  await waitForRows(mine)
  await mine.goto(`${app.url}/leads?columns=name,city,status&lead=${lead.id}`)
  await waitForRows(mine)
  const theirs = await openLive({ key, path: `/leads?columns=name,city,status&lead=${lead.id}` })

  // What is typed before the editor is loaded is not lost, and takes the place of the old value.
  let load = () => {}
  const typed = new Promise<void>((resolve) => {
    load = resolve
  })
  await theirs.route(/\/editor-[^/]*\.js$/, async (route) => {
    await typed
    await route.continue()
  })
  await cell(theirs, 1, 1).dblclick()
  await theirs.keyboard.type('Bergen')
  await theirs.keyboard.press('Enter')
  load()
  await cell(mine, 1, 1).getByText('Bergen').waitFor()
  const panel = mine.getByRole('complementary', { name: 'Lead' })
  await panel.getByText('Bergen').first().waitFor()
  expect((await space.get(`/lead/${lead.id}`)).body.city).toBe('Bergen')

  await panel.getByRole('tab', { name: 'Notes' }).click()
  await panel.getByRole('textbox', { name: 'Write a note' }).fill('Seen at the fair')
  await mine.keyboard.press('Control+Enter')
  await theirs.getByText('Seen at the fair').waitFor()

  const { body: notes } = await space.post('/notes/list', { id_lead: lead.id })
  await panel.getByRole('button', { name: 'Note actions' }).first().click()
  await mine.getByRole('menuitem', { name: 'Edit' }).click()
  const text = panel.getByRole('textbox', { name: 'Edit' })
  await text.fill('Seen at the fair, twice')
  await app.as(key).patch(`/notes/${notes[0].id}`, { content: 'Seen in Oslo' })
  await panel.getByText('Someone has since changed this to “Seen in Oslo”.').waitFor()
  expect(await text.inputValue()).toBe('Seen at the fair, twice')

  const { body: statuses } = await space.get('/status')
  const other = statuses.find(({ id }: { id: string }) =>
    lead.status.every((status: { id: string }) => status.id !== id),
  )
  await app.as(key).patch(`/lead/${lead.id}`, { status: [other.id] })
  await cell(mine, 1, 2).getByText(other.name).waitFor()

  app.clock.advance(1_000)
  await app.as(key).post('/lead', { first_name: 'Brand', last_name: 'New' })
  await cell(mine, 1, 0).getByText('Brand New').waitFor()
  await space.remove(`/lead/${lead.id}`)
  await panel.getByText('deleted this lead').waitFor()
  for (const page of [mine, theirs]) {
    await untilQuiet(page)
    forgive(page, 401, 404)
  }
  await expectNoFaults(mine)
  await expectNoFaults(theirs)
})

test('a field that two edit is said at the editor, and saving asks whose stays', async () => {
  const lead = await first()
  const page = await openLive({ key: space.key })
  await cell(page, 1, 1).dblclick()
  const input = page.getByRole('textbox', { name: 'City' })
  await input.fill('Half a tho')
  await app.as(key).patch(`/lead/${lead.id}`, { city: 'Bergen' })
  await page.getByText('Member write has since changed this to “Bergen”.').waitFor()
  // A new lead above it: the editor stays with its lead, and keeps what was typed.
  app.clock.advance(1_000)
  await app.as(key).post('/lead', { first_name: 'One', last_name: 'More' })
  await cell(page, 1, 0).getByText('One More').waitFor()
  expect(await input.inputValue()).toBe('Half a tho')
  await page.keyboard.type('ught')
  await page.keyboard.press('Enter')
  const told = page.getByRole('alert').filter({ hasText: 'Couldn’t save City' })
  await told.getByText('Member write has since changed it to “Bergen”').waitFor()
  await cell(page, 2, 1).getByText('Bergen').waitFor()
  await told.getByRole('button', { name: 'Save mine' }).click()
  await cell(page, 2, 1).getByText('Half a thought').waitFor()
  await expect
    .poll(async () => (await space.get(`/lead/${lead.id}`)).body.city)
    .toBe('Half a thought')
  await expectNoFaults(page)
})

test('a change between looking and saving is not overwritten', async () => {
  const lead = await first()
  const page = await openLive({ key: space.key })
  await cell(page, 1, 1).dblclick()
  await page.getByRole('textbox', { name: 'City' }).fill('Mine')
  // Someone else is faster, after the page has looked and before it saves.
  let isLate = false
  await page.route(`**/rest/lead/${lead.id}`, async (route) => {
    if (route.request().method() === 'PATCH' && !isLate) {
      isLate = true
      await app.as(key).patch(`/lead/${lead.id}`, { city: 'Theirs' })
    }
    await route.continue()
  })
  await page.keyboard.press('Enter')
  const told = page.getByRole('alert').filter({ hasText: 'Couldn’t save City' })
  await told.getByText('Member write has since changed it to “Theirs”').waitFor()
  expect((await space.get(`/lead/${lead.id}`)).body.city).toBe('Theirs')
  await expectNoFaults(page)
})

test('very many changes cause few reads', async () => {
  const page = await openLive({ key: space.key })
  let reads = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/leads/list')) reads++
  })
  const { body } = await space.post('/leads/list', {})
  const ids: string[] = body.leads.map(({ id }: { id: string }) => id)
  await Promise.all(ids.map((id) => app.as(key).patch(`/lead/${id}`, { city: 'Everywhere' })))
  await expect
    .poll(() => page.getByRole('gridcell', { name: 'Everywhere' }).count())
    .toBeGreaterThan(20)
  await untilQuiet(page)
  expect(ids.length).toBe(50)
  // Some rounds, each of a page and its counts: the slower the machine, the more.
  expect(reads).toBeLessThan(ids.length / 2)
  await expectNoFaults(page)
})

test('a reminder that fires is told to those it is for, and can be dealt with there', async () => {
  const lead = await first()
  const page = await openLive({ key: space.key })
  const other = await openLive({ key })
  const { body } = await space.post('/reminders', {
    name: 'Call about the offer',
    id_lead: lead.id,
    date: new Date(app.clock.now.getTime() + 1_000).toISOString(),
  })
  app.clock.advance(2_000)
  const log = { error() {}, warn() {}, info() {} }
  await fireReminders({ db: app.db, clock: () => app.clock.now, log })
  const notice = page.getByRole('region', { name: 'Notices' })
  await notice.getByText('Reminder: Call about the offer').waitFor()
  await notice.getByRole('button', { name: 'Open' }).waitFor()
  await notice.getByRole('button', { name: 'Snooze 1 h' }).waitFor()
  await notice.getByRole('button', { name: 'Done' }).click()
  await expect.poll(async () => (await space.get(`/reminders/${body.id}`)).body.is_done).toBe(true)
  await untilQuiet(other)
  expect(await other.getByText('Call about the offer').count()).toBe(0)
  await expectNoFaults(page)
  await expectNoFaults(other)
})

test('the inbox: what is new in both tabs, opened and read by mouse and by keyboard', async () => {
  const lead = await first()
  const member = await app.member(space)
  const mine = await app.key(space, 'write', member)
  const page = await openLive({ key: mine })
  const tab = await openLive({ key: mine, path: '/inbox' })
  await tab.getByRole('heading', { name: 'Nothing here yet' }).waitFor()
  const entry = (of: Opened) => of.getByRole('navigation').getByRole('link', { name: /^Inbox/ })

  await space.post('/notes', { id_lead: lead.id, content: `Ask <@${member}> about the price` })
  await space.patch('/leads/update-many', {
    filter: { leads: [lead.id], is_company: lead.is_company },
    data: { owners_connect: [member] },
  })
  for (const each of [page, tab]) {
    await expect.poll(() => entry(each).innerText()).toMatch(/Inbox\s*2/)
  }
  const unread = tab.locator('[data-unread]')
  await expect.poll(() => unread.count()).toBe(2)
  await tab.getByText(/^Ask @Member write.* about the price$/).waitFor()
  expect(await violationsInBothThemes(tab)).toEqual([[], []])
  // Collapsed, the sidebar has a dot instead of the number. The menu of phones, which has one too, stays hidden.
  await page.keyboard.press('[')
  await page.getByRole('button', { name: 'Expand sidebar' }).waitFor()
  expect(await page.getByRole('button', { name: 'Menu' }).count()).toBe(0)
  await page.keyboard.press('[')

  // By the keyboard: to the inbox, to the entry, into the lead.
  await page.keyboard.press('g')
  await page.keyboard.press('u')
  const assigned = page.getByRole('link', { name: /^Member owner assigned/ })
  await assigned.waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/lead/)
  for (const each of [page, tab]) {
    await expect.poll(() => entry(each).innerText()).toMatch(/Inbox\s*1/)
  }
  await expect.poll(() => unread.count()).toBe(1)
  await tab.getByRole('button', { name: 'Mark all as read' }).click()
  await expect.poll(() => unread.count()).toBe(0)
  await expect.poll(() => entry(page).innerText()).not.toMatch(/\d/)
  await tab.getByRole('link', { name: 'Unread' }).click()
  await tab.getByRole('heading', { name: 'All read' }).waitFor()

  // As if the browser allowed it, and showed another window.
  await tab.evaluate(`document.hasFocus = () => false
    window.shown = []
    window.Notification = class {
      static permission = 'granted'
      static requestPermission = async () => 'granted'
      constructor(title, { body }) { shown.push(title + ': ' + body) }
    }`)
  await tab.getByRole('button', { name: 'Notification settings' }).click()
  await tab.getByText('Email isn’t set up on this server').waitFor()
  expect(await tab.getByRole('button', { name: /^How you get Mentions/ }).isDisabled()).toBe(true)
  expect(await violationsInBothThemes(tab)).toEqual([[], []])
  await tab.getByRole('checkbox', { name: /^Show them in this browser/ }).check()
  await space.post('/notes', { thread_id: 'desktop', content: `Lunch, <@${member}>?` })
  await expect
    .poll(() => tab.evaluate('shown'))
    .toEqual([expect.stringMatching(/^Member owner mentioned you: Lunch, @Member write.*\?$/)])
  for (const each of [page, tab]) await expectNoFaults(each)
})

test('the service restarted, and a feed that cannot be continued: the page catches up', async () => {
  const server = await app.another()
  const page = await openLive({ key: space.key, url: server.url })
  const lead = await first()
  await server.app.close()
  await space.patch(`/lead/${lead.id}`, { city: 'While away' })
  const again = await app.another(Number(new URL(server.url).port))
  await cell(page, 1, 1).getByText('While away').waitFor()

  let isGone = false
  const gone = (route: Route) => {
    if (isGone) return route.continue()
    isGone = true
    return route.fulfill({
      status: 410,
      json: { code: 'GONE', message: '', issues: [], start: 'now' },
    })
  }
  await page.route('**/events/stream*', gone)
  await again.app.close()
  await space.patch(`/lead/${lead.id}`, { city: 'Read anew' })
  const third = await app.another(Number(new URL(server.url).port))
  await cell(page, 1, 1).getByText('Read anew').waitFor()
  expect(isGone).toBe(true)
  forgive(page, 'ERR_', 410)
  await expectNoFaults(page)
  await third.app.close()
})

test('a hidden page gives its connection back, and catches up when it is seen again', async () => {
  const lead = await first()
  const page = await openLive({ key, isOwn: true })
  const streams: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/events/stream')) {
      streams.push(request.headers()['last-event-id'] ?? '')
    }
  })
  const show = (isShown: boolean) =>
    page.evaluate(`(() => {
      Object.defineProperty(document, 'hidden', { configurable: true, value: ${!isShown} })
      document.dispatchEvent(new Event('visibilitychange'))
    })()`)
  await space.patch(`/lead/${lead.id}`, { city: 'Seen' })
  await cell(page, 1, 1).getByText('Seen').waitFor()

  await page.clock.install()
  const ended = page.waitForEvent('requestfailed', (request) =>
    request.url().includes('/events/stream'),
  )
  await show(false)
  await page.clock.fastForward(70_000)
  await ended
  await space.patch(`/lead/${lead.id}`, { city: 'Meanwhile' })
  await page.clock.fastForward(70_000)
  expect(streams).toEqual([])
  expect(await cell(page, 1, 1).textContent()).toContain('Seen')

  await show(true)
  await cell(page, 1, 1).getByText('Meanwhile').waitFor()
  expect(streams).toEqual([expect.stringMatching(/./)])
  await expectNoFaults(page)
})
