// A port that stays free until the test listens on it.
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below those that the system hands out by itself (from 32768 on Linux), where a connection of
 * any test that runs beside could take it.
 */
export async function freePort(): Promise<number> {
  const port = 20_000 + Math.floor(Math.random() * 12_000)
  const probe = createServer()
  try {
    await once(probe.listen(port), 'listening')
  } catch {
    return freePort()
  }
  probe.close()
  await once(probe, 'close')
  return port
}
