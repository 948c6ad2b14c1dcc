// Takes the pictures of the documents, from a running service with demo data.
//
//   node scripts/screenshots.mjs http://127.0.0.1:3000 <API key>
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fail, prepare, root } from './prepare.mjs'

const [address, key] = process.argv.slice(2)
if (!address || !key) fail('Usage: node scripts/screenshots.mjs <address> <API key>')

prepare({ dev: true, withTools: true })
const { startBrowser } = await import('../server/dist-tools/test/web/browser.js')

const folder = join(root, 'docs', 'images')
mkdirSync(folder, { recursive: true })

const ask = async (method, path, body) => {
  const headers = { 'X-API-KEY': key, 'Content-Type': 'application/json' }
  const answer = await fetch(`${address}/rest${path}`, {
    method,
    headers,
    body: JSON.stringify(body),
  })
  if (!answer.ok) fail(`${method} ${path} returned ${answer.status}`)
  return answer.json()
}
await ask('PATCH', '/workspace', { currency: 'EUR' })

const [list] = await ask('GET', '/lists')
const filter = { is_company: false, is_contract: true }
const { leads } = await ask('POST', '/leads/list', {
  filter,
  orderBy: [{ field: 'last_interaction_at', type: 'desc' }],
  pagination: { page_size: 5 },
})
const grid = `/leads?${new URLSearchParams({ filter: JSON.stringify(filter), order: 'last_interaction_at.desc' })}`

/** Some leads that are there twice, as a second import or a colleague would have written them. */
async function makeDuplicates() {
  const { leads: doubled } = await ask('POST', '/leads/list', {
    filter: { is_company: false, fields: [{ field: 'email', operator: 'is_not_empty' }] },
    pagination: { page_size: 6 },
  })
  for (const { first_name, last_name, company, email, phone } of doubled) {
    await ask('POST', '/lead', {
      ...{ first_name, last_name: last_name?.toUpperCase(), company: company?.split(' ')[0] },
      ...{ email: email.toUpperCase(), phone: phone?.replaceAll(' ', '-'), city: 'Berlin' },
    })
  }
  while ((await ask('GET', '/duplicates/counts')).building)
    await new Promise((resolve) => setTimeout(resolve, 1_000))
}

/** Some bulk changes, one of them undone. */
async function makeChanges() {
  const change = async (kind, data, selected = filter) => {
    const wanted = { kind, data, filter: selected }
    const { confirm } = await ask('POST', '/operations/preview', wanted)
    return ask('POST', '/operations', { ...wanted, confirm })
  }
  const members = await ask('GET', '/members')
  const { id } = await change('update', { city: 'Berlin' })
  await ask('POST', `/operations/${id}/undo`)
  await change('distribute', { owners: members.map((member) => member.id) })
  await change('delete', {}, { leads: leads.slice(2, 4).map((lead) => lead.id) })
}

/** Each waits for what says that the page is complete. */
const pictures = [
  { name: 'grid-light', path: grid, sign: '[role=row][aria-rowindex="2"]:not([aria-busy])' },
  {
    ...{ name: 'grid-dark', theme: 'dark', path: grid },
    sign: '[role=row][aria-rowindex="2"]:not([aria-busy])',
  },
  { name: 'lead', path: `${grid}&lead=${leads.at(-1).id}`, sign: '[role=tabpanel]' },
  { name: 'board', path: `/board?list=${list.id}`, sign: 'main h3, main [role=listitem], main li' },
  { name: 'overview', path: `/overview?list=${list.id}`, sign: 'main svg.recharts-surface' },
  { name: 'reports', path: '/reports', sign: 'main svg.recharts-surface' },
  { name: 'reminders', path: '/reminders?who=all', sign: 'main [type=checkbox]' },
  { name: 'import', path: '/import', sign: 'main h1' },
  { name: 'settings', path: `/settings/statuses?list=${list.id}`, sign: 'main h1' },
  { name: 'phone', path: '/leads', width: 390, sign: 'main li' },
  // Last: what it needs would be at the top of the others.
  { name: 'changes', before: makeChanges, path: '/changes', sign: 'main li' },
  { name: 'duplicates', before: makeDuplicates, path: '/duplicates', sign: 'main [type=radio]' },
]

const browser = await startBrowser()
for (const { name, before, path, sign, theme = 'light', width = 1400 } of pictures) {
  await before?.()
  const page = await browser.newPage({
    viewport: { width, height: 844 },
    colorScheme: theme,
    locale: 'en-GB',
    reducedMotion: 'reduce',
    extraHTTPHeaders: { 'X-API-KEY': key },
  })
  await page.goto(address + path)
  await page.locator(sign).first().waitFor()
  await page
    .locator('[aria-busy=true], main li[aria-hidden=true]')
    .first()
    .waitFor({ state: 'detached' })
  await page.waitForTimeout(500)
  await page.screenshot({ path: join(folder, `${name}.png`) })
  await page.close()
}
await browser.close()
