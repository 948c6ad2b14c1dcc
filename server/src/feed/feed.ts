// The change feed of a running service: numbers new events soon after they are committed, and wakes
// readers that wait for them.
import { listen, type Pool } from '../db/driver.ts'
import { openSecondPool } from '../db/lock-limit.ts'
import { createPollTurn, type PollTurn } from '../db/poll-turn.ts'
import { every, type LoopLog } from '../every.ts'
import { newId } from '../ids.ts'
import { createHub, type Hub } from './hub.ts'
import { channel, inboxSender, keysSender } from './notify.sql.ts'
import { createSequencer, queueSender } from './sequencer.ts'

export interface Feed {
  hub: Hub
  /** Call it after a commit that may have written events. */
  wake(space: string): void
  /** The listener is called when a workspace has something to send, whichever process has committed that. */
  onQueued(listener: (space: string) => void): void
  /** The same for leads whose keys are due. */
  onKeysDue(listener: () => void): void
  /** For other work that looks at all workspaces. */
  pollTurn: PollTurn
  stop(): Promise<void>
}

/** Between two runs. Under load one run then numbers many events. */
const pauseMs = 50
/**
 * The pause is this many times as long as the run before it. A run takes long when an old transaction
 * keeps PostgreSQL from cleaning up the rows that were moved. The database then has other work to do.
 */
const pauseFactor = 4
/** How often events of other processes are looked for. */
const pollMs = 500

/** `timeoutMs` limits its statements; 0: not at all. */
export function startFeed(db: Pool, log: LoopLog, timeoutMs = 0): Feed {
  const own = openSecondPool(db, 1, timeoutMs)
  const hub = createHub()
  const self = newId()
  const sequencer = createSequencer(own, self, hub.wake)
  let waiting = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let running = Promise.resolve()
  let tookMs = 0
  let isStopped = false
  let onQueued: (space: string) => void = () => {}
  let onKeysDue = () => {}

  function schedule(): void {
    if (timer || isStopped) return
    timer = setTimeout(runSoon, Math.max(pauseMs, pauseFactor * tookMs))
  }

  function runSoon(): void {
    const spaces = waiting
    waiting = new Set()
    running = running
      .then(async () => {
        const started = performance.now()
        await sequencer.sequence(spaces)
        tookMs = performance.now() - started
      })
      // The poll finds them again, and logs what is wrong.
      .catch(() => {})
      .finally(() => {
        timer = undefined
        if (waiting.size > 0) schedule()
      })
  }

  const pollTurn = createPollTurn(own)
  const poll = every(pollMs, 'change feeds', log, async () => {
    if (!(await pollTurn.isOurs('events'))) return
    const done = running.then(sequencer.sequenceAll)
    running = done.catch(() => {})
    await done
  })
  const listening = listen(
    db,
    channel,
    (payload) => {
      const [sender, space = '', member = ''] = payload.split(' ')
      if (sender === queueSender) onQueued(space)
      else if (sender === keysSender) onKeysDue()
      else if (sender === inboxSender) hub.wakeInbox(space, member)
      else if (sender !== self) hub.wake(space)
    },
    hub.wakeAll,
  )

  return {
    hub,
    pollTurn,
    onQueued(listener) {
      onQueued = listener
    },
    onKeysDue(listener) {
      onKeysDue = listener
    },
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
