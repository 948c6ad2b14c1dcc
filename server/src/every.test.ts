import { expect, test } from 'vitest'
import { every } from './every.ts'

const log = { info() {}, error() {} }

test('work that is woken begins at once, and again if that was during a run', async () => {
  let runs = 0
  let goOn = () => {}
  const run = async () => {
    runs++
    await new Promise<void>((resolve) => {
      goOn = resolve
    })
  }
  const loop = every(3_600_000, 'runs', log, run)
  loop.wake()
  await expect.poll(() => runs).toBe(1)
  loop.wake()
  loop.wake()
  goOn()
  await expect.poll(() => runs).toBe(2)
  goOn()
  await loop.stop()
  loop.wake()
  expect(runs).toBe(2)
})
