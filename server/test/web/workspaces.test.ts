// Someone with several workspaces, in a real browser: chooses one after the provider, and switches.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { updateMember, updateSpace } from '../../src/access/access.sql.ts'
import { service, type Workspace } from '../harness.ts'
import { openidSettings, startOpenidProvider } from '../openid-provider.ts'
import { expectNoFaults, forgive, pages, violationsInBothThemes } from './page.ts'

const provider = await startOpenidProvider()
afterAll(() => provider.close())
const app = service({ config: openidSettings(provider) })
const strict = service({ config: openidSettings(provider, { only: true }) })
const open = pages(app)
const email = 'ines@alfama.example'
let south: Workspace

beforeAll(async () => {
  provider.allow(app.url)
  provider.allow(strict.url)
  provider.person = { email, email_verified: true }
  await named('North')
  app.clock.advance(1_000)
  south = await named('South')
})

/** A workspace with a member of this address. */
async function named(name: string): Promise<Workspace> {
  const space = await app.workspace()
  await updateSpace(app.db, space.id_space, { name })
  const id = await app.member(space)
  await updateMember(app.db, { id_space: space.id_space, id }, { email, name: `Ines of ${name}` })
  return space
}

test('chooses after the sign-in, and switches in all tabs without signing out', async () => {
  const page = await open({ path: '/' })
  await page.getByRole('link', { name: /^Continue with/ }).click()
  await page.getByRole('heading', { name: 'Choose a workspace' }).waitFor()
  expect(await violationsInBothThemes(page)).toEqual([[], []])
  await page.getByRole('button', { name: 'South' }).click()
  await page.getByRole('button', { name: 'Ines of South' }).click()
  await page.getByRole('menuitemradio', { name: 'Join North' }).click()
  await page.getByRole('button', { name: 'Ines of North' }).click()
  await page.getByRole('menuitemradio', { name: 'South', exact: true }).waitFor()
  expect(await violationsInBothThemes(page)).toEqual([[], []])
  // Another tab, with the first letters of a lead for North.
  const tab = await page.context().newPage()
  await tab.goto(`${app.url}/leads`)
  await tab.getByRole('button', { name: 'Ines of North' }).waitFor()
  await tab.keyboard.press('c')
  await tab.getByRole('textbox', { name: 'First name' }).fill('Ada')

  await page.getByRole('menuitemradio', { name: 'South', exact: true }).click()
  await page.getByRole('button', { name: 'Ines of South' }).waitFor()
  expect(new URL(page.url()).hash).toBe('')
  await tab.getByRole('dialog').waitFor({ state: 'detached' })
  await tab.getByRole('button', { name: 'Ines of South' }).waitFor()
  await tab.close()
  forgive(page, 401, provider.issuer)
  await expectNoFaults(page)
})

test('asks before it signs out with an unsaved text, and stays signed in if told so', async () => {
  const lead = (await south.post('/lead', { first_name: 'Ada' })).body.id
  await updateMember(app.db, { id_space: south.id_space, id: south.owner }, { name: 'Ann' })
  const { key: session } = await app.person(south)
  const page = await open({ path: `/lead/${lead}`, session })
  const note = page.getByRole('textbox', { name: 'Write a note' })
  await note.fill('Kept')
  const asked: string[] = []
  const answers = [false, true]
  page.on('dialog', async (dialog) => {
    asked.push(dialog.message())
    await (answers.shift() ? dialog.accept() : dialog.dismiss())
  })
  const signOut = async () => {
    await page.getByRole('button', { name: 'Ann' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
  }
  await signOut()
  await expect.poll(() => asked.length).toBe(1)
  await page.getByRole('button', { name: 'Save note' }).click()
  await page.getByRole('paragraph').getByText('Kept').waitFor()
  await expect.poll(() => note.inputValue()).toBe('')
  await note.fill('Not saved')
  await signOut()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(asked).toEqual(Array(2).fill('Leave without saving? What you typed will be lost.'))
  forgive(page, 401)
  await expectNoFaults(page)
})

test('an admin sees the account of a member and lets them have another', async () => {
  const { key: session } = await app.person(south)
  const page = await open({ path: '/settings/members', session })
  const row = page.getByRole('listitem').filter({ hasText: 'Ines of South' })
  await row.getByText(`signs in with ${new URL(provider.issuer).host}`).waitFor()
  await row.getByRole('button', { name: /^Actions/ }).click()
  await page.getByRole('menuitem', { name: 'Unlink provider account' }).click()
  await page.getByRole('button', { name: 'Unlink provider account' }).click()
  await row.getByText('signs in with').waitFor({ state: 'detached' })
  await expectNoFaults(page)
})

test('with OIDC_ONLY the page has the button of the provider, and an invitation is no secret', async () => {
  const space = await strict.workspace()
  const page = await open({ path: '/', url: strict.url })
  forgive(page, 401)
  await page.getByRole('link', { name: /^Continue with/ }).waitFor()
  expect(await page.getByLabel('Password').count()).toBe(0)
  const { key: session } = await strict.person(space)
  const settings = await open({ path: '/settings/members', url: strict.url, session })
  await settings.getByLabel('Email').fill('tom@example.com')
  await settings.getByRole('button', { name: 'Invite' }).click()
  const dialog = settings.getByRole('dialog', { name: 'tom@example.com is invited' })
  expect(await dialog.getByRole('textbox').inputValue()).toBe(strict.url)
  expect(await dialog.getByText('see it again').count()).toBe(0)
  await expectNoFaults(settings)
})
