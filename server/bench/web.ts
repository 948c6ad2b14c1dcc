// Measures the page in a browser. What runs inside of the page is text, because the types of the server know
// no document.
import type { Browser, CDPSession, Page } from 'playwright-core'
import { startBrowser } from '../test/web/browser.ts'
import { duration, type Line, median, short } from './figures.ts'
import { dropTimes } from './web.board.ts'
import { whenPainted } from './web.paint.ts'

interface Order {
  url: string
  key: string
  /** How long to scroll. */
  seconds: number
  say(line: string): void
}

const viewport = { width: 1400, height: 860 }
const firstRow = '[role=row][aria-rowindex="2"]:not([aria-busy])'

/** The value that 95 of 100 do not exceed. */
function most(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * 0.95) - 1)] ?? Number.NaN
}

export interface Measured {
  lines: Line[]
  /** Milliseconds to the first row. */
  firstRow: number
}

export async function measurePage({ url, key, seconds, say }: Order): Promise<Measured> {
  const browser = await startBrowser()
  try {
    const context = await browser.newContext({ viewport, extraHTTPHeaders: { 'X-API-KEY': key } })
    const page = await context.newPage()
    await page.goto(`${url}/leads`)
    await page.locator(firstRow).waitFor()
    say('First row, warm')
    const firsts = await times(7, () => firstPaint(page, url))
    say('Jumps')
    const jumps = await jumpTimes(page)
    say('Keys')
    const keys = await keyTimes(page)
    say('Scrolling')
    const devtools = await context.newCDPSession(page)
    const before = await heapOf(devtools)
    const frames = await scroll(page, devtools, seconds)
    const nodes = Number(await page.evaluate(`document.querySelectorAll('*').length`))
    const grown = ((await heapOf(devtools)) - before) / 2 ** 20
    say('Scrolling the same rows without script')
    const bare = await bareFrames(browser, page, seconds)
    say('Drops of cards')
    const drops = await dropTimes(page, url)
    const lines = [
      limit('first row painted, warm', median(firsts), 500, `median of ${firsts.length}`),
      limit('jump to any row', most(jumps), 250, `95 of 100 of ${jumps.length}`),
      limit('key to paint (J, X)', most(keys), 100, `95 of 100 of ${keys.length}`),
      limit('drop of a card to paint', most(drops), 100, `95 of 100 of ${drops.length}`),
      {
        operation: 'wheel scrolling, frame',
        measured: duration(most(frames)),
        target: '95 of 100 within 20 ms, or 1.3 times the same rows without script',
        detail: `${frames.length} frames; without script ${duration(most(bare))}`,
        isReached: most(frames) <= 20 || most(frames) <= 1.3 * most(bare),
      },
      {
        operation: 'DOM nodes after scrolling',
        measured: short(nodes),
        target: 'at most 2,500',
        detail: `after ${seconds} s`,
        isReached: nodes <= 2_500,
      },
      {
        operation: 'heap grown by scrolling',
        measured: `${short(Math.max(0, grown))} MB`,
        target: 'at most 20 MB',
        detail: `from ${short(before / 2 ** 20)} MB, garbage collected`,
        isReached: grown <= 20,
      },
    ]
    return { lines, firstRow: median(firsts) }
  } finally {
    await browser.close()
  }
}

const limit = (operation: string, ms: number, at: number, detail: string): Line => ({
  operation,
  measured: duration(ms),
  target: `at most ${at} ms`,
  detail,
  isReached: ms <= at,
})

async function times(rounds: number, measure: () => Promise<number>): Promise<number[]> {
  const all = []
  for (let round = 0; round < rounds; round++) all.push(await measure())
  return all
}

async function firstPaint(page: Page, url: string): Promise<number> {
  await page.goto(`${url}/leads`, { waitUntil: 'commit' })
  return Number(await page.evaluate(whenPainted(`document.querySelector('${firstRow}')`)))
}

/**
 * To rows all over the grid, by the scrollbar. Each is far from those that were loaded before. The first
 * ones only bring the index into the memory of the database.
 */
async function jumpTimes(page: Page): Promise<number[]> {
  const [warm, measured] = [8, 20]
  const all = []
  for (let at = 1; at <= warm + measured; at++) {
    const share = (at * 0.618) % 1
    all.push(
      Number(
        await page.evaluate(`(async () => {
          const grid = document.querySelector('[role=grid]')
          const started = performance.now()
          grid.scrollTop = (grid.scrollHeight - grid.clientHeight) * ${share}
          await new Promise(requestAnimationFrame)
          await new Promise(requestAnimationFrame)
          const done = await ${whenPainted(`!document.querySelector('[role=row][aria-busy]')`)}
          return done - started
        })()`),
      ),
    )
  }
  return all.slice(warm)
}

/** From the event of the key to the frame after the page has changed. */
async function keyTimes(page: Page): Promise<number[]> {
  await page.locator('[role=grid]').focus()
  await page.keyboard.press('Control+Home')
  await page.locator(firstRow).waitFor()
  await page.evaluate(`
    window.keyTimes = []
    addEventListener('keydown', ({ timeStamp }) => {
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => window.keyTimes.push(performance.now() - timeStamp)
        port2.postMessage(0)
      })
    }, true)`)
  for (let at = 0; at < 40; at++) await page.keyboard.press(at % 4 === 3 ? 'x' : 'j')
  await page.keyboard.press('Escape')
  await page.evaluate('new Promise(requestAnimationFrame)')
  return (await page.evaluate('window.keyTimes')) as number[]
}

async function heapOf(devtools: CDPSession): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage')
  return (await devtools.send('Runtime.getHeapUsage')).usedSize
}

/** The times between frames while the wheel turns. */
async function scroll(page: Page, devtools: CDPSession, seconds: number): Promise<number[]> {
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await page.mouse.move(viewport.width / 2, viewport.height / 2)
  await page.evaluate(`
    window.frames95 = []
    window.isScrolling = true
    let last
    requestAnimationFrame(function note(now) {
      if (last !== undefined) window.frames95.push(now - last)
      last = now
      if (window.isScrolling) requestAnimationFrame(note)
    })
    undefined`)
  const end = performance.now() + seconds * 1_000
  while (performance.now() < end) await page.mouse.wheel(0, 120)
  await page.evaluate('window.isScrolling = false')
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  return (await page.evaluate('window.frames95')) as number[]
}

/** How many rows the bare page has: more than the wheel passes. */
const bareRows = 1_000

/** A page with the rows of the grid as they are, but without any script. */
async function bareFrames(browser: Browser, grid: Page, seconds: number): Promise<number[]> {
  const content = await grid.evaluate(`(async () => {
    const links = [...document.querySelectorAll('link[rel=stylesheet]')]
    const styles = await Promise.all(links.map(async ({ href }) => (await fetch(href)).text()))
    const scroller = document.querySelector('[role=grid]').cloneNode(true)
    const space = scroller.querySelector('[role=rowgroup]')
    const rows = [...space.children]
    const step = Number.parseFloat(rows[1].style.top) - Number.parseFloat(rows[0].style.top)
    space.replaceChildren(...Array.from({ length: ${bareRows} }, (_, at) => {
      const row = rows[at % rows.length].cloneNode(true)
      row.style.top = at * step + 'px'
      return row
    }))
    space.style.height = ${bareRows} * step + 'px'
    return '<!doctype html><style>' + styles.join('\\n') + '</style><div style="height:100vh">' +
      scroller.outerHTML + '</div>'
  })()`)
  const page = await browser.newPage({ viewport })
  await page.setContent(String(content))
  return scroll(page, await page.context().newCDPSession(page), seconds)
}
