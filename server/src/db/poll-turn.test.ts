import { afterEach, describe, expect, test } from 'vitest'
import { copyTemplate, createEmpty, type TestDatabase } from '../../test/databases.ts'
import { connect } from './driver.ts'
import { createPollTurn } from './poll-turn.ts'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** A process that looks, with a clock that the test sets. */
function lookerIn({ target }: TestDatabase) {
  const clock = { now: 0 }
  const session = connect(target, { max: 1 })
  ends.push(() => session.end())
  const { isOurs } = createPollTurn(session, () => clock.now)
  return { clock, isOurs, end: () => session.end() }
}

test('on one server every process looks each time', async () => {
  const database = await createEmpty('poll_turn')
  ends.push(database.drop)
  const [one, other] = [lookerIn(database), lookerIn(database)]
  expect(await one.isOurs('events')).toBe(true)
  expect(await one.isOurs('events')).toBe(true)
  expect(await other.isOurs('events')).toBe(true)
})

describe.runIf(process.env.CITUS_URL)('on a cluster', () => {
  test('one process looks, with a pause for each thing; when it ends another one does', async () => {
    const database = await copyTemplate('poll_turn')
    ends.push(database.drop)
    const [one, other] = [lookerIn(database), lookerIn(database)]
    expect(await one.isOurs('events')).toBe(true)
    expect(await one.isOurs('events')).toBe(false)
    expect(await one.isOurs('reminders')).toBe(true)
    expect(await other.isOurs('events')).toBe(false)
    one.clock.now = other.clock.now = 5_000
    expect(await one.isOurs('events')).toBe(true)
    expect(await other.isOurs('events')).toBe(false)
    await one.end()
    other.clock.now = 10_000
    expect(await other.isOurs('events')).toBe(true)
  })
})
