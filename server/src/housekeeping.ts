// Deletes what has expired, and repairs what an older release has left behind, while the service runs.

import { mailDays } from '@rapport/contract/mail.values'
import type { Config } from './config.ts'
import type { Pool } from './db/driver.ts'
import { pruneEvents } from './feed/prune.ts'
import { pruneAnswers } from './idempotency/idempotency.ts'
import { pruneMails } from './mail/mail.sql.ts'
import { repairLeads } from './resources/leads/change/repair.sql.ts'
import { pruneNotifications } from './resources/notifications/notifications.sql.ts'
import { eraseDeleted } from './resources/operations/erase.ts'
import { deleteBefores, deleteOperations } from './resources/operations/store/operation.sql.ts'
import { deleteRejected } from './resources/transfer/import/run/rejected.sql.ts'
import { pruneWebhooks } from './resources/webhooks/webhooks.sql.ts'

export interface House {
  db: Pool
  now: Date
  config: Pick<Config, 'eventsKeepMs' | 'undoKeepMs' | 'deletedKeepMs'>
  /** Aborted when the service stops. A task then ends after its current transaction. */
  signal: AbortSignal
}

/** How often the service does its housekeeping. */
export const housekeepingMs = 3_600_000

/** Each works in short transactions. Several processes may do it at the same time. */
const chores: ((house: House) => Promise<unknown>)[] = [
  ({ db, now, signal }) => repairLeads(db, now, signal),
  ({ db, now, config, signal }) => pruneEvents(db, ago(now, config.eventsKeepMs), signal),
  ({ db, now, config }) => deleteBefores(db, ago(now, config.undoKeepMs)),
  ({ db, now, config }) => deleteOperations(db, ago(now, config.eventsKeepMs)),
  ({ db, now, config }) => deleteRejected(db, ago(now, config.undoKeepMs)),
  ({ db, now, signal }) => pruneAnswers(db, now, signal),
  ({ db, now }) => pruneWebhooks(db, now),
  ({ db, now }) => pruneMails(db, ago(now, mailDays * 86_400_000)),
  ({ db, now }) => pruneNotifications(db, now),
  async ({ db, now, config, signal }) => {
    const { deletedKeepMs } = config
    if (deletedKeepMs !== undefined) await eraseDeleted(db, ago(now, deletedKeepMs), now, signal)
  },
]

export async function keepHouse(house: House): Promise<void> {
  for (const chore of chores) await chore(house)
}

const ago = (now: Date, ms: number) => new Date(now.getTime() - ms)
