import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { selectFirstOwner } from '../access/access.sql.ts'
import { type FirstStart, firstStart } from '../access/first-start.ts'
import { makeLink } from '../access/links.ts'
import { migrateSafely } from '../backup/before-migration.ts'
import { type ScheduleOptions, scheduleBackups } from '../backup/schedule.ts'
import type { Config } from '../config.ts'
import { connectAgain } from '../db/driver.ts'
import { logIfSlow } from '../db/log-if-slow.ts'
import { readMigrations, selectNewerMigration } from '../db/migrate.ts'
import { openDatabase } from '../engine/open-database.ts'
import { every } from '../every.ts'
import { contentType } from '../http/metrics.ts'
import { requestWaitLimitMs } from '../http/overload.ts'
import { openSecrets } from '../secrets.ts'
import { findCommit, version } from '../version.ts'
import { addressOf, linksTo, programName } from './address.ts'
import { CommandError, command } from './command.ts'
import { introduce } from './first-sign-in.ts'
import { stopWithOutput, untilInterrupted } from './interrupt.ts'
import { asTyped } from './next-command.ts'
import { openBrowser } from './open-browser.ts'
import { namingWayBack, wayBack } from './way-back.ts'

/** A lock and a migration at the same time. Afterward, what a backup or an option needs. */
const startConnections = 2
/** Reminders, housekeeping and keys of leads. */
const backgroundConnections = 3
/** How often to look for leads whose keys are due, in case the notification was lost. */
const keysMs = 60_000
/** How often to look whether a newer release has migrated the database. */
const schemaMs = 5_000

const tooNew = (newest: string) =>
  `A newer release of Rapport has migrated the database (${newest}). This server has stopped, so that it writes nothing that the new release does not understand. Start the newer release.`

export const serve = command({
  summary: 'Start the service (npm start)',
  help: `Usage: npm start
       npm start -- --open

Starts the database, applies migrations and serves until Ctrl-C. The first Ctrl-C finishes
requests in flight, for at most 15 seconds; the second stops immediately. With STOP_DELAY=10s, it
first returns 503 from /readyz for that time while it keeps serving. Settings are environment
variables: PORT, HOST, DATA_DIR, DATABASE_URL and more, listed in the README.`,
  options: {
    open: 'in a terminal: open the page in the browser, signed in as the owner of the first workspace',
  },

  async run({ values }, config) {
    stopWithOutput()
    const say = (line: string) => console.error(asTyped(line))
    for (const { name, meant } of config.mistyped) {
      say(`${name} is not a setting of Rapport. Did you mean ${meant}?`)
    }
    // The largest part of the program loads while PostgreSQL starts.
    const loading = import('./serve.parts.ts')
    loading.catch(() => {})
    // Its statements have no limit: migrations may take long.
    const database = await openDatabase({ ...config, poolSize: startConnections }, say, {
      lockTimeoutMs: requestWaitLimitMs,
      name: programName(config),
      waitMs: config.databaseWaitMs,
      checksSessions: true,
    })
    const db = connectAgain(database.pool, config.poolSize, {
      lockTimeoutMs: requestWaitLimitMs,
      statementTimeoutMs: config.timeouts.ordinary,
    })
    const backgroundDb = connectAgain(database.pool, backgroundConnections, {
      lockTimeoutMs: requestWaitLimitMs,
      statementTimeoutMs: config.timeouts.background,
    })
    let first: FirstStart | undefined
    try {
      const parts = await loading
      const start = async () => {
        const ownerHasKey = config.apiKey !== undefined
        first = await firstStart(database.pool, new Date(), ownerHasKey, parts.makeReadyPipeline)
      }
      await namingWayBack(config, () =>
        database.asOwner((owner) => migrateSafely(owner, config, say, start)),
      )
      const known = readMigrations().length
      await parts.removeLeftUploads()
      void findCommit()
      const clock = () => new Date()
      const secrets = await openSecrets(config)
      const app = parts.buildApp({ db, config, clock, secrets, ...(await ownersKey()) })
      await listen(app, config, say).catch(async (error) => {
        // Otherwise its change feed would keep the process running.
        await app.close()
        throw error
      })
      const metrics = await serveMetricsApart(app, config).catch(async (error) => {
        await app.close()
        throw error
      })
      await untilInterrupted(async (signal) => {
        const { port } = app.server.address() as { port: number }
        const served = { ...config, port }
        const introduction = first ? await introduce(first, linksTo(served), config) : []
        console.log(banner(served, database.where, introduction))
        for (const { text } of parts.addressFaults(config)) say(text)
        if (values.open && process.stdout.isTTY) await open(linksTo(served))
        first = undefined
        const reminders = every(1_000, 'reminders', app.log, async (stop) => {
          if (!(await app.feed.pollTurn.isOurs('reminders'))) return
          await parts.fireReminders({
            ...{ db: backgroundDb, clock, log: app.log, signal: stop },
            onChange: app.feed.wake,
          })
          if (app.mail) {
            await parts.mailNotifications({ db: backgroundDb, clock, mail: app.mail, log: app.log })
          }
        })
        app.dispatcher.start()
        const chores = every(
          parts.housekeepingMs,
          'chores',
          app.log,
          (stop) => parts.keepHouse({ db: backgroundDb, now: clock(), config, signal: stop }),
          60_000,
        )
        const keys = every(
          keysMs,
          'Keys of leads',
          app.log,
          (stop) => parts.buildKeys(backgroundDb, stop),
          1_000,
        )
        app.feed.onKeysDue(keys.wake)
        const backups = startBackups(clock, app.log)
        const outdated = new AbortController()
        const schema = every(schemaMs, 'Checks of the schema', app.log, async () => {
          const newer = await selectNewerMigration(backgroundDb, known)
          if (newer) outdated.abort(newer)
        })
        await aborted(AbortSignal.any([signal, outdated.signal]))
        if (signal.aborted) {
          console.log(
            '\nStopping after the requests in flight. Press Ctrl-C again to stop immediately.',
          )
          app.refuseNew()
          await sleep(config.stopDelayMs)
        }
        const loops = [reminders, chores, keys, schema, ...(backups ? [backups] : [])]
        metrics?.close()
        await Promise.all([...loops.map((loop) => loop.stop()), app.close()])
        if (outdated.signal.aborted) {
          const back = await wayBack(config, known)
          throw new CommandError(`${tooNew(outdated.signal.reason)} ${back}`)
        }
      }, config.stopDelayMs)
    } catch (error) {
      // The workspace exists by now, and the next start does not show its key.
      if (first?.key) console.log((await introduce(first, undefined, config)).join('\n'))
      throw error
    } finally {
      await Promise.all([db, backgroundDb].map((pool) => pool.end({ timeout: 5 })))
      await database.close()
    }

    async function open(page: string): Promise<void> {
      const owner = await selectFirstOwner(database.pool)
      const link =
        first?.link ?? (owner && (await makeLink(database.pool, owner, 'sign_in', new Date())))
      if (link) openBrowser(page + link.path)
    }

    function startBackups(clock: () => Date, log: ScheduleOptions['log']) {
      const { backupEvery: everyMs, backupKeep: keep, backupDir: folder, backupKey: key } = config
      if (everyMs === undefined) return undefined
      const { backupStorage: storage, backupHook: hook } = config
      const how = { folder, everyMs, keep, key, storage, hook }
      const backups = scheduleBackups({ db: database.pool, ...how, clock, log })
      backups.start()
      return backups
    }

    async function ownersKey() {
      const owner = config.apiKey && (await selectFirstOwner(database.pool))
      if (!config.apiKey || !owner) return {}
      const principal = {
        space: owner.id_space,
        user: owner.id,
        role: 'admin',
        way: 'api',
      } as const
      return { fixedKey: { key: config.apiKey, principal } }
    }
  },
})

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

async function listen(
  app: FastifyInstance,
  config: Config,
  say: (line: string) => void,
): Promise<void> {
  const { host, port } = config
  await logIfSlow(
    say,
    () => `Waiting for the address HOST ${host}…`,
    app.listen({ port, host }),
  ).catch((error) => {
    throw listenError(error, config)
  })
}

/** Only the metrics, on a separate port: the network decides who can read them. */
async function serveMetricsApart(
  app: FastifyInstance,
  { host, metricsPort }: Config,
): Promise<Server | undefined> {
  if (metricsPort === undefined) return undefined
  const server = createServer(async ({ url }, response) => {
    if (url !== '/metrics') return response.writeHead(404).end()
    response.writeHead(200, { 'Content-Type': contentType }).end(await app.metrics())
  })
  server.listen(metricsPort, host)
  await once(server, 'listening').catch((error) => {
    throw listenError(error, { host, port: metricsPort }, 'METRICS_PORT')
  })
  return server
}

function listenError(
  error: NodeJS.ErrnoException,
  { host, port }: Pick<Config, 'host' | 'port'>,
  setting = 'PORT',
): Error {
  const reason = {
    EADDRINUSE: `Port ${port} on ${host} is in use. Stop the other program or choose another port, for example: ${setting}=${port + 1} npm start`,
    EACCES: `This account may not use port ${port}. Set ${setting} to 1024 or higher.`,
    EADDRNOTAVAIL: `HOST ${host} is not an address of this machine.`,
    ENOTFOUND: `HOST ${host} is an unknown host name.`,
    EAI_AGAIN: `Cannot look up HOST ${host} right now. Set HOST to an address.`,
  }[error.code ?? '']
  return reason ? new CommandError(reason) : error
}

function banner(config: Config, where: string, introduction: string[]): string {
  const { publicUrl } = config
  const listening = addressOf(config)
  const address = publicUrl ?? listening
  const lines = [
    `Rapport ${version} is running`,
    '',
    `  API            ${address}/rest`,
    `  Documentation  ${address}/docs`,
    ...(publicUrl ? [`  Listening on   ${listening}`] : []),
    `  Data           ${where}`,
    ...introduction,
  ]
  if (config.apiKey) lines.push('', '  API key        the one in RAPPORT_API_KEY, for the owner')
  return [...lines, '', 'Stop with Ctrl-C.'].join('\n')
}
