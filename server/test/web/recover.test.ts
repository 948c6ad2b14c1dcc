// The service restarted in the middle, and signing in through an OpenID Connect provider, in a real browser.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { service, type Workspace } from '../harness.ts'
import { openidSettings, startOpenidProvider } from '../openid-provider.ts'
import { expectNoFaults, forgive, pages, waitForRows } from './page.ts'

const provider = await startOpenidProvider()
afterAll(() => provider.close())
const app = service({ config: openidSettings(provider) })
const open = pages(app)
let space: Workspace

beforeAll(async () => {
  provider.allow(app.url)
  space = await app.workspace()
  await space.post('/demo', { leads: 30 })
})

test('OpenID Connect: the button leads to the provider and back into the page', async () => {
  const { body: members } = await space.get('/members')
  provider.person = { email: members[0].email, email_verified: true, name: 'Somebody else' }
  const page = await open({ path: '/' })
  await page.getByRole('link', { name: /^Continue with/ }).click()
  await waitForRows(page)
  await page.getByRole('button', { name: members[0].name }).waitFor()
  expect(new URL(page.url()).search).toBe('')
  // The provider is on the same host, so its cookies are here too.
  const cookies = await page.context().cookies(app.url)
  const cookie = cookies.find(({ name }) => name.includes(new URL(app.url).port))
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' })
  forgive(page, 401, provider.issuer)
  await expectNoFaults(page)
})

test('OpenID Connect: a stranger and a person who cancels are told, and not let in', async () => {
  for (const person of [{ email: 'eve@elsewhere.example', email_verified: true }, undefined]) {
    provider.person = person
    const page = await open({ path: '/' })
    await page.getByRole('link', { name: /^Continue with/ }).click()
    await page.getByRole('alert').waitFor()
    await page.getByRole('link', { name: /^Continue with/ }).waitFor()
    forgive(page, 401, provider.issuer)
    await expectNoFaults(page)
  }
})

test('the service restarted in the middle: nothing typed is lost, and the page recovers', async () => {
  const server = await app.another()
  const { body } = await space.post('/leads/list', { pagination: { page_size: 1 } })
  const [lead] = body.leads
  const page = await open({ key: space.key, url: server.url, path: `/leads?lead=${lead.id}` })
  await waitForRows(page)
  const panel = page.getByRole('complementary', { name: 'Lead' })
  await panel.getByRole('button', { name: 'Edit City' }).waitFor()
  await page.keyboard.press('n')
  const note = panel.getByRole('textbox', { name: 'Write a note' })
  await note.fill('Half a thought')
  await server.app.close()

  await page.keyboard.press('Control+Enter')
  await page.getByRole('alert').getByText('Can’t reach the server.').waitFor()
  expect(await note.inputValue()).toBe('Half a thought')
  await panel.getByRole('button', { name: 'Edit City' }).click()
  await panel.getByRole('textbox', { name: 'City' }).fill('Malmö')
  await page.keyboard.press('Enter')
  const told = page.getByRole('alert').filter({ hasText: 'Couldn’t save City' })
  await told.waitFor()
  // Rows that are not loaded yet: they come by themselves when the service is there again.
  await page.getByRole('columnheader').getByRole('button', { name: 'Company', exact: true }).click()
  await page.locator('[role=row][aria-busy]').first().waitFor()

  const again = await app.another(Number(new URL(server.url).port))
  await waitForRows(page)
  await told.getByRole('button', { name: 'Try again' }).click()
  await panel.getByText('Malmö').waitFor()
  await note.press('Control+Enter')
  await panel.getByRole('listitem').getByText('Half a thought').waitFor()
  await expect.poll(async () => (await space.get(`/lead/${lead.id}`)).body.city).toBe('Malmö')
  forgive(page, 'ERR_CONNECTION', 'ERR_EMPTY_RESPONSE')
  await expectNoFaults(page)
  await again.app.close()
})
