import type { Event } from '@rapport/contract'
import { ApiError } from '@rapport/contract/errors'
import { isUnavailable, type Pool } from '../db/driver.ts'
import { startFeed } from '../feed/feed.ts'
import { openReader } from '../resources/events/reader.ts'
import { anySpace, chooseSpace } from './choose-space.ts'
import { actionOf, CommandError, command, requireNoMore, withDatabase } from './command.ts'
import { describeEvent } from './describe-event.ts'
import { untilInterrupted } from './interrupt.ts'
import { type NameOf, openNames } from './member-names.ts'

const pageSize = 200
/** How often it checks without a notification, and while the database is unavailable. */
const lookMs = 1_000

export const events = command({
  summary: 'Follow what changes in a workspace',
  help: `Usage: npm run rapport -- events tail [--space <name|id>] [options]

Prints each change as it happens: when, who, what, and the values before and after. Runs until
Ctrl-C. Works with and without a running server. See docs/EVENTS.md.`,
  options: {
    space: anySpace,
    types: '<types> only these: lead.created,lead.updated or note.* (default: all)',
    after:
      '<cursor> where to begin: "start" for the oldest retained event, "now", or a cursor of the API (default: now)',
    json: 'print one event per line as JSON, with its cursor; for scripts',
  },

  async run({ values, positionals }, config) {
    const [word, ...more] = positionals
    actionOf(word, ['tail'])
    requireNoMore(more)
    await withDatabase(config, (pool) =>
      untilInterrupted(async (signal) => {
        const { id_space: space } = await chooseSpace(pool, values.space)
        const { after = 'now', types, json } = values
        const nameOf = openNames(pool, space)
        const print = (event: Event, cursor: string) => show(event, cursor, json, nameOf)
        await follow(pool, space, { after, ...(types !== undefined && { types }) }, print, signal)
      }),
    ).catch((error) => {
      throw error instanceof ApiError ? new CommandError(tell(error)) : error
    })
  },
})

/** Prints events until the signal comes. */
async function follow(
  pool: Pool,
  space: string,
  query: { after: string; types?: string },
  print: (event: Event, cursor: string) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const reader = openReader(pool, space, query)
  const say = (line: string) => console.error(line)
  // Without a running server, events get their numbers here.
  const feed = startFeed(pool, { info: say, error: (_about, text) => say(text) })
  try {
    while (!signal.aborted) {
      const version = feed.hub.version(space)
      const events = await reader.read(pageSize).catch((error) => {
        if (isUnavailable(error)) return []
        throw error
      })
      for (const event of events) await print(event, reader.cursor(event))
      if (!reader.isBehind()) await feed.hub.wait(space, version, lookMs, signal)
    }
  } finally {
    await feed.stop()
  }
}

async function show(event: Event, cursor: string, json: boolean, nameOf: NameOf): Promise<void> {
  if (json) return console.log(JSON.stringify({ cursor, ...event }))
  console.log(describeEvent(event, await nameOf(event.actor)))
}

function tell({ issues }: ApiError): string {
  return issues.map(({ path, message }) => `--${path.join('.')}: ${message}`).join('\n')
}
