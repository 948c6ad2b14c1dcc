// Takes the pictures of the documents: the grid in both themes, from a running service with demo data.
//
//   node scripts/screenshots.mjs http://127.0.0.1:3000 <API key>
import { existsSync, mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fail, root } from './prepare.mjs'

const [address, key] = process.argv.slice(2)
if (!address || !key) fail('Usage: node scripts/screenshots.mjs <address> <API key>')

const { chromium } = createRequire(join(root, 'server/package.json'))('playwright-core')
const executablePath =
  process.env.RAPPORT_CHROMIUM ??
  ['/usr/bin/google-chrome', '/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync)
if (!executablePath) fail('No Chrome or Chromium found. Set RAPPORT_CHROMIUM to its path.')

const folder = join(root, 'docs', 'images')
mkdirSync(folder, { recursive: true })

const filter = JSON.stringify({ is_company: false, is_contract: true })
const path = `/leads?${new URLSearchParams({ filter, order: 'last_interaction_at.desc' })}`

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
for (const colorScheme of ['light', 'dark']) {
  const page = await browser.newPage({
    viewport: { width: 1600, height: 860 },
    colorScheme,
    locale: 'en-GB',
    extraHTTPHeaders: { 'X-API-KEY': key },
  })
  await page.goto(address + path)
  await page.locator('[role=row][aria-rowindex="2"]:not([aria-busy])').waitFor()
  await page.screenshot({ path: join(folder, `grid-${colorScheme}.png`) })
}
await browser.close()
