import { afterEach, describe, expect, test } from 'vitest'
import { copyTemplate, createEmpty, type TestDatabase } from '../../test/databases.ts'
import { connect } from './driver.ts'
import { createLookout } from './lookout.ts'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** A process that looks, with a clock that the test sets. */
function lookerIn({ target }: TestDatabase) {
  const clock = { now: 0 }
  const session = connect(target, { max: 1 })
  ends.push(() => session.end())
  const { isToLook } = createLookout(session, () => clock.now)
  return { clock, isToLook, end: () => session.end() }
}

test('on one server every process looks each time', async () => {
  const database = await createEmpty('lookout')
  ends.push(database.drop)
  const [one, other] = [lookerIn(database), lookerIn(database)]
  expect(await one.isToLook('events')).toBe(true)
  expect(await one.isToLook('events')).toBe(true)
  expect(await other.isToLook('events')).toBe(true)
})

describe.runIf(process.env.CITUS_URL)('on a cluster', () => {
  test('one process looks, with a pause for each thing; when it ends another one does', async () => {
    const database = await copyTemplate('lookout')
    ends.push(database.drop)
    const [one, other] = [lookerIn(database), lookerIn(database)]
    expect(await one.isToLook('events')).toBe(true)
    expect(await one.isToLook('events')).toBe(false)
    expect(await one.isToLook('reminders')).toBe(true)
    expect(await other.isToLook('events')).toBe(false)
    one.clock.now = other.clock.now = 5_000
    expect(await one.isToLook('events')).toBe(true)
    expect(await other.isToLook('events')).toBe(false)
    await one.end()
    other.clock.now = 10_000
    expect(await other.isToLook('events')).toBe(true)
  })
})
