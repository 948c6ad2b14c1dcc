// The second factor in a real browser, with the virtual authenticator of its developer tools.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { codeAt, stepAt } from '../../src/access/totp.ts'
import { linkTo } from '../browser.ts'
import { service } from '../harness.ts'
import { expectNoFaults, forgive, narrow, pages, pickIn, violationsInBothThemes } from './page.ts'

const app = service()
const open = pages(app)
const password = 'correct horse battery'
const atLocalhost = () => app.url.replace('127.0.0.1', 'localhost')

/** A device that keeps passkeys and always says yes. */
async function addDevice(page: Page) {
  const tools = await page.context().newCDPSession(page)
  await tools.send('WebAuthn.enable')
  await tools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

async function signOut(page: Page, name: string) {
  await page.getByRole('button', { name }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
}

async function givePassword(page: Page, email: string) {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
}

/** A member that has just chosen a password. */
async function newMember(email: string) {
  const space = await app.workspace()
  const owner = await app.person(space)
  const { body } = await owner.post('/members', { email, role: 'write' })
  const url = atLocalhost()
  const path = `/${new URL(body.link).hash}`
  const page = await open({ url, path, isOwn: true })
  await addDevice(page)
  await page.getByRole('textbox', { name: 'Your name' }).fill('Ines')
  await page.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
  return { page, space, id: body.id as string }
}

test('a passkey is added, named and used: after the password, alone, and to confirm', async () => {
  const { page, space } = await newMember('ines@alfama.example')
  await page.getByRole('heading', { name: 'No leads yet' }).waitFor()
  await page.goto(`${atLocalhost()}/settings/account`)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const codes = page.getByRole('dialog', { name: 'Recovery codes' })
  await codes.waitFor()
  expect(await codes.getByRole('listitem').count()).toBe(10)
  expect(await violationsInBothThemes(page)).toEqual([[], []])
  await codes.getByRole('button', { name: 'I’ve saved them' }).click()
  const name = page.getByRole('textbox', { name: /^Name of Chrome/ })
  await name.fill('Laptop')
  await name.press('Enter')
  await page.getByRole('textbox', { name: 'Name of Laptop' }).waitFor()
  await page.getByText('10 codes left').waitFor()
  // The device has one already.
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByText('This device already has a passkey for your account.').waitFor()

  await signOut(page, 'Ines')
  await givePassword(page, 'ines@alfama.example')
  await page.getByRole('heading', { name: 'One more step' }).waitFor()
  expect(await violationsInBothThemes(page)).toEqual([[], []])
  await page.getByRole('button', { name: 'Use your passkey' }).click()
  await page.getByRole('heading', { name: 'No leads yet' }).waitFor()

  await signOut(page, 'Ines')
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('heading', { name: 'No leads yet' }).waitFor()
  await page.goto(`${atLocalhost()}/settings/account`)
  await page.getByText('last used').first().waitFor()

  app.clock.advance(16 * 60_000)
  await page.getByRole('button', { name: 'Remove Laptop' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  const confirm = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await confirm.getByRole('button', { name: 'Use your passkey' }).click()
  await expect
    .poll(async () => (await space.get('/audit')).body.entries[0])
    .toMatchObject({ action: 'factor.removed', about: { name: 'Laptop' } })
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('textbox', { name: 'Name of Laptop' }).waitFor({ state: 'detached' })
  forgive(page, 401, 403)
  await expectNoFaults(page)
})

test('an authenticator app is set up where the workspace requires it, and a recovery code helps out', async () => {
  const space = await app.workspace()
  const member = { id_space: space.id_space, id: space.owner }
  const url = atLocalhost()
  const token = await linkTo(app, member)
  const page = await open({ url, path: `/#sign-in=${token}`, width: narrow })
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'No leads yet' }).waitFor()
  await page.goto(`${url}/settings/account`)
  const enter = async () => {
    const { length } = await page.getByRole('img', { name: /QR code/ }).innerHTML()
    expect(length).toBeGreaterThan(1_000)
    const key = await page.locator('code').innerText()
    const secret = key.replaceAll(' ', '')
    await page.getByLabel('Code from your app').fill(codeAt(secret, stepAt(app.clock.now)))
    await page.keyboard.press('Enter')
    return secret
  }
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
  await page.getByRole('img', { name: /QR code/ }).waitFor()
  expect(await violationsInBothThemes(page)).toEqual([[], []])
  const secret = await enter()
  await page.getByRole('button', { name: 'I’ve saved them' }).click()

  await page.goto(`${url}/settings/workspace`)
  await pickIn(page.getByLabel('Second factor'), 'Required for everyone')
  await page.getByRole('dialog').getByRole('button', { name: 'Require' }).click()
  await expect
    .poll(async () => (await space.get('/workspace/second-factor')).body.required)
    .toBe('everybody')
  expect(await violationsInBothThemes(page)).toEqual([[], []])

  // Another member has to set one up, and sees the codes before anything else.
  const other = await app.member(space)
  const path = `/#sign-in=${await linkTo(app, { id_space: space.id_space, id: other })}`
  const second = await open({ url, path, isOwn: true })
  await second.getByRole('button', { name: 'Continue' }).click()
  await second.getByRole('heading', { name: 'Set up a second factor' }).waitFor()
  expect(await violationsInBothThemes(second)).toEqual([[], []])
  await addDevice(second)
  await second.getByRole('button', { name: 'Add a passkey' }).click()
  await second.getByRole('heading', { name: 'Recovery codes' }).waitFor()
  const code = await second.getByRole('listitem').first().innerText()
  expect(await violationsInBothThemes(second)).toEqual([[], []])
  await second.getByRole('button', { name: 'I’ve saved them' }).click()
  await second.getByRole('heading', { name: 'No leads yet' }).waitFor()
  forgive(second, 401)
  await expectNoFaults(second)

  // From a place where its passkey does not work.
  const third = await open({
    path: `/#sign-in=${await linkTo(app, { id_space: space.id_space, id: other })}`,
  })
  await third.getByRole('button', { name: 'Continue' }).click()
  await third.getByLabel('Recovery code').fill(code.toUpperCase())
  await third.keyboard.press('Enter')
  await third.getByRole('heading', { name: 'No leads yet' }).waitFor()
  forgive(third, 401)
  await expectNoFaults(third)

  // The owner resets it.
  await page.goto(`${url}/settings/members`)
  await page.getByRole('button', { name: 'Actions for Member write' }).click()
  await page.getByRole('menuitem', { name: 'Reset second factor' }).click()
  app.clock.advance(16 * 60_000)
  await page.getByRole('dialog').getByRole('button', { name: 'Reset second factor' }).click()
  const confirm = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await confirm.getByLabel('Code from your app').fill('000000')
  await page.keyboard.press('Enter')
  await confirm.getByRole('alert').waitFor()
  await confirm.getByLabel('Code from your app').fill(codeAt(secret, stepAt(app.clock.now)))
  await page.keyboard.press('Enter')
  await page.getByText('Second factor reset').waitFor()
  expect((await space.get('/workspace/second-factor')).body.members).toEqual([space.owner])
  forgive(page, 400, 401, 403)
  await expectNoFaults(page)
})
