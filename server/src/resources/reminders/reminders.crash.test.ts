// Kills a process in the middle of firing. It is a real process with the compiled program.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { expect, inject, test } from 'vitest'
import { inDatabase } from '../../../test/database.ts'
import { writtenEvents } from '../../../test/events.ts'
import { service } from '../../../test/harness.ts'
import { startProcess } from '../../../test/other-process.ts'
import { run } from '../../db/sql.ts'
import { fireReminders } from './reminders.firing.ts'

const app = service()

/** Starts another process that fires due reminders once, at the time of the test's clock. */
function fireInOtherProcess(): ChildProcess {
  const target = inDatabase(inject('server'), app.db.options.database)
  return startProcess(
    (module) => `
      import { connect } from ${module('db/driver')}
      import { fireReminders } from ${module('resources/reminders/reminders.firing')}
      const db = connect(${JSON.stringify(target)}, { max: 2 })
      const clock = () => new Date(${app.clock.now.getTime()})
      console.log(await fireReminders({ db, clock, log: console }))
      await db.end()`,
  )
}

test.each([
  ['without cron', '', '2026-03-02T08:00:00.000Z'],
  ['recurring', '0 9 * * *', '2026-03-03T09:00:00.000Z'],
])(
  'a reminder (%s) whose process dies between claim and event fires exactly once',
  async (_kind, cron, after) => {
    const space = await app.workspace()
    const date = '2026-03-02T08:00:00.000Z'
    const { id } = (await space.post('/reminders', { name: 'Call', date, cron })).body
    const firings = () => run(app.db)`select due_at from reminder_firing where id_reminder = ${id}`
    const stored = async () =>
      (await run(app.db)`select date, fired_at from reminder where id = ${id}`)[0]

    let child: ChildProcess | undefined
    let backend: number | undefined
    await app.db.begin(async (tx) => {
      // The other process claims the reminder and then waits here, in its transaction.
      await run(tx)`lock table reminder_firing in access exclusive mode`
      child = fireInOtherProcess()
      const isWaiting = async () => {
        const [waiting] = await run<{ pid: number }[]>(
          tx,
        )`select pid from pg_locks join pg_database on pg_database.oid = database
            where datname = current_database()
              and relation = 'reminder_firing'::regclass and not granted`
        backend = waiting?.pid
        return waiting !== undefined
      }
      await expect.poll(isWaiting).toBe(true)
      // The reminder is claimed: its row is locked.
      expect(
        await run(tx)`select id from reminder where id_space = ${space.id_space} and id = ${id}
            for update skip locked`,
      ).toEqual([])
      child.kill('SIGKILL')
      await once(child, 'exit')
    })
    expect(child?.signalCode).toBe('SIGKILL')
    await expect
      .poll(() => run(app.db)`select from pg_stat_activity where pid = ${backend as number}`)
      .toHaveLength(0)
    expect(await firings()).toEqual([])
    const events = () => writtenEvents(app.db, space, 'reminder.due')
    expect(await events()).toEqual([])
    expect(await stored()).toEqual({ date, fired_at: null })

    const log = { info: () => {}, error: () => expect.unreachable() }
    const options = { db: app.db, clock: () => app.clock.now, log }
    expect(await fireReminders(options)).toBe(1)
    expect(await fireReminders(options)).toBe(0)
    expect(await firings()).toEqual([{ due_at: date }])
    expect(await events()).toMatchObject([{ ids: [id] }])
    expect((await stored())?.date).toBe(after)
  },
)

test('a process that is not killed fires the reminder', async () => {
  const space = await app.workspace()
  const date = '2026-03-02T08:00:00.000Z'
  await space.post('/reminders', { name: 'Call', date })
  const child = fireInOtherProcess()
  let output = ''
  child.stdout?.on('data', (chunk) => {
    output += chunk
  })
  await once(child, 'close')
  expect(output.trim()).toBe('1')
})
