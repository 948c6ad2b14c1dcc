// The change feed of a running service: numbers new events soon after they are committed, and wakes
// those who wait for them.
import { listen, openSecondPool, type Pool } from '../db/driver.ts'
import { every, type LoopLog } from '../every.ts'
import { createHub, type Hub } from './hub.ts'
import { notify } from './sequencer.sql.ts'
import { sequence, sequenceAll } from './sequencer.ts'

export interface Feed {
  hub: Hub
  /** Call it after a commit that may have written events. */
  wake(space: string): void
  stop(): Promise<void>
}

const channel = 'rapport_events'
/** Between two runs for the same workspaces. Under load one run then numbers many events. */
const pauseMs = 50
/** How often events of other processes are looked for. */
const pollMs = 500

export function startFeed(db: Pool, log: LoopLog): Feed {
  const own = openSecondPool(db)
  const hub = createHub()
  let waiting = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let running = Promise.resolve()
  let isStopped = false

  async function announce(spaces: string[]): Promise<void> {
    for (const space of spaces) {
      hub.wake(space)
      await notify(own, channel, space)
    }
  }

  function schedule(): void {
    if (timer || isStopped) return
    timer = setTimeout(() => {
      const spaces = waiting
      waiting = new Set()
      running = running
        .then(async () => announce(await sequence(own, spaces)))
        // The poll finds them again, and logs what is wrong.
        .catch(() => {})
        .finally(() => {
          timer = undefined
          if (waiting.size > 0) schedule()
        })
    }, pauseMs)
  }

  const poll = every(pollMs, 'the change feed', log, () => {
    running = running.then(async () => announce(await sequenceAll(own)))
    const done = running
    running = running.catch(() => {})
    return done
  })
  const listening = listen(db, channel, (space) => hub.wake(space), hub.wakeAll)

  return {
    hub,
    wake(space) {
      waiting.add(space)
      schedule()
    },
    async stop() {
      isStopped = true
      clearTimeout(timer)
      hub.close()
      await poll.stop()
      await running
      await Promise.all([listening.stop(), own.end({ timeout: 5 })])
    },
  }
}
