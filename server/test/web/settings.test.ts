// The settings in a real browser: each part, round trip.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { deleteKeys, deleteSpace } from '../../src/access/access.sql.ts'
import { backUpToFile } from '../../src/backup/file.ts'
import { linkTo } from '../browser.ts'
import { service, type Workspace } from '../harness.ts'
import { startReceiver } from '../receiver.ts'
import {
  expectNoFaults,
  forgive,
  narrow,
  type Opened,
  pages,
  pickIn,
  tabTo,
  untilQuiet,
  violations,
  violationsInBothThemes,
} from './page.ts'

// Receivers of webhooks are on this machine.
const app = service({ config: { webhookAllow: ['127.0.0.0/8'] } })
const open = pages(app)

const part = (page: Opened, name: string) =>
  page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name }).click()

const names = async (space: Workspace, path: string) =>
  (await space.get(path)).body.map(({ name }: { name: string }) => name)

test('workspace, members and keys', async () => {
  const space = await app.workspace()
  const north = await app.workspace()
  await north.post('/lead', { first_name: 'Ada', last_name: 'Byron' })
  const folder = await mkdtemp(join(tmpdir(), 'rapport settings '))
  const backup = join(folder, 'north.backup')
  await backUpToFile(app.db, backup, { now: app.clock.now, space: north.id_space })
  const { key: session } = await app.person(space)
  const page = await open({ session, path: '/settings' })
  await page.getByRole('heading', { name: 'Workspace', exact: true }).waitFor()
  expect(page.url()).toContain('/settings/workspace')
  await page.getByLabel('Name').fill('Nördlich & Söhne')
  await pickIn(page.getByLabel('Time zone'), 'Europe/Lisbon')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('navigation').getByText('Nördlich & Söhne').waitFor()
  expect((await space.get('/me')).body.workspace).toMatchObject({
    ...{ name: 'Nördlich & Söhne', time_zone: 'Europe/Lisbon' },
  })
  expect(await violations(page)).toEqual([])

  await part(page, 'Members')
  const own = page.getByRole('listitem').filter({ hasText: 'A workspace needs an owner.' })
  expect(await own.getByRole('button', { name: /^Permission/ }).isDisabled()).toBe(true)
  await page.getByLabel('Email').fill('ines@alfama.example')
  await pickIn(page.getByRole('button', { name: /^Permission: / }), 'Can view')
  await page.getByRole('button', { name: 'Invite' }).click()
  const shown = page.getByRole('dialog', { name: 'Invitation for ines@alfama.example' })
  const link = await shown.getByRole('textbox').inputValue()
  expect(link).toContain('#')
  await shown.getByRole('button', { name: 'Copy' }).click()
  await shown.getByText('Copied').waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(link)
  expect(await violations(page)).toEqual([])
  await shown.getByRole('button', { name: 'Done' }).click()
  const ines = page.getByRole('listitem').filter({ hasText: 'ines@alfama.example' })
  await ines.getByText(/invit/).waitFor()
  await pickIn(ines.getByRole('button', { name: /^Permission/ }), 'Admin')
  const memberOf = async () =>
    (await space.get('/members')).body.find(
      ({ email }: { email: string }) => email === 'ines@alfama.example',
    )
  await expect.poll(async () => (await memberOf()).role).toBe('admin')
  await ines.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'New invitation link' }).click()
  expect(await shown.getByRole('textbox').inputValue()).not.toBe(link)
  // What is shown once stays until it is copied, or done with.
  await page.keyboard.press('Escape')
  await shown.getByRole('button', { name: 'Copy' }).click()
  await shown.getByText('Copied').waitFor()
  await page.keyboard.press('Escape')
  await shown.waitFor({ state: 'detached' })
  await ines.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  const removal = page.getByRole('dialog', { name: /^Remove/ })
  await removal.getByText(/They own no leads/).waitFor()
  await removal.getByRole('button', { name: 'Remove' }).click()
  await expect.poll(memberOf).toBeUndefined()
  await removal.waitFor({ state: 'detached' })

  // Nobody takes their own rights by a slip. Then the page follows at once.
  const admin = await app.member(space, 'admin')
  const { key: theirs } = await app.person(space, admin)
  const second = await open({ session: theirs, path: '/settings/members' })
  const mine = second
    .getByRole('listitem')
    .filter({ has: second.getByText('you', { exact: true }) })
  const permission = mine.getByRole('button', { name: /^Permission/ })
  await pickIn(permission, 'Can edit')
  const question = second.getByRole('dialog', { name: 'Change your own permission to “Can edit”?' })
  expect(await violations(second)).toEqual([])
  await question.getByRole('button', { name: 'Cancel' }).click()
  expect(await permission.innerText()).toBe('Admin')
  await pickIn(permission, 'Can edit')
  await question.getByRole('button', { name: 'Change my permission' }).click()
  const links = second.getByRole('navigation', { name: 'Settings' })
  await links.getByRole('link', { name: 'Members' }).waitFor({ state: 'detached' })
  await second.goto(`${app.url}/import`)
  await second.getByText('Choose a file, or drop it here').waitFor()
  await space.patch(`/members/${admin}`, { role: 'read' })
  await second.getByText('You don’t have permission to import.').waitFor()
  await second.close()

  await part(page, 'API keys')
  await page.getByLabel('Name').fill('Dashboard')
  await pickIn(page.getByLabel('Permission'), 'Read')
  await page.getByText('Limit this key').click()
  await page.getByRole('checkbox', { name: 'Read', exact: true }).check()
  await page.getByLabel('Allowed from').fill('127.0.0.0/8, ::1')
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Create key' }).click()
  const made = page.getByRole('dialog', { name: 'Key Dashboard' })
  const key = await made.getByRole('textbox').inputValue()
  expect((await app.as(key).get('/tags')).status).toBe(200)
  expect((await app.as(key).post('/leads/export', {})).status).toBe(403)
  await made.getByRole('button', { name: 'Done' }).click()
  const row = page.getByRole('listitem').filter({ hasText: 'Dashboard' })
  await row.getByText(/Read · only: read · from 127.0.0.0\/8, ::1 · acts as Member owner/).waitFor()
  await row.getByRole('button', { name: 'Revoke Dashboard' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await row.waitFor({ state: 'detached' })
  app.clock.advance(6_000)
  expect((await app.as(key).get('/tags')).status).toBe(401)
  expect(await violations(page)).toEqual([])

  await page.getByRole('button', { name: 'Connect an agent' }).click()
  const agent = page.getByRole('dialog', { name: 'Connect an agent' })
  const text = () => agent.getByRole('textbox').inputValue()
  expect(await text()).toContain(`claude mcp add --transport http rapport ${app.url}/mcp --header`)
  const [its = ''] = /rk_[\w-]+/.exec(await text()) ?? []
  await pickIn(agent.getByLabel('Client'), 'VS Code: .vscode/mcp.json')
  const headers = { Authorization: `Bearer ${its}` }
  const rapport = { type: 'http', url: `${app.url}/mcp`, headers }
  expect(JSON.parse(await text())).toEqual({ servers: { rapport } })
  expect(await violations(page)).toEqual([])
  expect((await app.as(its).get('/me')).body).toMatchObject({ way: 'agent' })
  await agent.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('listitem').filter({ hasText: 'agent · Read and write' }).waitFor()

  await part(page, 'System')
  const backups = page.getByRole('listitem').filter({ hasText: 'Backups' })
  await backups.getByText('There is no backup yet. There are no scheduled backups.').waitFor()
  await backups.getByRole('img', { name: 'Warning' }).waitFor()
  await backups.getByText(/Set BACKUP_EVERY/).waitFor()

  const { id_space } = north
  await deleteKeys(app.db, id_space)
  await deleteSpace(app.db, id_space)
  await page.getByRole('button', { name: 'Check again' }).click()
  await page.getByText('Choose a backup…').waitFor()
  expect(await violations(page)).toEqual([])
  await page.getByLabel('Choose a backup…').setInputFiles(backup)
  await page.getByText(/^Restored /).waitFor()
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: /^Sign in to / }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Ada Byron').first().waitFor()
  await rm(folder, { recursive: true })
  await expectNoFaults(page)
})

test('removing a member asks who gets their leads and reminders', async () => {
  const space = await app.workspace()
  const [ann, ben, cem] = await Promise.all(
    ['Ann Lee', 'Ben Okoro', 'Cem Kaya'].map(async (name) => {
      const id = await app.member(space)
      await space.patch(`/members/${id}`, { name })
      return id
    }),
  )
  for (const owners of [[ann], [ann], [ann, ben]]) {
    await space.post('/lead', { last_name: 'Handed', owners })
  }
  await space.patch('/leads/update-many', {
    filter: {},
    data: { owners_disconnect: [space.owner] },
  })
  const date = '2026-04-01T09:00:00Z'
  const reminder = (await space.post('/reminders', { name: 'Call', date, users: [ann] })).body.id
  const { key: session } = await app.person(space)
  const page = await open({ session, path: '/settings/members' })
  const ask = async (name: string) => {
    await page.getByRole('button', { name: `Actions for ${name}` }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    return page.getByRole('dialog', { name: `Remove ${name}?` })
  }
  const removal = await ask('Ann Lee')
  await removal.getByText('They own 3 leads and have 1 open reminder.').waitFor()
  const remove = removal.getByRole('button', { name: 'Remove' })
  expect(await remove.isDisabled()).toBe(true)
  await page.keyboard.type('ben')
  await page.keyboard.press('Enter')
  await removal
    .getByRole('listitem')
    .filter({ hasText: 'Ben Okoro' })
    .getByText('3 leads')
    .waitFor()
  await removal.getByRole('option', { name: 'Cem Kaya' }).click()
  const shares = removal.getByRole('listitem')
  await shares.filter({ hasText: 'Cem Kaya' }).getByText('2 leads').waitFor()
  expect(await violations(page)).toEqual([])
  await tabTo(page, remove)
  await page.keyboard.press('Enter')
  await page.getByText('3 leads went from Ann Lee to Ben Okoro and Cem Kaya').waitFor()
  const owned = async (id: string | undefined) =>
    (await space.post('/leads/list', { filter: { owners: [id] } })).body.total
  expect([await owned(ann), await owned(ben), await owned(cem)]).toEqual([0, 2, 2])
  expect((await space.get(`/reminders/${reminder}`)).body.users).toHaveLength(1)

  const leaving = await ask('Ben Okoro')
  await leaving.getByRole('radio', { name: 'Don’t hand them over' }).check()
  await leaving.getByRole('button', { name: 'Remove' }).click()
  await leaving.waitFor({ state: 'detached' })
  expect(await names(space, '/members')).toEqual(expect.not.arrayContaining(['Ben Okoro']))
  expect(await owned(cem)).toBe(2)

  // Their names are gone, their ids say nothing.
  const { leads } = (await space.post('/leads/list', { filter: { owners: [cem] } })).body
  await page.goto(`${app.url}/lead/${leads[0].id}`)
  await page.getByText(/^Removed owner former member/).waitFor()
  await expectNoFaults(page)
})

test('lists, statuses and tags: made, changed, put into order with the keyboard, deleted', async () => {
  const space = await app.workspace()
  const page = await open({ key: space.key, path: '/settings/lists', theme: 'dark' })
  await page.getByText(/^No lists yet/).waitFor()
  for (const name of ['Fair', 'Partners', 'Newsletter']) {
    await page.getByRole('textbox', { name: 'New list' }).fill(name)
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: `Name of ${name}` }).waitFor()
  }
  await page.getByRole('textbox', { name: 'Name of Partners' }).fill('Friends')
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'Emoji of Friends' }).fill('🤝')
  await page.keyboard.press('Enter')
  const handle = page.getByRole('button', { name: 'Move Newsletter' })
  await tabTo(page, handle)
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await expect.poll(() => names(space, '/lists')).toEqual(['Newsletter', 'Fair', 'Friends'])
  await page.getByText('Newsletter is now 1 of 3').waitFor()
  await page
    .getByRole('button', { name: 'Move Newsletter' })
    .dragTo(page.getByRole('button', { name: 'Move Friends' }))
  await expect.poll(() => names(space, '/lists')).toEqual(['Fair', 'Friends', 'Newsletter'])
  await expect.poll(async () => (await space.get('/lists')).body[1].emoji).toBe('🤝')

  await page.getByRole('link', { name: 'Statuses of Fair' }).click()
  for (const name of ['Met', 'Signed']) {
    await page.getByRole('textbox', { name: 'New status' }).fill(name)
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: `Name of ${name}` }).waitFor()
  }
  await pickIn(page.getByLabel('What Signed means'), 'Won')
  await page.getByLabel('Win probability of Met in percent').fill('35')
  await page.keyboard.press('Enter')
  await page.getByLabel('Color of Met').fill('#1d7f4e')
  await page.getByLabel('Color of Met').blur()
  const [fair] = (await space.get('/lists')).body
  const statuses = async () => (await space.get('/status')).body
  await expect.poll(statuses).toMatchObject([
    { name: 'Met', success_rate: 35, color: '#1d7f4e', type: null, id_list: fair.id },
    { name: 'Signed', type: 'DEAL_WON' },
  ])
  // What is refused stays where it was typed, with the reason.
  await page.getByLabel('Win probability of Met in percent').fill('350')
  await page.keyboard.press('Enter')
  const refused = page.getByRole('alert').filter({ hasText: 'Couldn’t save Met' })
  await refused.getByText('Enter 0 to 100.').waitFor()
  expect(await page.getByLabel('Win probability of Met in percent').inputValue()).toBe('350')
  forgive(page, 400)
  expect(await violations(page)).toEqual([])

  const [met] = await statuses()
  await space.post('/lead', { first_name: 'Ada', status: [met.id] })
  await part(page, 'Lists')
  await page.getByRole('button', { name: 'Delete Fair' }).click()
  const asked = page.getByRole('dialog', { name: 'Delete Fair?' })
  await asked
    .getByText('Its 1 lead stays in the workspace. Its 2 statuses are deleted too.')
    .waitFor()
  await asked.getByRole('button', { name: 'Delete' }).click()
  await expect.poll(() => names(space, '/lists')).toEqual(['Friends', 'Newsletter'])

  await part(page, 'Tags')
  await page.getByRole('textbox', { name: 'New tag' }).fill('Warm')
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'Name of Warm' }).fill('Hot')
  await page.keyboard.press('Enter')
  await expect.poll(() => names(space, '/tags')).toEqual(['Hot'])
  await page.getByRole('button', { name: 'Delete Hot' }).click()
  await page
    .getByRole('dialog')
    .getByText(/^No leads have it/)
    .waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect.poll(() => names(space, '/tags')).toEqual([])
  await expectNoFaults(page)
})

test('attributes with options; on a phone', async () => {
  const space = await app.workspace()
  const page = await open({ key: space.key, path: '/settings/attributes', width: narrow })
  await page.getByLabel('Name').fill('Plan')
  await pickIn(page.getByLabel('Type'), 'single select')
  await page.getByRole('button', { name: 'Create' }).click()
  // The next one is typed while the first is saved.
  let save = () => {}
  const typed = new Promise<void>((resolve) => {
    save = resolve
  })
  await page.route('**/rest/attributes/*', async (route) => {
    await typed
    await route.continue()
  })
  const option = page.getByRole('textbox', { name: 'New option' })
  await expect.poll(() => option.evaluate((input) => input.matches(':focus'))).toBe(true)
  await page.keyboard.type('Gold')
  await page.keyboard.press('Enter')
  await option.fill('Silver')
  save()
  await page.getByRole('button', { name: 'Move Gold' }).waitFor()
  await untilQuiet(page)
  await page.keyboard.press('Enter')
  // Who types an option and goes on has added it.
  await option.fill('Blue')
  await page.getByRole('button', { name: 'Move Gold' }).focus()
  await page.getByRole('button', { name: 'Move Blue' }).focus()
  await page.keyboard.press('ArrowUp')
  await page.getByLabel('Color of Gold').fill('#9a5b00')
  await page.getByRole('textbox', { name: 'Name of Silver' }).fill('Silver+')
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'Description of Plan' }).fill('What they pay for')
  expect(await violations(page)).toEqual([])
  // Nothing has to be saved before one leaves.
  await page.getByRole('link', { name: 'Tags' }).click()
  const attribute = async () => (await space.get('/attributes')).body[0]
  await expect.poll(attribute).toMatchObject({
    ...{ name: 'Plan', description: 'What they pay for' },
    select_options: [{ name: 'Gold', color: '#9a5b00' }, { name: 'Blue' }, { name: 'Silver+' }],
  })
  const { id, select_options } = await attribute()
  await space.post('/lead', { first_name: 'Ada', attributes: { [id]: select_options[0].id } })
  await page.getByRole('link', { name: 'Attributes' }).click()
  await page.getByRole('button', { name: 'Edit Plan' }).click()
  await page.getByRole('button', { name: 'Delete Gold' }).click()
  const asked = page.getByRole('dialog', { name: 'Delete Gold?' })
  await asked.getByText(/^1 lead will lose this value/).waitFor()
  await asked.getByRole('button', { name: 'Delete' }).click()
  await expect.poll(async () => (await attribute()).select_options).toHaveLength(2)
  const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
  expect(await page.evaluate(overflow)).toBe(0)
  await page.getByRole('button', { name: 'Delete Plan' }).click()
  await page
    .getByRole('dialog')
    .getByText(/^No leads have a value/)
    .waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect.poll(async () => (await space.get('/attributes')).body).toEqual([])
  await expectNoFaults(page)
})

/** A PNG of one pixel. */
const dot =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

test('who may only read sees their own account, and who may write no members', async () => {
  const space = await app.workspace()
  const reader = await app.member(space, 'read')
  const token = await linkTo(app, { id_space: space.id_space, id: reader })
  const page = await open({ path: `/#sign-in=${token}` })
  await page.getByRole('heading', { name: /^Welcome/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'No leads yet' }).waitFor()
  await page.goto(`${app.url}/settings/members`)
  await page.getByRole('heading', { name: 'Your account' }).waitFor()
  const parts = page.getByRole('navigation', { name: 'Settings' }).getByRole('link')
  expect(await parts.allTextContents()).toEqual(['Your account', 'Notifications'])
  await page.getByText('this browser').waitFor()
  // The profile: with the keyboard, and a picture.
  const me = async () =>
    (await space.get('/members')).body.find(({ id }: { id: string }) => id === reader)
  await page.getByLabel('Name').fill('Rita Reader')
  await page.getByLabel('Email').fill('rita@north.example')
  await pickIn(page.getByLabel('Time zone'), 'Asia/Tokyo')
  await page.getByLabel('Email').press('Enter')
  const navigation = page.getByRole('navigation', { name: 'Main' })
  await navigation.getByRole('button', { name: 'Rita Reader' }).waitFor()
  await expect.poll(me).toMatchObject({
    ...{ name: 'Rita Reader', email: 'rita@north.example', time_zone: 'Asia/Tokyo', picture: null },
  })
  const file = { name: 'rita.png', mimeType: 'image/png', buffer: Buffer.from(dot, 'base64') }
  await page.getByLabel('Picture').setInputFiles({ ...file, buffer: Buffer.from('no picture') })
  await page.getByText('This file is not a picture.').waitFor()
  await page.getByLabel('Picture').setInputFiles(file)
  await page.getByRole('button', { name: 'Remove picture' }).waitFor()
  await expect
    .poll(() => navigation.locator('img').evaluate((img) => Object(img).naturalWidth))
    .toBe(128)
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Remove picture' }).click()
  await navigation.locator('img').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByLabel('New password').fill('correct horse battery')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Change password' }).waitFor()
  expect((await space.get('/members')).status).toBe(200)
  expect(await violations(page)).toEqual([])
  forgive(page, 401)
  await expectNoFaults(page)

  const writer = await open({ key: await app.key(space, 'write'), path: '/settings' })
  await writer.getByRole('heading', { name: 'Lists' }).waitFor()
  expect(await writer.getByRole('link', { name: 'Members' }).count()).toBe(0)
  await expectNoFaults(writer)
})

test('a webhook is made, fails, is mended, and sends a span again', async () => {
  app.dispatcher.start()
  const space = await app.workspace()
  const receiver = await startReceiver()
  receiver.answer = (_request, response) => void response.writeHead(500).end('down for today')
  const page = await open({ key: space.key, path: '/settings/webhooks', now: app.clock.now })
  await page.getByText('No webhooks yet.').waitFor()
  await page.getByLabel('Address').fill('https://10.0.0.1/hook')
  await page.getByRole('button', { name: 'Create webhook' }).click()
  await page.getByText(/10\.0\.0\.1 is a private or reserved address/).waitFor()
  forgive(page, 400)
  await page.getByLabel('Address').fill(`${receiver.url}/hook`)
  await page.getByLabel('Name').fill('Flow')
  await page.getByLabel('Events').fill('tag.*')
  await page.getByRole('button', { name: 'Create webhook' }).click()
  const made = page.getByRole('dialog', { name: 'Secret for Flow' })
  expect(await made.getByRole('textbox').inputValue()).toMatch(/^whsec_/)
  await made.getByText('new Webhook(secret)').waitFor()
  expect(await violations(page)).toEqual([])
  await made.getByRole('button', { name: 'Done' }).click()
  const row = page.getByRole('listitem').filter({ hasText: 'Flow' })
  await row.getByText('Active').waitFor()
  await row.getByText('tag.* · with the lead').waitFor()
  const choose = async (name: string) => {
    await row.getByRole('button', { name: 'Actions for Flow' }).click()
    await page.getByRole('menuitem', { name, exact: true }).click()
  }

  await space.post('/tags', { name: 'Warm' })
  await row.getByText('Retrying: 1 failure, next try in a moment').waitFor()
  await choose('Attempts')
  const attempts = page.getByRole('dialog', { name: 'Delivery attempts for Flow' })
  await attempts.getByText(/^Status 500 · \d+ ms · /).waitFor()
  await attempts.getByText('down for today').waitFor()
  expect(await violationsInBothThemes(page)).toEqual([[], []])
  await attempts.getByRole('button', { name: 'Done' }).click()
  expect(await violationsInBothThemes(page)).toEqual([[], []])

  receiver.answer = (_request, response) => void response.end('welcome')
  await choose('Try again now')
  await row.getByText('Active').waitFor()
  await choose('Send a test')
  await attempts.getByText('Test').waitFor()
  await attempts.getByText('welcome').first().waitFor()
  await attempts.getByRole('button', { name: 'Done' }).click()

  const ids = () => receiver.received.map(({ headers }) => headers['webhook-id'])
  // The row is active before the event has come again.
  await expect.poll(ids).toHaveLength(3)
  const [first] = ids()
  const before = ids().length
  await choose('Replay…')
  const replay = page.getByRole('dialog', { name: 'Resend events to Flow' })
  await replay.getByLabel('Until').fill('tomorrow')
  expect(await violations(page)).toEqual([])
  await replay.getByRole('button', { name: 'Send again' }).click()
  await replay.waitFor({ state: 'detached' })
  await expect.poll(() => ids().slice(before)).toEqual([first])

  await choose('Pause')
  await row.getByText('Paused').waitFor()
  await choose('Resume')
  await row.getByText('Active').waitFor()
  await choose('New secret')
  await made.getByText(/For 24 hours/).waitFor()
  await made.getByRole('button', { name: 'Done' }).click()
  await choose('Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No webhooks yet.').waitFor()
  await expectNoFaults(page)
})
