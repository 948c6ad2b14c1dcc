// Follows the change feed of Rapport and loses no event. Run: RAPPORT_KEY=rk_… node follow-events.mjs
import { readFile, rename, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const { RAPPORT_URL = 'http://localhost:3000', RAPPORT_KEY = '', PLACE = 'place.txt' } = process.env
let cursor = await readFile(PLACE, 'utf8').catch(() => 'start')

// Your work. After a crash, the last page comes again, so it must tolerate seeing an event twice.
const handle = async (event) => console.log(JSON.stringify(event))
const readEverything = async () => console.error('Events are missing: read all records once.')

for (;;) {
  try {
    const url = `${RAPPORT_URL}/rest/events?wait=25&after=${cursor}`
    const answer = await fetch(url, { headers: { 'X-API-KEY': RAPPORT_KEY } })
    const page = await answer.json()
    if (answer.status === 410) await readEverything()
    else if (!answer.ok) throw new Error(`${answer.status} ${page.message}`)
    for (const event of page.events ?? []) await handle(event)
    cursor = page.next ?? page.start
    await writeFile(`${PLACE}.new`, cursor) // Write a new file first, so that a crash cannot leave half a cursor.
    await rename(`${PLACE}.new`, PLACE)
  } catch (error) {
    console.error(`${error.message}: trying again`)
    await sleep(2000)
  }
}
