import { describe, expect, test } from 'vitest'
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
})
