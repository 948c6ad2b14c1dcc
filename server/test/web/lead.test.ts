// Conditions, the lead panel and page, notes, reminders, creating, the palette, the phone, and axe.
import { type FieldSpec, leadFields } from '@rapport/contract/leads/fields'
import { leadConditions } from '@rapport/contract/leads/filter.values'
import type { Route } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { service, type Workspace } from '../harness.ts'
import {
  expectNoFaults,
  forgive,
  narrow,
  pages,
  pickIn,
  rowOf,
  untilQuiet,
  violations,
  waitForRows,
  wide,
} from './page.ts'

const app = service()
const open = pages(app)
let space: Workspace
let tag: { id: string; name: string }

beforeAll(async () => {
  space = await app.workspace()
  await space.post('/demo', { leads: 150 })
  const { body } = await space.get('/tags')
  tag = body[0]
})

const count = async (filter: object) =>
  (await space.post('/leads/list', { filter, pagination: { page_size: 1 } })).body.total

test('a condition is built with the keyboard alone, counted exactly, and kept by the address', async () => {
  const page = await open({ key: space.key })
  await waitForRows(page)
  await page.keyboard.press('f')
  await page.getByRole('combobox', { name: 'Find a field' }).fill('tags')
  await page.keyboard.press('Enter')
  await page.getByRole('combobox', { name: 'Find tags' }).fill(tag.name)
  await page.keyboard.press('Enter')
  const total = await count({ tags: [tag.id] })
  await page.getByText(`${total} leads match`).waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByText(`${total} of 150`).waitFor()

  await page.reload()
  await page.getByText(`${total} of 150`).waitFor()
  await page.getByRole('button', { name: 'Tags has any of' }).waitFor()
  await page.getByRole('button', { name: 'Remove filter Tags' }).click()
  await page.getByText('150', { exact: true }).first().waitFor()
  await page.goBack()
  await page.getByText(`${total} of 150`).waitFor()
  await expectNoFaults(page)
})

test('every field of the filter has an editor', async () => {
  // The same attributes beside a single lead: Playwright looks through every cell for each of its steps.
  const small = await app.workspace()
  await small.post('/lead', { first_name: 'Ada' })
  const { body: attributes } = await space.get('/attributes')
  for (const { name, type } of attributes) {
    expect((await small.post('/attributes', { name, type })).status).toBe(200)
  }
  const page = await open({ key: small.key })
  await waitForRows(page)
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('option').first().waitFor()
  const names = await page.getByRole('option').allInnerTexts()
  // The others have a condition of their own, or mean nothing to people.
  const asked = Object.entries<FieldSpec>(leadFields).flatMap(([name, field]) => {
    const isAsked = !['uuid', 'json'].includes(field.kind) && !(name in leadConditions)
    return isAsked && !/^(score|is_deleted)/.test(name) ? [field] : []
  })
  const fields = asked.map(({ label }) => label)
  expect(names).toEqual(expect.arrayContaining(fields))
  expect(names.length).toBe(23 + fields.length + attributes.length)
  // Fields of a kind share their editor.
  const kinds = new Map(asked.map(({ kind, label }) => [kind, label]))
  const opened = names.filter(
    (name) => !fields.includes(name) || [...kinds.values()].includes(name),
  )
  const everything = page.getByRole('navigation').getByRole('link', { name: /^Leads/ })
  for (const name of opened) {
    await page.getByRole('option', { name, exact: true }).first().click()
    const editor = page.getByRole('dialog', { name: 'Filter' })
    await editor.locator('input, [aria-haspopup], [role=group]').first().waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Filter' }).waitFor({ state: 'detached' })
    // A link inside of the page: much faster than loading it again.
    if (page.url().includes('filter=')) await everything.click()
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
  }
  await expectNoFaults(page)
})

test('a lead is created, opened, noted, replied to, pinned and reminded of', async () => {
  const page = await open({ key: space.key })
  await waitForRows(page)
  await page.keyboard.press('c')
  await page.getByRole('textbox', { name: 'First name' }).fill('Ada')
  // A filled form is not discarded by a key.
  await page.keyboard.press('Escape')
  const discard = page.getByRole('dialog', { name: 'Discard what you entered?' })
  await discard.waitFor()
  await page.keyboard.press('Escape')
  await discard.waitFor({ state: 'detached' })
  // A warning, as in the grid, and no wall.
  await page.getByRole('textbox', { name: 'Phone' }).fill('soon')
  await page.getByText('This doesn’t look like a phone number').waitFor()
  await page.getByRole('textbox', { name: 'Last name' }).fill('Okonkwo')
  // A company that is known is not made again under a part of its name.
  await space.post('/lead', { company: 'Lagos Freight Union', is_company: true })
  await page.getByRole('textbox', { name: 'Company' }).fill('lagos fr')
  await page.getByRole('button', { name: 'Lagos Freight Union' }).click()
  await page.getByRole('textbox', { name: 'Company' }).press('Enter')
  const panel = page.getByRole('complementary', { name: 'Lead' })
  await panel.getByRole('heading', { name: 'Ada Okonkwo' }).waitFor()
  const id = new URL(page.url()).searchParams.get('lead')

  await panel.getByRole('tab', { name: 'Notes' }).click()
  await panel.getByRole('textbox', { name: 'Write a note' }).fill('Wants <b>numbers</b> by Friday')
  await page.keyboard.press('Control+Enter')
  await panel.getByRole('article').getByText('Wants <b>numbers</b> by Friday').waitFor()
  await panel.getByRole('button', { name: 'Reply' }).click()
  await panel.getByRole('textbox', { name: 'Write a reply' }).fill('Sent.')
  await page.keyboard.press('Control+Enter')
  // Not the text that is still in the field.
  await panel.getByRole('article').getByRole('paragraph').getByText('Sent.').waitFor()
  await panel.getByRole('button', { name: 'Note actions' }).first().click()
  await page.getByRole('menuitem', { name: 'Pin' }).click()
  await panel.getByText('Pinned').waitFor()

  await panel.getByRole('button', { name: 'Note actions' }).first().click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await panel.getByText('Wants <b>numbers</b> by Friday').waitFor()

  await panel.getByRole('tab', { name: 'Timeline' }).click()
  await page.keyboard.press('n')
  const composer = panel.locator('form')
  await composer.getByRole('button', { name: 'Call' }).click()
  // People write at once.
  const said = composer.getByRole('textbox', { name: 'What was said?' })
  await expect.poll(() => said.evaluate((text) => text.matches(':focus'))).toBe(true)
  await composer.getByLabel('When').fill('2999-01-01T09:00')
  await composer.getByText('This is in the future').waitFor()
  await composer.getByLabel('When').fill('2020-01-02T09:00')
  await composer.getByLabel('Minutes').fill('20')
  await pickIn(composer.getByLabel('Outcome'), 'Left a message')
  await said.pressSequentially('**Ask** @mem')
  await panel.getByRole('option', { name: 'Member owner' }).waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.type('again')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Control+Enter')
  const called = panel.getByRole('listitem').filter({ hasText: 'logged a call' })
  await called.getByText('20 min · Left a message').waitFor()
  await called.getByText('Ask @Member owner again').waitFor()
  expect(await called.locator('strong').innerText()).toBe('Ask')
  // The field that had the focus is gone.
  await expect.poll(() => composer.evaluate((form) => form.matches(':focus-within'))).toBe(true)

  await panel.getByRole('tab', { name: 'Reminders' }).click()
  await panel.getByRole('button', { name: 'New reminder' }).click()
  await panel.getByRole('button', { name: 'For: You' }).click()
  const people = await page.getByRole('listbox').getByRole('option').allInnerTexts()
  await page.keyboard.press('Escape')
  await page.getByRole('listbox').waitFor({ state: 'detached' })
  expect(people.filter((name) => name === 'You')).toHaveLength(1)
  expect(people).not.toContain('Member owner')
  await panel.getByRole('textbox', { name: 'What about?' }).fill('Call about the pilot')
  await page.keyboard.press('Escape')
  await discard.getByRole('button', { name: 'Cancel' }).click()
  await pickIn(panel.getByLabel('Repeats'), 'Every week')
  await panel.getByRole('button', { name: 'Save' }).click()
  await panel.getByRole('button', { name: /^Call about the pilot/ }).waitFor()
  await panel.getByText(/every \w+day at/).waitFor()
  await panel.getByRole('checkbox', { name: 'Done: Call about the pilot' }).click()

  const notes = async () => (await space.post('/notes/list', { id_lead: id })).body
  const kinds = async () =>
    (await notes())
      .map(
        ({ is_pinned, id_parent }: { is_pinned: boolean; id_parent: string | null }) =>
          `${is_pinned ? 'pinned' : 'plain'} ${id_parent ? 'reply' : 'note'}`,
      )
      .sort()
  await expect.poll(kinds).toEqual(['pinned note', 'plain note', 'plain reply'])
  const call = {
    ...{ kind: 'call', duration: 20, outcome: 'left_message', id_author: space.owner },
    ...{ happened_at: '2020-01-02T08:00:00.000Z', mentions: [space.owner] },
    content: `**Ask** <@${space.owner}> again`,
  }
  expect(await notes()).toContainEqual(expect.objectContaining(call))
  await expect
    .poll(
      async () =>
        (await space.post('/reminders/list', { filter: { id_lead: id } })).body.data[0].is_done,
    )
    .toBe(true)
  await expectNoFaults(page)
})

test('very many tags leave the other fields in reach', async () => {
  const small = await app.workspace()
  const tags: string[] = []
  for (let at = 0; at < 120; at++)
    tags.push((await small.post('/tags', { name: `Tag ${at}` })).body.id)
  const { body: lead } = await small.post('/lead', { first_name: 'Ada', city: 'Oslo', tags })
  const page = await open({ key: small.key, path: `/leads?lead=${lead.id}` })
  const panel = page.getByRole('complementary', { name: 'Lead' })
  await panel.getByText('Tag 119', { exact: true }).waitFor()
  const city = await panel.getByText('Oslo').boundingBox()
  expect(city?.y).toBeLessThan(860)
  expect(await violations(page)).toEqual([])
  await expectNoFaults(page)
})

test('a lead leads back to where it was opened, also after a reload and from there to another lead', async () => {
  const small = await app.workspace()
  const { body: kept } = await small.post('/lead', { first_name: 'Kept', company: 'Acme' })
  await small.post('/lead', { is_company: true, company: 'Acme' })
  const { body: lead } = await small.post('/lead', { first_name: 'Gone' })
  await small.remove(`/lead/${lead.id}`)
  const page = await open({ key: small.key, path: '/trash' })
  await page.getByRole('link', { name: 'Gone' }).click()
  await page.getByRole('button', { name: 'Restore' }).waitFor()
  forgive(page, 404)
  await page.getByRole('link', { name: 'Back to trash' }).click()
  await page.getByRole('heading', { name: 'Trash' }).waitFor()

  await page.goto(`${app.url}/changes?period=today`)
  await page.getByRole('link', { name: 'Kept' }).first().click()
  await page.getByRole('link', { name: 'Back to recent changes' }).waitFor()
  await page.getByRole('link', { name: 'Acme' }).first().click()
  await page.getByRole('heading', { name: 'Acme' }).waitFor()
  await page.reload()
  await page.getByRole('link', { name: 'Back to recent changes' }).click()
  await page.getByRole('heading', { name: 'Recent changes' }).waitFor()
  expect(page.url()).toBe(`${app.url}/changes?period=today`)

  await page.goto(`${app.url}/lead/${kept.id}`)
  await page.getByRole('link', { name: 'Back to leads' }).click()
  await waitForRows(page)
  await expectNoFaults(page)
})

test('fields are edited in place, and a draft survives going away', async () => {
  const { body: renewal } = await space.post('/attributes', { name: 'Renewal', type: 'DATE' })
  const page = await open({ key: space.key })
  await waitForRows(page)
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  const panel = page.getByRole('complementary', { name: 'Lead' })
  await panel.getByRole('button', { name: 'Edit City' }).click()
  await panel.getByRole('textbox', { name: 'City' }).fill('Malmö')
  await page.keyboard.press('Enter')
  await panel.getByText('Malmö').waitFor()
  const id = new URL(page.url()).searchParams.get('lead')
  await expect.poll(async () => (await space.get(`/lead/${id}`)).body.city).toBe('Malmö')

  // While a change waits to be saved, the browser asks before it leaves the page.
  let answer = () => {}
  const asked = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route(`**/rest/lead/${id}`, async (route) => {
    await asked
    await route.continue()
  })
  await panel.getByRole('button', { name: 'Edit City' }).click()
  await panel.getByRole('textbox', { name: 'City' }).fill('Lund')
  await page.keyboard.press('Enter')
  await panel.getByText('Lund').waitFor()
  const [question] = await Promise.all([
    page.waitForEvent('dialog'),
    page.close({ runBeforeUnload: true }),
  ])
  expect(question.type()).toBe('beforeunload')
  await question.dismiss()
  answer()
  await expect.poll(async () => (await space.get(`/lead/${id}`)).body.city).toBe('Lund')

  // A warning, not a wall.
  await panel.getByRole('button', { name: 'Edit Email', exact: true }).click()
  await panel.getByRole('textbox', { name: 'Email', exact: true }).fill('ada@x')
  await panel.getByText('This doesn’t look like an email address').waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await space.get(`/lead/${id}`)).body.email).toBe('ada@x')

  // A date as people say it, or from the calendar.
  await space.patch(`/lead/${id}`, { attributes: { [renewal.id]: '2030-01-15' } })
  const saved = async () => (await space.get(`/lead/${id}`)).body.attributes[renewal.id]
  await panel.getByRole('button', { name: 'Edit Renewal' }).click()
  await panel.getByRole('textbox', { name: 'Renewal' }).fill('dec 24 2030')
  await panel.getByText('24 Dec 2030').waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(saved).toMatch(/^2030-12-24/)
  await panel.getByRole('button', { name: 'Edit Renewal' }).click()
  await panel.getByRole('button', { name: 'Calendar' }).click()
  const days = page.getByRole('grid', { name: 'December 2030' })
  await days.getByRole('button', { name: 'Tuesday, 31 Dec 2030' }).click()
  await expect.poll(saved).toMatch(/^2030-12-31/)

  await panel.getByRole('button', { name: 'Edit Tags' }).click()
  await page.getByRole('combobox', { name: 'Find tags' }).fill('Brand new tag')
  await page.keyboard.press('Enter')
  await panel.getByText('Brand new tag').waitFor()
  await page.keyboard.press('Escape')

  await panel.getByRole('tab', { name: 'Notes' }).click()
  await panel.getByRole('textbox', { name: 'Write a note' }).fill('Half a thought')
  await panel.getByRole('button', { name: 'Next lead' }).click()
  await expect.poll(() => new URL(page.url()).searchParams.get('lead')).not.toBe(id)
  await panel.getByRole('button', { name: 'Previous lead' }).click()
  await panel.getByRole('tab', { name: 'Notes' }).click()
  expect(await panel.getByRole('textbox', { name: 'Write a note' }).inputValue()).toBe(
    'Half a thought',
  )
  await untilQuiet(page)
  const [warning] = await Promise.all([
    page.waitForEvent('dialog'),
    page.close({ runBeforeUnload: true }),
  ])
  expect(warning.type()).toBe('beforeunload')
  await warning.dismiss()
  await expectNoFaults(page)
})

test('what is written while a note is being saved stays', async () => {
  const { body: lead } = await space.post('/lead', { first_name: 'Una' })
  const page = await open({ key: space.key, path: `/lead/${lead.id}` })
  let sent: Route | undefined
  await page.route('**/rest/notes', (route) => {
    sent = route
  })
  const note = page.getByRole('textbox', { name: 'Write a note' })
  await note.fill('First')
  await page.keyboard.press('Control+Enter')
  await expect.poll(() => sent).toBeDefined()
  await note.fill('Second')
  await sent?.continue()
  await page.getByRole('paragraph').getByText('First').waitFor()
  await untilQuiet(page)
  expect(await note.inputValue()).toBe('Second')
  await page.unrouteAll()
  await page.keyboard.press('Control+Enter')
  await page.getByRole('paragraph').getByText('Second').waitFor()
  await expect.poll(() => note.inputValue()).toBe('')
  await expectNoFaults(page)
})

test('to look at an amount without a currency does not give it one', async () => {
  await space.patch('/workspace', { currency: 'EUR' })
  const { body: lead } = await space.post('/lead', { first_name: 'Una', contract_value: 500 })
  const page = await open({ key: space.key, path: `/lead/${lead.id}` })
  const edit = page.getByRole('button', { name: 'Edit Contract value' })
  await edit.click()
  await page.getByRole('textbox', { name: 'Contract value' }).waitFor()
  await page.getByRole('heading', { name: 'Una' }).click()
  await edit.waitFor()
  await untilQuiet(page)
  expect((await space.get(`/lead/${lead.id}`)).body.contract_currency).toBeNull()
  await expectNoFaults(page)
})

test('a deleted lead is not counted among the people of its company', async () => {
  const { body: lead } = await space.post('/lead', {
    ...{ first_name: 'Una', company: 'Una & Sons', create_company_if_not_exists: false },
  })
  await space.remove(`/lead/${lead.id}`)
  const page = await open({ key: space.key, path: `/lead/${lead.id}` })
  await page.getByRole('button', { name: 'Restore' }).waitFor()
  await untilQuiet(page)
  expect(await page.getByRole('tab', { name: /^People/ }).innerText()).toBe('People')
  forgive(page, 404)
  await expectNoFaults(page)
})

test('further emails and phones are added, labeled, made main, found and removed', async () => {
  const { body: lead } = await space.post('/lead', {
    ...{ first_name: 'Wangari', last_name: 'Muta', email: 'wangari@work.example' },
  })
  const stored = async () => (await space.get(`/lead/${lead.id}`)).body
  const page = await open({ path: `/leads?lead=${lead.id}`, key: space.key })
  await waitForRows(page)
  const panel = page.getByRole('complementary', { name: 'Lead' })
  await panel.getByRole('heading', { name: 'Wangari Muta' }).waitFor()
  // Without any, they are among the folded fields.
  await panel.getByRole('button', { name: 'More fields' }).click()
  await panel.getByRole('button', { name: 'Add phone' }).waitFor()
  await panel.getByRole('button', { name: 'Add email' }).click()
  await panel.getByRole('textbox', { name: 'Email' }).fill(' wangari@home.example')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Home')
  await page.keyboard.press('Enter')
  await panel.getByRole('link', { name: 'wangari@home.example' }).waitFor()
  const home = { value: 'wangari@home.example', label: 'Home' }
  await expect.poll(stored).toMatchObject({ other_emails: [home] })

  await panel.getByRole('button', { name: 'Add email' }).click()
  await page.keyboard.type('nobody@x.example')
  await page.keyboard.press('Escape')
  await panel.getByRole('button', { name: 'Add email' }).waitFor()
  const actions = (value: string) => panel.getByRole('button', { name: `Actions for ${value}` })
  await actions(home.value).click()
  await page.getByRole('menuitem', { name: 'Edit and label' }).click()
  await panel.getByRole('textbox', { name: 'Label' }).fill('Private')
  await page.keyboard.press('Enter')
  await panel.getByText('Private', { exact: true }).waitFor()
  await expect.poll(stored).toMatchObject({ other_emails: [{ ...home, label: 'Private' }] })
  await page.mouse.move(0, 0)
  expect(await violations(page)).toEqual([])

  await actions(home.value).click()
  await page.getByRole('menuitem', { name: 'Make main' }).click()
  await actions('wangari@work.example').waitFor()
  const other_emails = [{ value: 'wangari@work.example', label: '' }]
  await expect.poll(stored).toMatchObject({ email: home.value, other_emails })
  const search = encodeURIComponent('{"search":"wangari@work.example"}')
  const found = await open({ key: space.key, path: `/leads?filter=${search}` })
  await rowOf(found, 1).getByText('Wangari Muta').waitFor()

  await actions('wangari@work.example').click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await actions('wangari@work.example').waitFor({ state: 'detached' })
  await expect.poll(stored).toMatchObject({ email: home.value, other_emails: [] })
  await expectNoFaults(page)
})

test('the palette finds leads and runs commands', async () => {
  const off = { auto_assign_owner: false, create_company_if_not_exists: false }
  await space.post('/lead', { first_name: 'Zebulon', last_name: 'Quick', ...off })
  await space.post('/lists', { name: 'Friends of Zebulon' })
  // Newer ones that only work for a company of that name.
  for (let at = 1; at < 8; at++) {
    await space.post('/lead', { first_name: `Nobody ${at}`, company: 'Zebulon Ltd', ...off })
  }
  const page = await open({ key: space.key })
  await waitForRows(page)
  const found = page.getByRole('option')
  await page.keyboard.press('Control+k')
  await found.first().waitFor()
  // What Enter would do is not to leave.
  expect((await found.allInnerTexts()).indexOf('Sign out')).toBe((await found.count()) - 1)
  await page.keyboard.press('Escape')
  await found.first().waitFor({ state: 'detached' })
  await page.keyboard.press('Control+k')
  // What is typed before the palette is there is not lost.
  await page.keyboard.type('zebulon')
  const palette = page.getByRole('combobox', { name: 'Find leads, views and commands' })
  await expect
    .poll(async () => (await found.allInnerTexts()).slice(0, 3))
    .toEqual([
      expect.stringContaining('Leads in Friends of Zebulon'),
      expect.stringContaining('Zebulon Quick'),
      expect.stringContaining('Nobody'),
    ])
  await page.getByRole('option', { name: 'Zebulon Quick' }).click()
  await page.getByRole('heading', { name: 'Zebulon Quick' }).waitFor()
  expect(page.url()).toContain('/lead/')
  const skip = page.getByRole('link', { name: 'Skip to main content' })
  expect(await skip.evaluate((link) => link.matches(':focus'))).toBe(false)
  await page.keyboard.press('Control+k')
  await palette.fill('theme dark')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('dark')
  await page.keyboard.press('Control+k')
  await palette.fill('invite')
  await page.getByRole('option', { name: 'Settings: Members' }).click()
  await expect.poll(() => page.url()).toContain('/settings/members')
  await page.reload()
  expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
  await expectNoFaults(page)
})

test('a link to a page of the application shows it', async () => {
  const { body } = await space.post('/leads/list', { pagination: { page_size: 1 } })
  const page = await open({ key: space.key, path: `/lead/${body.leads[0].id}` })
  await page.getByRole('tab', { name: 'Timeline' }).waitFor()
  const answer = await app.request('/lead/nothing', { headers: { Accept: 'application/json' } })
  expect(answer.status).toBe(404)
  await expectNoFaults(page)
})

const places = [
  { name: 'the grid', path: '/leads' },
  { name: 'an open lead', path: '/leads?lead=' },
  { name: 'a lead', path: '/lead/' },
  {
    name: 'nothing found',
    path: `/leads?filter=${encodeURIComponent('{"search":"no such lead"}')}`,
  },
]

test.each(places)('axe finds nothing: $name', async ({ path }) => {
  const { body } = await space.post('/leads/list', { pagination: { page_size: 1 } })
  const whole = /[=/]$/.test(path) && path !== '/leads' ? path + body.leads[0].id : path
  const page = await open({ key: space.key, path: whole, width: narrow, theme: 'dark' })
  await page.getByRole('main').getByRole('heading').first().waitFor()
  await untilQuiet(page)
  expect(await violations(page)).toEqual([])
  await page.setViewportSize({ width: wide, height: 860 })
  await page.emulateMedia({ colorScheme: 'light' })
  await untilQuiet(page)
  expect(await violations(page)).toEqual([])
  await expectNoFaults(page)
})

test('axe finds nothing in what opens: condition, columns, palette, help, new lead, selection', async () => {
  const page = await open({ key: space.key })
  await waitForRows(page)
  for (const keys of ['f', 'Control+k', '?', 'c', 'x']) {
    await page.keyboard.press(keys)
    if (keys === 'x') await page.getByText('1 selected').waitFor()
    else await page.getByRole('dialog').waitFor()
    expect(await violations(page), keys).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  await expectNoFaults(page)
})

test('a phone shows cards, the menu and the lead', async () => {
  const page = await open({ key: space.key, width: narrow })
  await page.getByRole('list', { name: 'Leads' }).getByRole('button').first().click()
  await page.getByRole('tab', { name: 'Timeline' }).waitFor()
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Menu' }).click()
  const menu = page.getByRole('navigation').getByRole('link', { name: /Leads/ })
  await menu.waitFor()
  await page.keyboard.press('Escape')
  await menu.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Menu' }).click()
  await menu.click()
  const overflow = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  expect(overflow).toBe(0)
  await expectNoFaults(page)
})
