// All tortures, in the order in which they run.
import { cluster } from './cluster.ts'
import { concurrency } from './concurrency.ts'
import { crash } from './crash.ts'
import { faults } from './faults.ts'
import { feed } from './feed.ts'
import { fuzz } from './fuzz.ts'
import { isolation } from './isolation.ts'
import { load } from './load.ts'
import { mail } from './mail.ts'
import { mcp } from './mcp.ts'
import { retries } from './retries.ts'
import { stalls } from './stalls.ts'
import type { Torture } from './torture.ts'
import { undo } from './undo.ts'
import { web } from './web.ts'
import { webhooks } from './webhooks.ts'

export const tortures: Torture[] = [
  ...[
    crash,
    retries,
    feed,
    undo,
    webhooks,
    mail,
    faults,
    load,
    fuzz,
    mcp,
    stalls,
    isolation,
    concurrency,
  ],
  ...[web, cluster],
]
