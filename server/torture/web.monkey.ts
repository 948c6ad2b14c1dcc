// What a monkey does at the page. What runs inside of the page is text, because the types of the server
// know no document.
import type { Locator, Page } from 'playwright-core'
import type { Random } from '../src/random.ts'
import { requestsOf } from '../test/web/requests.ts'
import { Breach } from './torture.ts'
import { until } from './until.ts'

const keys = [
  ...['j', 'k', 'x', 'f', 'c', '/', '?', 'e', 'Enter', 'Tab', 'Shift+Tab', 'Control+k', 'Escape'],
  ...['ArrowDown', 'ArrowUp', 'ArrowLeft', 'ArrowRight', 'PageDown', 'Home', 'End', 'F2', 'm', ' '],
]
const texts = ['Ada', 'ß <b>', '42', '"quoted"', 'שלום', '2026-01-01', "Robert'); drop", '😀']
/** These leave the page, or end the session. Deleting everything would leave nothing to click. */
const leftAlone = /sign out|api reference|delete|remove|revoke|erase|end$/i

export class Monkey {
  readonly counts = {
    'clicks, keys and texts': 0,
    'reloads, each without a change': 0,
    'drafts, none lost': 0,
    'connections lost': 0,
  }
  readonly #page: Page
  readonly #random: Random
  #done: string[] = []
  #drafts = 0

  /** Requests without a response yet. */
  readonly #waiting: Set<unknown>

  constructor(page: Page, random: Random) {
    this.#page = page
    this.#random = random
    this.#waiting = requestsOf(page)
  }

  /** The last things that it did, to see how a fault came about. */
  get lately(): string {
    return this.#done.join(', ')
  }

  async act({ isOffline = false } = {}): Promise<void> {
    const what = this.#random.next()
    this.counts['clicks, keys and texts']++
    if (what < 0.5) await this.#click()
    else if (what < 0.8) await this.#press()
    else if (what < 0.93) await this.#type()
    else if (!isOffline && what < 0.97) await this.#go()
    else await this.#scroll()
  }

  #note(line: string): void {
    this.#done = [...this.#done.slice(-11), line]
  }

  async #click(): Promise<void> {
    const all = this.#page.locator(
      'button:visible:enabled, a:visible, [role=menuitem]:visible, [role=option]:visible, [role=tab]:visible, [role=gridcell]:visible',
    )
    const wanted = await this.#any(all)
    if (!wanted) return
    // It may be gone by now.
    const name = await wanted
      .evaluate(
        (element) => element.getAttribute('aria-label') ?? element.textContent ?? '',
        null,
        {
          timeout: 1_000,
        },
      )
      .catch(() => undefined)
    if (name === undefined) return
    const target = await wanted.getAttribute('target').catch(() => null)
    if (leftAlone.test(name.trim()) || target === '_blank') return
    this.#note(`click ${name.trim().slice(0, 40)}`)
    // It may be gone or covered by now: then nothing is clicked, as with a person.
    await wanted.click({ timeout: 1_000, noWaitAfter: true }).catch(() => {})
  }

  async #any(all: Locator): Promise<Locator | undefined> {
    const count = await all.count()
    return count === 0 ? undefined : all.nth(this.#random.between(0, count - 1))
  }

  async #press(): Promise<void> {
    const key = this.#random.pick(keys)
    this.#note(key)
    await this.#page.keyboard.press(key)
  }

  async #type(): Promise<void> {
    const field = await this.#any(
      this.#page.locator('input:visible:not([type=checkbox]):not([type=radio]), textarea:visible'),
    )
    const text = this.#random.pick(texts)
    if (field && (await field.getAttribute('type')) !== 'file') {
      this.#note(`type ${text}`)
      await field.fill(text, { timeout: 1_000 }).catch(() => {})
    } else {
      this.#note(`keys ${text}`)
      await this.#page.keyboard.type(text)
    }
  }

  async #go(): Promise<void> {
    const how = this.#random.pick(['back', 'forward', 'leads'] as const)
    this.#note(how)
    // Beyond the first page there is nothing of ours.
    if (how === 'back') await this.#page.goBack({ timeout: 5_000 }).catch(() => {})
    if (how === 'forward') await this.#page.goForward({ timeout: 5_000 }).catch(() => {})
    if (how === 'leads' || !this.#page.url().startsWith('http')) {
      await this.#page.goto(new URL('/leads', this.#origin()).href)
    }
  }

  #origin(): string {
    const { origin } = new URL(this.#page.url())
    if (origin !== 'null') this.#lastOrigin = origin
    return this.#lastOrigin
  }
  #lastOrigin = ''

  async #scroll(): Promise<void> {
    this.#note('wheel')
    await this.#page.mouse.move(700, 430)
    await this.#page.mouse.wheel(0, this.#random.between(-2_000, 4_000))
  }

  /** Closes what is open, so that only the address decides what is shown. */
  async #calm(): Promise<void> {
    for (let tries = 0; tries < 4; tries++) {
      if ((await this.#page.locator('[role=dialog]:visible, [role=menu]:visible').count()) === 0) {
        break
      }
      await this.#page.keyboard.press('Escape')
    }
    await this.#page.evaluate('document.activeElement?.blur()')
    await until('the page waits for nothing', 30, () => this.#waiting.size === 0)
    // What has arrived is drawn.
    await this.#page.evaluate('new Promise((done) => setTimeout(done, 100))')
    await until('the page waits for nothing', 30, () => this.#waiting.size === 0)
  }

  /** What a person would miss: where one is, the heading, the conditions, the first rows. */
  async #look(): Promise<string> {
    return String(
      await this.#page.evaluate(`(() => {
        const text = (selector) => [...document.querySelectorAll(selector)]
          .map((element) => element.textContent.trim())
        return JSON.stringify({
          address: location.pathname + location.search,
          headings: text('main h1'),
          columns: text('[role=columnheader]'),
          rows: document.querySelector('[role=grid]')?.getAttribute('aria-rowcount'),
        })
      })()`),
    )
  }

  /** A busy machine takes its time to draw another page that has arrived. */
  async #lookWhenStill(): Promise<string> {
    let seen = ''
    await until('the page stands still', 30, async () => {
      const before = seen
      await this.#page.evaluate('new Promise((done) => setTimeout(done, 300))')
      seen = await this.#look()
      return seen === before
    })
    return seen
  }

  async reloadChangesNothing(): Promise<void> {
    this.#origin()
    await this.#calm()
    const before = await this.#lookWhenStill()
    await this.#page.reload()
    await this.#page.locator('main h1').first().waitFor()
    await this.#calm()
    const after = await this.#lookWhenStill()
    this.counts['reloads, each without a change']++
    if (after !== before) {
      throw new Breach(`A reload changed the page:\n${before}\n${after}\nAfter: ${this.lately}`)
    }
  }

  /** A note that is begun is still there after other work, as long as the page is not reloaded. */
  async draftsSurvive(): Promise<void> {
    const page = this.#page
    await page.goto(new URL('/leads', this.#origin()).href)
    const row = page.locator('[role=row][aria-rowindex]:not([aria-busy]) [role=gridcell]')
    await row.nth(1).click()
    const panel = page.getByRole('complementary', { name: 'Lead' })
    await panel.getByRole('tab', { name: 'Notes' }).click()
    const text = `Draft ${++this.#drafts} of the monkey`
    await panel.getByRole('textbox', { name: 'Write a note' }).fill(text)
    // To other leads and back, and the panel closed and opened by Back.
    const open = new URL(page.url()).searchParams.get('lead')
    const isOpen = (id: string | null) =>
      page.waitForURL((url) => (url.searchParams.get('lead') === open) === (id === open))
    await panel.getByRole('button', { name: 'Next lead' }).click()
    await isOpen('another')
    await panel.getByRole('button', { name: 'Previous lead' }).click()
    await isOpen(open)
    await panel.getByRole('button', { name: 'Close' }).click()
    await page.goBack()
    await panel.getByRole('tab', { name: 'Notes' }).click()
    const found = await panel.getByRole('textbox', { name: 'Write a note' }).inputValue()
    this.counts['drafts, none lost']++
    if (found !== text) throw new Breach(`The draft "${text}" is lost: the field has "${found}"`)
    await panel.getByRole('textbox', { name: 'Write a note' }).fill('')
  }

  /** After a lost connection the page shows leads again, by itself or by its own button. */
  async recovers(): Promise<void> {
    await this.#calm()
    await this.#page.goto(new URL('/leads', this.#origin()).href)
    await this.#page.locator('main h1').first().waitFor()
  }
}
