// The exports of other systems in the wizard, with rows that are refused, corrected and imported.
import { leadFields } from '@rapport/contract/leads/fields'
import { beforeAll, expect, test } from 'vitest'
import { systems } from '../../src/resources/transfer/import/columns/systems.ts'
import { service, type Workspace } from '../harness.ts'
import { contentOf, expectedOf, mendRows, withAwkwardRows } from '../import-fixtures.ts'
import { button, csv, drop, leadsOf, saved, signedIn, total } from './import-wizard.ts'
import { expectNoFaults, type Opened, pages, waitForRows } from './page.ts'

const app = service()
const open = pages(app)
let space: Workspace
let page: Opened

beforeAll(async () => {
  space = await app.workspace()
  page = await signedIn(app, open, space)
  // The empty workspace leads to the import.
  await button(page, 'Import').click()
})

/**
 * With rows that are refused and mended, and checked before: one with lines above the header, one whose statuses are
 * asked about, one in another encoding. The service's own tests do so with all of them.
 */
const withRefusals = ['hubspot-deals', 'linkedin-connections', 'salesforce-leads-report']

/** A file of each kind of export, and what the page calls it. */
const exports = [
  ['apollo-accounts', 'Apollo accounts'],
  ['apollo-contacts', 'Apollo contacts'],
  ['close-contacts', 'Close contacts'],
  ['close-leads', 'Close leads'],
  ['google-contacts', 'Google contacts'],
  ['hubspot-companies', 'HubSpot companies'],
  ['hubspot-contacts', 'HubSpot contacts'],
  ['hubspot-deals', 'HubSpot deals'],
  ['linkedin-connections', 'LinkedIn connections'],
  ['outlook-classic', 'Outlook'],
  ['pipedrive-deals', 'Pipedrive deals'],
  ['pipedrive-leads', 'Pipedrive leads'],
  ['pipedrive-organizations', 'Pipedrive organizations'],
  ['pipedrive-people', 'Pipedrive people'],
  ['salesforce-accounts-report', 'Salesforce accounts'],
  ['salesforce-contacts-report', 'Salesforce contacts'],
  ['salesforce-leads-report', 'Salesforce leads'],
  ['salesforce-opportunities-report', 'Salesforce opportunities'],
  ['zoho-accounts', 'Zoho accounts'],
  ['zoho-deals', 'Zoho deals'],
  ['zoho-leads', 'Zoho'],
] as const

/** What these tests compare; the tests of the service compare all of it. */
const compared = ['first_name', 'last_name', 'email', 'company', 'contract_name', 'city'] as const

const pick = (lead: Record<string, unknown>) => compared.map((field) => lead[field] ?? null)

test('there is a journey for every system that the service knows', () => {
  const known = systems.filter(({ isOurs }) => !isOurs).map(({ name }) => name)
  expect(new Set(exports.map(([, system]) => system))).toEqual(new Set(known))
})

test.each(exports)('%s: recognized, imported, and its refused rows too', async (name, system) => {
  const expected = expectedOf(name)
  const isRefused = withRefusals.includes(name)
  const { content, columns, separator, whole } = withAwkwardRows(name)
  const before = await total(space)
  await drop(page, csv(`${name}.csv`, isRefused ? content : contentOf(name)))
  await page.getByText(new RegExp(`^${system} · \\d+ rows`)).waitFor()
  const targets = await button(page, /^What .* becomes: /).allTextContents()
  expect(targets).toHaveLength(columns)
  for (const field of ['email', 'phone', 'contract_name'] as const) {
    const isThere = expected.some((row) => row[field])
    expect(targets.includes(leadFields[field].label), field).toBe(isThere)
  }
  const importAll = async (rows: number) => {
    await page.getByLabel('Create a new lead for every row').check()
    await button(page, 'Import without checking').click()
    await page.getByRole('heading', { name: `${rows} created` }).waitFor()
    await button(page, 'Import another file').click()
  }
  const expectLeads = async (rows: typeof expected) => {
    const found = (await leadsOf(space)).slice(before).map(pick)
    expect(found).toEqual(rows.map((row) => pick(row)))
  }
  if (!isRefused) {
    await importAll(expected.length)
    return expectLeads(expected)
  }

  await page.getByLabel('Create a new lead for every row').check()
  await button(page, 'Check the rows').click()
  const reasons = page.getByRole('heading', { name: 'Why rows are rejected' })
  const values = page.getByRole('heading', { name: 'Unknown values' })
  await reasons.or(values).waitFor()
  // Its statuses are created.
  if (await values.isVisible()) await button(page, 'Check the rows').click()
  await reasons.waitFor()
  expect(await total(space)).toBe(before)
  await button(page, `Import ${expected.length} rows`).click()
  await page.getByRole('heading', { name: `${expected.length} created` }).waitFor()

  const link = page.getByRole('link', { name: 'Download 3 rejected rows' })
  const mended = mendRows(await saved(page, () => link.click()), { columns, separator, whole })
  await button(page, 'Import another file').click()
  await drop(page, csv(`${name}.rejected.csv`, mended))
  await page.getByText(`${system} · 3 rows ·`).waitFor()
  await importAll(3)
  const [anna = {}] = expected
  await expectLeads([...expected, anna, anna, anna])
})

test('what is exported is what was imported', async () => {
  await page.goto(`${app.url}/leads`)
  await waitForRows(page)
  await button(page, 'Export').click()
  const item = page.getByRole('menuitem', { name: 'All fields as CSV' })
  const file = await saved(page, () => item.click())
  const other = await app.workspace()
  for (const { name, type, slug, select_options } of (await space.get('/attributes')).body) {
    await other.post('/attributes', { name, type, slug, select_options })
  }
  const { body } = await other.call('POST', '/leads/import', file, 'text/csv')
  expect(body).toMatchObject({ created: await total(space), rejected_total: 0 })
  const ids = ({ id, tags, ...lead }: Record<string, unknown>) => [
    id,
    (tags as { name: string }[]).map(({ name }) => name),
    ...pick(lead),
  ]
  expect((await leadsOf(other)).map(ids)).toEqual((await leadsOf(space)).map(ids))
  await expectNoFaults(page)
})
