// Possible duplicates in a real browser: compared side by side, merged, said to be different, and all of it undone.
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { run } from '../../src/db/sql.ts'
import { keysLock } from '../../src/resources/leads/duplicates/keys.sql.ts'
import { service, type Workspace } from '../harness.ts'
import { choose, csv } from './import-wizard.ts'
import { expectNoFaults, narrow, pages, violations } from './page.ts'

const app = service()
const open = pages(app)
let space: Workspace

/** Pairs with the same email; the second of each has a phone and another spelling of the name. */
async function makePairs(names: string[]): Promise<void> {
  for (const name of names) {
    const email = `${name.toLowerCase()}@example.com`
    await space.post('/lead', { first_name: name, last_name: 'Berg', email, city: 'Oslo' })
    await space.post('/lead', {
      first_name: `${name}a`,
      email: email.toUpperCase(),
      phone: '+47 2',
    })
  }
}

const numbered = (count: number) =>
  Array.from({ length: count }, (_, at) => `Name${String(at + 1).padStart(2, '0')}`)

const groupCount = async () => (await space.get('/duplicates?limit=100')).body.groups.length
const leadCount = async () => (await space.post('/leads/list', { id_only: true })).body.total

beforeAll(async () => {
  space = await app.workspace()
})

const counted = ['created', 'updated', 'skipped', 'rejected']

const panel = (page: Page) => page.getByRole('region', { name: 'Compare leads' })

test('20 groups by the keyboard alone: merged, said to be different, and undone', async () => {
  await makePairs(numbered(20))
  const page = await open({ key: space.key, path: '/duplicates' })
  await page.getByText('1 of 20').waitFor()
  await page.getByRole('link', { name: /^Duplicates 20/ }).waitFor()
  expect(await violations(page)).toEqual([])

  // The second lead is kept, with the first name of the first.
  const keep = panel(page).getByRole('radio', { name: /^Keep Name\d+a$/ })
  await panel(page).getByRole('radio', { name: /^Keep/ }).first().waitFor()
  await page.keyboard.press((await keep.isChecked()) ? 'ArrowRight' : 'ArrowLeft')
  const kept = panel(page).getByRole('radio', { name: /^Keep/, checked: true })
  const name = (await kept.getAttribute('aria-label')) ?? ''
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await page.getByText('1 of 19').waitFor()
  await page.getByText(`Merged into ${name.replace('Keep ', '')}`).waitFor()
  expect(await leadCount()).toBe(39)

  // X: not duplicates. It is taken back like a merge.
  await page.keyboard.press('x')
  await page.getByText('1 of 18').waitFor()
  await page.keyboard.press('Control+z')
  await page.getByText(/ of 19$/).waitFor()
  await page.getByText('Undone: Marked as not duplicates').waitFor()
  await page.keyboard.press('x')
  await page.getByText(/ of 18$/).waitFor()
  expect(await leadCount()).toBe(39)
  for (let left = 17; left > 0; left--) {
    await page.keyboard.press('Enter')
    await page.getByText(new RegExp(` of ${left}$`)).waitFor()
  }
  await page.keyboard.press('Enter')
  await page.getByText('No duplicates').waitFor()
  expect(await groupCount()).toBe(0)
  expect(await leadCount()).toBe(21)

  // The last one comes back.
  await page.keyboard.press('Control+z')
  await page.getByText('1 of 1', { exact: true }).waitFor()
  expect(await leadCount()).toBe(22)
  await expectNoFaults(page)
})

test('says that leads are still being compared, and shows what was found', async () => {
  const own = await app.workspace()
  const page = await open({ key: own.key, path: '/leads', isOwn: true })
  await page.clock.install()
  // Whoever changes keys keeps others from making them.
  await app.db.begin(async (tx) => {
    const space = own.id_space
    await run(tx)`select pg_advisory_xact_lock_shared(${keysLock}::int, hashtext(${space}))`
    await own.call('POST', '/leads/import', 'email\na@x.example\na@x.example\n', 'text/csv')
    await page.goto(`${app.url}/duplicates`)
    await page.getByText('Still looking: 0 of 2 leads compared').waitFor()
  })
  await page.clock.fastForward(5_000)
  await page.getByText('1 of 1', { exact: true }).waitFor()
  await expectNoFaults(page)
})

test('by mouse: a lead is merged with another one, says so, and its old address leads to it', async () => {
  const make = async (fields: object) => (await space.post('/lead', fields)).body.id as string
  const cleo = await make({ first_name: 'Cleo', last_name: 'Falk', city: 'Graz', phone: '+43 1' })
  const clea = await make({ first_name: 'Clea', last_name: 'Falk', city: 'Wien', tags: [] })
  await space.post('/notes', { id_lead: clea, content: 'Met at the fair' })
  const page = await open({ key: space.key, path: `/lead/${cleo}` })
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Merge with…' }).click()
  await page.getByRole('combobox').fill('Clea')
  await page.getByRole('option', { name: /Clea Falk/ }).click()

  // Cleo has more values and stays. The city is that of the other one.
  await panel(page).getByRole('radio', { name: 'Keep Cleo Falk', checked: true }).waitFor()
  await panel(page).getByText('Wien').click()
  await page.getByRole('button', { name: /^Merge 2 leads/ }).click()
  await page.getByText('Merged into Cleo Falk').waitFor()
  await page.getByText('1 other lead').waitFor()
  await page.getByText('Met at the fair').waitFor()
  expect((await space.get(`/lead/${clea}`)).body).toMatchObject({
    ...{ id: cleo, first_name: 'Cleo', city: 'Wien', phone: '+43 1', merged_from: [clea] },
  })
  await page.goto(`${app.url}/lead/${clea}`)
  await expect.poll(() => page.url()).toContain(cleo)
  await expectNoFaults(page)
})

test('an import says which rows look like leads that are there: for all or one by one, by keyboard', async () => {
  const other = await app.workspace()
  // Many of them, with a row of somebody new between each two.
  const rows = (count: number) =>
    Array.from({ length: count }, (_, at) => `Cleo,Falk${at},+43 1 5${String(at).padStart(5, '0')}`)
  const header = 'First name,Last name,Phone'
  const known = [header, ...rows(300)].join('\n')
  await other.call('POST', '/leads/import', known, 'text/csv')
  const page = await open({ key: other.key, path: '/import' })
  const between = rows(300).flatMap((row, at) => [row, `Ida,Rot${at},`])
  await choose(page, csv('fair.csv', [header, ...between].join('\n')))
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await page.getByRole('heading', { name: '300 rows look like leads you have' }).waitFor()
  const list = page.getByRole('list', { name: 'Rows and the leads they look like' })
  await list.getByRole('link', { name: 'Cleo Falk0' }).waitFor()
  expect(await list.getByRole('listitem').count()).toBeLessThan(40)
  expect(await violations(page)).toEqual([])

  // For all, then others for single ones.
  const count = (name: string) =>
    page.getByRole('definition').nth(counted.indexOf(name)).textContent()
  await page.getByRole('radio', { name: 'Update the leads you have' }).press('Space')
  expect([await count('created'), await count('updated')]).toEqual(['300', '300'])
  const way = (row: string, name: string) =>
    list.getByRole('group', { name: row, exact: true }).getByRole('radio', { name })
  await way('Row 2', 'Update').press('ArrowRight')
  await page.keyboard.press('ArrowDown')
  await way('Row 4', 'Update').and(page.locator(':focus')).waitFor()
  await page.keyboard.press('ArrowLeft')
  for (let at = 0; at < 20; at++) await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  await way('Row 44', 'Skip').and(page.locator(':checked')).waitFor()
  await list.getByRole('link', { name: 'Cleo Falk21' }).waitFor()
  expect(await Promise.all(counted.map(count))).toEqual(['301', '297', '2', '0'])
  await page.getByRole('button', { name: 'Import 598 rows' }).click()
  await page.getByRole('heading', { name: '301 created, 297 updated' }).waitFor()
  expect((await other.post('/leads/list', { id_only: true })).body.total).toBe(601)

  // What many leads have in common is listed apart, and leads to exactly these.
  const shared = Array.from({ length: 21 }, (_, at) => `Ida${at},office@x.example`).join('\n')
  await other.call('POST', '/leads/import', `First name,Email\n${shared}`, 'text/csv')
  await page.goto(`${app.url}/duplicates?large`)
  await page.getByText('office@x.example').waitFor()
  expect(await violations(page)).toEqual([])
  await page.getByRole('link', { name: 'Show 21 leads' }).click()
  await page.getByRole('grid', { name: 'Leads' }).getByText('Ida20').waitFor()
  await page.getByText('21 of 622').waitFor()
  await expectNoFaults(page)
})

test('on a phone, in the dark: nothing is wider than the screen, and all groups are merged at once', async () => {
  await makePairs(['Phone'])
  const page = await open({ key: space.key, path: '/duplicates', width: narrow, theme: 'dark' })
  await panel(page).getByText('Keep').first().waitFor()
  expect(await violations(page)).toEqual([])
  const wider = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
  expect(wider).toBe(false)

  // All groups with the same email at once, but for the one that was dismissed.
  const [before, groups] = [await leadCount(), await groupCount()]
  await page.goto(`${app.url}/duplicates?large`)
  await page.getByText('Nothing is shared by many leads').waitFor()
  const chosen = page.getByRole('link', { name: 'Shared by many' })
  await expect.poll(async () => (await chosen.boundingBox())?.x).toBeLessThan(narrow - 100)
  await page.goto(`${app.url}/duplicates?kind=email`)
  await page.getByRole('button', { name: 'Merge all with the same email' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('1 group is left out').waitFor()
  expect(await violations(page)).toEqual([])
  await dialog.getByRole('button', { name: `Merge ${2 * groups} leads` }).click()
  await page.getByText(`${2 * groups} leads with the same email merged`).waitFor()
  await page.getByText('No duplicates').waitFor()
  expect(await leadCount()).toBe(before - groups)
  await page.getByRole('button', { name: 'Undo' }).click()
  await panel(page).getByText('Keep').first().waitFor()
  expect(await leadCount()).toBe(before)
  await expectNoFaults(page)
})
