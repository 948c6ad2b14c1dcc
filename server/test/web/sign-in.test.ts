// Signing in, in a real browser: by link, by invitation and password; a session that ends; saved views.
import { expect, onTestFinished, test } from 'vitest'
import { storePassword } from '../../src/access/passwords.sql.ts'
import { hashPassword } from '../../src/access/passwords.ts'
import { run } from '../../src/db/sql.ts'
import { linkTo, openBrowser } from '../browser.ts'
import { service } from '../harness.ts'
import { type Received, startSmtp } from '../smtp.ts'
import {
  expectNoFaults,
  forgive,
  pages,
  tabTo,
  violations,
  violationsInBothThemes,
  waitForRows,
} from './page.ts'

const app = service()
const open = pages(app)
const password = 'correct horse battery'
const cost = { log2: 7, r: 8, p: 1 }

test('the printed link signs in once, and leaves no trace in the address', async () => {
  const space = await app.workspace()
  const token = await linkTo(app, { id_space: space.id_space, id: space.owner })
  const page = await open({ path: `/#sign-in=${token}` })
  await page.getByRole('heading', { name: /^Welcome/ }).waitFor()
  expect(page.url()).not.toContain(token)
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'No leads yet' }).waitFor()
  const kept = await page.evaluate(
    'JSON.stringify({ ...localStorage, ...sessionStorage }) + document.cookie',
  )
  expect(kept).not.toContain(token)

  await page.getByRole('button', { name: 'Demo data' }).click()
  await page.getByRole('button', { name: 'Create demo data' }).click()
  await waitForRows(page)
  // The session ends. Others have a password, but not this member: a link in another tab signs in again.
  const other = { id_space: space.id_space, id: await app.member(space) }
  await storePassword(app.db, other, await hashPassword(password, cost), app.clock.now)
  await run(app.db)`update api_key set revoked_at = ${app.clock.now.toISOString()}
      where id_space = ${space.id_space} and kind = 'session'`
  app.clock.advance(6_000)
  await page.keyboard.press('g')
  await page.keyboard.press('b')
  const over = page.getByRole('dialog', { name: 'Sign in again' })
  await over.getByText(/^You don’t have a password yet/).waitFor()
  expect(await over.getByLabel('Password').count()).toBe(0)
  const second = await linkTo(app, { id_space: space.id_space, id: space.owner })
  const tab = await page.context().newPage()
  await tab.goto(`${app.url}/#sign-in=${second}`)
  await tab.getByRole('button', { name: 'Continue' }).click()
  await waitForRows(tab)
  await tab.close()
  await over.getByRole('button', { name: 'Continue' }).click()
  await over.waitFor({ state: 'detached' })
  forgive(page, 401)
  await expectNoFaults(page)

  const again = await open({ path: `/#sign-in=${token}` })
  await again.getByRole('heading', { name: 'This link no longer works' }).waitFor()
  await again.leave()
})

test('an invitation asks for a name and a password, which then sign in', async () => {
  const space = await app.workspace()
  const { body } = await (await app.person(space)).post('/members', {
    email: 'ines@alfama.example',
    role: 'write',
  })
  const link = new URL(body.link)
  const page = await open({ path: `/${link.hash}` })
  const name = page.getByRole('textbox', { name: 'Your name' })
  expect(await name.inputValue()).toBe('')
  await name.fill('Ines Carvalho')
  await page.getByLabel('Password').fill('short')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').waitFor()
  await page.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Ines Carvalho' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.getByLabel('Email').fill('ines@alfama.example')
  await page.getByLabel('Password').fill('wrong password')
  await page.keyboard.press('Enter')
  await page.getByText('Incorrect email or password.').waitFor()
  await page.getByText('Forgot your password?').click()
  await page.getByText('npm run rapport -- sign-in --member ines@alfama.example').waitFor()
  expect(await violations(page)).toEqual([])
  await page.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'No leads yet' }).waitFor()
  forgive(page, 400, 401)
  await expectNoFaults(page)
})

test('a member is invited by mail and comes in; a forgotten password is mended by mail', async () => {
  const smtp = await startSmtp()
  onTestFinished(() => smtp.close())
  const { url, app: other } = await app.another(0, { config: { mail: smtp.settings } })
  onTestFinished(() => other.close())
  other.dispatcher.start()
  const linkIn = async (count: number) => {
    const { mail } = (await smtp.until(count)).at(-1) as Received
    return /https:\/\/crm\.example\.com(\/#\S+)/.exec(mail.text ?? '')?.[1] ?? ''
  }
  const space = await app.workspace()
  const { key: session } = await app.person(space)
  const admin = await open({ url, session, path: '/settings/members' })
  await admin.getByLabel('Email').fill('ann@north.example')
  await admin.getByRole('button', { name: 'Invite' }).click()
  const shown = admin.getByRole('dialog', { name: 'Invitation for ann@north.example' })
  await shown.getByText(/^Emailed to ann@north.example/).waitFor()
  // Nobody has to copy it.
  await admin.keyboard.press('Escape')
  await shown.waitFor({ state: 'detached' })
  const page = await open({ url, path: await linkIn(1) })
  await page.getByRole('heading', { name: 'Join Test' }).waitFor()
  await page.getByRole('textbox', { name: 'Your name' }).fill('Ann')
  await page.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Ann' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.getByText('Forgot your password?').click()
  await page.getByRole('button', { name: 'Email me a password link' }).click()
  await page.getByText('Enter your email address first.').waitFor()
  await page.getByLabel('Email').fill('ann@north.example')
  await page.getByRole('button', { name: 'Email me a password link' }).click()
  await page.getByText(/^If ann@north.example belongs to a member/).waitFor()
  expect(await violationsInBothThemes(page)).toEqual([[], []])
  const again = await open({ url, path: await linkIn(2) })
  await again.getByRole('heading', { name: 'Choose a new password' }).waitFor()
  await again.getByLabel('New password').fill(`${password} again`)
  await again.keyboard.press('Enter')
  await again.getByRole('button', { name: 'Ann' }).waitFor()

  await admin.goto(`${url}/settings/system`)
  await admin.getByText('Invitations, links and notifications are sent from').waitFor()
  await admin.getByRole('button', { name: 'Send me a test email' }).click()
  await admin.getByText(/^127.0.0.1 has accepted the mail to/).waitFor()
  forgive(page, 401)
  for (const each of [admin, page, again]) await expectNoFaults(each)
})

test('a session that ends in the middle: sign in again, and nothing that was typed is lost', async () => {
  const space = await app.workspace()
  await space.post('/demo', { leads: 20 })
  const { body } = await (await app.person(space)).post('/members', {
    email: 'tom@north.example',
    role: 'write',
  })
  const page = await open({ path: `/${new URL(body.link).hash}` })
  await page.getByRole('textbox', { name: 'Your name' }).fill('Tom')
  await page.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
  await waitForRows(page)
  await page.keyboard.press('j')
  await page.getByRole('grid').focus()
  await page.keyboard.press('Enter')
  await page.getByRole('tab', { name: 'Notes' }).click()
  await page.getByRole('textbox', { name: 'Write a note' }).fill('Half a thought')
  expect(await page.context().cookies()).toMatchObject([
    { httpOnly: true, sameSite: 'Strict', path: '/' },
  ])

  // At another computer, with the keyboard alone.
  const other = await open()
  await other.getByRole('heading', { name: 'Sign in' }).waitFor()
  await tabTo(other, other.getByLabel('Email'))
  await other.keyboard.type('tom@north.example')
  await tabTo(other, other.getByLabel('Password'))
  await other.keyboard.type(password)
  await other.keyboard.press('Enter')
  await waitForRows(other)
  await tabTo(other, other.getByRole('button', { name: 'Tom' }))
  await other.keyboard.press('Enter')
  await other.getByRole('menuitem', { name: 'Your account' }).waitFor()
  // The menu takes the focus with the next frame.
  await other.locator('[role^=menuitem]:focus').waitFor()
  await other.keyboard.type('your')
  await other.keyboard.press('Enter')
  const sessions = other.getByRole('main')
  await sessions.getByText('this browser').waitFor()
  expect(await violations(other)).toEqual([])
  await tabTo(other, sessions.getByRole('button', { name: 'End' }))
  await other.keyboard.press('Enter')
  await sessions.getByRole('button', { name: 'End' }).waitFor({ state: 'detached' })
  forgive(other, 401)
  await expectNoFaults(other)

  // A revoked key is remembered for 5 seconds at most.
  app.clock.advance(6_000)
  await page.getByRole('button', { name: 'Save note' }).click()
  await page.getByRole('heading', { name: 'Sign in again' }).waitFor()
  await page.getByRole('dialog', { name: 'Sign in again' }).getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Sign in again' }).waitFor({ state: 'detached' })
  expect(await page.getByRole('textbox', { name: 'Write a note' }).inputValue()).toBe(
    'Half a thought',
  )
  forgive(page, 401)
  await expectNoFaults(page)
})

test('what needs a person asks once for the password, and then goes on with what was typed', async () => {
  const space = await app.workspace()
  const member = { id_space: space.id_space, id: space.owner }
  await storePassword(app.db, member, await hashPassword(password, cost), app.clock.now)
  const { key: session } = await app.person(space)
  const page = await open({ session, path: '/settings/members' })
  const invite = async (email: string) => {
    await page.getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Invite' }).click()
  }
  app.clock.advance(16 * 60_000)
  await invite('ines@alfama.example')
  const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await dialog.waitFor()
  expect(await violationsInBothThemes(page)).toEqual([[], []])
  await page.keyboard.press('Escape')
  await page.getByText(/^Confirm that it’s you/).waitFor()
  await page.getByRole('button', { name: 'Invite' }).click()
  await dialog.getByLabel('Password').fill('another long sentence')
  await page.keyboard.press('Enter')
  await dialog.getByText('Current password is incorrect').waitFor()
  await dialog.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
  const shown = page.getByRole('dialog', { name: 'Invitation for ines@alfama.example' })
  await shown.getByRole('button', { name: 'Done' }).click()
  // It counts for a while.
  await invite('tom@north.example')
  await page.getByRole('dialog', { name: 'Invitation for tom@north.example' }).waitFor()
  forgive(page, 400, 403)
  await expectNoFaults(page)
})

test('wrong passwords: the admin sees the lock and the sessions, the member is told once', async () => {
  const space = await app.workspace()
  const id = await app.member(space, 'write')
  const email = `${id}@example.com`
  const member = { id_space: space.id_space, id }
  const guesses = Array.from({ length: 3 }, () => ({ email, password: 'wrong' }))
  for (const body of guesses) await openBrowser(app).call('POST', '/session/password', body)
  await run(app.db)`update guess_budget set hour_used = 100 where subject like 'account:%'`

  const theirs = await open({ path: `/#sign-in=${await linkTo(app, member)}` })
  await theirs.getByRole('button', { name: 'Continue' }).click()
  await theirs.getByText('3 failed sign-in attempts since your last sign-in').waitFor()
  expect(await violationsInBothThemes(theirs)).toEqual([[], []])
  await theirs.reload()
  await theirs.getByRole('heading', { name: 'No leads yet' }).waitFor()
  expect(await theirs.getByText('failed sign-in attempts').count()).toBe(0)

  const { key: session } = await app.person(space)
  const page = await open({ session, path: '/settings/members' })
  const row = page.getByRole('listitem').filter({ hasText: email })
  await row.getByText(/too many wrong passwords/).waitFor()
  await row.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Sessions' }).click()
  const dialog = page.getByRole('dialog', { name: /^Sessions of/ })
  const end = dialog.getByRole('button', { name: 'End' })
  await end.waitFor()
  expect(await violationsInBothThemes(page)).toEqual([[], []])
  await end.click()
  await dialog.getByText('Not signed in anywhere.').waitFor()
  await expectNoFaults(page)
  await theirs.reload()
  await theirs.getByRole('heading', { name: 'Sign in' }).waitFor()
  forgive(theirs, 401)
  await expectNoFaults(theirs)
})

test('a view is saved, changed, discarded, shared and deleted', async () => {
  const space = await app.workspace()
  await space.post('/demo', { leads: 60 })
  const page = await open({ key: space.key })
  await waitForRows(page)
  await page.keyboard.press('/')
  await page.getByRole('textbox', { name: 'Search' }).fill('a')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByRole('textbox', { name: 'View name' }).fill('With an a')
  // What was entered is not lost by a key.
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Discard' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Discard' }).waitFor({ state: 'detached' })
  await page.getByRole('textbox', { name: 'View name' }).press('Enter')
  await page.getByRole('heading', { name: 'With an a' }).waitFor()
  await expect.poll(() => page.url()).toMatch(/\/leads\?view=[0-9a-f-]+$/)
  await page.getByRole('navigation').getByRole('link', { name: 'With an a' }).waitFor()

  await page.getByRole('button', { name: 'Remove filter Search' }).click()
  await page.getByText('Unsaved changes').waitFor()
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('button', { name: 'Search contains a' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'With an a' }).waitFor()

  await page.getByRole('button', { name: 'View With an a' }).click()
  await page.getByRole('menuitem', { name: 'Share with the workspace' }).click()
  await page
    .getByRole('group', { name: 'Shared' })
    .getByRole('link', { name: 'With an a' })
    .waitFor()
  await page.getByRole('button', { name: 'View With an a' }).click()
  await page.getByRole('menuitem', { name: 'Delete view' }).click()
  await page.getByRole('heading', { name: 'All leads' }).waitFor()
  await expect.poll(async () => (await space.get('/views')).body).toEqual([])
  await expectNoFaults(page)
})
