// The dispatcher as such. What it sends is in the tests of webhooks and mail.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { connect } from '../db/driver.ts'
import { createDispatcher } from './dispatcher.ts'

test('what cannot be read because the service stops is not tried again', async () => {
  const database = createServer()
  database.listen(0, '127.0.0.1')
  await once(database, 'listening')
  const { port } = database.address() as AddressInfo
  const target = { host: '127.0.0.1', port, database: 'none', username: 'nobody' }
  const faults: string[] = []
  const dispatcher = createDispatcher({
    db: connect(target, { max: 1 }),
    clock: () => new Date(),
    feed: { hub: { subscribe: () => () => {} }, onQueued: () => {} } as never,
    log: { info: () => {}, error: (_about, text) => void faults.push(text) },
    perform: () => Promise.reject(new Error('There is nothing to do')),
  })
  dispatcher.start()
  const [socket] = (await once(database, 'connection')) as [Socket]
  const stopped = dispatcher.stop()
  socket.destroy()
  database.close()
  await stopped
  expect(faults).toEqual([])
})
