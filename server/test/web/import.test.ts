// Importing and exporting files in a real browser.
import { expect, test } from 'vitest'
import { service } from '../harness.ts'
import { contentOf } from '../import-fixtures.ts'
import { button, choose, csv, leadsOf, saved, signedIn, total } from './import-wizard.ts'
import {
  expectNoFaults,
  forgive,
  narrow,
  type Opened,
  pages,
  pickIn,
  violations,
  wide,
} from './page.ts'

const app = service()
const open = pages(app)

const becomes = (page: Opened, header: string) =>
  page.getByRole('button', { name: `What ${header} becomes` })

test('a wide file keeps all its columns, also those with the same name or none', async () => {
  const space = await app.workspace()
  const page = await signedIn(app, open, space)
  await button(page, 'Import').click()
  const names = Array.from({ length: 300 }, (_, index) => `Пользовательское поле ${index + 1}`)
  const header = ['Email', ...names, 'Extra', 'Extra', '']
  const row = ['wide@x.example', ...names.map((_, index) => `v${index}`), 'one', 'two', 'three']
  const wideFile = csv('wide.csv', `${header.join(',')}\n${row.join(',')}\n`)
  await page.route('**/leads/import?*', (route) => route.fulfill({ status: 413, body: '<html>' }))
  await choose(page, wideFile)
  await page.getByRole('alert').getByText('The proxy in front of Rapport refuses').waitFor()
  await page.unroute('**/leads/import?*')
  forgive(page, 413)
  await choose(page, wideFile)
  await button(page, 'Keep 302 ignored columns as new attributes').click()
  await button(page, /^What Column 304, unnamed becomes/).click()
  await page.getByRole('option', { name: 'City', exact: true }).click()
  await button(page, 'Check the rows').click()
  await button(page, 'Import 1 row').click()
  await page.getByRole('heading', { name: '1 created' }).waitFor()
  const [lead] = await leadsOf(space)
  expect([lead.city, Object.keys(lead.attributes).length]).toEqual(['three', 302])
  await expectNoFaults(page)
})

test('columns are mapped, dates asked for, refused rows corrected and imported, and all of it undone', async () => {
  const space = await app.workspace()
  const page = await signedIn(app, open, space)
  await page.keyboard.press('g')
  await page.keyboard.press('i')
  await page.getByText('Choose a file, or drop it here').waitFor()
  expect(await violations(page)).toEqual([])
  await choose(
    page,
    csv(
      'Messe 2026 – ärger.csv',
      [
        'First name;Last name;E-mail;Seit;Größe;Score;Bemerkung intern',
        'Ada;Byron;ada@x.example;3/4/2026;12;80;"zweizeilig\nund „mehr“"',
        'Grace;Hopper;grace@x.example;5/6/2026;40;viel;',
        '"Zoë ""Zo""";O\'Neil;ZOE@X.example;7/8/2026;7;9;x',
        'Kurz;Zeile',
        'שרה;לוי;sara@x.example;1/2/2026;3;1;<b>kein HTML</b>',
        'Ada;Zweite;ada@x.example;2/2/2026;3;viel;',
      ].join('\n'),
    ),
  )
  await page.getByText('6 rows · UTF-8 · separated by semicolon').waitFor()
  await becomes(page, 'Seit').click()
  // Also what is typed before the picker is there counts.
  await page.keyboard.type('created')
  await page.getByRole('option', { name: 'Created' }).waitFor()
  const picker = page.getByRole('combobox', { name: 'What Seit becomes' })
  expect(await picker.inputValue()).toBe('created')
  await page.keyboard.press('Enter')
  await becomes(page, 'Größe').click()
  // Any type can be chosen, not only the one that the column looks like.
  await page.getByRole('option', { name: 'New attribute: date', exact: true }).waitFor()
  await page.getByRole('option', { name: 'New attribute: number' }).click()
  await button(page, /^Keep 1 ignored column/).click()
  await button(page, 'Add to list').click()
  await page.getByRole('combobox', { name: 'Add to list' }).fill('Messe')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')

  // The dates can be read in two ways: the service says so before anything is written.
  await button(page, 'Check the rows').click()
  await page
    .getByRole('alert')
    .getByText(/Dates are ambiguous/)
    .waitFor()
  await page.getByText('How the file is read').click()
  await pickIn(page.getByLabel('Dates'), /^Day first/)
  await button(page, 'Check the rows').click()
  await page.getByRole('heading', { name: 'What will happen' }).waitFor()
  await page.getByText('New lists: Messe').waitFor()
  await page.getByRole('heading', { name: 'Why rows are rejected' }).waitFor()
  await page.getByText(/^Score: /).waitFor()
  await page.getByText('rows 3, 7').waitFor()
  expect(await violations(page)).toEqual([])
  expect(await total(space)).toBe(0)
  // Back goes to the columns, with everything that was decided.
  await page.goBack()
  await becomes(page, 'Größe').getByText('New attribute: number').waitFor()
  expect(await violations(page)).toEqual([])
  await page.goForward()
  await button(page, 'Import 3 rows').click()
  await page.getByRole('heading', { name: '3 created' }).waitFor()
  expect(await violations(page)).toEqual([])
  const [, zoe] = (await leadsOf(space)).filter(({ email }: { email: string }) => email !== '')
  expect(zoe.created_at).toMatch(/^2026-0[2468]-/)

  const refused = await saved(page, () =>
    page.getByRole('link', { name: 'Download 3 rejected rows' }).click(),
  )
  const corrected = refused
    .replaceAll(';viel;', ';5;')
    .replace('Kurz;Zeile', 'Kurz;Zeile;kurz@x.example;;;;')
  await button(page, 'Import another file').click()
  await choose(page, csv('Messe.rejected.csv', corrected.trimEnd()))
  await page.getByText(/^3 rows/).waitFor()
  await page.getByText('Skip rows that match').click()
  await pickIn(page.getByLabel('Match by'), 'Email')
  await button(page, 'Import without checking').click()
  await page.getByRole('heading', { name: '2 created' }).waitFor()
  expect(await total(space)).toBe(5)

  const tray = page.getByRole('region', { name: 'Bulk changes' })
  await tray.getByText(/^Messe.rejected.csv: 2 created/).waitFor()
  await tray.getByRole('button', { name: 'Undo' }).first().click()
  await tray.getByText('Undone').waitFor()
  await page.goto(`${app.url}/import`)
  await button(page, /^Undo import of/)
    .first()
    .click()
  await expect.poll(() => total(space)).toBeLessThan(3)
  await expectNoFaults(page)
})

test('unknown statuses and options are decided about, and an undo takes back what was made', async () => {
  const space = await app.workspace()
  await space.post('/status', { name: 'Negotiation' })
  const select_options = [{ name: 'Referral' }, { name: 'Web' }]
  await space.post('/attributes', { name: 'Source', type: 'SELECT', select_options })
  await space.post('/lead', { email: 'ada@x.example', first_name: 'Old' })
  const page = await open({ key: space.key, path: '/import' })
  const content = [
    'First name,Email,Stage,Source,Tags,Company,Lists',
    'Ada,ada@x.example,Negotation,Refferal,Fair,Engines,',
    'Grace,grace@x.example,Negotation,Fair,Fair,Engines,Autumn',
    'Zoe,zoe@x.example,Parked,Cold call,,Looms,',
  ].join('\n')
  await choose(page, csv('stages.csv', content))
  // With addresses in the file, who has one is updated.
  expect(await page.getByLabel('Update existing leads with the same').isChecked()).toBe(true)
  await page.getByLabel('Create a company lead for each person’s company').check()
  await button(page, 'Check the rows').click()
  await page.getByRole('heading', { name: 'Unknown values' }).waitFor()
  expect(await violations(page)).toEqual([])
  const value = (name: string, header: string) =>
    button(page, new RegExp(`^What ${name} in ${header} becomes`))
  expect(await value('Negotation', 'Stage').textContent()).toBe('Negotiation')
  expect(await value('Refferal', 'Source').textContent()).toBe('Referral')
  expect(await value('Fair', 'Source').textContent()).toBe('Create “Fair”')
  // By keyboard.
  await value('Parked', 'Stage').focus()
  await page.keyboard.press('Enter')
  await page.keyboard.type('leave')
  await page.getByRole('option', { name: 'Leave empty' }).waitFor()
  await page.keyboard.press('Enter')
  await value('Cold call', 'Source').click()
  await page.getByRole('option', { name: 'Reject the rows' }).click()
  await button(page, 'Check the rows').click()
  await page.getByText('Source has no option "Cold call"').waitFor()
  await page.getByText('New companies: 1').waitFor()
  await page.goBack()
  await value('Parked', 'Stage').getByText('Leave empty').waitFor()
  await value('Cold call', 'Source').click()
  await page.getByRole('option', { name: 'Web' }).click()
  await button(page, 'Check the rows').click()
  await button(page, 'Import 3 rows').click()
  const result = '2 created, 1 updated, 2 companies created'
  await page.getByRole('heading', { name: result }).waitFor()
  await page.getByText('New companies: 2').waitFor()
  const tray = page.getByRole('region', { name: 'Bulk changes' })
  await tray.getByText(`stages.csv: ${result}`).waitFor()
  const names = async (path: string) =>
    (await space.get(path)).body.map(({ name }: { name: string }) => name)
  expect(await names('/status')).toEqual(['Negotiation'])
  // Another lead has the tag by now.
  const [tag] = (await space.get('/tags')).body
  await space.post('/lead', { first_name: 'Other', tags: [tag.id] })
  await page.getByRole('link', { name: 'Show leads' }).click()
  await page.getByText('5 of 6').waitFor()
  const list = page.getByRole('link', { name: 'Autumn' })
  await list.waitFor()
  await tray.getByRole('button', { name: 'Undo' }).click()
  await tray
    .getByText('Undone. Also removed: option Fair and list Autumn. Still in use, so kept: tag Fair')
    .waitFor()
  await list.waitFor({ state: 'detached' })
  expect(await names('/tags')).toEqual(['Fair'])
  const [source] = (await space.get('/attributes')).body
  expect(source.select_options).toHaveLength(2)
  expect(await total(space)).toBe(2)
  // The result says so too, and somebody else does it again.
  await page.goBack()
  await page.getByRole('heading', { name: `Undone: ${result}` }).waitFor()
  await page.getByText('Still in use, so kept: tag Fair').first().waitFor()
  expect(await page.getByText('New companies: 2').count()).toBe(0)
  const [undo] = (await space.get('/operations')).body.operations
  expect(undo.data).toMatchObject({ undid: 'import' })
  await space.post(`/operations/${undo.id}/undo`)
  await page.getByRole('heading', { name: result, exact: true }).waitFor()
  expect(await total(space)).toBe(6)
  await expectNoFaults(page)
})

test('a large file shows its progress, is stopped, and goes on after a reload', async () => {
  const space = await app.workspace()
  const rows = 12_000
  const lines = Array.from(
    { length: rows },
    (_, at) => `P${at},p${at}@x.example,${at % 7 ? 5 : 'x'}`,
  )
  const file = csv('big.csv', ['First name,Email,Score', ...lines].join('\n'))
  const page = await signedIn(app, open, space)
  await page.goto(`${app.url}/import`)
  await choose(page, file)
  await button(page, 'Import without checking').click()
  await page.getByRole('progressbar').waitFor()
  await page.getByText(/of 12,000 rows/).waitFor()
  // It continues while one looks at something else.
  await page.getByRole('link', { name: /^Leads/ }).click()
  const tray = page.getByRole('region', { name: 'Bulk changes' })
  await tray.getByText(/Importing\s+big\.csv/).waitFor()
  await expect.poll(() => total(space)).toBeGreaterThan(0)
  await tray.getByRole('button', { name: 'Stop' }).click()
  const stateOf = async () => (await space.get('/operations')).body.operations[0]?.state
  await expect.poll(stateOf).toBe('stopped')
  const half = await total(space)
  expect(half).toBeLessThan(rows)

  page.on('dialog', (dialog) => void dialog.accept())
  await page.goto(`${app.url}/import`)
  await page.getByText('Interrupted. Choose the same file to continue.').waitFor()
  await choose(page, file)
  await page.getByText(/^The import of this file stopped after/).waitFor()
  expect(await violations(page)).toEqual([])
  await button(page, 'Continue').click()
  const refused = Math.ceil(rows / 7)
  await page.getByRole('link', { name: /^Download 1,715 rejected rows/ }).waitFor()
  expect(refused).toBe(1715)
  expect(await total(space)).toBe(rows - refused)
  const text = await saved(page, () => page.getByRole('link', { name: /^Download/ }).click())
  expect(text.trimEnd().split('\n')).toHaveLength(refused + 1)
  await expectNoFaults(page)
})

test('the service stops in the middle: the import goes on by itself when it is back', async () => {
  const space = await app.workspace()
  const rows = 8_000
  const lines = Array.from({ length: rows }, (_, at) => `P${at},p${at}@x.example`)
  const first = await app.another()
  const page = await open({ key: space.key, url: first.url, path: '/import' })
  await choose(page, csv('shaky.csv', ['First name,Email', ...lines].join('\n')))
  await button(page, 'Import without checking').click()
  await expect.poll(() => total(space)).toBeGreaterThan(0)
  await first.app.close()
  await page.getByRole('heading', { name: /^Connection lost/ }).waitFor()
  const half = await total(space)
  expect(half).toBeLessThan(rows)
  const second = await app.another(Number(new URL(first.url).port))
  await page.getByRole('heading', { name: '8,000 created' }).waitFor()
  expect(await total(space)).toBe(rows)
  forgive(page, 'net::ERR', 503)
  await expectNoFaults(page)
  await second.app.close()
})

test('on a phone in the dark, for somebody who may only read, and with the keyboard', async () => {
  const space = await app.workspace()
  const page = await open({ key: space.key, path: '/import', width: narrow, theme: 'dark' })
  await choose(page, csv('hubspot.csv', contentOf('hubspot-contacts')))
  await button(page, 'Check the rows').waitFor()
  expect(await violations(page)).toEqual([])
  const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
  expect(await page.evaluate(overflow)).toBe(0)
  const check = async (heading: string) => {
    await button(page, 'Check the rows').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: heading }).waitFor()
  }
  await check('Unknown values')
  expect(await violations(page)).toEqual([])
  expect(await page.evaluate(overflow)).toBe(0)
  await check('What will happen')
  expect(await violations(page)).toEqual([])
  expect(await page.evaluate(overflow)).toBe(0)
  await expectNoFaults(page)

  const reader = await open({ key: await app.key(space, 'read'), path: '/import', width: wide })
  await reader.getByText('You don’t have permission to import.').waitFor()
  expect(await reader.locator('input[type=file]').count()).toBe(0)
  expect(await reader.getByRole('link', { name: 'Import', exact: true }).count()).toBe(0)
  await expectNoFaults(reader)
})
