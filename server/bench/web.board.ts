// Drops of cards on the board, in a browser. What runs inside of the page is text, because the types of the
// server know no document.
import type { Page } from 'playwright-core'
import { whenPainted } from './web.paint.ts'

const drops = 20

/** From the event of the drop to the frame in which the card is in its new column. */
export async function dropTimes(page: Page, url: string): Promise<number[]> {
  await page.goto(`${url}/board`)
  const columns = page.locator('main section')
  const cardOf = (column: number) => columns.nth(column).locator('[data-lead]').first()
  await columns.locator('[data-lead]').first().waitFor()
  // The first column with cards, and one beside it.
  const filled = Number(
    await page.evaluate(
      `[...document.querySelectorAll('main section')].findIndex((section) => section.querySelector('[data-lead]'))`,
    ),
  )
  const beside = filled === 0 ? 1 : filled - 1
  const all = []
  for (let at = 0; at < drops; at++) {
    const [from, to] = at % 2 === 0 ? [filled, beside] : [beside, filled]
    const lead = await cardOf(from).getAttribute('data-lead')
    const source = await cardOf(from).boundingBox()
    const target = await columns.nth(to).boundingBox()
    if (!source || !target) throw new Error('The board has no two columns with cards')
    const isThere = `document.querySelectorAll('main section')[${to}].querySelector('[data-lead="${lead}"]')`
    await page.evaluate(`addEventListener('drop', ({ timeStamp }) => {
      window.dropTime = ${whenPainted(isThere)}.then((painted) => painted - timeStamp)
    }, { capture: true, once: true })`)
    await page.mouse.move(source.x + 80, source.y + 30)
    await page.mouse.down()
    await page.mouse.move(source.x + 90, source.y + 40, { steps: 3 })
    await page.mouse.move(target.x + 100, target.y + 120, { steps: 8 })
    await page.mouse.up()
    all.push(Number(await page.evaluate('window.dropTime')))
  }
  return all
}
