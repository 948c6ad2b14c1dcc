// A database that takes no writes any more, as after a failover.
import { expect, test } from 'vitest'
import { service } from '../../test/harness.ts'
import { raw, run } from './sql.ts'

const app = service()

test('writes get 503, the service is not ready, and its connections are replaced', async () => {
  const space = await app.workspace()
  const [{ name } = { name: '' }] = await run<{ name: string }[]>(
    app.db,
  )`select current_database() as name`
  const setting = raw(`database "${name}" set default_transaction_read_only`)
  await run(app.db)`alter ${setting} = on`
  await run(app.db)`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = ${name} and pid <> pg_backend_pid()`
  const write = async () => (await space.post('/tags', { name: 'Warm' })).status
  const ready = async () => (await app.request('/readyz')).status
  await expect.poll(write).toBe(503)
  await expect.poll(ready).toBe(503)
  expect((await space.get('/tags')).status).toBe(200)
  // The connection may be one of the new ones.
  await app.db.begin('read write', (tx) => run(tx)`alter ${setting} = off`)
  await expect.poll(write).toBe(200)
  await expect.poll(ready).toBe(200)
})
