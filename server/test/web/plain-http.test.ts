// The service under a name in the own network, without TLS: browsers tell it less there, and allow pages less.
import { expect, test } from 'vitest'
import { linkTo } from '../browser.ts'
import { service } from '../harness.ts'
import { elsewhere } from './browser.ts'
import { saved } from './import-wizard.ts'
import { expectNoFaults, forgive, pages, rowOf, violations, waitForRows } from './page.ts'

const app = service({ config: { host: '0.0.0.0' } })
const open = pages(app)

test('signing in, working, downloading and copying', async () => {
  const space = await app.workspace()
  await space.post('/lead', { first_name: 'Ada', email: 'ada@example.com', company: 'Engines' })
  const token = await linkTo(app, { id_space: space.id_space, id: space.owner })
  const url = app.url.replace('127.0.0.1', elsewhere)
  const page = await open({ url, path: `/#sign-in=${token}` })
  expect(await page.evaluate('window.isSecureContext')).toBe(false)
  await page.getByRole('button', { name: 'Continue' }).click()
  await waitForRows(page)
  await page.getByText('Connection not encrypted').waitFor()
  expect(await violations(page)).toEqual([])

  await page.getByRole('button', { name: 'Export' }).click()
  const item = page.getByRole('menuitem', { name: 'All fields as CSV' })
  expect(await saved(page, () => item.click())).toContain('ada@example.com')

  await rowOf(page, 1).locator('[aria-colindex="4"]').click()
  await page.keyboard.press('Control+c')
  await page.getByText('Copied').waitFor()
  // A proxy serves it below a path, and has nothing at /assets.
  const lost = page.getByText('Rapport cannot load its files from this address.')
  expect(await lost.isVisible()).toBe(false)
  await page.route('**/assets/**', (route) => route.fulfill({ status: 404 }))
  await page.goto(`${url}/crm/`)
  await lost.waitFor()
  forgive(page, 401, 404)
  await expectNoFaults(page)
})
