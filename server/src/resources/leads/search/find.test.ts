// Searches that arrive at the same time are one statement.
import { beforeAll, expect, test } from 'vitest'
import { service, type Workspace } from '../../../../test/harness.ts'
import { insertLead } from '../../../../test/insert-lead.ts'
import type { Pool } from '../../../db/driver.ts'
import { findLead } from './find.ts'
import { readCriteria } from './match.ts'

const app = service()
const emails = Array.from({ length: 12 }, (_, at) => `search${at}@x.example`)
let space: Workspace
const found = async (as: Workspace, email: string) => {
  const { status, body } = await as.post('/leads/search', { email })
  return status === 200 ? body.email : status
}
beforeAll(async () => {
  space = await app.workspace()
  for (const email of emails) await insertLead(app, space, { email })
})

test('each gets its own answer, in its own workspace', async () => {
  const other = await app.workspace()
  const asked = [...emails, 'nobody@x.example', ...emails]
  const answers = asked.flatMap((email) => [found(space, email), found(other, email)])
  expect(await Promise.all(answers)).toEqual(
    asked.flatMap((email) => [email.startsWith('search') ? email : 404, 404]),
  )
})

let turns = 0
const find = (db: Pool, email: string | undefined) =>
  findLead(db, space.id_space, readCriteria({ email: email as string }), (work) => {
    turns++
    return work()
  })

/** The pool, with another way to run a statement. */
const over = (raw: (...query: Parameters<Pool['unsafe']>) => Promise<unknown>): Pool =>
  ({
    options: app.pool.options,
    unsafe: (...query: Parameters<Pool['unsafe']>) => ({ raw: () => raw(...query) }),
  }) as never

/** A pool whose statements wait for `goOn`. */
function slowPool() {
  let goOn = () => {}
  const held = new Promise<void>((resolve) => {
    goOn = resolve
  })
  return { slow: over((...query) => held.then(() => app.pool.unsafe(...query).raw())), goOn }
}

test('those that arrive while another one is under way are one statement, in one turn', async () => {
  turns = 0
  const { slow, goOn } = slowPool()
  let sent = 0
  const counted = over((...query) => {
    sent++
    return app.pool.unsafe(...query).raw()
  })
  const searches = [find(slow, emails[0]), ...emails.map((email) => find(counted, email))]
  goOn()
  const answers = (await Promise.all(searches)).map((answer) => JSON.parse(String(answer)).email)
  expect(answers).toEqual([emails[0], ...emails])
  expect(sent).toBe(1)
  expect(turns).toBe(2)
})

test('one that fails does not stop the others of its group', async () => {
  const { slow, goOn } = slowPool()
  // As when the client of the request leaves, whose statement is that of the group.
  const broken = over(() => Promise.reject(new Error('canceled')))
  const searches = [find(slow, emails[0]), find(broken, emails[1]), find(app.pool, emails[2])]
  goOn()
  const answers = (await Promise.allSettled(searches)).map((answer) =>
    answer.status === 'fulfilled' ? JSON.parse(String(answer.value)).email : answer.reason.message,
  )
  expect(answers).toEqual([emails[0], 'canceled', emails[2]])
})
