import { expect, inject, test } from 'vitest'
import { inDatabase } from '../../test/database.ts'
import { isOnCluster } from '../../test/databases.ts'
import { service } from '../../test/harness.ts'
import { connect } from './driver.ts'
import { openSecondPool, withoutLockLimit } from './lock-limit.ts'
import { run } from './sql.ts'

const app = service()

test('a transaction of a second pool sends one statement more on a cluster, and none on one server', async () => {
  const sent: string[] = []
  const target = inDatabase(inject('server'), app.db.options.database)
  const pool = connect(target, { lockTimeoutMs: 50, onStatement: (text) => sent.push(text) })
  const second = openSecondPool(pool)
  const work = () => second.begin((tx) => run(tx)`show lock_timeout`)
  try {
    // The first one also finds out where it is.
    await work()
    sent.length = 0
    expect(await work()).toEqual([{ lock_timeout: '0' }])
    const more = isOnCluster() ? [withoutLockLimit] : []
    expect(sent).toEqual(['begin ', ...more, 'show lock_timeout', 'commit'])
  } finally {
    await second.end()
    await pool.end()
  }
})
