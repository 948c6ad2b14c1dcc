// The exports of other systems in the wizard, with rows that are refused, corrected and imported.
import { leadFields } from '@rapport/contract/leads/fields'
import { beforeAll, expect, test } from 'vitest'
import { csvLine } from '../../src/resources/transfer/file/csv.ts'
import { systems } from '../../src/resources/transfer/import/columns/systems.ts'
import { service, type Workspace } from '../harness.ts'
import { contentOf, expectedOf, recordsOf, textOf } from '../import-fixtures.ts'
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

/**
 * The file with three rows more behind its first one, as they come out of careless hands: cut off, with a
 * cell too many, with a quote that is never closed. `whole` is how they ought to be.
 */
function withAwkwardRows(name: string) {
  const bytes = contentOf(name)
  // As bytes: what is added has the encoding of the file.
  const text = bytes.toString('latin1')
  const { separator, records } = recordsOf(text)
  const width = Math.max(...records.map(({ cells }) => cells.length))
  const first = records.findIndex(({ cells }) => cells.length === width) + 1
  const [header, row] = [records[first - 1], records[first]]
  if (!header || !row) throw new Error(`${name} has no rows`)
  const end = text.includes('\r\n') ? '\r\n' : '\n'
  const at = text.indexOf(row.raw) + row.raw.length
  const awkward = [
    row.cells.slice(0, 2).join(separator),
    `${row.raw}${separator}one too many`,
    `"open${separator}${row.raw.replace(/["\r\n]+/g, '')}`,
  ]
  const lines = awkward.map((line) => end + line).join('')
  return {
    content: Buffer.from(text.slice(0, at) + lines + text.slice(at), 'latin1'),
    columns: header.cells.length,
    separator,
    whole: recordsOf(textOf(bytes)).records[first]?.cells ?? [],
  }
}

/** What these tests compare; the tests of the service compare all of it. */
const compared = ['first_name', 'last_name', 'email', 'company', 'contract_name', 'city'] as const

const pick = (lead: Record<string, unknown>) => compared.map((field) => lead[field] ?? null)

test('there is a journey for every system that the service knows', () => {
  const known = systems.filter(({ isOurs }) => !isOurs).map(({ name }) => name)
  expect(new Set(exports.map(([, system]) => system))).toEqual(new Set(known))
})

test.each(exports)(
  '%s: recognized, checked, imported, and its refused rows too',
  async (name, system) => {
    const expected = expectedOf(name)
    const { content, columns, separator, whole } = withAwkwardRows(name)
    const before = await total(space)
    await drop(page, csv(`${name}.csv`, content))
    await page.getByText(new RegExp(`^${system} · \\d+ rows`)).waitFor()
    const targets = await button(page, /^What .* becomes: /).allTextContents()
    expect(targets).toHaveLength(columns)
    for (const field of ['email', 'phone', 'contract_name'] as const) {
      const isThere = expected.some((row) => row[field])
      expect(targets.includes(leadFields[field].label), field).toBe(isThere)
    }

    await page.getByLabel('Create a new lead for every row').check()
    await button(page, 'Check the rows').click()
    const reasons = page.getByRole('heading', { name: 'Why rows are rejected' })
    const values = page.getByRole('heading', { name: 'Values to decide about' })
    await reasons.or(values).waitFor()
    // Its statuses are created.
    if (await values.isVisible()) await button(page, 'Check the rows').click()
    await reasons.waitFor()
    expect(await total(space)).toBe(before)
    await button(page, `Import ${expected.length} rows`).click()
    await page.getByRole('heading', { name: `${expected.length} created` }).waitFor()

    const link = page.getByRole('link', { name: 'Download 3 rejected rows' })
    const [head, ...refused] = recordsOf(await saved(page, () => link.click())).records
    expect(refused.map(({ cells }) => cells[0])).toEqual([
      `Has 2 cells instead of ${columns}`,
      `Has ${columns + 1} cells instead of ${columns}`,
      expect.stringMatching(/quote/),
    ])
    const mended = [head?.cells ?? [], ...refused.map(() => ['corrected', ...whole])]
    await button(page, 'Import another file').click()
    const lines = mended.map((cells) => csvLine(cells, separator))
    await drop(page, csv(`${name}.rejected.csv`, lines.join('\n')))
    await page.getByText(`${system} · 3 rows ·`).waitFor()
    await page.getByLabel('Create a new lead for every row').check()
    await button(page, 'Import without checking').click()
    await page.getByRole('heading', { name: '3 created' }).waitFor()
    await button(page, 'Import another file').click()

    const found = (await leadsOf(space)).slice(before).map(pick)
    const [anna] = expected
    expect(found).toEqual([...expected, anna, anna, anna].map((row) => pick(row ?? {})))
  },
)

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
