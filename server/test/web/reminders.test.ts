// The inbox of reminders and the pages of campaigns in a real browser.
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import type { Mail } from '../../src/mail/mail.ts'
import { importCampaigns } from '../../src/resources/campaigns/campaigns.import.ts'
import { mailNotifications } from '../../src/resources/notifications/mails.ts'
import { fireReminders } from '../../src/resources/reminders/reminders.firing.ts'
import { service, type Workspace } from '../harness.ts'
import { startSmtp } from '../smtp.ts'
import {
  expectNoFaults,
  expectToFit,
  forgive,
  narrow,
  pages,
  pickIn,
  tabTo,
  violations,
  violationsInBothThemes,
  wide,
} from './page.ts'

// Monday 2 March 2026, 10:00 in the browser's time zone. The workspace has UTC.
const app = service()
const open = pages(app)
let space: Workspace

beforeEach(async () => {
  space = await app.workspace()
})

const inbox = (path = '/reminders', more: object = {}) =>
  open({ key: space.key, path, now: app.clock.now, ...more })

const remind = async (name: string, date: string, more: object = {}) =>
  (await space.post('/reminders', { name, date, ...more })).body

const get = async (id: string) => (await space.get(`/reminders/${id}`)).body

const section = (page: Awaited<ReturnType<typeof open>>, name: string) =>
  page.getByRole('region', { name })

test('overdue, today, this week, later; done, snoozed and opened by one key', async () => {
  const { body: lead } = await space.post('/lead', { first_name: 'Ada', last_name: 'Okonkwo' })
  const member = await app.member(space)
  const late = await remind('Send the offer', '2026-02-27T09:00:00Z', { id_lead: lead.id })
  const today = await remind('Call back', '2026-03-02T15:00:00Z')
  const week = await remind('Look at the contract', '2026-03-08T22:00:00Z', { id_lead: lead.id })
  await remind('Renew', '2026-03-08T23:00:00Z')
  await remind('Not mine', '2026-03-02T16:00:00Z', { users: [member] })

  const page = await inbox()
  await section(page, 'Overdue 1').getByText('Send the offer').waitFor()
  await section(page, 'Overdue 1').getByRole('link', { name: 'Ada Okonkwo' }).waitFor()
  await section(page, 'Today 1').getByText('Call back').waitFor()
  await section(page, 'Today 1').getByText('16:00').waitFor()
  // Sunday 23:00 is this week, midnight is the next one.
  await section(page, 'This week 1').getByText('Look at the contract').waitFor()
  await section(page, 'Later 1').getByText('Renew').waitFor()
  expect(await page.getByText('Not mine').count()).toBe(0)
  await page.getByText('Europe/Berlin').waitFor()
  const entry = page.getByRole('navigation').getByRole('link', { name: /^Reminders/ })
  await expect.poll(() => entry.innerText()).toMatch(/Reminders\s*2/)

  // The first one is marked and has the focus.
  await page.keyboard.press('d')
  await page.getByText('Done: Send the offer').waitFor()
  await section(page, 'Overdue').waitFor({ state: 'detached' })
  await expect.poll(async () => (await get(late.id)).is_done).toBe(true)
  await expect.poll(() => entry.innerText()).toMatch(/Reminders\s*1/)

  // Now the next one has it.
  await page.keyboard.press('s')
  await page.getByRole('menu', { name: 'Snooze Call back' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await section(page, 'This week 2').getByText('Call back').waitFor()
  await expect.poll(async () => (await get(today.id)).date).toBe('2026-03-03T08:00:00.000Z')

  await page.keyboard.press('k')
  await page.keyboard.press('j')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  const marked = page.getByRole('checkbox', { name: 'Done: Look at the contract' })
  await expect.poll(() => marked.evaluate((element) => element.matches(':focus'))).toBe(true)
  await page.keyboard.press(' ')
  await expect.poll(async () => (await get(week.id)).is_done).toBe(true)
  await page
    .getByText('Done: Look at the contract')
    .locator('..')
    .locator('..')
    .getByRole('button', { name: 'Undo' })
    .click()
  await expect.poll(async () => (await get(week.id)).is_done).toBe(false)
  await marked.waitFor()

  await page.getByRole('link', { name: 'Everyone’s' }).click()
  await section(page, 'Today 1').getByText('Not mine').waitFor()
  expect(page.url()).toContain('who=all')
  await page.getByRole('link', { name: 'Done', exact: true }).click()
  await section(page, 'Done 1').getByText('Send the offer').waitFor()
  await page.goBack()
  await page.goBack()
  await section(page, 'This week 2').waitFor()
  await marked.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Ada Okonkwo' }).waitFor()
  await expectNoFaults(page)
})

test('any time to snooze to; a refused change goes back with its reason', async () => {
  const { id } = await remind('Call back', '2026-03-02T08:00:00Z')
  const page = await inbox()
  await section(page, 'Overdue 1').waitFor()
  await page.keyboard.press('s')
  await page.getByRole('menuitem', { name: 'A date and time…' }).click()
  // Picked: a week later with the keyboard, the time with the mouse.
  await page.getByRole('button', { name: 'Calendar' }).click()
  const days = page.getByRole('grid', { name: 'March 2026' })
  const day = await days.locator('button:focus').innerText()
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: '16:30' }).click()
  await days.waitFor({ state: 'detached' })
  const picked = `${Number(day) + 7} Mar 2026, 16:30`
  await expect.poll(() => page.getByLabel('When').inputValue()).toBe(picked)
  await page.getByLabel('When').fill('some day')
  await page.getByText(/^Try “tomorrow 9am”/).waitFor()
  await page.getByLabel('When').fill('thu 14:30')
  await page.getByText('5 Mar 2026, 14:30').waitFor()
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Enter')
  await section(page, 'This week 1').getByText('Thu 14:30').waitFor()
  await expect.poll(async () => (await get(id)).date).toBe('2026-03-05T13:30:00.000Z')

  await page.route('**/rest/reminders/*', (route) =>
    route.fulfill({ status: 403, json: { code: 'FORBIDDEN', message: '', issues: [] } }),
  )
  await page.keyboard.press('d')
  const told = page.getByRole('alert')
  await told.getByText('You don’t have permission to do this.').waitFor()
  await section(page, 'This week 1').getByText('Call back').waitFor()
  await page.unroute('**/rest/reminders/*')
  await told.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Nothing to do' }).waitFor()
  await expect.poll(async () => (await get(id)).is_done).toBe(true)
  forgive(page, 403)
  await expectNoFaults(page)
})

test('a reminder arrives in the inbox, by mail and in a calendar', async () => {
  const smtp = await startSmtp()
  onTestFinished(() => smtp.close())
  const { app: other } = await app.another(0, { config: { mail: smtp.settings } })
  onTestFinished(() => other.close())
  other.dispatcher.start()
  const { key: session } = await app.person(space)
  const page = await open({ session, path: '/reminders', now: app.clock.now })
  await page.getByRole('button', { name: 'Reminders in your calendar' }).click()
  const dialog = page.getByRole('dialog', { name: 'Reminders in your calendar' })
  await dialog.getByRole('button', { name: 'Create address' }).click()
  const address = await dialog.getByRole('textbox').inputValue()
  expect(await violationsInBothThemes(page)).toEqual([[], []])
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'detached' })

  await remind('Call back', app.clock.now.toISOString())
  const options = {
    clock: () => app.clock.now,
    log: { info: () => {}, error: () => expect.unreachable() },
  }
  await fireReminders({ ...options, db: app.db })
  await page.getByRole('link', { name: /^Inbox/ }).click()
  await page.getByText('Reminder: Call back').first().waitFor()
  await mailNotifications({ ...options, db: app.pool, mail: other.mail as Mail })
  const [received] = await smtp.until(1)
  expect(received?.mail).toMatchObject({
    ...{ subject: 'A reminder is due', to: [{ address: `${space.owner}@example.com` }] },
  })
  expect((await app.request(new URL(address).pathname)).text).toContain('SUMMARY:Call back\r\n')
  await expectNoFaults(page)
})

test('a schedule is picked in words and read back in words', async () => {
  const page = await inbox()
  await page.getByRole('heading', { name: 'Nothing to do' }).waitFor()
  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog', { name: 'New reminder' })
  await dialog.getByRole('textbox', { name: 'What about?' }).fill('Look at the pipeline')
  const save = async (words: string, cron: string) => {
    await page.getByRole('dialog').getByText(words).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await section(page, '').getByText(words).waitFor()
    await expect
      .poll(async () => (await space.post('/reminders/list')).body.data)
      .toMatchObject([{ name: 'Look at the pipeline', cron }])
  }
  await pickIn(dialog.getByLabel('Repeats'), /^Every weekday/)
  await dialog.getByLabel('At', { exact: true }).fill('09:30')
  await save('every weekday at 09:30 (UTC)', '30 9 * * 1-5')

  const edit = page.getByRole('dialog', { name: 'Edit reminder' })
  await page.keyboard.press('e')
  await pickIn(edit.getByLabel('Repeats'), 'Every week')
  await edit.getByRole('button', { name: 'Thursday' }).click()
  await edit.getByLabel('At', { exact: true }).focus()
  await save('every Monday and Thursday at 09:30 (UTC)', '30 9 * * 1,4')

  await page.keyboard.press('e')
  expect(await edit.getByRole('button', { name: 'Thursday' }).getAttribute('aria-pressed')).toBe(
    'true',
  )
  await pickIn(edit.getByLabel('Repeats'), 'Every month')
  await pickIn(edit.getByLabel('On day'), 'the last')
  await edit.getByLabel('At', { exact: true }).focus()
  await save('on the last day of every month at 09:30 (UTC)', '30 9 L * *')

  await page.keyboard.press('e')
  await pickIn(edit.getByLabel('Repeats'), 'Custom (advanced)')
  await edit.getByRole('textbox', { name: 'Cron expression' }).fill('every day')
  await page.keyboard.press('Enter')
  await edit.getByRole('alert').waitFor()
  await edit.getByRole('textbox', { name: 'Cron expression' }).fill('*/5 8-17 * * *')
  await page.keyboard.press('Enter')
  await page.getByText('repeats: */5 8-17 * * *').waitFor()
  forgive(page, 400)
  await expectNoFaults(page)
})

test('many come page by page, counted exactly; a reader sees no way to write', async () => {
  const dates = Array.from({ length: 120 }, (_, at) => new Date(Date.UTC(2026, 0, 1, 0, at)))
  // One after the other: 120 at once may be too many for a busy machine.
  for (const [at, date] of dates.entries()) await remind(`Call ${at}`, date.toISOString())
  const reader = await app.key(space, 'read')
  const page = await open({ key: reader, path: '/reminders', now: app.clock.now })
  await section(page, 'Overdue 120').waitFor()
  expect(await page.getByRole('listitem').count()).toBe(50)
  await page.getByRole('button', { name: 'Show 70 more' }).click()
  await page.getByRole('button', { name: 'Show 20 more' }).click()
  await page.getByText('Call 119', { exact: true }).waitFor()
  const buttons = await page.getByRole('main').getByRole('button').all()
  const labels = await Promise.all(buttons.map((button) => button.getAttribute('aria-label')))
  expect(labels).toEqual(['Reminders in your calendar'])
  await page.keyboard.press('d')
  await page.getByRole('checkbox', { name: 'Done: Call 0', exact: true }).focus()
  await page.keyboard.press(' ')
  await page.getByText('Call 119', { exact: true }).waitFor()
  const { body } = await space.post('/reminders/count', { filter: { is_done: true } })
  expect(body.count).toBe(0)
  await expectNoFaults(page)
})

test('campaigns: when they send, how far leads came, and the leads behind each number', async () => {
  await space.post('/lead', { email: 'ada@x.example', first_name: 'Ada' })
  await space.post('/lead', { email: 'grace@x.example', first_name: 'Grace' })
  const campaigns = [
    {
      name: 'Spring outreach',
      days: '1,2,3,4,5',
      end_min: 30,
      steps: [
        { name: 'Hello', subject: 'A question', body: 'How are you?' },
        { name: 'Again', delay_days: 3 },
      ],
      leads: [
        { lead: 'ada@x.example', steps: [{ step: 'Hello', status: ['is_sent', 'is_opened'] }] },
        { lead: 'grace@x.example', steps: [{ step: 'Hello', status: ['is_sent'] }] },
      ],
    },
  ]
  const text = JSON.stringify({ campaigns })
  await importCampaigns(app.db, space.id_space, text, app.clock.now)
  const page = await open({ key: space.key, path: '/campaigns' })
  const row = page.getByRole('row', { name: /Spring outreach/ })
  await row.getByText('Mon–Fri, 09:00 to 17:30').waitFor()
  await expect
    .poll(() => row.getByRole('cell').allInnerTexts())
    .toEqual(['Running', 'Mon–Fri, 09:00 to 17:30', '2', '2', '1', '0'])
  await tabTo(page, row.getByRole('link', { name: 'Spring outreach' }))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Spring outreach' }).waitFor()
  await page.getByText('after 3 days').waitFor()
  await page.getByRole('link', { name: '1 lead: Hello, Opened' }).click()
  await page.getByText('1 of 2').waitFor()
  await page.getByRole('button', { name: 'Campaign steps is Opened in 1 step' }).waitFor()
  await page.getByRole('gridcell', { name: 'Ada', exact: true }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { name: 'Spring outreach' }).waitFor()
  await expectNoFaults(page)
})

test('axe finds nothing in an open menu, and what is closed gives the focus back', async () => {
  await remind('Call back', '2026-03-02T15:00:00Z')
  const page = await inbox()
  const actions = page.getByRole('button', { name: 'Reminder actions' })
  await actions.click()
  await page.getByRole('menuitem', { name: 'Edit' }).waitFor()
  expect(await violationsInBothThemes(page)).toEqual([[], []])
  await page.keyboard.press('Escape')
  const hasFocus = () => actions.evaluate((element) => element.matches(':focus'))
  await expect.poll(hasFocus).toBe(true)
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(hasFocus).toBe(true)
  await expectNoFaults(page)
})

test.each([
  ['/reminders?who=all', '/reminders?list={list}'],
  ['/campaigns', '/campaigns/{id}'],
])('axe finds nothing, and nothing is wider than the screen: %s, %s', async (...paths) => {
  await space.post('/demo', { leads: 60 })
  const { body } = await space.get('/campaigns')
  const { body: lists } = await space.get('/lists')
  const page = await open({ key: space.key, path: '/reminders' })
  for (const path of paths) {
    const at = path.replace('{id}', body.data[0].id).replace('{list}', lists[0].id)
    await page.goto(app.url + at)
    await page.getByRole('main').getByRole('heading').first().waitFor()
    await expectToFit(page, narrow, wide)
  }
  await expectNoFaults(page)
})
