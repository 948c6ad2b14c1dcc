import { describe, expect, test } from 'vitest'
import type { Db } from '../src/db/driver.ts'
import { claim } from '../src/outgoing/queue.sql.ts'
import { service } from './harness.ts'
import { expectOneTask, taskCounts } from './one-task.ts'

describe.runIf(process.env.CITUS_URL)('on a cluster', () => {
  const app = service()

  test('a statement that names its workspace is one task, another one is several', async () => {
    const { id_space } = await app.workspace()
    const pinned = 'select count(*) from lead where id_space = $1'
    const across = 'select count(*) from lead where id_space <> $1'
    expect(await taskCounts(app.db, pinned, [id_space])).toEqual([1])
    expect(await taskCounts(app.db, across, [id_space])).toEqual([4])
    await expectOneTask(app.db, new Map([[pinned, [id_space]]]))
    await expect(expectOneTask(app.db, new Map([[across, [id_space]]]))).rejects.toThrow(
      `Not one task:\n4 tasks in: ${across}`,
    )
  })

  test('who has something to send is claimed by the coordinator alone, for all workspaces', async () => {
    const { now } = app.clock
    const sent: { text: string; values: unknown[] }[] = []
    const db = { unsafe: (text: string, values: unknown[]) => void sent.push({ text, values }) }
    const whom = { full: [], healthy: 5, failing: 5 }
    claim(db as unknown as Db, {
      now,
      until: now,
      lease: 'a0000000-0000-4000-8000-000000000000',
      ...whom,
    })
    const [{ text = '', values = [] } = {}] = sent
    expect(text).toContain('update delivery_queue')
    expect(await taskCounts(app.db, text, values)).toEqual([])
  })
})
