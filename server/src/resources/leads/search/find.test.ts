// Searches that arrive at the same time are one statement.
import { beforeAll, expect, test } from 'vitest'
import { service, type Workspace } from '../../../../test/harness.ts'
import { insertLead } from '../../../../test/insert-lead.ts'
import type { Pool } from '../../../db/driver.ts'
import { findLead } from './find.ts'
import { readCriteria } from './match.ts'

// So few that requests which take a slot each would hardly ever meet.
const app = service({ connections: 5 })
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
  const before = app.statements
  const answers = asked.flatMap((email) => [found(space, email), found(other, email)])
  expect(await Promise.all(answers)).toEqual(
    asked.flatMap((email) => [email.startsWith('search') ? email : 404, 404]),
  )
  // Without groups each search takes one statement, or two if it finds nothing.
  expect(app.statements - before).toBeLessThan(answers.length / 2)
})

test('one that fails does not stop the others of its group', async () => {
  const pool = app.pool
  const find = (db: Pool, email: string | undefined) =>
    findLead(db, space.id_space, readCriteria({ email: email as string }), (work) => work())
  let goOn = () => {}
  const held = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const over = (raw: (...query: Parameters<Pool['unsafe']>) => Promise<unknown>): Pool =>
    ({
      options: pool.options,
      unsafe: (...query: Parameters<Pool['unsafe']>) => ({ raw: () => raw(...query) }),
    }) as never
  const slow = over((...query) => held.then(() => pool.unsafe(...query).raw()))
  // As when the client of the request leaves, whose statement is that of the group.
  const broken = over(() => Promise.reject(new Error('canceled')))
  const searches = [find(slow, emails[0]), find(broken, emails[1]), find(pool, emails[2])]
  goOn()
  const answers = (await Promise.allSettled(searches)).map((answer) =>
    answer.status === 'fulfilled' ? JSON.parse(String(answer.value)).email : answer.reason.message,
  )
  expect(answers).toEqual([emails[0], 'canceled', emails[2]])
})
