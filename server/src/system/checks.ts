// Checks everything that an operator should know about, and says what was found and what to do about it.
import { type MailState, mailDays } from '@rapport/contract/mail.values'
import { type Check, type CheckName, checkNames } from '@rapport/contract/system'
import { lastBackup, listBackups } from '../backup/folder.ts'
import { isLate } from '../backup/schedule.ts'
import type { Config } from '../config.ts'
import type { Pool } from '../db/driver.ts'
import { readMigrations } from '../db/migrate.ts'
import { isLoopback } from '../http/origin.ts'
import { countMails, isMailPaused } from '../mail/mail.sql.ts'
import { findCommit, version } from '../version.ts'
import { counted, inBytes, inTime } from '../words.ts'
import { freeBytes, isOpenToOthers, isThere, isWritable, maxOpenFiles } from './machine.ts'
import { readBackgroundWork } from './stored.ts'
import { type DatabaseFacts, selectDatabaseFacts, selectSchema, type Usage } from './system.sql.ts'

export type SystemConfig = Pick<
  Config,
  | 'backupDir'
  | 'backupEvery'
  | 'databaseUrl'
  | 'dataDir'
  | 'host'
  | 'mail'
  | 'maxRequests'
  | 'mistyped'
  | 'publicUrl'
  | 'secretKey'
>

export interface Examined {
  db: Pool
  config: SystemConfig
  now: Date
  /** The workspace that asks, and its disk space. */
  space?: string
  usage?: Usage
  /** The address of a proxy whose headers the running service ignores. */
  ignoredProxy?: string | undefined
}

type Finding = Omit<Check, 'name'>

const ok = (text: string): Finding => ({ state: 'ok', text, advice: null })
const warning = (text: string, advice: string): Finding => ({ state: 'warning', text, advice })
const error = (text: string, advice: string): Finding => ({ state: 'error', text, advice })

type Looked = Examined & { facts: DatabaseFacts }

const checks: Record<CheckName, (looked: Looked) => Promise<Finding | undefined>> = {
  async release() {
    const commit = (await findCommit())?.slice(0, 7)
    return ok(`Rapport ${version}${commit ? ` (${commit})` : ''} on Node.js ${process.version}.`)
  },

  database: async ({ facts, config }) => {
    const kind = config.databaseUrl === undefined ? 'The bundled PostgreSQL' : 'PostgreSQL'
    return ok(`${kind} ${facts.version}. The database takes ${inBytes(facts.bytes)}.`)
  },

  async schema({ db }) {
    const [last, migrations] = [await selectSchema(db), readMigrations()]
    const done = last?.version ?? 0
    if (done > migrations.length) {
      const text = `A newer release of Rapport has migrated the database (${last?.name}).`
      return error(text, 'Start that release.')
    }
    const next = migrations[done]
    if (!next) return ok(`${last?.name}, the newest of this release.`)
    const text = `${migrations.length - done} migrations are missing, from ${next.name} on.`
    return error(text, 'Start this release, or run: npm run rapport -- migrate')
  },

  workspace: async ({ usage }) => {
    if (!usage) return undefined
    const disk = usage.bytes === null ? '' : ` and about ${inBytes(usage.bytes)} on disk`
    return ok(`${counted(usage.leads, 'lead')}${disk}.`)
  },

  async backups({ config: { backupDir, backupEvery }, now }) {
    const last = await lastBackup(backupDir, now)
    const age = last ? now.getTime() - last.getTime() : 0
    const found = last ? `The last backup is ${inTime(age)} old.` : 'There is no backup yet.'
    if (backupEvery === undefined) {
      return warning(
        `${found} There are no scheduled backups.`,
        'Set BACKUP_EVERY=24h, and keep copies of the backups on another machine.',
      )
    }
    const planned = `One is due every ${inTime(backupEvery)}.`
    if (!last || isLate(age, backupEvery)) {
      const advice =
        'Look for "Backup failed" in the log. Free up disk space, and check the permissions of BACKUP_DIR.'
      return error(last ? `${found} ${planned} It is late.` : `${found} ${planned}`, advice)
    }
    const { future } = await listBackups(backupDir, now)
    if (future.length === 0) return ok(`${found} ${planned}`)
    return warning(
      `${counted(future.length, 'backup')} in BACKUP_DIR ${future.length === 1 ? 'is' : 'are'} from the future.`,
      'The clock was wrong when they were made. Rename or delete them.',
    )
  },

  async disk({ config: { backupDir, dataDir, databaseUrl }, facts }) {
    const folders = {
      ...(databaseUrl === undefined && { DATA_DIR: dataDir }),
      BACKUP_DIR: backupDir,
    }
    const free = await Promise.all(
      Object.entries(folders).map(async ([name, folder]) => ({
        ...{ name, bytes: (await freeBytes(folder)) ?? Number.POSITIVE_INFINITY },
      })),
    )
    const known = free.filter(({ bytes }) => Number.isFinite(bytes))
    if (known.length === 0) return undefined
    const text = `${known.map(({ name, bytes }) => `${inBytes(bytes)} free in ${name}`).join(', ')}.`
    const least = Math.min(...known.map(({ bytes }) => bytes))
    if (least < leastFree) return error(text, 'Free space now: without it, nothing can be written.')
    if (least > facts.bytes) return ok(text)
    const advice =
      'A backup or a migration may not fit. Free up space, or set BACKUP_DIR to another disk.'
    return warning(`${text} That is less than the database takes.`, advice)
  },

  async clock({ facts, now }) {
    const ahead = Date.parse(facts.clock) - now.getTime()
    const time = `${now.toISOString().slice(0, 19).replace('T', ' ')} UTC`
    if (Math.abs(ahead) < clockToleranceMs) return ok(`${time}, as in the database.`)
    const text = `${time}. The clock of the database is ${inTime(Math.abs(ahead))} ${ahead > 0 ? 'ahead' : 'behind'}.`
    return warning(text, 'Let both machines set their clocks by NTP.')
  },

  async background({ db, now }) {
    const { feedDelay, reminderDelay, unfinishedImports } = await readBackgroundWork(db, now)
    const late = [
      feedDelay > lateSeconds && `Changes reach the change feed ${inTime(feedDelay * 1000)} late.`,
      reminderDelay > lateSeconds && `Reminders are ${inTime(reminderDelay * 1000)} late.`,
    ].filter(Boolean)
    if (late.length > 0) {
      return error(late.join(' '), 'Is the service running? If so, its log says what fails.')
    }
    if (unfinishedImports === 0) return ok('Reminders and the change feed are on time.')
    const advice = 'To resume one that is not running, upload the same file again.'
    return warning(`${counted(unfinishedImports, 'import')} not finished.`, advice)
  },

  async mail({ db, config: { mail }, now, space }) {
    if (!mail) return ok('Not set up (SMTP_URL). Links have to be handed over.')
    if (space && (await isMailPaused(db, space))) {
      const text = 'Paused since a backup was restored.'
      return warning(text, 'Resume it below, if the mails of this workspace should go out.')
    }
    const counts = new Map((await countMails(db, space, now)).map((row) => [row.state, row]))
    const count = (state: MailState) => counts.get(state)?.count ?? 0
    const { since = null, last_error } = counts.get('queued') ?? {}
    const lateMs = since === null ? 0 : now.getTime() - Date.parse(since)
    if (last_error || lateMs > lateMailMs) {
      const waiting = `${counted(count('queued'), 'mail')} waiting`
      const oldest = lateMs > 0 ? `, the oldest for ${inTime(lateMs)}` : ''
      const failed = last_error ? `The last attempt failed: ${last_error}` : ''
      const text = `${waiting}${oldest}. ${failed}`
      const advice = 'Check SMTP_URL, and try it: npm run rapport -- mail test you@example.com'
      return warning(text.trim(), advice)
    }
    const through = `Mail goes through ${mail.host}, from ${mail.from.address}.`
    const [failed, uncertain] = [count('failed'), count('uncertain')]
    if (failed + uncertain === 0) return ok(`${through} ${count('sent')} sent in ${mailDays} days.`)
    const text = `In the last ${mailDays} days, ${counted(failed, 'mail')} failed, and ${uncertain} may or may not have been sent.`
    return warning(text, 'Settings → System lists them, and sends them again.')
  },

  async connections({ facts: { connections, maxConnections } }) {
    const text = `${connections} of ${maxConnections} connections to PostgreSQL are in use.`
    if (connections < 0.9 * maxConnections) return ok(text)
    return warning(text, 'Raise max_connections of PostgreSQL, or lower DATABASE_POOL.')
  },

  async files({ config: { maxRequests } }) {
    const most = await maxOpenFiles()
    if (most === undefined) return undefined
    const needed = 2 * maxRequests + 200
    const text = `The process can have at most ${most.toLocaleString('en')} files and connections open.`
    if (most >= needed) return ok(text)
    const advice = `Allow ${needed.toLocaleString('en')}, with LimitNOFILE= in the systemd unit or ulimit -n, or lower MAX_REQUESTS.`
    return warning(text, advice)
  },

  async rights({ config: { backupDir, backupEvery, dataDir } }) {
    if (backupEvery !== undefined && (await isThere(backupDir)) && !(await isWritable(backupDir))) {
      return error('This account cannot write to BACKUP_DIR.', 'Make it the owner of the folder.')
    }
    const paths = {
      DATA_DIR: dataDir,
      BACKUP_DIR: backupDir,
      'secret.key': `${dataDir}/secret.key`,
    }
    const open: string[] = []
    for (const [name, path] of Object.entries(paths)) {
      if (await isOpenToOthers(path)) open.push(name)
    }
    if (open.length > 0) {
      const text = `Other accounts of this machine can read ${open.join(', ')}.`
      return warning(text, 'chmod 700 for folders, and 600 for files.')
    }
    if (await isThere(dataDir, 'first-sign-in.txt')) {
      const text = 'first-sign-in.txt in DATA_DIR still holds the first key.'
      return warning(text, 'Keep the key elsewhere, and delete the file.')
    }
    return ok('Other accounts of this machine cannot read the data.')
  },

  async address({ config, ignoredProxy }) {
    if (ignoredProxy !== undefined) {
      const text = `The X-Forwarded headers of ${ignoredProxy} are ignored, so all its clients count as one.`
      return warning(text, 'If this is your proxy, set TRUST_PROXY to its address.')
    }
    const [fault] = addressFaults(config)
    if (fault) return warning(fault.text, fault.advice)
    return ok(`Links lead to ${config.publicUrl ?? 'this machine'}.`)
  },

  async settings({ config: { databaseUrl, mistyped, secretKey } }) {
    const [first] = mistyped
    if (first) {
      return warning(`${first.name} is not a setting of Rapport.`, `Did you mean ${first.meant}?`)
    }
    if (databaseUrl !== undefined && secretKey === undefined) {
      const text = 'SECRET_KEY is not set, so nobody can use an authenticator app.'
      return warning(
        text,
        'Set it to a random text of 32 characters or more: openssl rand -base64 32',
      )
    }
    return ok('No unknown settings.')
  },
}

/** Below this, PostgreSQL may stop soon. */
const leastFree = 500e6
const clockToleranceMs = 5_000
const lateSeconds = 60
const lateMailMs = 15 * 60_000

export async function examine(examined: Examined): Promise<Check[]> {
  const facts = await selectDatabaseFacts(examined.db)
  const found: Check[] = []
  for (const name of checkNames) {
    const finding = await checks[name]({ ...examined, facts })
    if (finding) found.push({ name, ...finding })
  }
  return found
}

/** Addresses that work, but not as people expect. */
export function addressFaults({
  host,
  publicUrl,
}: Pick<Config, 'host' | 'publicUrl'>): { text: string; advice: string }[] {
  if (publicUrl?.startsWith('http:') && !isLoopback(new URL(publicUrl).hostname)) {
    return [
      {
        text: 'PUBLIC_URL is not https. Anyone who can read the network traffic can read passwords and sessions.',
        advice: 'Put a TLS proxy in front of the service.',
      },
    ]
  }
  if (publicUrl || isLoopback(host)) return []
  return [
    {
      text: 'PUBLIC_URL is not set. Invitations and password links cannot be created.',
      advice: 'Set it to the address that people type.',
    },
  ]
}
