// A page of the running service in a browser, for one test file. It notes everything that must not happen:
// errors in the console, violations of the Content-Security-Policy, requests to other servers.
import axe from 'axe-core'
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  ConsoleMessage,
  Locator,
  Page,
} from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import type { Service } from '../harness.ts'
import { startBrowser } from './browser.ts'
import { requestsOf } from './requests.ts'

export interface Opened extends Page {
  /** What must not happen, as far as it did. A test removes what it caused on purpose. */
  faults: string[]
  /** Requests without a response yet, beside the stream of events, which never ends. */
  waiting: Set<unknown>
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
  context?: BrowserContextOptions
}

export const narrow = 390
export const wide = 1400

/** One for all files that run in this process. It ends with the process. */
let started: Promise<Browser> | undefined

export function pages(app: Service) {
  let browser: Browser
  const contexts: BrowserContext[] = []
  beforeAll(async () => {
    started ??= startBrowser()
    browser = await started
  })
  afterAll(() => Promise.all(contexts.map((context) => context.close())))

  return async function open(options: Options = {}): Promise<Opened> {
    const { key, url = app.url, path = '/leads', width = wide, theme = 'light' } = options
    const context = await browser.newContext({
      viewport: { width, height: 860 },
      colorScheme: theme,
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
      permissions: ['clipboard-read', 'clipboard-write'],
      ...(key && { extraHTTPHeaders: { 'X-API-KEY': key } }),
      ...options.context,
    })
    contexts.push(context)
    if (options.session) {
      const name = `rapport-${new URL(url).port}`
      await context.addCookies([{ name, value: options.session, url, sameSite: 'Strict' }])
    }
    const page = (await context.newPage()) as Opened
    page.setDefaultTimeout(60_000)
    page.faults = []
    page.on('console', (message) => {
      if (message.type() === 'error' && !isOvertaken(message)) page.faults.push(message.text())
    })
    page.waiting = requestsOf(page)
    page.on('pageerror', (error) => page.faults.push(error.message))
    page.on('request', (request) => {
      if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(url)) {
        page.faults.push(`request to ${request.url()}`)
      }
    })
    if (options.now) await page.clock.setFixedTime(options.now)
    await page.goto(url + path)
    return page
  }
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

/** Presses Tab until the element has the focus, as people without a mouse do. */
export async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await wanted.waitFor()
  const hasFocus = () => wanted.evaluate((element) => element.matches(':focus'))
  for (let presses = 0; presses < 150; presses++) {
    if (await hasFocus()) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach ${wanted}`)
}

/** Takes away the faults that a test caused on purpose: answers with these statuses. */
export function forgive(page: Opened, ...parts: (string | number)[]): void {
  page.faults = page.faults.filter((fault) => !parts.some((part) => fault.includes(String(part))))
}

export async function expectNoFaults(page: Opened): Promise<void> {
  expect(page.faults).toEqual([])
  await page.context().close()
}
