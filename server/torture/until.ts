import { setTimeout as sleep } from 'node:timers/promises'
import { Breach } from './torture.ts'

/** Polls until the condition returns something and returns that. A timeout is a breach. */
export async function until<T>(
  what: string,
  seconds: number,
  condition: () => Promise<T | undefined | false> | T | undefined | false,
): Promise<T> {
  const deadline = performance.now() + seconds * 1000
  for (;;) {
    const found = await condition()
    if (found !== undefined && found !== false) return found
    if (performance.now() > deadline) throw new Breach(`Not within ${seconds} seconds: ${what}`)
    await sleep(20)
  }
}
