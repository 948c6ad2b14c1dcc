// The consumer of docs/EVENTS.md, as it stands there: it is killed, the server is killed, and it has
// every event.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readyStages } from '@rapport/contract/stages.values'
import { expect, test } from 'vitest'
import { freePort } from './free-port.ts'
import { program, projectFolder, type Running } from './running-program.ts'

const box = program()
const key = 'a-key-of-my-own-choice'
const example = join(projectFolder, 'docs/examples/follow-events.mjs')

const seqsIn = ({ output }: Running) =>
  output
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line).seq as number)

test('the example of the document loses no event when it or the server is killed', async () => {
  const seen = new Set<number>()
  const port = String(await freePort())
  let server = await box.start({ RAPPORT_API_KEY: key, PORT: port })
  // The owner of the workspace, its list and the stages of it.
  let written = 2 + readyStages.length
  const place = join(box.dataDir, 'place.txt')
  const start = () =>
    box.spawned(process.execPath, [example], {
      RAPPORT_URL: server.url,
      RAPPORT_KEY: key,
      PLACE: place,
    })
  const write = async () => {
    const answer = await fetch(`${server.url}/rest/tags`, {
      method: 'POST',
      headers: { 'X-API-KEY': key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: `tag ${written}` }),
    })
    expect(answer.status).toBe(200)
    written++
  }
  const caughtUp = (consumer: Running) =>
    expect.poll(() => Math.max(0, ...seqsIn(consumer))).toBe(written)
  const end = async (consumer: Running) => {
    consumer.child.kill('SIGKILL')
    await consumer.ended
    for (const seq of seqsIn(consumer)) seen.add(seq)
  }

  const first = start()
  for (let count = 0; count < 5; count++) await write()
  await caughtUp(first)
  // Killed before it has written its place, it would begin anew.
  const placeOf = () => readFile(place, 'utf8').catch(() => '')
  await expect.poll(placeOf).toMatch(new RegExp(`\\.${written}$`))
  await end(first)
  for (let count = 0; count < 5; count++) await write()
  const second = start()
  await caughtUp(second)
  server.child.kill('SIGKILL')
  await server.ended
  await second.says(/trying again/)
  server = await box.start({ RAPPORT_API_KEY: key, PORT: port })
  await write()
  await caughtUp(second)
  // It has not begun anew.
  expect(Math.min(...seqsIn(second))).toBeGreaterThan(1)
  await end(second)
  expect([...seen].sort((a, b) => a - b)).toEqual(
    Array.from({ length: written }, (_none, index) => index + 1),
  )
  expect(await readFile(place, 'utf8')).toMatch(/^[0-9a-f]{8}\.\d+$/)
})

test('the document shows the example as it is', async () => {
  const text = await readFile(join(projectFolder, 'docs/EVENTS.md'), 'utf8')
  expect(text).toContain(await readFile(example, 'utf8'))
})
