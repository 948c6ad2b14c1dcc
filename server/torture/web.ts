// A monkey at the page: random clicks, keys, texts, reloads and lost connections. The page must not fail,
// must not lose what was typed, and must look the same after a reload.
import type { BrowserContext, Page } from 'playwright-core'
import { HttpClient, restRequest } from '../test/http-client.ts'
import { startBrowser } from '../test/web/browser.ts'
import { apiKey, makeDataDir, removeDataDir, type Server, startServer } from './server.ts'
import { Breach, type Context, type Figures, type Size, type Torture } from './torture.ts'
import { Monkey } from './web.monkey.ts'

export const web: Torture = {
  name: 'web',
  summary: 'clicks, types, reloads and loses the connection at random in the page',
  run,
}

const demoLeads = 300

async function run(size: Size, { random, say, signal }: Context): Promise<Figures> {
  const steps = size === 'long' ? 4_000 : 20
  const dataDir = await makeDataDir()
  const browser = await startBrowser()
  let server: Server | undefined
  try {
    server = await startServer(dataDir)
    await fill(server.url)
    const context = await browser.newContext({
      viewport: { width: 1400, height: 860 },
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
      extraHTTPHeaders: { 'X-API-KEY': apiKey },
    })
    const page = await context.newPage()
    page.setDefaultTimeout(10_000)
    const faults = watch(page)
    await page.goto(`${server.url}/leads`)
    const monkey = new Monkey(page, random)
    for (let step = 1; step <= steps && !signal.aborted; step++) {
      await monkey.act()
      if (faults.length > 0) throw new Breach(`${faults[0]}\nAfter: ${monkey.lately}`)
      if (step % 20 === 0) await monkey.reloadChangesNothing()
      if (step % 50 === 10) await monkey.draftsSurvive()
      if (step % 90 === 15) await loseConnection(context, monkey)
      if (step % 200 === 0) say(`${step} of ${steps} steps`)
    }
    return { 'steps of the monkey': steps, ...monkey.counts }
  } finally {
    await browser.close()
    await server?.kill()
    await removeDataDir(dataDir)
  }
}

async function fill(url: string): Promise<void> {
  const http = new HttpClient()
  const { status, text } = await http.send(
    url,
    restRequest(apiKey, 'POST', '/demo', { leads: demoLeads }),
  )
  http.close()
  if (status !== 200) throw new Error(`POST /demo returned ${status} ${text}`)
}

/** What must not happen: errors of the page. A request that fails is told in the page instead. */
function watch(page: Page): string[] {
  const faults: string[] = []
  const isRequest = /Failed to load resource|net::ERR_/
  page.on('pageerror', (error) => faults.push(error.stack ?? error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' && !isRequest.test(message.text())) faults.push(message.text())
  })
  return faults
}

async function loseConnection(context: BrowserContext, monkey: Monkey): Promise<void> {
  await context.setOffline(true)
  for (let step = 0; step < 3; step++) await monkey.act({ isOffline: true })
  await context.setOffline(false)
  monkey.counts['connections lost']++
  await monkey.recovers()
}
