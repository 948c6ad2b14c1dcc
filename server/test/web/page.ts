// A page of the running service in a browser, for one test file. It notes everything that must not happen:
// errors in the console, violations of the Content-Security-Policy, requests to other servers.
import axe from 'axe-core'
import type { Browser, ConsoleMessage, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import type { Service } from '../harness.ts'
import { startBrowser } from './browser.ts'
import { requestsOf } from './requests.ts'

export interface Opened extends Page {
  /** What must not happen, as far as it did. A test removes what it caused on purpose. */
  faults: string[]
  /** Requests without a response yet, beside the stream of events, which never ends. */
  waiting: Set<unknown>
  /** Ends its use by the test. */
  leave(): Promise<void>
}

export interface Options {
  /** Signs in with a key in place of a session. */
  key?: string
  /** The secret of a session, for what needs a person. */
  session?: string
  path?: string
  /** Another service than that of the file. */
  url?: string
  width?: number
  theme?: 'light' | 'dark'
  /** What the clock of the browser says. */
  now?: Date
  /** The test changes what cannot be undone, such as the devices of the browser: no other one gets this page. */
  isOwn?: boolean
}

export const narrow = 390
export const wide = 1400
const height = 860

/** One for all files that run in this process. It ends with the process. */
let started: Promise<Browser> | undefined

/** Pages that tests have left, as new. In one of them the program is compiled already: half of the work. */
const left: Opened[] = []

export function pages(app: Service) {
  let browser: Browser
  const inUse = new Set<Opened>()
  beforeAll(async () => {
    started ??= startBrowser()
    browser = await started
  })
  afterAll(() => Promise.all([...inUse].map((page) => page.context().close())))

  return async function open(options: Options = {}): Promise<Opened> {
    const { key, url = app.url, path = '/leads', width = wide, theme = 'light' } = options
    const { now, isOwn = now !== undefined } = options
    const page = (isOwn ? undefined : left.pop()) ?? (await newPage(browser))
    inUse.add(page)
    page.leave = async () => {
      inUse.delete(page)
      if (isOwn) return page.context().close()
      // One in the middle of something, such as an upload, cannot be left.
      await makeAsNew(page).then(
        () => left.push(page),
        () => page.context().close(),
      )
    }
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ colorScheme: theme })
    const context = page.context()
    await context.setExtraHTTPHeaders(key ? { 'X-API-KEY': key } : {})
    if (options.session) {
      const name = `rapport-${new URL(url).port}`
      await context.addCookies([{ name, value: options.session, url, sameSite: 'Strict' }])
    }
    page.faults = []
    page.on('console', (message) => {
      if (message.type() === 'error' && !isOvertaken(message))
        page.faults.push(`${message.text()} ${message.location().url}`)
    })
    page.waiting = requestsOf(page)
    page.on('pageerror', (error) => page.faults.push(error.message))
    page.on('request', (request) => {
      if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(url)) {
        page.faults.push(`request to ${request.url()}`)
      }
    })
    if (now) await page.clock.setFixedTime(now)
    await page.goto(url + path)
    return page
  }
}

async function newPage(browser: Browser): Promise<Opened> {
  const context = await browser.newContext({
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const page = (await context.newPage()) as Opened
  page.setDefaultTimeout(180_000)
  return page
}

const heard = ['console', 'dialog', 'pageerror', 'request', 'requestfailed', 'requestfinished']

async function makeAsNew(page: Opened): Promise<void> {
  await page.evaluate('localStorage.clear(); sessionStorage.clear()')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  for (const type of heard) await page.removeAllListeners(type)
  await page.goto('about:blank')
  await page.context().clearCookies()
}

/**
 * A change of a lead was overtaken by another one, perhaps of the same page, such as a note. The page looks at both and
 * sends it again, or tells the person: change-lead.ts.
 */
function isOvertaken(message: ConsoleMessage): boolean {
  return /\b412\b/.test(message.text()) && message.location().url.includes('/rest/lead/')
}

/** Waits until the page waits for nothing, and has not begun to for a moment. */
export async function untilQuiet(page: Opened): Promise<void> {
  let quiet = 0
  await expect
    .poll(() => {
      quiet = page.waiting.size === 0 ? quiet + 1 : 0
      return quiet
    })
    .toBeGreaterThan(5)
}

/** The row of the grid with this number, the first is 1. */
export const rowOf = (page: Page, number: number) => page.locator(`[aria-rowindex="${number + 1}"]`)

export async function waitForRows(page: Page): Promise<void> {
  await page.locator('[role=row][aria-rowindex="2"]:not([aria-busy])').waitFor()
}

const allRules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** The rules that look at colors. Nothing else differs between the themes (web/src/tokens.css). */
const colorRules = ['color-contrast', 'link-in-text-block']

/** Violations of WCAG 2.2 AA, as "rule: where". */
export async function violations(page: Page, rules = allRules): Promise<string[]> {
  // As text, because the types of the server know no document.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source)
  return page.evaluate(`axe
    .run(document, {
      runOnly: ${JSON.stringify(rules)},
      resultTypes: ['violations'],
    })
    .then(({ violations }) => violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, html }) => id + ': ' + target.join(' ') + ' ' + html.slice(0, 120))))`)
}

/** The violations in the light theme, then those in the dark one. */
export async function violationsInBothThemes(page: Page): Promise<string[][]> {
  await page.emulateMedia({ colorScheme: 'light' })
  const light = await violations(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  return [light, await violations(page, colorRules)]
}

/** Axe finds nothing in either theme, and nothing is wider than the window, at each of these widths. */
export async function expectToFit(page: Opened, ...widths: number[]): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height })
    await untilQuiet(page)
    const where = `${page.url()} ${width}`
    expect(await violationsInBothThemes(page), where).toEqual([[], []])
    const tooWide = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
    expect(await page.evaluate(tooWide), where).toBe(0)
  }
}

/** Picks an option of a select by its text. */
export async function pickIn(select: Locator, option: string | RegExp): Promise<void> {
  await select.click()
  const found = select.page().getByRole('option', { name: option, exact: true })
  await found.click()
  await found.waitFor({ state: 'detached' })
}

/** Presses Tab until the element has the focus, as people without a mouse do. */
export async function tabTo(page: Page, wanted: Locator): Promise<void> {
  // To look for it anew after each press would take most of the time.
  let element = await wanted.elementHandle()
  for (let presses = 0; presses < 150; presses++) {
    const hasFocus = await element?.evaluate((found) =>
      found.isConnected ? found.matches(':focus') : undefined,
    )
    if (hasFocus) return
    if (hasFocus === undefined) element = await wanted.elementHandle()
    else await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach ${wanted}`)
}

/** Takes away the faults that a test caused on purpose: answers with these statuses. */
export function forgive(page: Opened, ...parts: (string | number)[]): void {
  page.faults = page.faults.filter((fault) => !parts.some((part) => fault.includes(String(part))))
}

export async function expectNoFaults(page: Opened): Promise<void> {
  expect(page.faults).toEqual([])
  await page.leave()
}
