// Health checks for monitoring: /healthz says that the process runs, /readyz that it reaches the database,
// can write to it and is not about to stop.
import { unavailable } from '@rapport/contract/errors'
import type { FastifyInstance } from 'fastify'
import type { Pool } from '../db/driver.ts'
import { run } from '../db/sql.ts'
import { type LoopDelay, watchEventLoop } from './event-loop.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** From now on, /readyz tells load balancers to send no more requests. */
    refuseNew(): void
  }
}

/** A database that takes longer counts as not reached. */
const timeoutMs = 2_000

export function serveHealth(app: FastifyInstance, db: Pool): { eventLoop: () => LoopDelay } {
  const eventLoop = watchEventLoop(app)
  let isStopping = false
  const refuseNew = () => {
    isStopping = true
  }
  app.decorate('refuseNew', refuseNew)
  app.addHook('preClose', async () => refuseNew())
  app.get('/healthz', async () => ({ status: 'ok', event_loop: eventLoop() }))
  app.get('/readyz', async () => {
    if (isStopping) throw unavailable()
    let timer: NodeJS.Timeout | undefined
    const tooLate = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(unavailable()), timeoutMs)
    })
    try {
      const asked = run<[{ isReadOnly: boolean }]>(db)`
        select current_setting('transaction_read_only')::bool as "isReadOnly"`
      const [{ isReadOnly }] = await Promise.race([asked, tooLate])
      if (isReadOnly) throw unavailable()
    } finally {
      clearTimeout(timer)
    }
    return { status: 'ready' }
  })
  return { eventLoop }
}
