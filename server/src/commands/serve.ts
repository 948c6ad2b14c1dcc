import { selectFirstOwner } from '../access/access.sql.ts'
import { firstStart } from '../access/first-start.ts'
import { buildApp } from '../app.ts'
import { migrateSafely } from '../backup/before-migration.ts'
import { type ScheduleOptions, scheduleBackups } from '../backup/schedule.ts'
import type { Config } from '../config.ts'
import { isLostWrite, isUnavailable } from '../db/driver.ts'
import { openDatabase } from '../db/open.ts'
import { every } from '../every.ts'
import { requestPatienceMs } from '../http/overload.ts'
import { fireReminders } from '../resources/reminders/reminders.firing.ts'
import { version } from '../version.ts'
import { type Command, CommandError, parse } from './command.ts'
import { onStopSignal } from './interrupt.ts'

/** How long requests in flight may take to finish after a signal. */
const shutdownMs = 15_000

export const serve: Command = {
  summary: 'Start the service (npm start)',
  help: `Usage: npm start

Brings up the database, applies migrations and serves until Ctrl-C. Everything is set by
environment variables: PORT, HOST, DATA_DIR, DATABASE_URL and more, listed in the README.`,

  async run(args, config) {
    parse(args, {})
    outliveLostConnections()
    // From the start: a Ctrl-C while the database comes up must stop that, too.
    const asked = untilAsked()
    const say = (line: string) => console.error(line)
    const database = await openDatabase(config, say, { lockTimeoutMs: requestPatienceMs })
    try {
      let newKey: string | undefined
      await migrateSafely(database.pool, config, say, async (pool) => {
        newKey = await firstStart(pool, new Date(), config.apiKey !== undefined)
      })
      const clock = () => new Date()
      const app = buildApp({ db: database.pool, config, clock, ...(await ownersKey()) })
      await app.listen({ port: config.port, host: config.host }).catch((error) => {
        throw listenError(error, config)
      })
      const { port } = app.server.address() as { port: number }
      console.log(banner({ ...config, port }, database.where, newKey))
      const reminders = every(1_000, 'reminders', app.log, (signal) =>
        fireReminders({ db: database.pool, clock, log: app.log, signal }),
      )
      const backups = startBackups(clock, app.log)
      await asked
      const force = setTimeout(() => process.exit(1), shutdownMs)
      await Promise.all([reminders.stop(), backups?.stop(), app.close()])
      clearTimeout(force)
    } finally {
      await database.close()
    }

    function startBackups(clock: () => Date, log: ScheduleOptions['log']) {
      const { backupEvery: everyMs, backupKeep: keep, backupDir: folder } = config
      if (everyMs === undefined) return undefined
      const backups = scheduleBackups({ db: database.pool, folder, everyMs, keep, clock, log })
      backups.start()
      return backups
    }

    async function ownersKey() {
      const owner = config.apiKey && (await selectFirstOwner(database.pool))
      if (!config.apiKey || !owner) return {}
      const principal = { space: owner.id_space, user: owner.id, role: 'admin' as const }
      return { fixedKey: { key: config.apiKey, principal } }
    }
  },
}

/**
 * The driver asks each new connection about array types, and nobody awaits that: when the database
 * goes away just then, it is no reason to end. Everything else that nobody catches is.
 */
function outliveLostConnections(): void {
  process.on('unhandledRejection', (error) => {
    if (!isUnavailable(error)) throw error
  })
  // Nor does it look whether the connection is still there when it gets to write to it. The query
  // has been answered with the loss of the connection by then.
  process.on('uncaughtException', (error) => {
    if (isLostWrite(error)) return
    console.error(error)
    process.exit(1)
  })
}

/** Resolves at the first signal to stop. */
function untilAsked(): Promise<void> {
  return new Promise((resolve) => {
    onStopSignal(() => {
      console.log('\nStopping: finishing what is under way. Ctrl-C again to stop at once.')
      resolve()
    })
  })
}

function listenError(error: NodeJS.ErrnoException, { host, port }: Config): Error {
  const reason = {
    EADDRINUSE: `Port ${port} on ${host} is in use: stop the other program, or set PORT to another one, as in PORT=${port + 1} npm start`,
    EACCES: `Port ${port} needs rights this account does not have: set PORT to 1024 or above.`,
    EADDRNOTAVAIL: `HOST ${host} is no address of this machine.`,
    ENOTFOUND: `HOST ${host} is no known name.`,
  }[error.code ?? '']
  return reason ? new CommandError(reason) : error
}

function banner({ host, port, apiKey }: Config, where: string, newKey?: string): string {
  const address = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  const lines = [
    `Rapport ${version} is running`,
    '',
    `  API            ${address}/rest`,
    `  Documentation  ${address}/docs`,
    `  Data           ${where}`,
  ]
  if (newKey) {
    lines.push('', `  Your API key   ${newKey}`, '                 Shown this once: keep it safe.')
  } else if (apiKey) {
    lines.push('', '  API key        the one in RAPPORT_API_KEY, for the owner')
  }
  return [...lines, '', 'Stop with Ctrl-C.'].join('\n')
}
